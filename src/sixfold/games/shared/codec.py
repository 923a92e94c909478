"""Declarative position codecs: each field of a message knows how to decode itself into a state. Browsers do the same
from the fields' schema. ``table.position_writer`` compiles the fields to write the message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sixfold.games.shared.symbols import NONE, SYMBOLS
from sixfold.games.shared.text import HIDDEN

FREE = "."


class Field(Protocol):
    """One field of a position message."""

    def decode(self, state: np.record, value: Any, /) -> None:
        """Write a value from a message into an initial state."""

    def schema(self) -> dict[str, Any]:
        """A JSON description of the field for codecs in other languages."""


@dataclass(frozen=True)
class Number:
    """A plain number."""

    field: str

    def decode(self, state: np.record, value: int) -> None:
        state[self.field] = value

    def schema(self) -> dict[str, Any]:
        return {"kind": "number", "field": self.field}


@dataclass(frozen=True)
class PoolSize:
    """The number of items left to draw, which is derived from the rest of the state."""

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

    def decode(self, state: np.record, value: Mapping[str, int]) -> None:
        state[self.field] = [value.get(name, 0) for name in self.names]

    def schema(self) -> dict[str, Any]:
        return {"kind": "counts", "field": self.field}


@dataclass(frozen=True)
class Letters:
    """For each player a list of symbol letters, stored as counts."""

    field: str

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

    def decode(self, state: np.record, value: str | None) -> None:
        state[self.field] = NONE if value is None else self.names.index(value)

    def schema(self) -> dict[str, Any]:
        return {"kind": "name", "field": self.field, "names": list(self.names)}


@dataclass(frozen=True)
class Rows:
    """The rows of a board as strings of letters, with a dot for a free cell."""

    lengths: Sequence[int]
    field: str

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
