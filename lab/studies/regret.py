"""The regret of a net: how much better the best move is than the net's choice, by rollouts to the end of the game.

Positions are decisions of the net's self-play games. Each of their moves is played to the end in many worlds
(determinizations) with the net's policy. A share of the worlds is held out to simulate searches of limited depth and
number of worlds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.net import Net
from sixfold.train.search_targets import BATCH_SIZES, decisions, outcomes
from sixfold.train.selfplay import MOST_DECISIONS, EvaluatedMoves, Exploration, GameBatch, choose_moves

# The depths and numbers of worlds of the compared searches.
DEPTHS = (1, 2, 4, 6, 8, 12)
WORLDS = (16, 64, 256, 1024)
# One in this many worlds is held out for them.
SEARCH_SHARE = 4


@dataclass(frozen=True)
class Regret:
    """The measured chances by position and move; NaN where there is no such move."""

    net: np.ndarray  # the net's immediate evaluation
    ends: np.ndarray  # the results of rollouts, averaged over each half of the worlds
    seen: np.ndarray  # the evaluations of searches, by their depth and worlds
    worlds: tuple[int, ...]  # of those searches
    prior: float  # the weight of the net's evaluation, in worlds
    decisions: float  # per player and game

    def lost(self) -> np.ndarray:
        """How much worse the net's move is than the best, by position.

        One half of the worlds selects the best move and the other evaluates it, which avoids selection bias.
        """
        losses = np.zeros(len(self.net))
        for selection, validation in ((0, 1), (1, 0)):
            losses += self._above_net(self.ends[:, :, selection], self.ends[:, :, validation]) / 2
        return losses

    def at_most(self) -> np.ndarray:
        """The same with all worlds for both, which is biased in favour of the best move."""
        means = self.ends.mean(2)
        return self._above_net(means, means)

    def won_back(self, depth: int, worlds: int) -> np.ndarray:
        """How much better a search's choice is, by its index in ``DEPTHS`` and ``worlds``."""
        chances = self.prior * self.net + self.worlds[worlds] * self.seen[:, :, depth, worlds]
        return self._above_net(chances, self.ends.mean(2))

    def summary(self) -> dict[str, Any]:
        """The means, with half of a 95% interval for the loss, and how much of it searches of each depth win back."""
        lost = self.lost()
        searches = range(len(self.worlds))
        return {
            "positions": len(lost),
            "lost": float(lost.mean()),
            "error": float(1.96 * lost.std() / len(lost) ** 0.5),
            "at_most": float(self.at_most().mean()),
            "decisions": self.decisions,
            "worlds": list(self.worlds),
            "won_back": {
                depth: [float(self.won_back(at, which).mean()) for which in searches] for at, depth in enumerate(DEPTHS)
            },
        }

    def _above_net(self, chances: np.ndarray, worth: np.ndarray) -> np.ndarray:
        """How much more the moves with the best chances are worth than the net's choices."""
        best, own = (np.nanargmax(values, axis=1, keepdims=True) for values in (chances, self.net))
        difference: np.ndarray = np.take_along_axis(worth, best, 1) - np.take_along_axis(worth, own, 1)
        return difference[:, 0]


