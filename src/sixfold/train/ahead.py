"""Thinking ahead while learning: moves are played on in several worlds, and what comes of them is a lesson."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.net import Net
from sixfold.train.selfplay import MOST_DECISIONS, Habits, Lesson, Looked, Tables, around, chosen

# Worlds that are played on at the same time.
ROOM = {"cuda": 1 << 18, "cpu": 1 << 12}


class Search:
    """What ``netsearch`` does, for many games at once and with a fixed number of worlds for every move."""

    def __init__(self, features: Features, players: int, worlds: int, device: str, cores: int) -> None:
        self._plan = features.PLAN
        self._worlds = worlds
        self._tables = Tables(features, players, ROOM[device], device, cores, self._plan.replies)
        self._lessons: list[tuple[torch.Tensor, torch.Tensor]] = []

    def lesson(self) -> Lesson:
        """What was found since this was asked last: positions behind moves that were tried."""
        told = torch.cat([told for told, _ in self._lessons])
        values = torch.cat([values for _, values in self._lessons])
        self._lessons = []
        return Lesson(told, values, torch.full((len(told),), torch.nan, device=told.device))

    def think(self, judge: Net, source: Tables, live: torch.Tensor, own: torch.Tensor, looked: Looked) -> Looked:
        """Play on from the best moves of games that have a choice; the others keep what was said at once."""
        width = min(self._plan.width, looked.moves.shape[1])
        tried = torch.zeros_like(looked.moves, dtype=torch.bool)
        tried.scatter_(1, looked.values.topk(width, dim=1).indices, True)
        tried &= (looked.moves >= 0) & own.unsqueeze(1)
        tried &= ((looked.moves >= 0).sum(1) > 1).unsqueeze(1)
        pairs = torch.nonzero(tried & (looked.ends < 0))
        if len(pairs) == 0:
            return looked
        values = looked.values.masked_fill(~tried & tried.any(1, keepdim=True), -torch.inf)
        seed = seed_word(int(torch.randint(2**62, ())))
        for some in torch.split(pairs, self._tables.games // self._worlds):
            games, which = some[:, 0], some[:, 1]
            found = self.play_on(judge, source, live[games], looked.moves[games, which], seed)
            self._lessons.append((looked.told[games, which], found))
            at_once = torch.sigmoid(values[games, which])
            both = self._plan.prior * at_once + self._worlds * found[:, 0]
            values[games, which] = torch.logit(both / (self._plan.prior + self._worlds), eps=1e-6)
        return replace(looked, values=values)

    def play_on(
        self, judge: Net, source: Tables, live: torch.Tensor, moves: torch.Tensor, seed: np.uint64
    ) -> torch.Tensor:
        """Everybody's chances after each move as the mover sees them, a mean over the worlds."""
        tables = self._tables
        seats = tables.empty((len(live) * self._worlds,), torch.int64)
        tables.lanes.imagine(source.lanes, live, moves, self._worlds, seed, False, seats)
        for _ in islice(decisions(tables, judge, len(seats)), self._plan.depth):
            pass
        return outcomes(tables, judge, seats).view(len(live), self._worlds, -1).mean(1)


def decisions(tables: Tables, judge: Net, games: int) -> Iterator[None]:
    """Play the first so many games on as a net would, decision by decision, until all are over."""
    turns = tables.empty((games,), torch.int64)
    for _ in range(MOST_DECISIONS):
        tables.lanes.settle(turns)
        going = torch.nonzero(turns >= 0).squeeze(1)
        if len(going) == 0:
            return
        mine = torch.zeros(len(going), dtype=torch.bool, device=tables.device)
        tables.lanes.act(going, chosen(tables.look(going, (judge, None), mine), Habits()))
        yield


def outcomes(tables: Tables, judge: Net, seats: torch.Tensor) -> torch.Tensor:
    """Everybody's chances in the first games as a seat of each sees them; results where a game is over."""
    every = torch.arange(len(seats), device=tables.device)
    told, over = tables.views(every, seats)
    said = torch.sigmoid(judge(told)[:, :-1].float())
    rewards, _ = tables.results(len(seats))
    return torch.where(over.unsqueeze(1), around(rewards)[every, seats], said)
