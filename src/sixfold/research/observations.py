"""Observations as rows of integers, and masks of legal moves: the same for all interfaces.

A row holds the fields of the seat's view. Per-player fields are in seat order starting with the observer's own seat,
and the active player is counted from that seat too. Hidden numbers are ``NONE``.
"""

from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np

from sixfold.engine.game import Position, View
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import NONE

LOWEST, HIGHEST = NONE, 127


class Field(NamedTuple):
    """A field of the row: its offset and shape."""

    begin: int
    shape: tuple[int, ...]

    @property
    def numbers(self) -> slice:
        return slice(self.begin, self.begin + prod(self.shape))


class Row(NamedTuple):
    """The layout of a row: its fields by name, and for each seat the offset of each number in the state."""

    fields: dict[str, Field]
    places: np.ndarray

    @property
    def size(self) -> int:
        return int(self.places.shape[1])

    @property
    def turn(self) -> int:
        return self.fields["turn"].begin


@cache
def observation_layout(rules: Rules, players: int) -> Row:
    """The row layout for a game and a number of players; options and the number of players are left out as constant."""
    fields: dict[str, Field] = {}
    places: list[list[int]] = [[] for _ in range(players)]
    for name, (kind, offset, *_) in (rules.STATE.fields or {}).items():
        if kind.base.itemsize != 1 or name == "players" or name in rules.OPTIONS:
            continue
        offsets = offset + np.arange(prod(kind.shape)).reshape(kind.shape)
        per_player = kind.shape[:1] == (rules.PLAYERS[-1],)
        if per_player:
            offsets = offsets[:players]
        fields[name] = Field(len(places[0]), offsets.shape)
        for seat in range(players):
            own_first = np.roll(offsets, -seat, axis=0) if per_player else offsets
            places[seat] += own_first.ravel().tolist()
    return Row(fields, np.array(places, dtype=np.int64))


def observation(view: View, seat: int | None = None) -> np.ndarray:
    """The row of a view; a spectator's view can be written from the perspective of a seat."""
    own = view.seat if seat is None else seat
    assert own is not None
    row = observation_layout(view.rules, view.players)
    numbers = view.states.view(np.int8)[row.places[own]]
    numbers[row.turn] = (numbers[row.turn] - own) % view.players
    return numbers


def mask(position: Position) -> np.ndarray:
    """The mask of the active player's legal moves: 1 for every legal move."""
    legal = np.zeros(position.rules.ACTIONS, dtype=np.int8)
    legal[position.legal().numbers] = 1
    return legal


@compiled
def write_row(
    view: np.ndarray, seat: int, places: np.ndarray, turn: int, row: np.ndarray, first: int, stride: int
) -> None:
    """Write every ``stride``-th number of a row from ``first`` on; the view is given as the bytes of its state."""
    for number in range(first, row.size, stride):
        row[number] = view[places[seat, number]]
    if turn % stride == first:
        row[turn] = (row[turn] - seat + places.shape[0]) % places.shape[0]


@compiled
def write_rows(views: np.ndarray, seats: np.ndarray, places: np.ndarray, turn: int, rows: np.ndarray) -> None:
    """Write the rows of many views."""
    for game in range(rows.shape[0]):
        write_row(views[game], seats[game], places, turn, rows[game], 0, 1)
