"""Positions as JSON, written by compiled code: everybody is shown every event, and a server does little else.

What ``positions.value`` makes of a view stands here as a list of steps over the state's bytes, made once for a game and
a number of players; one compiled function follows any of them.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Raw
from msgspec.json import encode

from sixfold.engine.entry import single
from sixfold.engine.game import Game
from sixfold.games import packages
from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.shown import FREE, Counts, Items, Letters, Name, Number, Part, PoolSize, Rows
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, SYMBOLS
from sixfold.table.positions import HIDDEN, value

# What a step does. Its numbers: a place in the state, how many are there, for how many players, a text, another place.
SAY, SAY_ONE, SAY_PHASE, NUMBER, GIVEN, TABLE, NAMES, LETTERS, COUNTS, LINE = range(10)
# What is given beside the state.
SEEN_BY, OCCASION, POOL_SIZE = range(3)
MOST_BYTES = 2048
# NumPy's numbers: Numba would compile a function anew for every number of Python's that it is called with.
SIGNS: list[Any] = [*map(np.int64, b',:"-0[]{}')]
COMMA, COLON, QUOTE, MINUS, ZERO, OPEN, CLOSE, BEGIN, END = SIGNS
FIRST: Any = np.int64(0)


@compiled
def _put(sign: int, out: np.ndarray, at: int) -> int:
    if at < out.size:
        out[at] = sign
    return at + 1


@compiled
def _after(begins: int, out: np.ndarray, at: int) -> int:
    """A comma, unless nothing stands behind the sign that begins a list."""
    return at if out[min(at, out.size) - 1] == begins else _put(COMMA, out, at)


@compiled
def _say(texts: np.ndarray, ends: np.ndarray, text: int, out: np.ndarray, at: int) -> int:
    for place in range(ends[text], ends[text + 1]):
        at = _put(texts[place], out, at)
    return at


@compiled
def _number(number: int, out: np.ndarray, at: int) -> int:
    """At most three digits."""
    if number < 0:
        at = _put(MINUS, out, at)
        number = -number
    size = 100 if number >= 100 else 10 if number >= 10 else 1
    while size > 0:
        at = _put(ZERO + number // size % 10, out, at)
        size //= 10
    return at


@compiled
def _row(
    step: np.ndarray, row: int, texts: np.ndarray, ends: np.ndarray, state: np.ndarray, out: np.ndarray, at: int
) -> int:
    """One player's numbers, names or letters in a list of them."""
    begin, width, text = step[1] + row * step[2], step[2], step[4]
    at = _put(OPEN, out, _after(OPEN, out, at))
    for place in range(state[step[5] + row] if step[0] == NAMES else width):
        number = int(state[begin + place])
        if step[0] == TABLE:
            at = _number(number, out, _after(OPEN, out, at))
        elif step[0] == NAMES:
            at = _say(texts, ends, text + number, out, _after(OPEN, out, at))
        else:
            for _ in range(number):
                at = _say(texts, ends, text + place, out, _after(OPEN, out, at))
    return _put(CLOSE, out, at)


@compiled
def _counts(step: np.ndarray, texts: np.ndarray, ends: np.ndarray, state: np.ndarray, out: np.ndarray, at: int) -> int:
    at = _put(BEGIN, out, at)
    for item in range(step[2]):
        number = int(state[step[1] + item])
        if number != 0:
            at = _say(texts, ends, step[4] + item, out, _after(BEGIN, out, at))
            at = _number(number, out, _put(COLON, out, at))
    return _put(END, out, at)


@compiled
def _line(step: np.ndarray, texts: np.ndarray, ends: np.ndarray, state: np.ndarray, out: np.ndarray, at: int) -> int:
    at = _put(QUOTE, out, at)
    for cell in range(step[1], step[1] + step[2]):
        at = _put(texts[ends[step[4] + int(state[cell])]], out, at)
    return _put(QUOTE, out, at)


@compiled
def _write(
    steps: np.ndarray,
    texts: np.ndarray,
    ends: np.ndarray,
    state: np.ndarray,
    given: tuple[int, int, int],
    out: np.ndarray,
) -> int:
    """Follow the steps; returns how many bytes that are, more than were written where there is no room for them."""
    at: int = FIRST
    for which in range(steps.shape[0]):
        step = steps[which]
        kind, place, text = step[0], step[1], step[4]
        if kind == SAY:
            at = _say(texts, ends, text, out, at)
        elif kind == SAY_ONE:
            at = _say(texts, ends, text + int(state[place]), out, at)
        elif kind == SAY_PHASE:
            phase = int(state[place])
            at = _say(texts, ends, step[5] + given[OCCASION] if phase == CHANCE else text + phase, out, at)
        elif kind == NUMBER:
            at = _number(int(state[place]), out, at)
        elif kind == GIVEN:
            at = _say(texts, ends, FIRST, out, at) if given[place] == NONE else _number(given[place], out, at)
        elif kind == COUNTS:
            at = _counts(step, texts, ends, state, out, at)
        elif kind == LINE:
            at = _line(step, texts, ends, state, out, at)
        else:
            at = _put(OPEN, out, at)
            for row in range(step[3]):
                at = _row(step, row, texts, ends, state, out, at)
            at = _put(CLOSE, out, at)
    return at


