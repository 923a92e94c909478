"""What a game shows of a position, part by part: how each part is read off a state in the words of the notation, and
how it is told to one. Browsers do the same by the parts' descriptions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, compress, pairwise
from typing import Any, Protocol

import numpy as np

from sixfold.games.shared.picture import HIDDEN, item_names
from sixfold.games.shared.symbols import NONE, SYMBOLS

FREE = "."
# By the number of a symbol; NONE is the last.
LETTERS = (*SYMBOLS, FREE)


class Part(Protocol):
    """One part of what is shown."""

    def show(self, fields: Mapping[str, Any], /) -> Any:
        """As it is shown; ``fields`` is the state as plain numbers and lists, and ``pool_size``."""

    def tell(self, state: np.record, value: Any, /) -> None:
        """Bring a state from the start to what was shown."""

    def described(self) -> dict[str, Any]:
        """The same for programs in other languages."""


@dataclass(frozen=True)
class Number:
    """A number as it is."""

    field: str

    def show(self, fields: Mapping[str, Any]) -> int:
        number: int = fields[self.field]
        return number

    def tell(self, state: np.record, value: int) -> None:
        state[self.field] = value

    def described(self) -> dict[str, Any]:
        return {"kind": "number", "field": self.field}


@dataclass(frozen=True)
class PoolSize:
    """How many items are left to draw; it follows from everything else."""

    def show(self, fields: Mapping[str, Any]) -> int:
        number: int = fields["pool_size"]
        return number

    def tell(self, state: np.record, value: int) -> None:
        pass

    def described(self) -> dict[str, Any]:
        return {"kind": "pool_size"}


@dataclass(frozen=True)
class Items:
    """For each player the names of some items, and ``??`` for one that nobody may see."""

    names: Sequence[str]
    field: str
    size: str

    def show(self, fields: Mapping[str, Any]) -> list[list[str]]:
        rows, sizes = fields[self.field], fields[self.size]
        return [item_names(self.names, rows[player], sizes[player]) for player in range(fields["players"])]

    def tell(self, state: np.record, value: Sequence[Sequence[str]]) -> None:
        for player, held in enumerate(value):
            state[self.size][player] = len(held)
            for at, name in enumerate(held):
                state[self.field][player, at] = NONE if name == HIDDEN else self.names.index(name)

    def described(self) -> dict[str, Any]:
        return {"kind": "items", "field": self.field, "size": self.size}


@dataclass(frozen=True)
class Counts:
    """How many there are of each item, by their names."""

    names: Sequence[str]
    field: str

    def show(self, fields: Mapping[str, Any]) -> dict[str, int]:
        numbers = fields[self.field]
        return dict(zip(compress(self.names, numbers), filter(None, numbers), strict=True))

    def tell(self, state: np.record, value: Mapping[str, int]) -> None:
        state[self.field] = [value.get(name, 0) for name in self.names]

    def described(self) -> dict[str, Any]:
        return {"kind": "counts", "field": self.field}


@dataclass(frozen=True)
class Letters:
    """For each player the letters of symbols that are counted."""

    field: str

    def show(self, fields: Mapping[str, Any]) -> list[list[str]]:
        rows = fields[self.field][: fields["players"]]
        return [[letter for letter, number in zip(SYMBOLS, row, strict=True) for _ in range(number)] for row in rows]

    def tell(self, state: np.record, value: Sequence[Sequence[str]]) -> None:
        for player, letters in enumerate(value):
            state[self.field][player] = [letters.count(letter) for letter in SYMBOLS]

    def described(self) -> dict[str, Any]:
        return {"kind": "letters", "field": self.field}


@dataclass(frozen=True)
class Name:
    """One of some names, or none."""

    names: Sequence[str]
    field: str

    def show(self, fields: Mapping[str, Any]) -> str | None:
        number = fields[self.field]
        return None if number == NONE else self.names[number]

    def tell(self, state: np.record, value: str | None) -> None:
        state[self.field] = NONE if value is None else self.names.index(value)

    def described(self) -> dict[str, Any]:
        return {"kind": "name", "field": self.field, "names": list(self.names)}


@dataclass(frozen=True)
class Rows:
    """The cells of a board in rows of letters, with a dot for a free cell."""

    lengths: Sequence[int]
    field: str

    def show(self, fields: Mapping[str, Any]) -> list[str]:
        letters = "".join(map(LETTERS.__getitem__, fields[self.field]))
        return [letters[begin:end] for begin, end in self.ends]

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """Where each row begins and ends."""
        return list(pairwise([0, *accumulate(self.lengths)]))

    def tell(self, state: np.record, value: Sequence[str]) -> None:
        for cell, letter in enumerate("".join(value)):
            state[self.field][cell] = NONE if letter == FREE else SYMBOLS.index(letter)

    def described(self) -> dict[str, Any]:
        return {"kind": "rows", "field": self.field, "lengths": list(self.lengths)}


@dataclass(frozen=True)
class Stage:
    """Which occasion chance is at: the phase says it, and after the last one it stays there."""

    field: str
    words: Sequence[str]

    def tell(self, state: np.record, phase: str) -> None:
        state[self.field] = self.words.index(phase) if phase in self.words else len(self.words) - 1


@dataclass(frozen=True)
class Parts:
    """Everything that a game shows beyond what all games show.

    ``values`` is the field with each player's six values, ``stage`` one that follows from the phase, and ``follow`` a
    compiled function that works out whatever else in a state follows from what was told.
    """

    shown: Mapping[str, Part]
    values: str
    follow: Callable[[Any], None]
    stage: Stage | None = None

    def show(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {name: part.show(fields) for name, part in self.shown.items()}

    def tell(self, state: np.record, position: Any) -> None:
        for name, part in self.shown.items():
            part.tell(state, getattr(position, name))
        state[self.values][: state.players] = position.values
        if self.stage is not None:
            self.stage.tell(state, position.phase)
        self.follow(state)

    def described(self) -> dict[str, Any]:
        return {
            "parts": {name: part.described() for name, part in self.shown.items()},
            "values": self.values,
            "stage": None if self.stage is None else self.stage.field,
        }


class InParts(Protocol):
    """What a game that is played in browsers has in ``shown``; it makes ``shown`` and ``tell`` from them."""

    PARTS: Parts
