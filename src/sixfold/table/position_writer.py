"""Positions as JSON, written by compiled code for servers and browsers alike.

A program of steps over the state's bytes is built once for a game from the fields of its codec. One compiled function
interprets every program.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec.json import encode

from sixfold.engine.lifted import lift
from sixfold.games import Package, packages
from sixfold.games.contract import Rules
from sixfold.games.shared.codec import FREE, Counts, Field, Items, Letters, Name, Number, PoolSize, Rows
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, SYMBOLS
from sixfold.games.shared.text import HIDDEN

# The kinds of steps. A step is: kind, offset in the state, length, offset of the number of players, index of a text,
# second offset or text.
LITERAL, CHOICE, PHASE, NUMBER, ARGUMENT, MATRIX, NAMES, LETTERS, COUNTS, LINE = range(10)
# The arguments beside the state.
SEEN_BY, OCCASION, POOL_SIZE = range(3)
MOST_BYTES = 2048
# NumPy integers: Numba would specialise a function for every Python integer constant it is called with.
SIGNS: list[Any] = [*map(np.int64, b',:"-0[]{}')]
COMMA, COLON, QUOTE, MINUS, ZERO, OPEN, CLOSE, BEGIN, END = SIGNS
FIRST: Any = np.int64(0)


@compiled
def _put_byte(byte: Any, out: np.ndarray, at: int) -> int:
    if at < out.size:
        out[at] = byte
    return at + 1


@compiled
def _put_comma(opening: int, out: np.ndarray, at: int) -> int:
    """Write a comma unless the last byte is the opening bracket."""
    return at if out[min(at, out.size) - 1] == opening else _put_byte(COMMA, out, at)


@compiled
def _put_text(texts: np.ndarray, ends: np.ndarray, text: int, out: np.ndarray, at: int) -> int:
    for place in range(ends[text], ends[text + 1]):
        at = _put_byte(np.int64(texts[place]), out, at)
    return at


@compiled
def _put_number(number: int, out: np.ndarray, at: int) -> int:
    """Write a number of at most three digits."""
    if number < 0:
        at = _put_byte(MINUS, out, at)
        number = -number
    size = 100 if number >= 100 else 10 if number >= 10 else 1
    while size > 0:
        at = _put_byte(ZERO + number // size % 10, out, at)
        size //= 10
    return at


@compiled
def _put_row(
    step: np.ndarray, row: int, texts: np.ndarray, ends: np.ndarray, state: np.ndarray, out: np.ndarray, at: int
) -> int:
    """Write one player's list of numbers, names or letters."""
    begin, width, text = step[1] + row * step[2], step[2], step[4]
    at = _put_byte(OPEN, out, _put_comma(OPEN, out, at))
    for place in range(state[step[5] + row] if step[0] == NAMES else width):
        number = int(state[begin + place])
        if step[0] == MATRIX:
            at = _put_number(number, out, _put_comma(OPEN, out, at))
        elif step[0] == NAMES:
            at = _put_text(texts, ends, text + number, out, _put_comma(OPEN, out, at))
        else:
            for _ in range(number):
                at = _put_text(texts, ends, text + place, out, _put_comma(OPEN, out, at))
    return _put_byte(CLOSE, out, at)


@compiled
def _put_counts(
    step: np.ndarray, texts: np.ndarray, ends: np.ndarray, state: np.ndarray, out: np.ndarray, at: int
) -> int:
    at = _put_byte(BEGIN, out, at)
    for item in range(step[2]):
        number = int(state[step[1] + item])
        if number != 0:
            at = _put_text(texts, ends, step[4] + item, out, _put_comma(BEGIN, out, at))
            at = _put_number(number, out, _put_byte(COLON, out, at))
    return _put_byte(END, out, at)


@compiled
def write_json(
    steps: np.ndarray,
    texts: np.ndarray,
    ends: np.ndarray,
    state: np.ndarray,
    arguments: tuple[Any, Any, Any],
    out: np.ndarray,
) -> int:
    """Run the program; returns the length of the JSON, which may exceed what fits into ``out``."""
    at: int = FIRST
    for which in range(steps.shape[0]):
        step = steps[which]
        kind, place, text = step[0], step[1], step[4]
        if kind == LITERAL:
            at = _put_text(texts, ends, text, out, at)
        elif kind == CHOICE:
            at = _put_text(texts, ends, text + int(state[place]), out, at)
        elif kind == PHASE:
            phase = int(state[place])
            at = _put_text(texts, ends, step[5] + arguments[OCCASION] if phase == CHANCE else text + phase, out, at)
        elif kind == NUMBER:
            at = _put_number(int(state[place]), out, at)
        elif kind == ARGUMENT:
            at = (
                _put_text(texts, ends, FIRST, out, at)
                if arguments[place] == NONE
                else _put_number(arguments[place], out, at)
            )
        elif kind == COUNTS:
            at = _put_counts(step, texts, ends, state, out, at)
        elif kind == LINE:
            at = _put_byte(QUOTE, out, at)
            for cell in range(place, place + step[2]):
                at = _put_byte(np.int64(texts[ends[text + int(state[cell])]]), out, at)
            at = _put_byte(QUOTE, out, at)
        else:
            at = _put_byte(OPEN, out, at)
            for row in range(state[step[3]]):
                at = _put_row(step, row, texts, ends, state, out, at)
            at = _put_byte(CLOSE, out, at)
    return at