class Script:
    """The steps for a game and a number of players. The first text is for what is not there."""

    def __init__(self, rules: Rules, players: int) -> None:
        self._rules, self._players = rules, players
        self._steps: list[list[int]] = []
        self._texts = [b"null"]
        game: Any = packages()[rules.NAME].shown
        self._say(f'{{"game":"{rules.NAME}","players":{players},"options":{{')
        for number, (name, option) in enumerate(rules.OPTIONS.items()):
            self._say(f'{"," if number else ""}"{name}":')
            self._step(SAY_ONE, name, text=self._named(option.choices))
        self._say('},"seen_by":')
        self._steps.append([GIVEN, SEEN_BY, 0, 0, 0, 0])
        self._say(',"phase":')
        phases = [game.PHASES.get(phase, "over") for phase in range(max(OVER, *game.PHASES) + 1)]
        occasions = self._named([occasion.word for occasion in rules.OCCASIONS])
        self._step(SAY_PHASE, "phase", text=self._named(phases), other=occasions)
        self._say(',"turn":')
        self._step(NUMBER, "turn")
        self._say(',"values":')
        self._step(TABLE, game.PARTS.values)
        for name, part in game.PARTS.shown.items():
            self._say(f',"{name}":')
            self._part(part)
        self._say("}")
        self.pools = any(isinstance(part, PoolSize) for part in game.PARTS.shown.values())
        ends = np.cumsum([0, *map(len, self._texts)])
        self.arrays = np.array(self._steps), np.array([*b"".join(self._texts)]), ends

    def _say(self, text: str) -> None:
        self._texts.append(text.encode())
        self._steps.append([SAY, 0, 0, 0, len(self._texts) - 1, 0])

    def _named(self, names: Sequence[Any], none: Any = None) -> int:
        """Texts by their number; the one before them is for NONE."""
        self._texts += map(encode, (none, *names))
        return len(self._texts) - len(names)

    def _step(self, kind: int, field: str, text: int = 0, other: int = 0) -> None:
        self._steps.append([kind, *self._where(field), self._players, text, other])

    def _where(self, field: str) -> tuple[int, int]:
        """A field's place in the state, and how many numbers it has, or each player's part of it."""
        fields: Any = self._rules.STATE.fields
        kind, place, *_ = fields[field]
        if kind.base != np.int8:
            raise TypeError(f"{field} does not have small numbers")
        return place, kind.shape[-1] if kind.shape else 1

    def _part(self, part: Part) -> None:
        match part:
            case Number(field):
                self._step(NUMBER, field)
            case PoolSize():
                self._steps.append([GIVEN, POOL_SIZE, 0, 0, 0, 0])
            case Name(names, field):
                self._step(SAY_ONE, field, text=self._named(names))
            case Items(names, field, size):
                self._step(NAMES, field, text=self._named(names, HIDDEN), other=self._where(size)[0])
            case Letters(field):
                self._step(LETTERS, field, text=self._named(SYMBOLS))
            case Counts(names, field):
                self._step(COUNTS, field, text=self._named(names))
            case Rows(lengths, field):
                self._board(lengths, self._where(field)[0])
            case _:
                raise TypeError(f"{part} cannot be written")

    def _board(self, lengths: Sequence[int], place: int) -> None:
        self._texts += map(str.encode, (FREE, *SYMBOLS))
        letters = len(self._texts) - len(SYMBOLS)
        for number, length in enumerate(lengths):
            self._say("," if number else "[")
            self._steps.append([LINE, place, length, 0, letters, 0])
            place += length
        self._say("]")


@cache
def _script(rules: Rules, players: int) -> Script | None:
    """None for a game that shows itself in some other way than part by part."""
    return Script(rules, players) if hasattr(packages()[rules.NAME].shown, "PARTS") else None


def written(game: Game, player: int | None) -> Raw:
    """What a player sees, None for a spectator, as `positions.value` says it."""
    script = _script(game.rules, game.players)
    if script is None:
        return Raw(encode(value(game.view(player))))
    states, on = game.seen_by(player), single(game.rules)
    occasion = on.owed(states)[0] if states["phase"][0] == CHANCE else NONE
    given = NONE if player is None else player, occasion, on.pool_size(states) if script.pools else NONE
    state, size = np.frombuffer(states, dtype=np.int8), MOST_BYTES
    while True:
        out = np.empty(size, dtype=np.uint8)
        length = _write(*script.arrays, state, given, out)
        if length <= size:
            return Raw(out[:length].tobytes())
        size = length
