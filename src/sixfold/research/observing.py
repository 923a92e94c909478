"""What a seat sees as a row of whole numbers, and which moves are legal: the same for all interfaces.

The numbers are the facts of the seat's view, field by field. Whatever belongs to players comes in the order of the
seats from one's own on, and whose turn it is counts from one's own seat too. What is hidden is ``NONE``.
"""

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from sixfold.engine.game import Position, View
from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import NONE

LOWEST, HIGHEST = NONE, 127


class Field(NamedTuple):
    """A part of the row: where it begins, and its shape."""

    begin: int
    shape: tuple[int, ...]

    @property
    def numbers(self) -> slice:
        return slice(self.begin, self.begin + prod(self.shape))


class Row(NamedTuple):
    """How a view is written: its fields by name, and for each seat where in the state each number stands."""

    fields: dict[str, Field]
    places: np.ndarray

    @property
    def size(self) -> int:
        return int(self.places.shape[1])

    @property
    def turn(self) -> int:
        return self.fields["turn"].begin


@cache
def row_of(rules: Rules, players: int) -> Row:
    """The row for a game and a number of players. Options and their number stay the same, and are left out."""
    fields: dict[str, Field] = {}
    places: list[list[int]] = [[] for _ in range(players)]
    for name, (kind, offset, *_) in (rules.STATE.fields or {}).items():
        if kind.base.itemsize != 1 or name == "players" or name in rules.OPTIONS:
            continue
        everywhere = offset + np.arange(prod(kind.shape)).reshape(kind.shape)
        everybody = kind.shape[:1] == (rules.PLAYERS[-1],)
        if everybody:
            everywhere = everywhere[:players]
        fields[name] = Field(len(places[0]), everywhere.shape)
        for seat in range(players):
            own_first = np.roll(everywhere, -seat, axis=0) if everybody else everywhere
            places[seat] += own_first.ravel().tolist()
    return Row(fields, np.array(places, dtype=np.int64))


def observation(view: View, seat: int | None = None) -> np.ndarray:
    """The row of a view; what a spectator sees, too, can be written from a seat."""
    own = view.seat if seat is None else seat
    assert own is not None
    row = row_of(view.rules, view.players)
    numbers = view.states.view(np.int8)[row.places[own]]
    numbers[row.turn] = (numbers[row.turn] - own) % view.players
    return numbers


def mask(position: Position) -> np.ndarray:
    """A 1 for every legal move of the player in turn."""
    legal = np.zeros(position.rules.ACTIONS, dtype=np.int8)
    legal[position.legal().numbers] = 1
    return legal


@compiled
def write_row(
    view: np.ndarray, seat: int, places: np.ndarray, turn: int, row: np.ndarray, first: int, stride: int
) -> None:
    """Every ``stride``-th number of a row from number ``first`` on; the view is the bytes of its state."""
    for number in range(first, row.size, stride):
        row[number] = view[places[seat, number]]
    if turn % stride == first:
        row[turn] = (row[turn] - seat + places.shape[0]) % places.shape[0]


@compiled
def write_rows(views: np.ndarray, seats: np.ndarray, places: np.ndarray, turn: int, rows: np.ndarray) -> None:
    """The rows of many views."""
    for game in range(rows.shape[0]):
        write_row(views[game], seats[game], places, turn, rows[game], 0, 1)
