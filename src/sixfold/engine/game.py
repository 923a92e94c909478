"""A game as an object: start it by name, ask whose turn it is, list the moves, play one, look at a seat's view."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from reprlib import repr as brief
from struct import Struct
from typing import Any, overload

import numpy as np

from sixfold.engine import drawing, explaining, notation, picture
from sixfold.engine.chance import Chance
from sixfold.engine.entry import single
from sixfold.engine.notation import Refused
from sixfold.errors import SetupError as SetupError
from sixfold.games import GAMES as GAMES
from sixfold.games.contract import Flag, Occasion, Refusal, Rules, Value
from sixfold.games.shared.picture import HIDDEN
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER, places

_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # of struct, by the bytes of a number


def rules_of(name: str, players: int | None = None) -> Rules:
    """The rules of a game by its name."""
    if name not in GAMES:
        raise SetupError(f"there is no game {name!r}; choose one of {', '.join(GAMES)}")
    rules = GAMES[name]
    if players is not None and (isinstance(players, bool) or players not in rules.PLAYERS):
        allowed = " or ".join(str(number) for number in rules.PLAYERS)
        raise SetupError(f"{name} is for {allowed} players, not {players}")
    return rules


def full_options(rules: Rules, options: Mapping[str, object]) -> dict[str, Value]:
    """Every option of a game with its value."""
    full: dict[str, Value] = {name: option.default for name, option in rules.OPTIONS.items()}
    for name, value in options.items():
        if name not in rules.OPTIONS:
            allowed = ", ".join(rules.OPTIONS) or "none"
            raise SetupError(f"{rules.NAME} has no option {name!r}; it has: {allowed}")
        option = rules.OPTIONS[name]
        # True is 1 to Python, but not to whoever wrote it.
        if not isinstance(value, bool if isinstance(option, Flag) else str) or value not in option.choices:
            words = ("true", "false") if isinstance(option, Flag) else option.choices
            raise SetupError(f"option {name} of {rules.NAME} is {' or '.join(words)}, not {brief(value)}")
        full[name] = value
    return full


@cache
def _endless(rules: Rules) -> np.ndarray:
    """A pool that never runs out, as dice are: all that may come is as likely every time."""
    return np.ones(len(rules.ITEMS), dtype=np.int8)


def _copied(states: np.ndarray) -> np.ndarray:
    """A copy of a state, much quicker than NumPy copies it field by field."""
    return np.frombuffer(bytearray(states.tobytes()), dtype=states.dtype)


@cache
def _plain(layout: np.dtype[Any]) -> Callable[[bytes], dict[str, Any]]:
    """How to read a state's bytes as plain numbers: all at once, many times quicker than field by field."""
    codes, getters, rows, end, number = ["="], [], [], 0, 0
    for name, (kind, offset, *_) in (layout.fields or {}).items():
        many = kind.itemsize // kind.base.itemsize
        code = _CODES[kind.base.itemsize]
        codes += [f"{offset - end}x", f"{many}{code.upper() if kind.base.kind == 'u' else code}"]
        getters.append(slice(number, number + many) if kind.shape else number)
        if len(kind.shape) == 2:
            rows.append((name, range(0, many, kind.shape[1]), kind.shape[1]))
        end, number = offset + kind.itemsize, number + many
    read, pick, names = Struct("".join(codes)).unpack_from, itemgetter(*getters), layout.names or ()

    def plain(state: bytes) -> dict[str, Any]:
        fields: dict[str, Any] = dict(zip(names, pick(read(state)), strict=True))
        for name, begins, width in rows:
            row = fields[name]
            fields[name] = [row[begin : begin + width] for begin in begins]
        return fields

    return plain


@dataclass(frozen=True)
class Result:
    """Each player's place (1 for the winner, equal players share one) and six final values."""

    places: list[int]
    values: list[list[int]]


class Moves(Sequence[str]):
    """The legal moves of a position in the notation, spelled out only where somebody looks."""

    def __init__(self, rules: Rules, numbers: np.ndarray) -> None:
        self.numbers = numbers
        self._spelling = notation.spellings(rules)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._text(number) for number in self.numbers[index]]
        return self._text(self.numbers[index])

    def __iter__(self) -> Iterator[str]:
        return (self._text(number) for number in self.numbers)

    def __repr__(self) -> str:
        return repr(list(self))

    def _text(self, number: int) -> str:
        text = self._spelling[number]
        assert text is not None
        return text


