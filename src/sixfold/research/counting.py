"""Play many games with a strong bot, and count what happens in them."""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, permutations

import numpy as np

from sixfold.bots import Bot, Budget, make
from sixfold.bots.greedy import copied
from sixfold.bots.levels import LEVELS
from sixfold.bots.net import LOOKS, Mind
from sixfold.engine.chance import Seeded
from sixfold.engine.explaining import bonus
from sixfold.engine.game import Game, start
from sixfold.engine.notation import read
from sixfold.games import packages

GREEDY = "greedy"
# A curve of scores is as long as the longest games worth looking at.
TURNS = 60
BOTS_CHANCE = 0x2E5EA2C4


@dataclass
class Count:
    """Sums over games; two of them add up."""

    sums: dict[str, float] = field(default_factory=partial(defaultdict, float))

    def add(self, name: str, value: float, weight: float = 1.0) -> None:
        """One more of something, with its square for the interval."""
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
        both = Count()
        for one in (self, other):
            for name, value in one.sums.items():
                both.sums[name] += value
        return both


def strong_bot(game: str, players: int) -> str:
    """The strongest bot that needs no long thinking."""
    return "net" if packages()[game].net(players).exists() else f"level{LEVELS[-1]}"


def count(game: str, players: int, games: int, cores: int) -> Iterator[tuple[int, Count]]:
    """Count over so many deals, each played by strong bots alone, and against greedy ones from both sides: part by
    part, how many deals it has and what they add."""
    edges = np.linspace(0, games, min(games, 16 * cores) + 1, dtype=int).tolist()
    with ProcessPoolExecutor(cores) as pool:
        parts = pool.map(partial(_counted, game, players), edges[:-1], edges[1:])
        for (first, last), part in zip(pairwise(edges), parts, strict=True):
            yield last - first, part


def _counted(game: str, players: int, first: int, last: int) -> Count:
    found = Count()
    strong, greedy = strong_bot(game, players), GREEDY
    bots = {name: make(name, game, players) for name in (strong, greedy)}
    watch = Watch(game, players, bots[greedy], found) if strong == "net" else None
    for deal in range(first, last):
        _alone(start(game, players, chance=Seeded(1, deal)), bots[strong], deal, watch, found)
        _against(game, players, deal, bots[strong], bots[greedy], found)
    return found


def _played(game: Game, seats: list[Bot], deal: int) -> Iterator[tuple[Game, str]]:
    """A game, decision by decision, each before it is made."""
    chances = [Seeded(BOTS_CHANCE, deal * game.players + seat) for seat in range(game.players)]
    while (seat := game.turn) is not None:
        move = seats[seat].choose(game.view(seat), Budget(), chances[seat])
        yield game, move
        game.play(move)


def _alone(game: Game, bot: Bot, deal: int, watch: "Watch | None", found: Count) -> None:
    """A game among equals: what a seat is worth, how long it lasts, how values grow."""
    turns = [0] * game.players
    grown: list[list[list[int]]] = [[] for _ in turns]
    last = None
    for position, move in _played(game, [bot] * game.players, deal):
        seat = position.turn or 0
        if seat != last:
            turns[seat] += 1
            grown[seat].append(sorted(position.values[seat]))
        last = seat
        if watch is not None:
            watch.see(position, move)
    assert game.result is not None
    for seat, place in enumerate(game.result.places):
        others = [other for at, other in enumerate(game.result.places) if at != seat]
        share = sum(0.5 + 0.5 * np.sign(other - place) for other in others) / len(others)
        found.add(f"seat {seat}", share)
        for at, rank in enumerate(sorted(game.values[seat])):
            found.add(f"{'winner' if place == 1 else 'other'} rank {at}", rank)
        for turn, values in enumerate(grown[seat][:TURNS]):
            found.add(f"lowest {turn}", values[0])
            found.add(f"mean {turn}", sum(values) / 6)
    found.add("turns", sum(turns) / len(turns))


