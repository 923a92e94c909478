"""Search targets: during training, moves are played on in several worlds (determinizations) to get better targets."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.net import Net
from sixfold.train.selfplay import (
    MOST_DECISIONS,
    EvaluatedMoves,
    Exploration,
    GameBatch,
    TrainingBatch,
    by_perspective,
    choose_moves,
)

# The number of worlds played in parallel, by device.
BATCH_SIZES = {"cuda": 1 << 18, "cpu": 1 << 12}


class Search:
    """The search of ``netsearch`` for many games at once, with a fixed number of worlds for every move."""

    def __init__(self, features: Features, players: int, worlds: int, device: str, cores: int) -> None:
        self._plan = features.PLAN
        self._worlds = worlds
        self._batch = GameBatch(features, players, BATCH_SIZES[device], device, cores, self._plan.replies)
        self._targets: list[tuple[torch.Tensor, torch.Tensor]] = []

    def take_targets(self) -> TrainingBatch:
        """Return and clear the collected targets: the positions after the searched moves."""
        inputs = torch.cat([inputs for inputs, _ in self._targets])
        values = torch.cat([values for _, values in self._targets])
        self._targets = []
        return TrainingBatch(inputs, values, torch.full((len(inputs),), torch.nan, device=inputs.device))

    def improve(
        self, net: Net, source: GameBatch, live: torch.Tensor, own: torch.Tensor, evaluated: EvaluatedMoves
    ) -> EvaluatedMoves:
        """Search the best moves of games that have a choice; the other moves keep their values."""
        width = min(self._plan.width, evaluated.moves.shape[1])
        tried = torch.zeros_like(evaluated.moves, dtype=torch.bool)
        tried.scatter_(1, evaluated.values.topk(width, dim=1).indices, True)
        tried &= (evaluated.moves >= 0) & own.unsqueeze(1)
        tried &= ((evaluated.moves >= 0).sum(1) > 1).unsqueeze(1)
        pairs = torch.nonzero(tried & (evaluated.final_rewards < 0))
        if len(pairs) == 0:
            return evaluated
        values = evaluated.values.masked_fill(~tried & tried.any(1, keepdim=True), -torch.inf)
        seed = seed_word(int(torch.randint(2**62, ())))
        for chunk in torch.split(pairs, self._batch.games // self._worlds):
            games, move_index = chunk[:, 0], chunk[:, 1]
            targets = self.play_on(net, source, live[games], evaluated.moves[games, move_index], seed)
            self._targets.append((evaluated.inputs[games, move_index], targets))
            priors = torch.sigmoid(values[games, move_index])
            total = self._plan.prior_weight * priors + self._worlds * targets[:, 0]
            values[games, move_index] = torch.logit(total / (self._plan.prior_weight + self._worlds), eps=1e-6)
        return replace(evaluated, values=values)

    def play_on(
        self, net: Net, source: GameBatch, live: torch.Tensor, moves: torch.Tensor, seed: np.uint64
    ) -> torch.Tensor:
        """All players' chances after each move from the mover's perspective, averaged over the worlds."""
        batch = self._batch
        seats = batch.empty((len(live) * self._worlds,), torch.int64)
        batch.backend.determinize(source.backend, live, moves, self._worlds, seed, False, seats)
        for _ in islice(decisions(batch, net, len(seats)), self._plan.depth):
            pass
        return outcomes(batch, net, seats).view(len(live), self._worlds, -1).mean(1)


def decisions(batch: GameBatch, net: Net, games: int) -> Iterator[None]:
    """Play the first games with a net's policy, yielding after each decision, until all are over."""
    turns = batch.empty((games,), torch.int64)
    for _ in range(MOST_DECISIONS):
        batch.backend.resolve_chance(turns)
        live = torch.nonzero(turns >= 0).squeeze(1)
        if len(live) == 0:
            return
        by_second = torch.zeros(len(live), dtype=torch.bool, device=batch.device)
        batch.backend.act(live, choose_moves(batch.evaluate_moves(live, (net, None), by_second), Exploration()))
        yield


def outcomes(batch: GameBatch, net: Net, seats: torch.Tensor) -> torch.Tensor:
    """All players' chances in the first games from a seat's perspective; the results if a game is over."""
    games = torch.arange(len(seats), device=batch.device)
    inputs, over = batch.views(games, seats)
    predictions = torch.sigmoid(net(inputs)[:, :-1].float())
    rewards, _ = batch.results(len(seats))
    return torch.where(over.unsqueeze(1), by_perspective(rewards)[games, seats], predictions)