class Position:
    """What a game and a view of it have in common: a state of some rules, and the words of the last move, the player's
    number first."""

    last: Sequence[str] = ()

    def __init__(self, rules: Rules, states: np.ndarray) -> None:
        self.rules = rules
        self._on = single(rules)
        self._states = states
        self._phase = states["phase"]
        self._turn = states["turn"]

    @property
    def state(self) -> np.record:
        """The state itself, as the rules know it."""
        state: np.record = self._states[0]
        return state

    @property
    def states(self) -> np.ndarray:
        """The state as an array of one, which compiled functions take much quicker than a record."""
        return self._states

    @property
    def fields(self) -> dict[str, Any]:
        """The state as plain numbers, lists of them and lists of rows, and ``pool_size``."""
        plain = _plain(self._states.dtype)(self._states.tobytes())
        plain["pool_size"] = self._on.pool_size(self._states)
        return plain

    @property
    def name(self) -> str:
        return str(self.rules.NAME)

    @property
    def players(self) -> int:
        return int(self._states["players"][0])

    @property
    def options(self) -> dict[str, Value]:
        return {name: option.choices[self._states[name][0]] for name, option in self.rules.OPTIONS.items()}

    @property
    def over(self) -> bool:
        return bool(self._phase[0] == OVER)

    @property
    def turn(self) -> int | None:
        """The player who has to decide; None when the game is over or chance has to speak."""
        return None if self._phase[0] < FIRST_DECISION else int(self._turn[0])

    @property
    def mover(self) -> int | None:
        """Whose turn it is, also while chance has to speak; None when the game is over."""
        return None if self.over else int(self._turn[0])

    @property
    def choosing(self) -> bool:
        """T16, C13: is the private choice at a turn's end open?"""
        return bool(self._phase[0] == self.rules.CHOOSE)

    @property
    def owed(self) -> tuple[Occasion, int, int]:
        """While chance has to speak: the occasion, the player and the number of items."""
        occasion, number = self._on.owed(self._states)
        return self.rules.OCCASIONS[occasion], int(self._turn[0]), int(number)

    def open_to_all(self, player: int) -> bool:
        """Does everybody see what a player holds?"""
        return bool(self.rules.sees(self.state, NONE, player))

    def legal(self) -> Moves:
        """All moves of the player in turn."""
        numbers = np.empty(self.rules.MOST_LEGAL, dtype=np.int16)
        return Moves(self.rules, numbers[: self._on.legal(self._states, numbers)])

    def previews(self, moves: Moves) -> np.ndarray:
        """A row for each move: what it adds to the player's six values, and the phase it leads to."""
        effects = np.zeros((len(moves), 7), dtype=np.int8)
        table = np.zeros((self.players, 6), dtype=np.int8)
        self._on.preview(self._states, _copied(self._states), moves.numbers, table, effects)
        return effects

    def choices(self) -> int:
        """How many moves there are."""
        return int(self._on.count(self._states))

    @property
    def values(self) -> list[list[int]]:
        """Each player's six scores, columns or marks, in the order R G B O Y P."""
        table = np.zeros((self.players, 6), dtype=np.int8)
        self._on.values(self._states, table)
        rows: list[list[int]] = table.tolist()
        return rows

    @property
    def result(self) -> Result | None:
        """Places and values when the game is over."""
        return Result(places(np.array(self.values)), self.values) if self.over else None

    def __str__(self) -> str:
        return picture.text(self.rules, self.state)

    def _repr_svg_(self) -> str:
        """A notebook draws the position."""
        return drawing.svg(self)


class View(Position):
    """What one seat may know of a game; a spectator's seat is None."""

    def __init__(self, rules: Rules, states: np.ndarray, seat: int | None, last: Sequence[str] = ()) -> None:
        super().__init__(rules, states)
        self.seat = seat
        self.last = last

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.rules, self.seat) == (other.rules, other.seat)
            and self._states.tobytes() == other._states.tobytes()
        )

    def __hash__(self) -> int:
        return hash((self.name, self.seat, self._states.tobytes()))

    def guess(self, chance: Chance) -> "Game":
        """A random game that looks just like this from this seat: what is hidden is dealt anew."""
        states = _copied(self._states)
        state = states[0]
        seat = NONE if self.seat is None else self.seat
        weights = np.zeros(len(self.rules.ITEMS), dtype=np.int8)
        while (player := self.rules.unknown(state, seat)) != NONE:
            self.rules.possible(state, player, weights)
            self.rules.fill(state, player, chance.pick(weights))
        return Game(self.rules, states, chance)


