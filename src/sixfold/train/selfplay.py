"""Rounds of games: every decision of every game is judged at once, and what was seen is kept to learn from."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from sixfold.games.contract import Features
from sixfold.games.shared.generator import seed_word
from sixfold.train.lanes import Games, OnCpu, OnDevice
from sixfold.train.net import Net, outputs

# What a net says of many positions; without one, moves are chosen at first sight.
Judge = Net | None
# No sensible game is so long; those that are not over then are left out.
MOST_DECISIONS = 400


@dataclass(frozen=True)
class Habits:
    """How moves are chosen: the more heat, the more often one that looks worse; and how many quite at random."""

    heat: float = 0.0
    whims: float = 0.0


@dataclass(frozen=True)
class Lesson:
    """Positions as their seats knew them, how good they turned out to be, and by what margin, or NaN."""

    told: torch.Tensor
    values: torch.Tensor
    margins: torch.Tensor

    def and_also(self, other: "Lesson") -> "Lesson":
        """Both in one."""
        return Lesson(
            torch.cat((self.told, other.told)),
            torch.cat((self.values, other.values)),
            torch.cat((self.margins, other.margins)),
        )


@dataclass(frozen=True)
class Moment:
    """One decision of all games that were not over, seen after it from every seat."""

    games: torch.Tensor
    told: torch.Tensor
    said: torch.Tensor


@dataclass(frozen=True)
class Looked:
    """The moves of some games: what a net was told of the positions behind them, the chance where one ends the game
    (else a negative number), and how good each seems, as log odds."""

    moves: torch.Tensor
    told: torch.Tensor
    ends: torch.Tensor
    values: torch.Tensor


# Makes the values of moves better by thinking ahead: of these games, where the first judge decides.
Ahead = Callable[["Tables", torch.Tensor, torch.Tensor, Looked], Looked]


class Tables:
    """Some games at once, on a CPU or on a CUDA device; a net is shown so many moves of each, or as many as the game's
    features say."""

    def __init__(
        self, features: Features, players: int, games: int, device: str, cores: int = 1, looks: int | None = None
    ) -> None:
        self.players = players
        self.games = games
        self._features = features
        self.lanes: Games = OnDevice(features, games) if device == "cuda" else OnCpu(features, games, cores)
        self.device = self.lanes.device
        self._first = features.rules.start(players)
        self.inputs = features.inputs(players)
        self._slots = features.slots(players)
        self._judged = min(features.judged(players), looks or self._slots)

    def empty(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.empty(shape, dtype=dtype, device=self.device)

    def deal(self, seed: int, numbers: torch.Tensor) -> None:
        """Begin games number so and so of a seed."""
        self.lanes.begin(self._first, seed_word(seed), numbers)

    @torch.no_grad()
    def play(
        self,
        judges: tuple[Judge, Judge],
        second: torch.Tensor,
        habits: Habits,
        tell: Callable[[Moment], None] | None,
        ahead: Ahead | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Play the games to their end; ``second`` says by game and seat who is played by the second judge.

        Returns every seat's share of the others that it is ahead of, and its margin.
        """
        turns = self.empty((self.games,), torch.int64)
        for _ in range(MOST_DECISIONS):
            self.lanes.settle(turns)
            live = torch.nonzero(turns >= 0).squeeze(1)
            if len(live) == 0:
                break
            by_second = second[live, turns[live]]
            looked = self.look(live, judges, by_second)
            if ahead is not None:
                looked = ahead(self, live, ~by_second, looked)
            self.lanes.act(live, chosen(looked, habits))
            if tell is not None:
                self._tell(live, judges[0], tell)
        return self.results(self.games)

    def results(self, games: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Every seat's share of the others that it is ahead of, and its margin, in the first so many games."""
        rewards = self.empty((games, self.players), torch.float32)
        margins = self.empty((games, self.players), torch.float32)
        self.lanes.results(rewards, margins)
        return rewards, margins

    def look(self, live: torch.Tensor, judges: tuple[Judge, Judge], by_second: torch.Tensor) -> Looked:
        """The moves of some games, and what the judges say of each."""
        number = len(live)
        sights = self.empty((number, self._features.SIGHT), torch.int8)
        moves = self.empty((number, self._slots), torch.int32)
        looks = self.empty((number, self._slots), torch.float32)
        self.lanes.glance(live, sights)
        self.lanes.slots(live, sights, moves, looks)
        if self._judged < self._slots:
            looks, which = torch.topk(looks, self._judged, dim=1)
            moves = moves.gather(1, which)
        told = torch.zeros((moves.numel(), self.inputs), dtype=torch.int8, device=self.device)
        ends = torch.zeros(moves.shape, dtype=torch.float32, device=self.device)
        self.lanes.look(live, moves, told, ends)
        sure = torch.logit(ends.clamp(1e-6, 1 - 1e-6))
        values = looks.clone()
        for judge, rated in ((judges[0], ~by_second), (judges[1], by_second)):
            asked = torch.nonzero(((moves >= 0) & rated.unsqueeze(1)).flatten()).squeeze(1)
            if judge is not None and len(asked) > 0:
                values.view(-1)[asked] = judge(told[asked])[:, 0].float()
        values = torch.where(ends >= 0, sure, values)
        return Looked(moves, told.view(*moves.shape, -1), ends, values.masked_fill(moves < 0, -torch.inf))

    def views(self, live: torch.Tensor, seats: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What a net is told of some games, each by a seat, and which of them are over."""
        told = self.empty((len(live), self.inputs), torch.int8)
        over = self.empty((len(live),), torch.int8)
        self.lanes.views(live, seats, told, over)
        return told, over > 0

    def _tell(self, live: torch.Tensor, judge: Judge, tell: Callable[[Moment], None]) -> None:
        """See the games from every seat after a decision; those that are over are seen no more."""
        seats = torch.arange(self.players, device=self.device).repeat(len(live))
        told, over = self.views(live.repeat_interleave(self.players), seats)
        left = torch.nonzero(~over[:: self.players]).squeeze(1)
        told, live = told.view(-1, self.players, self.inputs)[left], live[left]
        if len(live) == 0:
            return
        if judge is None:
            said = torch.full((len(live), self.players, outputs(self.players)), 0.5, device=self.device)
        else:
            said = torch.sigmoid(judge(told.flatten(0, 1))[:, :-1].float()).view(len(live), self.players, -1)
        tell(Moment(live, told, said))


def chosen(looked: Looked, habits: Habits) -> torch.Tensor:
    """A move for each game."""
    moves, values = looked.moves, looked.values
    if habits.heat > 0:
        spread = -torch.log(-torch.log(torch.rand_like(values).clamp_(1e-9, 1 - 1e-7)))
        values = values / habits.heat + spread
    rows = values.argmax(1, keepdim=True)
    if habits.whims > 0:
        any_move = torch.rand_like(values).masked_fill(moves < 0, -1.0).argmax(1, keepdim=True)
        whim = torch.rand((len(moves), 1), device=moves.device) < habits.whims
        rows = torch.where(whim, any_move, rows)
    return moves.gather(1, rows).squeeze(1)


def around(table: torch.Tensor) -> torch.Tensor:
    """By game and seat, everybody's number as that seat counts round the table; with two players only its own."""
    players = table.shape[1]
    if players == 2:
        return table.unsqueeze(2)
    return torch.stack([table.roll(-seat, 1) for seat in range(players)], dim=1)


def lesson(moments: list[Moment], rewards: torch.Tensor, margins: torch.Tensor, faith: float, goal: float) -> Lesson:
    """What there is to learn from a round: results, mixed with what was said of later positions (TD(λ))."""
    later = around(rewards).clone()
    values: list[torch.Tensor] = []
    for moment in reversed(moments):
        seen = later[moment.games]
        values.append(seen)
        later[moment.games] = (1.0 - faith) * moment.said + faith * seen
    values.reverse()
    told = torch.cat([moment.told.flatten(0, 1) for moment in moments])
    ahead = torch.cat([margins[moment.games].flatten() for moment in moments]) / goal
    return Lesson(told, torch.cat([value.flatten(0, 1) for value in values]), ahead)


def duel(tables: Tables, one: Judge, other: Judge, seed: int) -> float:
    """The share of pairs in which one judge is ahead of another: the same deals with the seats exchanged."""
    half = tables.games // 2
    numbers = torch.arange(tables.games, device=tables.device) % half
    tables.deal(seed, numbers)
    game = torch.arange(tables.games, device=tables.device).unsqueeze(1)
    seat = torch.arange(tables.players, device=tables.device).unsqueeze(0)
    second = (seat + game + game // half) % 2 == 1
    rewards, _ = tables.play((one, other), second, Habits(), None)
    ones = (~second).sum(1)
    pairs = ones * (tables.players - ones)
    # Among one's own kind every pair is ahead once.
    ahead = (rewards * ~second).sum(1) * (tables.players - 1) - ones * (ones - 1) / 2
    return float(ahead.sum() / pairs.sum())
