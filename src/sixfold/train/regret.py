"""How much better moves there are than those that a net likes best: its regret, by rollouts to the end of the game.

A position is a decision of a game that the net plays against itself. Each of its moves is played to the end in many
worlds, everybody going on as the net would. A part of the worlds is kept apart, to see what a search finds that looks
only some decisions on, in only so many worlds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.ahead import ROOM, decisions, outcomes
from sixfold.train.net import Net
from sixfold.train.selfplay import MOST_DECISIONS, Habits, Looked, Tables, chosen

# How far, and in how many worlds, the searches look that are compared.
DEPTHS = (1, 2, 4, 6, 8, 12)
WORLDS = (16, 64, 256, 1024)
# The share of worlds that is kept for them.
APART = 4


@dataclass(frozen=True)
class Regret:
    """What was found, in chances to be ahead, by position and move; not a number where there is no such move."""

    net: np.ndarray  # what the net says at once
    ends: np.ndarray  # how games end, a mean over each half of the worlds
    seen: np.ndarray  # what searches see, by their depth and worlds
    worlds: tuple[int, ...]  # of those searches
    prior: float  # as how many worlds counts what the net says
    decisions: float  # of a player, in a game

    def lost(self) -> np.ndarray:
        """By how much the net's move is worse than the best, position by position.

        One half of the worlds says which move is best, the other how good it is: so luck is not taken for skill.
        """
        found = np.zeros(len(self.net))
        for judge, other in ((0, 1), (1, 0)):
            found += self._above_net(self.ends[:, :, judge], self.ends[:, :, other]) / 2
        return found

    def at_most(self) -> np.ndarray:
        """The same with all worlds for both, which flatters the best move."""
        every = self.ends.mean(2)
        return self._above_net(every, every)

    def won_back(self, depth: int, worlds: int) -> np.ndarray:
        """How much better the move is that a search chooses, by its place in ``DEPTHS`` and ``worlds``."""
        chances = self.prior * self.net + self.worlds[worlds] * self.seen[:, :, depth, worlds]
        return self._above_net(chances, self.ends.mean(2))

    def summary(self) -> dict[str, Any]:
        """The means, with half of a 95% interval for what is lost, and what searches of each depth win back of it."""
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
        """How much more the moves with the best chances are worth than those of the net."""
        best, own = (np.nanargmax(one, axis=1, keepdims=True) for one in (chances, self.net))
        above: np.ndarray = np.take_along_axis(worth, best, 1) - np.take_along_axis(worth, own, 1)
        return above[:, 0]


class Rollouts:
    """Some positions of a net's games, and the worlds in which their moves are played on."""

    def __init__(self, features: Features, players: int, net: Net, positions: int, device: str, cores: int) -> None:
        self._net = net
        self._prior = features.PLAN.prior
        self._source = Tables(features, players, positions, device, cores)
        self._tables = Tables(features, players, ROOM[device], device, cores, features.PLAN.replies)

    @torch.no_grad()
    def measure(self, worlds: int, seed: int, shown: bool, tell: Callable[[int], bool]) -> Regret:
        """Look at one decision of each game; ``tell`` hears how many are done, and says whether to stop there.

        With ``shown`` the hands are those of the game, as if whoever decides could see them.
        """
        at, looked, per_player = self._positions(seed)
        moves, there = looked.moves, looked.moves >= 0
        pairs = torch.nonzero(there)
        apart = worlds // APART
        counts = tuple(count for count in WORLDS if count <= apart)
        ends = torch.full((*moves.shape, 2), torch.nan)
        seen = torch.full((*moves.shape, len(DEPTHS), len(counts)), torch.nan)
        done = 0
        half = apart + (worlds - apart) // 2
        for some in torch.split(pairs, self._tables.games // worlds):
            games, which = some[:, 0], some[:, 1]
            results, chances = self._play(at[games], moves[games, which], worlds, apart, seed, shown)
            games, which = games.cpu(), which.cpu()
            ends[games, which] = torch.stack((results[:, apart:half].mean(1), results[:, half:].mean(1)), 1).cpu()
            seen[games, which] = torch.stack([chances[:, :, :count].mean(2) for count in counts], 2).cpu()
            # Of the last position there may be moves left to try.
            done = len(at) if some[-1].equal(pairs[-1]) else int(games[-1])
            if tell(done):
                break
        said = torch.sigmoid(looked.values).masked_fill(~there, torch.nan).cpu()
        return Regret(said[:done].numpy(), ends[:done].numpy(), seen[:done].numpy(), counts, self._prior, per_player)

    def _positions(self, seed: int) -> tuple[torch.Tensor, Looked, float]:
        """One decision of each game by lot, with its moves; and how many decisions a player has in a game."""
        source = self._source
        lengths = self._walk(seed, None)
        lots = torch.rand(source.games, generator=torch.Generator().manual_seed(seed)).to(source.device)
        self._walk(seed, (lots * lengths).long())
        turns = source.empty((source.games,), torch.int64)
        source.lanes.settle(turns)
        at = torch.nonzero(turns >= 0).squeeze(1)
        looked = source.look(at, (self._net, None), torch.zeros_like(at, dtype=torch.bool))
        return at, looked, float(lengths.float().mean()) / source.players

    def _walk(self, seed: int, stops: torch.Tensor | None) -> torch.Tensor:
        """Play all games, each to its end or to the decision with its number; returns how many decisions they had.

        Only what leaves a choice is a decision.
        """
        source = self._source
        every = torch.arange(source.games, device=source.device)
        source.deal(seed, every)
        had, turns = torch.zeros_like(every), torch.zeros_like(every)
        for _ in range(MOST_DECISIONS):
            source.lanes.settle(turns)
            live = every[turns >= 0]
            if len(live) == 0:
                break
            looked = source.look(live, (self._net, None), torch.zeros_like(live, dtype=torch.bool))
            free = (looked.moves >= 0).sum(1) > 1
            going = torch.ones_like(free) if stops is None else ~free | (had[live] < stops[live])
            if not going.any():
                break
            source.lanes.act(live[going], chosen(looked, Habits())[going])
            had[live[going & free]] += 1
        return had

    def _play(
        self, games: torch.Tensor, moves: torch.Tensor, worlds: int, apart: int, seed: int, shown: bool
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """How each move ends in each world; and in those kept apart, what the net says on the way there."""
        tables = self._tables
        seats = tables.empty((len(games) * worlds,), torch.int64)
        tables.lanes.imagine(self._source.lanes, games, moves, worlds, seed_word(seed), shown, seats)
        chances: list[torch.Tensor] = []

        def look() -> torch.Tensor:
            return outcomes(tables, self._net, seats)[:, 0].view(len(games), worlds)

        for number, _ in enumerate(decisions(tables, self._net, len(seats)), start=1):
            if number in DEPTHS:
                chances.append(look()[:, :apart])
        results = look()
        chances += [results[:, :apart]] * (len(DEPTHS) - len(chances))
        return results, torch.stack(chances, 1)