class Game(Position):
    """One game: its state, the events so far, and where chance comes from."""

    def __init__(
        self, rules: Rules, states: np.ndarray, chance: Chance | None = None, events: Iterable[str] = ()
    ) -> None:
        super().__init__(rules, states)
        self._pool = _endless(rules) if rules.POOL is None else states[rules.POOL][0]
        self.chance = chance
        self.events = list(events)

    def play(self, move: str) -> list[str]:
        """Play a move in the notation, with or without the player's number; returns the events that followed."""
        if self.turn is None:
            raise Refused(move, Refusal("over", self.rules.END))
        seat, words = self._split(move)
        if seat is not None and seat != str(self.turn):
            raise Refused(move, Refusal("not_your_turn", "record", {"player": str(self.turn)}))
        return self.play_number(self._number(words, move))

    def play_number(self, number: int) -> list[str]:
        """Play a legal move by its number in the rules; returns the events that followed."""
        before = len(self.events)
        self.events.append(f"{self.turn} {notation.write(self.rules, number)}")
        self._on.act(self._states, number)
        self.settle()
        return self.events[before:]

    def settle(self) -> None:
        """Let chance supply whatever is owed, event by event."""
        while self.chance is not None and self._phase[0] == CHANCE:
            occasion, player, number = self.owed
            items = []
            for _ in range(number):
                item = self.chance.pick(self._pool)
                self._on.receive(self._states, item)
                items.append(item)
            self.events.append(chance_event(self.rules, occasion, player, items))

    def apply(self, event: str) -> None:
        """Take one event of a record, a player's or chance's, exactly as it is written."""
        if self.over:
            raise Refused(event, Refusal("over", self.rules.END))
        words = event.split(" ")
        if words[0] in (occasion.word for occasion in self.rules.OCCASIONS):
            self._take(event, words)
        else:
            self._move(event)
        self.events.append(event)

    def told(self, event: str, seat: int | None) -> str | None:
        """An event of this game as a seat hears it while it is played; None if it hears nothing (T16, C13)."""
        words = event.split(" ")
        if words[0].isdigit():
            return None if self._silent(words, seat) else event
        hidden = {occasion.word for occasion in self.rules.OCCASIONS if occasion.hidden}
        if words[0] not in hidden or self.rules.sees(self.state, NONE if seat is None else seat, int(words[1])):
            return event
        return " ".join([*words[:2], *(HIDDEN for _ in words[2:])])

    def view(self, seat: int | None) -> View:
        """What a seat may know; None for a spectator."""
        return View(self.rules, self.seen_by(seat), seat, self._last_told(seat))

    def seen_by(self, seat: int | None) -> np.ndarray:
        """The state as a seat may know it."""
        if seat is not None and not 0 <= seat < self.players:
            raise SetupError(f"there is no seat {seat}; seats are 0 to {self.players - 1}")
        states = _copied(self._states)
        self._on.hide(states, NONE if seat is None else seat)
        return states

    def open_view(self) -> View:
        """Everything: for looking at a game that is over."""
        return View(self.rules, _copied(self._states), None, self.last)

    @property
    def last(self) -> Sequence[str]:  # type: ignore[override]
        """The words of the last move, the player's number first; none at the beginning."""
        return next((event for event in reversed(self.events) if event[0].isdigit()), "").split()

    def _last_told(self, seat: int | None) -> Sequence[str]:
        """The same, as a seat has heard it."""
        for event in reversed(self.events):
            if event[0].isdigit() and not self._silent(words := event.split(" "), seat):
                return words
        return []

    def _silent(self, words: list[str], seat: int | None) -> bool:
        """T16, C13: is a move the choice that nobody else hears of?"""
        return words[1:] == [*self.rules.CHOICES[:1]] and words[0] != str(seat)

    def copy(self, chance: Chance | None = None) -> "Game":
        """An independent copy, with the same chance unless another is given."""
        return Game(self.rules, _copied(self._states), chance or self.chance, self.events)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Game) and self.rules is other.rules and self._states.tobytes() == other._states.tobytes()
        )

    def __hash__(self) -> int:
        return hash((self.name, self._states.tobytes()))

    def __repr__(self) -> str:
        return f"<{self.name}, {self.players} players, {len(self.events)} events>"

    def _split(self, text: str) -> tuple[str | None, str]:
        head, blank, rest = text.partition(" ")
        return (head, rest) if blank and len(head) == 1 and head in "0123456789" else (None, text)

    def _number(self, words: str, text: str) -> int:
        """A move's number, or the reason why it cannot be played."""
        try:
            number = notation.read(self.rules, words)
        except Refused as refused:
            raise Refused(text, refused.refusal) from None
        if not self._on.allowed(self._states, number):
            raise Refused(text, explaining.refusal(self, number))
        return number

    def _move(self, event: str) -> None:
        seat, words = self._split(event)
        if self.turn is None:
            if words in self.rules.CHOICES:
                raise Refused(event, explaining.refusal(self, notation.read(self.rules, words)))
            raise Refused(event, self._chance_first())
        if seat is None:
            example = f"{self.turn} {notation.example(self.rules)}"
            raise Refused(event, Refusal("not_a_move", "record", {"example": example}))
        if seat != str(self.turn):
            raise Refused(event, Refusal("not_your_turn", "record", {"player": str(self.turn)}))
        self._on.act(self._states, self._number(words, event))

    def _take(self, event: str, words: list[str]) -> None:
        """Take an event of chance; nothing changes if it is refused."""
        if self.turn is not None:
            if self._phase[0] == self.rules.CHOOSE:
                raise Refused(event, explaining.refusal(self, 0))
            raise Refused(event, Refusal("no_chance", "record", {"player": str(self.turn)}))
        occasion, player, number = self.owed
        if words[:2] != [occasion.word, str(player)]:
            raise Refused(event, self._chance_first())
        if len(words) - 2 != number:
            given = {**self._chance_first().words, "given": str(len(words) - 2)}
            raise Refused(event, Refusal("wrong_number", occasion.clause, given))
        for item in words[2:]:
            if item not in self.rules.ITEMS:
                raise Refused(event, Refusal("no_item", "record", {"item": item}))
        items = [self.rules.ITEMS.index(item) for item in words[2:]]
        ordered = chance_event(self.rules, occasion, player, items)
        if ordered != event:
            raise Refused(event, Refusal("item_order", "record", {"example": ordered}))
        before = self._states.tobytes()
        while items:
            # Where a pool is filled again, its rest comes before what is new, wherever it stands in the event.
            possible = [item for item in items if self._pool[item]]
            if not possible:
                why = self._not_there(items, occasion.clause)
                self._states[:] = np.frombuffer(before, dtype=self.rules.STATE)
                raise Refused(event, why)
            items.remove(possible[0])
            self._on.receive(self._states, possible[0])

    def _not_there(self, items: list[int], clause: str) -> Refusal:
        """Why none of these items can come now."""
        if self.rules.REFILL is not None and len(items) > self._pool.sum() > 0:
            return Refusal("pile_first", self.rules.REFILL, {"item": self.rules.ITEMS[int(self._pool.argmax())]})
        return Refusal("not_there", clause, {"item": self.rules.ITEMS[items[0]]})

    def _chance_first(self) -> Refusal:
        occasion, player, number = self.owed
        owed = {"word": occasion.word, "player": str(player), "number": str(number)}
        return Refusal("chance_first", occasion.clause, owed)


def chance_event(rules: Rules, occasion: Occasion, player: int, items: list[int]) -> str:
    """An event of chance in the notation: in the order of the letters, unless it matters how they lie."""
    shown = items if occasion.as_they_lie else sorted(items)
    return " ".join([occasion.word, str(player), *(rules.ITEMS[item] for item in shown)])


def start(name: str, players: int = 2, *, chance: Chance | None = None, **options: Any) -> Game:
    """Start a game by its name. Without chance, its events must be told with ``apply``."""
    rules = rules_of(name, players)
    game = Game(rules, rules.start(players, **full_options(rules, options)), chance)
    game.settle()
    return game
