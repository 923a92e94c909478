"""The bot with a trained net, which evaluates the position after each move, one ply ahead (docs/nets.md)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from sixfold.bots import Budget, dense, graph
from sixfold.bots.greedy import state_array
from sixfold.bots.selection import argmax
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import SetupError, View, rules_of
from sixfold.engine.steps import steps_of
from sixfold.games import packages
from sixfold.games.contract import Features
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.heuristics import rank
from sixfold.games.shared.mathematics import exp
from sixfold.games.shared.symbols import NONE, OVER

# How many moves the net evaluates at most, ordered by their heuristic score.
NET_CANDIDATES = 160
# The share of skipped moves is given in percent.
PERCENT = 100
# The metadata entries of a net's file.
METADATA_KEYS = ("game", "players", "version", "games")
# The log-odds of a decided game, beyond anything a net outputs.
CERTAIN_LOG_ODDS = 50.0


def features_of(game: str, players: int) -> Features:
    """The net inputs of a game; refuses a game without them."""
    rules_of(game, players)
    features = packages()[game].features
    if features is None:
        raise SetupError(f"nets know nothing of {game}")
    return features


def net_module(features: Features) -> ModuleType:
    """The module with the compiled forward pass for a game's kind of net."""
    return {"dense": dense, "graph": graph}[features.NET]


@cache
def load(path: Path, game: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's flat weights and its sizes, from the number of inputs to the number of outputs."""
    features = features_of(game, players)
    try:
        with np.load(path) as file:
            metadata = (str(file["game"]), int(file["players"]), int(file["version"]))
            arrays = {name: file[name].astype(np.float32) for name in file.files if name not in METADATA_KEYS}
        if metadata != (game, players, features.VERSION):
            raise SetupError(
                f"{path} is a net for {metadata[0]} with {metadata[1]} players, inputs of version {metadata[2]}"
            )
        net: tuple[np.ndarray, np.ndarray] = net_module(features).pack_weights(arrays, features.input_count(players))
    except SetupError:
        raise
    except FileNotFoundError:
        raise SetupError(f"there is no net for {game} with {players} players") from None
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"{path} is no net: {error}") from None
    return net


@compiled
def certain_log_odds(reward: float) -> float:
    """The value of a finished game, from 0 for last to 1 for first, as log-odds."""
    return CERTAIN_LOG_ODDS * (2.0 * reward - 1.0)


@compiled
def sigmoid(log_odds: float) -> float:
    """Convert log-odds to a probability."""
    return 1.0 / (1.0 + exp(-log_odds))


@cache
def build_rollout(features: Features) -> Callable[..., int]:
    """Compile a function that plays each candidate in a range of determinizations and rolls out with the net's policy.

    A determinization is a sample of the hidden items, shared by all candidates. ``chances`` receives the resulting
    chances to be ahead. Returns the number of moves evaluated for the last decision; they are in ``moves``, with their
    log-odds in ``log_odds``.
    """
    rules, net_kind, steps = features.rules, net_module(features), steps_of(features.rules)
    sample_world, try_move, resolve_chance = steps.sample_world, steps.try_move, steps.resolve_chance
    reward = steps.reward

    @compiled
    def roll_out(
        net: Any,
        views: Any,
        seat: int,
        candidates: Any,
        active: Any,
        sample_range: Any,
        seed: Any,
        options: Any,
        workspace: Any,
    ) -> int:
        weights, sizes = net
        depth, candidate_limit, slot_count, skip_percent = options
        states, inputs, layers = workspace.states, workspace.inputs, workspace.layers
        moves, log_odds, first_scores = workspace.moves, workspace.log_odds, workspace.first_scores
        generator, rewards = workspace.generator, workspace.rewards
        count = 0
        net_kind.reset(layers)
        for sample in range(sample_range[0], sample_range[1]):
            sample_world(states, views, seat, seed, sample, workspace.weights, generator)
            for at in range(candidates.size):
                if not active[at]:
                    continue
                try_move(states, candidates[at], seed, sample, generator)
                state = states[1]
                estimate = np.inf
                for _ in range(depth):
                    resolve_chance(state, generator)
                    if state.phase == OVER:
                        break
                    turn = int(state.turn)
                    features.prepare(state, workspace.board_features)
                    count = 0
                    for attempt in range(2):
                        # If every move was skipped, the second attempt takes the most obvious one.
                        limit = candidate_limit if attempt == 0 else 1
                        for which in range(slot_count if count == 0 or attempt == 0 else 0):
                            move, score = features.candidate(state, workspace.board_features, which)
                            if move == NONE or (
                                attempt == 0 and skip_percent > 0 and below(generator, PERCENT) < skip_percent
                            ):
                                continue
                            if count < limit or score > first_scores[count - 1]:
                                count = rank(moves, first_scores, count, limit, move, score)
                    unpaired = NONE
                    for which in range(count):
                        states[2] = state
                        rules.act(states[2], moves[which])
                        if states[2].phase == OVER:
                            reward(states[2], workspace.values, workspace.places, rewards)
                            log_odds[which] = certain_log_odds(rewards[turn])
                            continue
                        features.write_inputs(states[2], turn, inputs, *workspace.features)
                        net_kind.feed(weights, sizes, inputs, layers, int(unpaired != NONE))
                        if unpaired == NONE:
                            unpaired = which
                        else:
                            log_odds[unpaired], log_odds[which] = net_kind.output_pair(weights, sizes, layers, 0)
                            unpaired = NONE
                    if unpaired != NONE:
                        log_odds[unpaired] = net_kind.output_single(weights, sizes, layers, 0)
                    chosen = argmax(log_odds[:count])
                    estimate = log_odds[chosen] if turn == seat else np.inf
                    rules.act(state, moves[chosen])
                if estimate == np.inf and state.phase == OVER:
                    reward(state, workspace.values, workspace.places, rewards)
                    estimate = certain_log_odds(rewards[seat])
                elif estimate == np.inf:
                    features.write_inputs(state, seat, inputs, *workspace.features)
                    net_kind.feed(weights, sizes, inputs, layers, 0)
                    estimate = net_kind.output_single(weights, sizes, layers, 0)
                workspace.chances[sample, at] = sigmoid(estimate)
        return count

    return roll_out