class WriterProgram:
    """The steps for a game. The first text is ``null``."""

    def __init__(self, package: Package) -> None:
        rules = self._rules = package.rules
        self._steps: list[list[int]] = []
        self._texts = [b"null"]
        phase_names, position_fields = package.codec.PHASES, package.fields
        assert position_fields is not None
        self._literal(f'{{"game":"{rules.NAME}","players":')
        self._step(NUMBER, "players")
        self._literal(',"options":{')
        for number, (name, option) in enumerate(rules.OPTIONS.items()):
            self._literal(f'{"," if number else ""}"{name}":')
            self._step(CHOICE, name, text=self._add_names(option.choices))
        self._literal('},"seen_by":')
        self._steps.append([ARGUMENT, SEEN_BY, 0, 0, 0, 0])
        self._literal(',"phase":')
        phases = [phase_names.get(phase, "over") for phase in range(max(OVER, *phase_names) + 1)]
        occasions = self._add_names([occasion.word for occasion in rules.OCCASIONS])
        self._step(PHASE, "phase", text=self._add_names(phases), other=occasions)
        self._literal(',"turn":')
        self._step(NUMBER, "turn")
        self._literal(',"values":')
        self._step(MATRIX, position_fields.values)
        for name, part in position_fields.fields.items():
            self._literal(f',"{name}":')
            self._part(part)
        self._literal("}")
        texts = np.frombuffer(bytearray(b"".join(self._texts)), dtype=np.uint8)
        self.arrays = np.array(self._steps), texts, np.cumsum([0, *map(len, self._texts)])

    def _literal(self, text: str) -> None:
        self._texts.append(text.encode())
        self._steps.append([LITERAL, 0, 0, 0, len(self._texts) - 1, 0])

    def _add_names(self, names: Sequence[Any], none: Any = None) -> int:
        """Add texts for names and return the index of the first; the text before it stands for NONE."""
        self._texts += map(encode, (none, *names))
        return len(self._texts) - len(names)

    def _step(self, kind: int, field: str, text: int = 0, other: int = 0) -> None:
        self._steps.append([kind, *self._location(field), self._location("players")[0], text, other])

    def _location(self, field: str) -> tuple[int, int]:
        """A field's offset in the state and its length, or its length per player."""
        fields: Any = self._rules.STATE.fields
        kind, place, *_ = fields[field]
        if kind.base != np.int8:
            raise TypeError(f"{field} does not have small numbers")
        return place, kind.shape[-1] if kind.shape else 1

    def _part(self, part: Field) -> None:
        match part:
            case Number(field):
                self._step(NUMBER, field)
            case PoolSize():
                self._steps.append([ARGUMENT, POOL_SIZE, 0, 0, 0, 0])
            case Name(names, field):
                self._step(CHOICE, field, text=self._add_names(names))
            case Items(names, field, size):
                self._step(NAMES, field, text=self._add_names(names, HIDDEN), other=self._location(size)[0])
            case Letters(field):
                self._step(LETTERS, field, text=self._add_names(SYMBOLS))
            case Counts(names, field):
                self._step(COUNTS, field, text=self._add_names(names))
            case Rows(lengths, field):
                self._board(lengths, self._location(field)[0])
            case _:
                raise TypeError(f"{part} cannot be written")

    def _board(self, lengths: Sequence[int], place: int) -> None:
        self._texts += map(str.encode, (FREE, *SYMBOLS))
        letters = len(self._texts) - len(SYMBOLS)
        for number, length in enumerate(lengths):
            self._literal("," if number else "[")
            self._steps.append([LINE, place, length, 0, letters, 0])
            place += length
        self._literal("]")


@cache
def program(rules: Rules) -> WriterProgram | None:
    """The program of a game; None if its codec does not describe its fields."""
    package = packages()[rules.NAME]
    return None if package.fields is None else WriterProgram(package)


def write_position(rules: Rules, states: np.ndarray, seat: int | None, program: WriterProgram) -> bytes:
    """The JSON of a position that is already hidden for a seat, written by the program of its game."""
    lifted = lift(rules)
    occasion = lifted.pending_chance(states)[0] if states["phase"][0] == CHANCE else NONE
    arguments = NONE if seat is None else seat, occasion, lifted.pool_size(states)
    state, size = np.frombuffer(states, dtype=np.int8), MOST_BYTES
    while True:
        out = np.empty(size, dtype=np.uint8)
        length = write_json(*program.arrays, state, arguments, out)
        if length <= size:
            return out[:length].tobytes()
        size = length
