"""What the three referees share: symbols, refusals, spelling of tiles, places."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar, NoReturn

SYMBOLS = "RGBOYP"

Values = dict[str, int]


class Refusal(Exception):
    """A record breaks a rule or the format. `event` is the index in the list of events, or None."""

    def __init__(self, clause: str, reason: str, event: int | None = None, text: str = "") -> None:
        super().__init__(clause, reason, event, text)
        self.clause = clause
        self.reason = reason
        self.event = event
        self.text = text

    def __str__(self) -> str:
        where = "" if self.event is None else f'event {self.event}: "{self.text}": '
        return f"{where}{self.reason} ({self.clause})"


def refuse(clause: str, reason: str) -> NoReturn:
    """Raise a Refusal; the caller adds which event it was."""
    raise Refusal(clause, reason)


def zeros() -> Values:
    """One zero for each symbol: the values at the start of every game (T4, C3, D2)."""
    return dict.fromkeys(SYMBOLS, 0)


def pairs(same: bool) -> list[str]:
    """All two-letter tiles in record order, with the doubles or without them."""
    return [a + b for i, a in enumerate(SYMBOLS) for j, b in enumerate(SYMBOLS) if i < j or (same and i == j)]


def rank(letters: str) -> list[int]:
    """Sort key that puts letters, and tiles, in the order R G B O Y P (record)."""
    return [SYMBOLS.index(letter) for letter in letters]


def in_order(tiles: Iterable[str]) -> list[str]:
    """The tiles in record order."""
    return sorted(tiles, key=rank)


def canonical(tile: str) -> str:
    """The one spelling of a tile or card whose order does not matter: RG, never GR (record)."""
    return "".join(sorted(tile, key=rank))


def is_pair(word: str) -> bool:
    """Two symbol letters, in whatever order."""
    return len(word) == 2 and all(letter in SYMBOLS for letter in word)


def check_tiles(words: list[str], kinds: list[str], count: int, clause: str) -> Counter[str]:
    """Every word is a tile in its canonical spelling (record), and there are `count` of them (`clause`)."""
    for word in words:
        if word not in kinds:
            refuse("record", f"{word!r} is not a tile of this game in its canonical spelling")
    if len(words) != count:
        refuse(clause, f"{count} expected, {len(words)} written")
    return Counter(words)


def check_sorted(words: list[str]) -> None:
    """Tiles, cards and dice of one event are in the order R G B O Y P (record)."""
    if words != in_order(words):
        refuse("record", "not in the order R G B O Y P")


def sample(rng: random.Random, store: Counter[str], count: int) -> list[str]:
    """`count` things out of a store, each choice equally likely, in record order."""
    return in_order(rng.sample(sorted(store.elements()), count))


def lowest(values: Values) -> set[str]:
    """All symbols that share the lowest value (T16, C13)."""
    return {symbol for symbol in SYMBOLS if values[symbol] == min(values.values())}


def places(values: list[list[int]]) -> list[int]:
    """One more than the number of players with a greater ascending list (T20, C16, record)."""
    lists = [sorted(own) for own in values]
    return [1 + sum(other > own for other in lists) for own in lists]


class Referee(ABC):
    """One game in progress. `phase` says what must come next; the phase "over" ends it."""

    OPTIONS: ClassVar[tuple[str, ...]]
    PLAYERS: ClassVar[range]

    def __init__(self, players: int, options: Mapping[str, bool]) -> None:
        self.players = players
        self.options = options
        self.player = 0
        self.phase = ""
        self.ended_by = ""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def end(self, clause: str) -> None:
        """The game is over, by this clause."""
        self.phase = "over"
        self.ended_by = clause

    def apply(self, event: str) -> None:
        """Check one event against the rules and carry it out."""
        words = event.split(" ")
        if self.over:
            refuse(self.ended_by, "the game is over")
        if "" in words:
            refuse("record", "words are separated by single blanks")
        choices = self.choices()
        if not choices:
            self.chance(words)
        elif event in choices:
            self.move(words[1:])
        else:
            raise self.explain(words)

    @abstractmethod
    def choices(self) -> list[str]:
        """Every event the player to move may choose now; empty before a chance event and when the game is over."""

    @abstractmethod
    def move(self, words: list[str]) -> None:
        """Carry out a legal choice; the words come without the player's number."""

    @abstractmethod
    def explain(self, words: list[str]) -> Refusal:
        """Explain why this event is not a legal choice."""

    @abstractmethod
    def chance(self, words: list[str]) -> None:
        """Check an event of chance and carry it out."""

    @abstractmethod
    def random_chance(self, rng: random.Random) -> str:
        """A random event of chance, where one is due."""

    @abstractmethod
    def all_values(self) -> list[Values]:
        """Each player's six values."""
