"""Evaluation by determinization: hidden information is sampled many times, and the game played on in each sample.

One such sample is called a world.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from sixfold.bots.greedy import OnePly, state_array
from sixfold.bots.net import NET_CANDIDATES, NO_MOVE, ONE_ACTIVE, NetPolicy, net_module, sigmoid
from sixfold.bots.selection import argsort_descending
from sixfold.engine.game import View
from sixfold.engine.steps import steps_of
from sixfold.games import packages
from sixfold.games.contract import Features, Heuristics
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.ranking import margin
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.review.evaluator import (
    WIDTH,
    DrawEvaluation,
    MoveEvaluations,
    Option,
    decided,
    final_rewards,
    normalized,
)
from sixfold.review.model import GAME_END_MARGIN, POINTS
from sixfold.review.sequential_halving import (
    BEST,
    NUMBER,
    PLAYED,
    STATS_SIZE,
    WORLDS,
    Race,
    candidate_selector,
    error,
    mean,
    next_batch_size,
    rank,
    reset,
    update,
)

MOST_WORLDS = 1 << 14
TO_THE_END = 10_000
# The number of worlds in which games without a net are played to their end to estimate a margin.
MARGIN_WORLDS = 64


class Sampler(Protocol):
    """Plays on in a world; ``results`` holds the resulting chance for each world and move."""

    @property
    def name(self) -> str: ...
    @property
    def results(self) -> np.ndarray: ...
    @property
    def depth(self) -> int:
        """The number of decisions that are played after a move."""

    def rank_moves(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The moves and their immediate values, best first."""

    def play_on(
        self,
        states: np.ndarray,
        seat: int,
        moves: np.ndarray,
        active: np.ndarray,
        span: tuple[int, int],
        seed: int,
        depth: int,
    ) -> None:
        """Make each active move in a range of worlds and play on; NONE stands for no move."""

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        """The estimated final margin of the seat's lowest value over the best opponent's after a move, in steps."""


@cache
def net_margin(features: Features) -> Callable[..., float]:
    """Compile the net's estimate of the margin after a move."""
    rules, net_kind = features.rules, net_module(features)

    @compiled
    def margin(net: Any, states: Any, seat: int, move: int, workspace: Any) -> float:
        weights, sizes = net
        layers, after = workspace.layers, workspace.states[2]
        workspace.states[2] = states[0]
        rules.act(after, move)
        if after.phase == OVER:
            return GAME_END_MARGIN
        features.write_inputs(after, seat, workspace.inputs, *workspace.features)
        net_kind.reset(layers)
        net_kind.feed(weights, sizes, workspace.inputs, layers, 0)
        return float(net_kind.output_single(weights, sizes, layers, int(sizes[sizes.size - 1]) - 1) * features.GOAL)

    return margin