class Rollouts:
    """Positions of a net's self-play games, and the worlds in which their moves are played on."""

    def __init__(self, features: Features, players: int, net: Net, positions: int, device: str, cores: int) -> None:
        self._net = net
        self._prior = features.PLAN.prior_weight
        self._source = GameBatch(features, players, positions, device, cores)
        self._batch = GameBatch(features, players, BATCH_SIZES[device], device, cores, features.PLAN.replies)

    @torch.no_grad()
    def measure(self, worlds: int, seed: int, reveal: bool, report: Callable[[int], bool]) -> Regret:
        """Measure one decision of each game; ``report`` receives the number done and returns whether to stop.

        With ``reveal`` the hands are those of the game, as if the active player could see them.
        """
        at, evaluated, per_player = self._positions(seed)
        moves, exists = evaluated.moves, evaluated.moves >= 0
        pairs = torch.nonzero(exists)
        search_worlds = worlds // SEARCH_SHARE
        counts = tuple(count for count in WORLDS if count <= search_worlds)
        ends = torch.full((*moves.shape, 2), torch.nan)
        seen = torch.full((*moves.shape, len(DEPTHS), len(counts)), torch.nan)
        done = 0
        half = search_worlds + (worlds - search_worlds) // 2
        for chunk in torch.split(pairs, self._batch.games // worlds):
            games, move_index = chunk[:, 0], chunk[:, 1]
            results, chances = self._play(at[games], moves[games, move_index], worlds, search_worlds, seed, reveal)
            games, move_index = games.cpu(), move_index.cpu()
            halves = results[:, search_worlds:half].mean(1), results[:, half:].mean(1)
            ends[games, move_index] = torch.stack(halves, 1).cpu()
            seen[games, move_index] = torch.stack([chances[:, :, :count].mean(2) for count in counts], 2).cpu()
            # The last position of a chunk may have moves left.
            done = len(at) if chunk[-1].equal(pairs[-1]) else int(games[-1])
            if report(done):
                break
        priors = torch.sigmoid(evaluated.values).masked_fill(~exists, torch.nan).cpu()
        return Regret(priors[:done].numpy(), ends[:done].numpy(), seen[:done].numpy(), counts, self._prior, per_player)

    def _positions(self, seed: int) -> tuple[torch.Tensor, EvaluatedMoves, float]:
        """A random decision of each game, with its moves; and the mean number of decisions per player."""
        source = self._source
        lengths = self._walk(seed, None)
        draws = torch.rand(source.games, generator=torch.Generator().manual_seed(seed)).to(source.device)
        self._walk(seed, (draws * lengths).long())
        turns = source.empty((source.games,), torch.int64)
        source.backend.resolve_chance(turns)
        at = torch.nonzero(turns >= 0).squeeze(1)
        evaluated = source.evaluate_moves(at, (self._net, None), torch.zeros_like(at, dtype=torch.bool))
        return at, evaluated, float(lengths.float().mean()) / source.players

    def _walk(self, seed: int, stops: torch.Tensor | None) -> torch.Tensor:
        """Play each game to its end or to the given decision; returns the number of decisions of each.

        Forced moves are not counted as decisions.
        """
        source = self._source
        games = torch.arange(source.games, device=source.device)
        source.deal(seed, games)
        decided, turns = torch.zeros_like(games), torch.zeros_like(games)
        for _ in range(MOST_DECISIONS):
            source.backend.resolve_chance(turns)
            live = games[turns >= 0]
            if len(live) == 0:
                break
            evaluated = source.evaluate_moves(live, (self._net, None), torch.zeros_like(live, dtype=torch.bool))
            has_choice = (evaluated.moves >= 0).sum(1) > 1
            playing = torch.ones_like(has_choice) if stops is None else ~has_choice | (decided[live] < stops[live])
            if not playing.any():
                break
            source.backend.act(live[playing], choose_moves(evaluated, Exploration())[playing])
            decided[live[playing & has_choice]] += 1
        return decided

    def _play(
        self, games: torch.Tensor, moves: torch.Tensor, worlds: int, search_worlds: int, seed: int, reveal: bool
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The result of each move in each world, and for the held-out worlds the net's evaluations on the way."""
        batch = self._batch
        seats = batch.empty((len(games) * worlds,), torch.int64)
        batch.backend.determinize(self._source.backend, games, moves, worlds, seed_word(seed), reveal, seats)
        chances: list[torch.Tensor] = []

        def evaluate() -> torch.Tensor:
            return outcomes(batch, self._net, seats)[:, 0].view(len(games), worlds)

        for number, _ in enumerate(decisions(batch, self._net, len(seats)), start=1):
            if number in DEPTHS:
                chances.append(evaluate()[:, :search_worlds])
        results = evaluate()
        chances += [results[:, :search_worlds]] * (len(DEPTHS) - len(chances))
        return results, torch.stack(chances, 1)
