"""Self-play: each step evaluates one decision of every game of a batch and records positions to train on."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.kernels import Backend, CpuBackend, CudaBackend
from sixfold.train.net import Net, outputs

# A net that evaluates positions, or None to choose moves by the heuristic value alone.
OptionalNet = Net | None
# The maximum length of a game; longer games are abandoned.
MOST_DECISIONS = 400


@dataclass(frozen=True)
class Exploration:
    """How moves are sampled: the softmax temperature, and the share of uniformly random moves."""

    temperature: float = 0.0
    epsilon: float = 0.0


@dataclass(frozen=True)
class TrainingBatch:
    """Positions to train on: net inputs, value targets, and margin targets or NaN."""

    inputs: torch.Tensor
    values: torch.Tensor
    margins: torch.Tensor

    def concat(self, other: "TrainingBatch") -> "TrainingBatch":
        """Both batches in one."""
        return TrainingBatch(
            torch.cat((self.inputs, other.inputs)),
            torch.cat((self.values, other.values)),
            torch.cat((self.margins, other.margins)),
        )


@dataclass(frozen=True)
class Snapshot:
    """All unfinished games after a decision, from the perspective of every seat."""

    games: torch.Tensor
    inputs: torch.Tensor
    predictions: torch.Tensor


@dataclass(frozen=True)
class EvaluatedMoves:
    """The moves of several games: the net inputs of the positions after them, the final reward if a move ends the game
    (else a negative number), and their values as log odds."""

    moves: torch.Tensor
    inputs: torch.Tensor
    final_rewards: torch.Tensor
    values: torch.Tensor


# Improves the values of moves by search, in those of the given games in which the first net decides.
Lookahead = Callable[["GameBatch", torch.Tensor, torch.Tensor, EvaluatedMoves], EvaluatedMoves]


class GameBatch:
    """A batch of games on a CPU or on a GPU; at most ``max_moves`` moves of each are evaluated by a net, or as many as
    the game's features say."""

    def __init__(
        self, features: Features, players: int, games: int, device: str, cores: int = 1, max_moves: int | None = None
    ) -> None:
        self.players = players
        self.games = games
        self._features = features
        self.backend: Backend = CudaBackend(features, games) if device == "cuda" else CpuBackend(features, games, cores)
        self.device = self.backend.device
        self._first = features.rules.start(players)
        self.inputs = features.input_count(players)
        self._slots = features.candidate_count(players)
        self._max_moves = min(features.training_candidates(players), max_moves or self._slots)

    def empty(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.empty(shape, dtype=dtype, device=self.device)

    def deal(self, seed: int, numbers: torch.Tensor) -> None:
        """Begin the games with these numbers for a seed."""
        self.backend.begin(self._first, seed_word(seed), numbers)

    @torch.no_grad()
    def play(
        self,
        nets: tuple[OptionalNet, OptionalNet],
        second: torch.Tensor,
        exploration: Exploration,
        record: Callable[[Snapshot], None] | None,
        lookahead: Lookahead | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Play the games to their end; ``second`` marks, by game and seat, the seats of the second net.

        Returns each seat's share of opponents beaten, and its margin.
        """
        turns = self.empty((self.games,), torch.int64)
        for _ in range(MOST_DECISIONS):
            self.backend.resolve_chance(turns)
            live = torch.nonzero(turns >= 0).squeeze(1)
            if len(live) == 0:
                break
            by_second = second[live, turns[live]]
            evaluated = self.evaluate_moves(live, nets, by_second)
            if lookahead is not None:
                evaluated = lookahead(self, live, ~by_second, evaluated)
            self.backend.act(live, choose_moves(evaluated, exploration))
            if record is not None:
                self._record(live, nets[0], record)
        return self.results(self.games)

    def results(self, games: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Each seat's share of opponents beaten and its margin, for the first ``games`` games."""
        rewards = self.empty((games, self.players), torch.float32)
        margins = self.empty((games, self.players), torch.float32)
        self.backend.results(rewards, margins)
        return rewards, margins

    def evaluate_moves(
        self, live: torch.Tensor, nets: tuple[OptionalNet, OptionalNet], by_second: torch.Tensor
    ) -> EvaluatedMoves:
        """The candidate moves of several games, with the nets' evaluation of each."""
        number = len(live)
        board_features = self.empty((number, self._features.BOARD_FEATURES_SIZE), torch.int8)
        moves = self.empty((number, self._slots), torch.int32)
        priors = self.empty((number, self._slots), torch.float32)
        self.backend.prepare(live, board_features)
        self.backend.candidates(live, board_features, moves, priors)
        if self._max_moves < self._slots:
            priors, which = torch.topk(priors, self._max_moves, dim=1)
            moves = moves.gather(1, which)
        inputs = torch.zeros((moves.numel(), self.inputs), dtype=torch.int8, device=self.device)
        final_rewards = torch.zeros(moves.shape, dtype=torch.float32, device=self.device)
        self.backend.candidate_inputs(live, moves, inputs, final_rewards)
        final_log_odds = torch.logit(final_rewards.clamp(1e-6, 1 - 1e-6))
        values = priors.clone()
        for net, mask in ((nets[0], ~by_second), (nets[1], by_second)):
            selected = torch.nonzero(((moves >= 0) & mask.unsqueeze(1)).flatten()).squeeze(1)
            if net is not None and len(selected) > 0:
                values.view(-1)[selected] = net(inputs[selected])[:, 0].float()
        values = torch.where(final_rewards >= 0, final_log_odds, values)
        return EvaluatedMoves(
            moves, inputs.view(*moves.shape, -1), final_rewards, values.masked_fill(moves < 0, -torch.inf)
        )

    def views(self, live: torch.Tensor, seats: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The net inputs of several games, each from the perspective of a seat, and which of them are over."""
        inputs = self.empty((len(live), self.inputs), torch.int8)
        over = self.empty((len(live),), torch.int8)
        self.backend.views(live, seats, inputs, over)
        return inputs, over > 0

    def _record(self, live: torch.Tensor, net: OptionalNet, record: Callable[[Snapshot], None]) -> None:
        """Record the unfinished games from every seat's perspective after a decision."""
        seats = torch.arange(self.players, device=self.device).repeat(len(live))
        inputs, over = self.views(live.repeat_interleave(self.players), seats)
        unfinished = torch.nonzero(~over[:: self.players]).squeeze(1)
        inputs, live = inputs.view(-1, self.players, self.inputs)[unfinished], live[unfinished]
        if len(live) == 0:
            return
        if net is None:
            predictions = torch.full((len(live), self.players, outputs(self.players)), 0.5, device=self.device)
        else:
            predictions = torch.sigmoid(net(inputs.flatten(0, 1))[:, :-1].float()).view(len(live), self.players, -1)
        record(Snapshot(live, inputs, predictions))


def choose_moves(evaluated: EvaluatedMoves, exploration: Exploration) -> torch.Tensor:
    """Sample a move for each game."""
    moves, values = evaluated.moves, evaluated.values
    if exploration.temperature > 0:
        gumbel = -torch.log(-torch.log(torch.rand_like(values).clamp_(1e-9, 1 - 1e-7)))
        values = values / exploration.temperature + gumbel
    rows = values.argmax(1, keepdim=True)
    if exploration.epsilon > 0:
        random_rows = torch.rand_like(values).masked_fill(moves < 0, -1.0).argmax(1, keepdim=True)
        explore = torch.rand((len(moves), 1), device=moves.device) < exploration.epsilon
        rows = torch.where(explore, random_rows, rows)
    return moves.gather(1, rows).squeeze(1)


def by_perspective(values: torch.Tensor) -> torch.Tensor:
    """By game and seat, all players' values in seat order starting from that seat; with two players only its own."""
    players = values.shape[1]
    if players == 2:
        return values.unsqueeze(2)
    return torch.stack([values.roll(-seat, 1) for seat in range(players)], dim=1)


def training_batch(
    snapshots: list[Snapshot], rewards: torch.Tensor, margins: torch.Tensor, lambda_: float, goal: float
) -> TrainingBatch:
    """The training batch of a round; targets mix the results with predictions for later positions (TD(λ))."""
    targets = by_perspective(rewards).clone()
    values: list[torch.Tensor] = []
    for snapshot in reversed(snapshots):
        target = targets[snapshot.games]
        values.append(target)
        targets[snapshot.games] = (1.0 - lambda_) * snapshot.predictions + lambda_ * target
    values.reverse()
    inputs = torch.cat([snapshot.inputs.flatten(0, 1) for snapshot in snapshots])
    scaled_margins = torch.cat([margins[snapshot.games].flatten() for snapshot in snapshots]) / goal
    return TrainingBatch(inputs, torch.cat([value.flatten(0, 1) for value in values]), scaled_margins)


def duel(batch: GameBatch, first_net: OptionalNet, second_net: OptionalNet, seed: int) -> float:
    """The share of pairs in which the first net beats the second, over the same deals with seats swapped."""
    half = batch.games // 2
    numbers = torch.arange(batch.games, device=batch.device) % half
    batch.deal(seed, numbers)
    game = torch.arange(batch.games, device=batch.device).unsqueeze(1)
    seat = torch.arange(batch.players, device=batch.device).unsqueeze(0)
    second = (seat + game + game // half) % 2 == 1
    rewards, _ = batch.play((first_net, second_net), second, Exploration(), None)
    first_seats = (~second).sum(1)
    pairs = first_seats * (batch.players - first_seats)
    # Pairs of two seats of the first net count one win each; subtract them.
    ahead = (rewards * ~second).sum(1) * (batch.players - 1) - first_seats * (first_seats - 1) / 2
    return float(ahead.sum() / pairs.sum())
