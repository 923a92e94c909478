"""Declarative position codecs: each field of a message knows how to encode itself from a state and decode itself into
one. Browsers do the same from the fields' schema."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, compress, pairwise
from typing import Any, Protocol

import numpy as np

from sixfold.games.shared.symbols import NONE, SYMBOLS
from sixfold.games.shared.text import HIDDEN, item_names

FREE = "."
# Letters by symbol; NONE (-1) is the last.
LETTERS = (*SYMBOLS, FREE)


class Field(Protocol):
    """One field of a position message."""

    def encode(self, plain: Mapping[str, Any], /) -> Any:
        """The field's value in the message; ``plain`` has the state as plain numbers and lists, plus ``pool_size``."""

    def decode(self, state: np.record, value: Any, /) -> None:
        """Write a value from a message into an initial state."""

    def schema(self) -> dict[str, Any]:
        """A JSON description of the field for codecs in other languages."""


@dataclass(frozen=True)
class Number:
    """A plain number."""

    field: str

    def encode(self, plain: Mapping[str, Any]) -> int:
        number: int = plain[self.field]
        return number

    def decode(self, state: np.record, value: int) -> None:
        state[self.field] = value

    def schema(self) -> dict[str, Any]:
        return {"kind": "number", "field": self.field}


@dataclass(frozen=True)
class PoolSize:
    """The number of items left to draw, which is derived from the rest of the state."""

    def encode(self, plain: Mapping[str, Any]) -> int:
        number: int = plain["pool_size"]
        return number

    def decode(self, state: np.record, value: int) -> None:
        pass

    def schema(self) -> dict[str, Any]:
        return {"kind": "pool_size"}


@dataclass(frozen=True)
class Items:
    """For each player a list of item names, with ``??`` for hidden items."""

    names: Sequence[str]
    field: str
    size: str

    def encode(self, plain: Mapping[str, Any]) -> list[list[str]]:
        rows, sizes = plain[self.field], plain[self.size]
        return [item_names(self.names, rows[player], sizes[player]) for player in range(plain["players"])]

    def decode(self, state: np.record, value: Sequence[Sequence[str]]) -> None:
        for player, held in enumerate(value):
            state[self.size][player] = len(held)
            for at, name in enumerate(held):
                state[self.field][player, at] = NONE if name == HIDDEN else self.names.index(name)

    def schema(self) -> dict[str, Any]:
        return {"kind": "items", "field": self.field, "size": self.size}


@dataclass(frozen=True)
class Counts:
    """The number of copies of each item by name, without zeros."""

    names: Sequence[str]
    field: str

    def encode(self, plain: Mapping[str, Any]) -> dict[str, int]:
        numbers = plain[self.field]
        return dict(zip(compress(self.names, numbers), filter(None, numbers), strict=True))

    def decode(self, state: np.record, value: Mapping[str, int]) -> None:
        state[self.field] = [value.get(name, 0) for name in self.names]

    def schema(self) -> dict[str, Any]:
        return {"kind": "counts", "field": self.field}


@dataclass(frozen=True)
class Letters:
    """For each player a list of symbol letters, stored as counts."""

    field: str

    def encode(self, plain: Mapping[str, Any]) -> list[list[str]]:
        rows = plain[self.field][: plain["players"]]
        return [[letter for letter, number in zip(SYMBOLS, row, strict=True) for _ in range(number)] for row in rows]

    def decode(self, state: np.record, value: Sequence[Sequence[str]]) -> None:
        for player, letters in enumerate(value):
            state[self.field][player] = [letters.count(letter) for letter in SYMBOLS]

    def schema(self) -> dict[str, Any]:
        return {"kind": "letters", "field": self.field}


@dataclass(frozen=True)
class Name:
    """One of several names, or None."""

    names: Sequence[str]
    field: str

    def encode(self, plain: Mapping[str, Any]) -> str | None:
        number = plain[self.field]
        return None if number == NONE else self.names[number]

    def decode(self, state: np.record, value: str | None) -> None:
        state[self.field] = NONE if value is None else self.names.index(value)

    def schema(self) -> dict[str, Any]:
        return {"kind": "name", "field": self.field, "names": list(self.names)}


@dataclass(frozen=True)
class Rows:
    """The rows of a board as strings of letters, with a dot for a free cell."""

    lengths: Sequence[int]
    field: str

    def encode(self, plain: Mapping[str, Any]) -> list[str]:
        letters = "".join(map(LETTERS.__getitem__, plain[self.field]))
        return [letters[begin:end] for begin, end in self.ends]

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """The first and one-past-last cell of each row."""
        return list(pairwise([0, *accumulate(self.lengths)]))

    def decode(self, state: np.record, value: Sequence[str]) -> None:
        for cell, letter in enumerate("".join(value)):
            state[self.field][cell] = NONE if letter == FREE else SYMBOLS.index(letter)

    def schema(self) -> dict[str, Any]:
        return {"kind": "rows", "field": self.field, "lengths": list(self.lengths)}


@dataclass(frozen=True)
class Stage:
    """A state field with the current occasion, derived from the phase; it stays at the last occasion."""

    field: str
    words: Sequence[str]

    def decode(self, state: np.record, phase: str) -> None:
        state[self.field] = self.words.index(phase) if phase in self.words else len(self.words) - 1


@dataclass(frozen=True)
class PositionFields:
    """All fields that only this game's messages have.

    ``values`` names the state field with each player's values, ``stage`` describes a state field that follows from
    the phase, and ``follow`` is a compiled function that derives the remaining state fields after decoding.
    """

    fields: Mapping[str, Field]
    values: str
    follow: Callable[[Any], None]
    stage: Stage | None = None

    def encode(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        return {name: part.encode(plain) for name, part in self.fields.items()}

    def decode(self, state: np.record, position: Any) -> None:
        for name, part in self.fields.items():
            part.decode(state, getattr(position, name))
        state[self.values][: state.players] = position.values
        if self.stage is not None:
            self.stage.decode(state, position.phase)
        self.follow(state)

    def schema(self) -> dict[str, Any]:
        return {
            "parts": {name: part.schema() for name, part in self.fields.items()},
            "values": self.values,
            "stage": None if self.stage is None else self.stage.field,
        }