ONE_ACTIVE, ONE_SAMPLE = np.ones(1, dtype=np.bool_), (0, 1)
NO_MOVE = np.array([NONE], dtype=np.int16)


class NetWorkspace(NamedTuple):
    """Scratch arrays and results of ``roll_out``."""

    states: np.ndarray  # a determinization, the rollout in it, and the position after a candidate move
    board_features: np.ndarray
    inputs: np.ndarray
    features: tuple[np.ndarray, ...]  # the scratch arrays of ``write_inputs``
    layers: np.ndarray
    values: np.ndarray  # the result of a finished game, by player, as the next two
    places: np.ndarray
    rewards: np.ndarray
    first_scores: np.ndarray  # the heuristic scores of the candidate moves
    moves: np.ndarray  # the candidate moves, and the net's evaluation of each
    log_odds: np.ndarray
    weights: np.ndarray  # by item, to deal what is hidden
    generator: np.ndarray
    chances: np.ndarray  # by determinization and rolled-out move


def features_scratch(features: Features) -> tuple[np.ndarray, ...]:
    """The scratch arrays of ``write_inputs``."""
    return (
        np.zeros(features.SCRATCH8_SIZE, dtype=np.int8),
        np.zeros(features.SCRATCH32_SIZE, dtype=np.int32),
        np.zeros(6, dtype=np.uint64),
    )


def make_workspace(
    features: Features, inputs: int, widest: int, candidates: int, samples: int, moves: int
) -> NetWorkspace:
    """A workspace for a net of this many inputs and this width."""
    players = max(features.rules.PLAYERS)
    return NetWorkspace(
        states=np.zeros(3, dtype=features.rules.STATE),
        board_features=np.zeros(features.BOARD_FEATURES_SIZE, dtype=np.int8),
        inputs=np.zeros(inputs, dtype=np.int8),
        features=features_scratch(features),
        layers=net_module(features).make_workspace(max(inputs, widest)),
        values=np.zeros((players, len(features.rules.VALUES)), dtype=np.int8),
        places=np.zeros(players, dtype=np.int8),
        rewards=np.zeros(players),
        first_scores=np.zeros(candidates),
        moves=np.zeros(candidates, dtype=np.int16),
        log_odds=np.zeros(candidates),
        weights=np.zeros(len(features.rules.ITEMS), dtype=np.int8),
        generator=np.zeros(1, dtype=np.uint64),
        chances=np.zeros((samples, moves)),
    )


class NetPolicy:
    """A game's net with its workspace, sized by candidates per decision, determinizations and moves to roll out."""

    def __init__(
        self, game: str, players: int, candidates: int, samples: int = 1, moves: int = 1, path: Path | None = None
    ) -> None:
        self.features = features = features_of(game, players)
        self.net = load(path or packages()[game].net(players), game, players)
        self._candidate_limit, self._slot_count = candidates, features.candidate_count(players)
        self._roll_out = build_rollout(features)
        self.workspace = make_workspace(
            features, features.input_count(players), int(self.net[1].max()), candidates, samples, moves
        )
        self.chances = self.workspace.chances

    def score_candidates(
        self, states: np.ndarray, skip_percent: int = 0, seed: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """The candidate moves by heuristic score, and their log-odds; ``skip_percent`` of them are skipped."""
        options = (1, self._candidate_limit, self._slot_count, skip_percent)
        seat = int(states["turn"][0])
        count = self._roll_out(
            self.net, states, seat, NO_MOVE, ONE_ACTIVE, ONE_SAMPLE, np.uint64(seed), options, self.workspace
        )
        return self.workspace.moves[:count].copy(), self.workspace.log_odds[:count].copy()

    def roll_out(
        self,
        states: np.ndarray,
        seat: int,
        moves: np.ndarray,
        active: np.ndarray,
        span: tuple[int, int],
        seed: int,
        depth: int,
    ) -> None:
        """Roll out each active move in a range of determinizations for ``depth`` decisions; fills ``chances``."""
        options = (depth, self._candidate_limit, self._slot_count, 0)
        self._roll_out(self.net, states, seat, moves, active, span, np.uint64(seed), options, self.workspace)


class Net:
    """Plays the move that the net rates highest; weak levels see fewer moves (``looks``) or skip some (``blind``)."""

    def __init__(self, game: str, players: int, looks: int = NET_CANDIDATES, blind: int = 0) -> None:
        self._policy = NetPolicy(game, players, looks)
        self._skip_percent = blind

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, values = self._policy.score_candidates(
            state_array(view), self._skip_percent, chance.below(2**32) if self._skip_percent else 0
        )
        return notation.write(view.rules, int(moves[int(np.argmax(values))]))