class NetSampler:
    """Plays on for a few decisions with a net and evaluates the position with it."""

    name = "net"

    def __init__(self, game: str, players: int) -> None:
        self._first = NetPolicy(game, players, NET_CANDIDATES)
        features = self._first.features
        self.depth = features.PLAN.depth
        self._mind = NetPolicy(game, players, features.PLAN.replies, MOST_WORLDS, WIDTH + 1)
        self.results = self._mind.chances
        self.play_on = self._mind.roll_out
        self._margin = net_margin(features)

    def rank_moves(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, values = self._first.score_candidates(states)
        order = np.empty(len(values), dtype=np.int32)
        argsort_descending(values, order)
        return moves[order], POINTS * np.array([sigmoid(value) for value in values[order]])

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        return float(self._margin(self._mind.net, states, seat, move, self._mind.workspace))


@cache
def playouts(heuristics: Heuristics) -> Callable[..., None]:
    """Compile playouts: make each active move in each world, and play to the end with the light policy."""
    steps = steps_of(heuristics.rules)
    sample_world, try_move, draw, reward = steps.sample_world, steps.try_move, steps.draw, steps.reward

    @compiled
    def play(views: Any, seat: int, moves: Any, active: Any, span: Any, seed: Any, workspace: Any) -> None:
        worlds, board_features, generator = workspace.states, workspace.board_features, workspace.generator
        for world in range(span[0], span[1]):
            sample_world(worlds, views, seat, seed, world, workspace.weights, generator)
            for at in range(moves.size):
                if not active[at]:
                    continue
                try_move(worlds, moves[at], seed, world, generator)
                state = worlds[1]
                ended = state.phase == OVER
                heuristics.compute_board_features(state, board_features)
                while state.phase != OVER:
                    if state.phase == CHANCE:
                        draw(state, generator)
                    else:
                        move = heuristics.playout_move(state, board_features, workspace.heuristics, generator)
                        heuristics.act(state, board_features, move)
                reward(state, workspace.values, workspace.places, workspace.rewards)
                final_margin = float(margin(workspace.values, int(state.players), seat))
                workspace.margins[world, at] = GAME_END_MARGIN if ended else final_margin
                workspace.chances[world, at] = workspace.rewards[seat]

    return play


class PlayoutWorkspace(NamedTuple):
    """Scratch arrays and results of playouts."""

    states: np.ndarray  # a world, and the playout in it
    board_features: np.ndarray
    heuristics: np.ndarray
    weights: np.ndarray  # by item, to deal what is hidden
    generator: np.ndarray
    values: np.ndarray  # the result of a playout, by player, as the next two
    places: np.ndarray
    rewards: np.ndarray
    chances: np.ndarray  # by world and move, as the margins
    margins: np.ndarray


def playout_workspace(heuristics: Heuristics, worlds: int, moves: int) -> PlayoutWorkspace:
    """A workspace for playouts of this many worlds and moves."""
    players = max(heuristics.rules.PLAYERS)
    return PlayoutWorkspace(
        states=np.zeros(2, dtype=heuristics.rules.STATE),
        board_features=np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8),
        heuristics=np.zeros(heuristics.WORKSPACE_SHAPE),
        weights=np.zeros(len(heuristics.rules.ITEMS), dtype=np.int8),
        generator=np.zeros(1, dtype=np.uint64),
        values=np.zeros((players, len(heuristics.rules.VALUES)), dtype=np.int8),
        places=np.zeros(players, dtype=np.int8),
        rewards=np.zeros(players),
        chances=np.zeros((worlds, moves)),
        margins=np.zeros((worlds, moves)),
    )


