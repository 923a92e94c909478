"""Statistics over many games of strong bots."""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, permutations

import numpy as np

from sixfold.bots import Bot, Budget, make
from sixfold.bots.greedy import state_array
from sixfold.bots.levels import LEVELS
from sixfold.bots.net import NET_CANDIDATES, NetPolicy
from sixfold.engine.annotations import bonus
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, start
from sixfold.engine.notation import read
from sixfold.games import packages

GREEDY = "greedy"
# The number of turns for which values are averaged.
TURNS = 60
BOT_SEED = 0x2E5EA2C4


@dataclass
class Count:
    """Sums over games that can be added."""

    sums: dict[str, float] = field(default_factory=partial(defaultdict, float))

    def add(self, name: str, value: float, weight: float = 1.0) -> None:
        """Add a value, and its square for the confidence interval."""
        self.sums[f"{name} n"] += weight
        self.sums[f"{name} sum"] += weight * value
        self.sums[f"{name} squares"] += weight * value * value

    def number(self, name: str) -> float:
        return self.sums.get(f"{name} n", 0.0)

    def mean(self, name: str) -> float:
        return self.sums.get(f"{name} sum", 0.0) / max(1.0, self.number(name))

    def half_width(self, name: str) -> float:
        """Half of the 95% interval of the mean."""
        number = max(1.0, self.number(name))
        spread = max(0.0, self.sums.get(f"{name} squares", 0.0) / number - self.mean(name) ** 2)
        return float(1.96 * np.sqrt(spread / number))

    def __add__(self, other: "Count") -> "Count":
        total = Count()
        for part in (self, other):
            for name, value in part.sums.items():
                total.sums[name] += value
        return total


def strong_bot(game: str, players: int) -> str:
    """The strongest bot that does not search for long."""
    return "net" if packages()[game].net(players).exists() else f"level{LEVELS[-1]}"


def count(game: str, players: int, games: int, cores: int) -> Iterator[tuple[int, Count]]:
    """Count over deals that are each played by strong bots only, and against greedy ones from both sides.

    Yields parts: the number of deals and their sums.
    """
    edges = np.linspace(0, games, min(games, 16 * cores) + 1, dtype=int).tolist()
    with ProcessPoolExecutor(cores) as pool:
        parts = pool.map(partial(_count_deals, game, players), edges[:-1], edges[1:])
        for (first, last), part in zip(pairwise(edges), parts, strict=True):
            yield last - first, part


def _count_deals(game: str, players: int, first: int, last: int) -> Count:
    total = Count()
    strong, greedy = strong_bot(game, players), GREEDY
    bots = {name: make(name, game, players) for name in (strong, greedy)}
    decision_stats = DecisionStats(game, players, bots[greedy], total) if strong == "net" else None
    for deal in range(first, last):
        _count_self_play(start(game, players, chance=Seeded(1, deal)), bots[strong], deal, decision_stats, total)
        _count_against_greedy(game, players, deal, bots[strong], bots[greedy], total)
    return total


def _decisions(game: Game, seats: list[Bot], deal: int) -> Iterator[tuple[Game, str]]:
    """Play a game, yielding each position and move before the move is made."""
    chances = [Seeded(BOT_SEED, deal * game.players + seat) for seat in range(game.players)]
    while (seat := game.turn) is not None:
        move = seats[seat].choose(game.view(seat), Budget(), chances[seat])
        yield game, move
        game.play(move)


def _count_self_play(game: Game, bot: Bot, deal: int, decision_stats: "DecisionStats | None", total: Count) -> None:
    """Count a game among equals: the value of a seat, the length, and how values grow."""
    turns = [0] * game.players
    values_by_turn: list[list[list[int]]] = [[] for _ in turns]
    last = None
    for position, move in _decisions(game, [bot] * game.players, deal):
        seat = position.turn or 0
        if seat != last:
            turns[seat] += 1
            values_by_turn[seat].append(sorted(position.values[seat]))
        last = seat
        if decision_stats is not None:
            decision_stats.add(position, move)
    assert game.result is not None
    for seat, place in enumerate(game.result.places):
        others = [other for at, other in enumerate(game.result.places) if at != seat]
        share = sum(0.5 + 0.5 * np.sign(other - place) for other in others) / len(others)
        total.add(f"seat {seat}", share)
        for at, rank in enumerate(sorted(game.values[seat])):
            total.add(f"{'winner' if place == 1 else 'other'} rank {at}", rank)
        for turn, values in enumerate(values_by_turn[seat][:TURNS]):
            total.add(f"lowest {turn}", values[0])
            total.add(f"mean {turn}", sum(values) / 6)
    total.add("turns", sum(turns) / len(turns))