def _against(game: str, players: int, deal: int, strong: Bot, greedy: Bot, found: Count) -> None:
    """The same deal with strong and greedy players in alternate seats, and the other way round."""
    places = []
    for parity in range(2):
        seats = [strong if (seat + parity) % 2 == 0 else greedy for seat in range(players)]
        position = start(game, players, chance=Seeded(1, deal))
        for _ in _played(position, seats, deal):
            pass
        assert position.result is not None
        places.append(position.result.places)
    for one, other in permutations(range(players), 2):
        if one % 2 or not other % 2:
            continue
        by_strong = [np.sign(places[0][other] - places[0][one]), np.sign(places[1][one] - places[1][other])]
        for result in by_strong:
            found.add("strong ahead", 0.5 + 0.5 * float(result))
        both = by_strong[0] == by_strong[1] != 0
        found.add("play decides", float(both))
        found.add("the deal decides", float(by_strong[0] == -by_strong[1] != 0))


def _after(position: Game, move: int) -> Game:
    """The position behind a move, before chance has its say."""
    then = position.copy()
    then.chance = None
    then.play_number(move)
    return then


def _chance_of(position: Game, chances: dict[int, float], move: int) -> float | None:
    """The chance that a move gives, if it was looked at, or one that leads to the same position was (C8)."""
    if move in chances:
        return chances[move]
    then = _after(position, move)
    return next((chance for same, chance in chances.items() if _after(position, same) == then), None)


class Watch:
    """Looks at every decision of strong players: what moves are worth, and what a greedy player would have done."""

    def __init__(self, game: str, players: int, greedy: Bot, found: Count) -> None:
        self._mind = Mind(game, players, LOOKS)
        self._greedy = greedy
        self._found = found
        self._favours = getattr(packages()[game].explaining, "favours", None)

    def see(self, position: Game, chosen: str) -> None:
        seat = position.turn
        assert seat is not None
        moves, said = self._mind.look(copied(position.view(seat)))
        chances = dict(zip(moves.tolist(), 1 / (1 + np.exp(-said)), strict=True))
        if len(chances) < 2:
            return
        choices = [read(position.rules, word) for word in position.rules.CHOICES]
        if set(chances) == set(choices):
            plain, other = (chances[move] for move in choices)
            self._found.add("choice", other - plain)
            self._found.add("choice taken", float(other > plain))
            return
        self._compare(position, seat, chances, read(position.rules, chosen))
        self._special(position, chances)

    def _compare(self, position: Game, seat: int, chances: dict[int, float], chosen: int) -> None:
        """What a greedy player would have done, and what that costs."""
        view = position.view(seat)
        other = read(position.rules, self._greedy.choose(view, Budget(), Seeded(7)))
        best = max(chances.values())
        chance = _chance_of(position, chances, other)
        self._found.add("greedy agrees", float(chance is not None and chance >= best - 1e-9))
        if chance is not None:
            self._found.add("greedy loses", best - chance)
        before = position.values[seat]
        for name, move in (("strong", chosen), (GREEDY, other)):
            after = _after(position, move).values[seat]
            self._found.add(f"{name} gains", sum(after) - sum(before))
            raised = any(now > was == min(before) for was, now in zip(before, after, strict=True))
            self._found.add(f"{name} lifts the lowest", float(raised))

    def _special(self, position: Game, chances: dict[int, float]) -> None:
        """What a bonus turn or a joker is worth: the best move with one against the best without."""
        kinds: dict[str, dict[bool, float]] = {"bonus": {}, "joker": {}}
        for move, chance in chances.items():
            then = _after(position, move)
            with_bonus = not then.over and then.turn == position.turn and bonus(then)
            joker = self._favours is not None and any(self._favours(move, symbol) for symbol in range(6))
            for kind, has in (("bonus", with_bonus), ("joker", joker)):
                kinds[kind][has] = max(kinds[kind].get(has, 0.0), chance)
        for kind, best in kinds.items():
            if len(best) == 2:
                self._found.add(kind, best[True] - best[False])