class PlayoutSampler:
    """For games without a net: plays to the end with the search's light policy."""

    name = "playouts"
    depth = TO_THE_END

    def __init__(self, game: str, players: int) -> None:
        heuristics = packages()[game].heuristics
        self._one_ply = OnePly(game, foresight=True)
        self._play = playouts(heuristics)
        self._workspace = playout_workspace(heuristics, MOST_WORLDS, WIDTH + 1)
        self.results, self._margins = self._workspace.chances, self._workspace.margins

    def rank_moves(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, values = self._one_ply(states)
        order = np.empty(len(values), dtype=np.int32)
        argsort_descending(values, order)
        return moves[order], values[order]

    def play_on(
        self,
        states: np.ndarray,
        seat: int,
        moves: np.ndarray,
        active: np.ndarray,
        span: tuple[int, int],
        seed: int,
        depth: int,
    ) -> None:
        self._play(states, seat, moves, active, span, np.uint64(seed), self._workspace)

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        self.play_on(states, seat, np.array([move], dtype=np.int16), ONE_ACTIVE, (0, MARGIN_WORLDS), 0, self.depth)
        return mean(self._margins, MARGIN_WORLDS, 0)


def sampler(game: str, players: int) -> Sampler:
    """The net sampler if a net is shipped, else playouts."""
    package = packages()[game]
    has_net = package.features is not None and package.net(players).exists()
    return NetSampler(game, players) if has_net else PlayoutSampler(game, players)


class DeterminizationEvaluator:
    """Evaluates all moves in the same worlds, with more of them where moves are close."""

    def __init__(self, game: str, players: int) -> None:
        self.sampler = sampler(game, players)
        self.name = self.sampler.name
        rules = packages()[game].rules
        self._select = candidate_selector(rules)
        trials = np.zeros(WIDTH + 1, dtype=rules.STATE)
        self._trials = trials, trials.view(np.uint8).reshape(WIDTH + 1, rules.STATE.itemsize)

    def evaluate_moves(self, view: View, played: int, iterations: int, seed: int) -> MoveEvaluations:
        """Evaluate the moves of a view; an iteration is one move in one world."""
        assert view.seat is not None
        states = state_array(view)
        candidates = self.start(states, played)
        self.run(candidates, states, view.seat, iterations, seed)
        order = candidates.order()
        options = [
            Option(int(candidates.moves[at]), float(candidates.chances[at]), float(candidates.errors[at]))
            for at in order
        ]
        options[0] = replace(options[0], error=0.0)
        played_at = order.index(candidates.played)
        options[played_at] = replace(options[played_at], move=played)
        margins = None
        if decided(options[0].chance, options[played_at].chance):
            margins = [self.sampler.margin(states, view.seat, option.move) for option in options]
        return MoveEvaluations(options, played_at, margins)

    def start(self, states: np.ndarray, played: int) -> "Candidates":
        """Select the moves with the best immediate values that lead to different positions, and the played one."""
        candidates = Candidates(np.zeros(WIDTH + 1, dtype=np.int16))
        self._select(
            states, self.sampler.rank_moves(states)[0], played, *self._trials, candidates.moves, candidates.stats
        )
        candidates.reset()
        return candidates

    def compare(
        self, states: np.ndarray, seat: int, moves: np.ndarray, played_at: int, iterations: int, seed: int
    ) -> "Candidates":
        """Compare the given moves."""
        candidates = Candidates(moves)
        candidates.stats[NUMBER], candidates.stats[PLAYED] = len(moves), played_at
        candidates.reset()
        self.run(candidates, states, seat, iterations, seed)
        return candidates

    def run(self, candidates: "Candidates", states: np.ndarray, seat: int, iterations: int, seed: int) -> None:
        """Sequential halving: all moves in a few worlds, then those close to the best in twice as many."""
        sampler, number = self.sampler, candidates.stats[NUMBER]
        while more := next_batch_size(candidates.race, iterations, MOST_WORLDS):
            span = candidates.worlds, candidates.worlds + more
            sampler.play_on(
                states, seat, candidates.moves[:number], candidates.active[:number], span, seed, sampler.depth
            )
            update(candidates.race, sampler.results, more)

    def evaluate_draw(self, before: View, after: View, iterations: int, seed: int) -> DrawEvaluation:
        worlds = min(max(iterations // 2, 2), MOST_WORLDS)
        chances = self.sampler.results
        self._sample(before, worlds, seed)
        chances[:worlds, 1] = chances[:worlds, 0]
        self._sample(after, worlds, seed)
        return DrawEvaluation(
            POINTS * mean(chances, worlds, 0), POINTS * mean(chances, worlds, 1), POINTS * error(chances, worlds, 0, 1)
        )

    def chances(self, views: Sequence[View], iterations: int, seed: int) -> list[float]:
        worlds = min(max(iterations // len(views), 2), MOST_WORLDS)
        chances = []
        for view in views:
            self._sample(view, worlds, seed)
            chances.append(POINTS * mean(self.sampler.results, worlds, 0))
        return normalized(chances)

    def _sample(self, view: View, worlds: int, seed: int) -> None:
        """Sample the chance of a view's seat after the next decision, the kind of position that nets are trained on."""
        assert view.seat is not None
        if view.over:
            self.sampler.results[:worlds, 0] = final_rewards(view)[view.seat]
        else:
            self.sampler.play_on(state_array(view), view.seat, NO_MOVE, ONE_ACTIVE, (0, worlds), seed, 1)


class Candidates:
    """Moves compared in the same worlds: their chances in points, and the standard errors of their lag behind the
    best."""

    def __init__(self, moves: np.ndarray) -> None:
        self.moves = moves
        self.stats = np.zeros(STATS_SIZE, dtype=np.int32)
        self.active = np.zeros(len(moves), dtype=np.bool_)
        self.chances, self.errors = np.zeros(len(moves)), np.zeros(len(moves))
        self.race = Race(self.stats, self.active, self.chances, self.errors)

    def reset(self) -> None:
        reset(self.race)

    @property
    def worlds(self) -> int:
        return int(self.stats[WORLDS])

    @property
    def best(self) -> int:
        return int(self.stats[BEST])

    @property
    def played(self) -> int:
        return int(self.stats[PLAYED])

    def order(self) -> list[int]:
        """The indices of the moves, best first."""
        order = np.zeros(self.stats[NUMBER], dtype=np.int32)
        rank(self.race, order)
        return [int(at) for at in order]