def _count_against_greedy(game: str, players: int, deal: int, strong: Bot, greedy: Bot, total: Count) -> None:
    """Count a deal with strong and greedy bots in alternate seats, played a second time with seats swapped."""
    places = []
    for parity in range(2):
        seats = [strong if (seat + parity) % 2 == 0 else greedy for seat in range(players)]
        position = start(game, players, chance=Seeded(1, deal))
        for _ in _decisions(position, seats, deal):
            pass
        assert position.result is not None
        places.append(position.result.places)
    for strong_seat, greedy_seat in permutations(range(players), 2):
        if strong_seat % 2 or not greedy_seat % 2:
            continue
        by_strong = [
            np.sign(places[0][greedy_seat] - places[0][strong_seat]),
            np.sign(places[1][strong_seat] - places[1][greedy_seat]),
        ]
        for result in by_strong:
            total.add("strong ahead", 0.5 + 0.5 * float(result))
        decided_by_play = by_strong[0] == by_strong[1] != 0
        total.add("play decides", float(decided_by_play))
        total.add("the deal decides", float(by_strong[0] == -by_strong[1] != 0))


def _after(position: Game, move: int) -> Game:
    """The position after a move, before any chance event."""
    after = position.copy()
    after.chance = None
    after.play_number(move)
    return after


def _chance_of(position: Game, chances: dict[int, float], move: int) -> float | None:
    """The chance of a move if it, or one that leads to the same position (C8), was evaluated."""
    if move in chances:
        return chances[move]
    after = _after(position, move)
    return next((chance for equivalent, chance in chances.items() if _after(position, equivalent) == after), None)


class DecisionStats:
    """Statistics over the decisions of strong bots: what moves are worth, and what a greedy bot would have done."""

    def __init__(self, game: str, players: int, greedy: Bot, total: Count) -> None:
        self._mind = NetPolicy(game, players, NET_CANDIDATES)
        self._greedy = greedy
        self._total = total
        self._favours = getattr(packages()[game].annotations, "favours", None)

    def add(self, position: Game, chosen: str) -> None:
        seat = position.turn
        assert seat is not None
        moves, log_odds = self._mind.score_candidates(state_array(position.view(seat)))
        chances = dict(zip(moves.tolist(), 1 / (1 + np.exp(-log_odds)), strict=True))
        if len(chances) < 2:
            return
        choices = [read(position.rules, word) for word in position.rules.CHOICES]
        if set(chances) == set(choices):
            plain, other = (chances[move] for move in choices)
            self._total.add("choice", other - plain)
            self._total.add("choice taken", float(other > plain))
            return
        self._compare(position, seat, chances, read(position.rules, chosen))
        self._special(position, chances)

    def _compare(self, position: Game, seat: int, chances: dict[int, float], chosen: int) -> None:
        """Compare with the greedy bot's move: how often it agrees, and what it costs."""
        view = position.view(seat)
        greedy_move = read(position.rules, self._greedy.choose(view, Budget(), Seeded(7)))
        best = max(chances.values())
        chance = _chance_of(position, chances, greedy_move)
        self._total.add("greedy agrees", float(chance is not None and chance >= best - 1e-9))
        if chance is not None:
            self._total.add("greedy loses", best - chance)
        before = position.values[seat]
        for name, move in (("strong", chosen), (GREEDY, greedy_move)):
            after = _after(position, move).values[seat]
            self._total.add(f"{name} gains", sum(after) - sum(before))
            raised = any(now > was == min(before) for was, now in zip(before, after, strict=True))
            self._total.add(f"{name} lifts the lowest", float(raised))

    def _special(self, position: Game, chances: dict[int, float]) -> None:
        """The value of a bonus turn or a joker: the best move with one against the best without."""
        kinds: dict[str, dict[bool, float]] = {"bonus": {}, "joker": {}}
        for move, chance in chances.items():
            after = _after(position, move)
            with_bonus = not after.over and after.turn == position.turn and bonus(after)
            joker = self._favours is not None and any(self._favours(move, symbol) for symbol in range(6))
            for kind, has in (("bonus", with_bonus), ("joker", joker)):
                kinds[kind][has] = max(kinds[kind].get(has, 0.0), chance)
        for kind, best in kinds.items():
            if len(best) == 2:
                self._total.add(kind, best[True] - best[False])
