"""Games as objects: start one by name, ask whose turn it is, list the moves, play one, take a seat's view."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from reprlib import repr as brief
from struct import Struct
from typing import Any, cast, overload

import numpy as np

from sixfold.engine import annotations, notation, svg
from sixfold.engine.chance import Chance
from sixfold.engine.lifted import lift
from sixfold.engine.notation import Refused
from sixfold.engine.text import render_text
from sixfold.errors import SetupError as SetupError
from sixfold.games import GAMES as GAMES
from sixfold.games.contract import Flag, Occasion, Refusal, Rules, Series, Value
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER
from sixfold.games.shared.text import HIDDEN

_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # format characters of ``struct`` by item size


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
    """All options of a game: the given values, and defaults for the rest."""
    full: dict[str, Value] = {name: option.default for name, option in rules.OPTIONS.items()}
    for name, value in options.items():
        if name not in rules.OPTIONS:
            allowed = ", ".join(rules.OPTIONS) or "none"
            raise SetupError(f"{rules.NAME} has no option {name!r}; it has: {allowed}")
        option = rules.OPTIONS[name]
        # Python takes True for 1; an option must not.
        if not isinstance(value, bool if isinstance(option, Flag) else str) or value not in option.choices:
            words = ("true", "false") if isinstance(option, Flag) else option.choices
            raise SetupError(f"option {name} of {rules.NAME} is {' or '.join(words)}, not {brief(value)}")
        full[name] = value
    return full


@cache
def _uniform_pool(rules: Rules) -> np.ndarray:
    """The pool of a game whose items are always all equally likely, as with dice."""
    return np.ones(len(rules.ITEMS), dtype=np.int8)


def _copied(states: np.ndarray) -> np.ndarray:
    """A copy of an array of states; much faster than NumPy's copy, which goes field by field."""
    return np.frombuffer(bytearray(states.tobytes()), dtype=states.dtype)


@cache
def _unpacker(layout: np.dtype[Any]) -> Callable[[bytes], dict[str, Any]]:
    """A function that unpacks a state's bytes into plain numbers; many times faster than reading field by field."""
    codes, getters, rows, end, number = ["="], [], [], 0, 0
    for name, (kind, offset, *_) in (layout.fields or {}).items():
        size = kind.itemsize // kind.base.itemsize
        code = _CODES[kind.base.itemsize]
        codes += [f"{offset - end}x", f"{size}{code.upper() if kind.base.kind == 'u' else code}"]
        getters.append(slice(number, number + size) if kind.shape else number)
        if len(kind.shape) == 2:
            rows.append((name, range(0, size, kind.shape[1]), kind.shape[1]))
        end, number = offset + kind.itemsize, number + size
    read, pick, names = Struct("".join(codes)).unpack_from, itemgetter(*getters), layout.names or ()

    def unpack(state: bytes) -> dict[str, Any]:
        fields: dict[str, Any] = dict(zip(names, pick(read(state)), strict=True))
        for name, starts, width in rows:
            row = fields[name]
            fields[name] = [row[begin : begin + width] for begin in starts]
        return fields

    return unpack


@dataclass(frozen=True)
class Result:
    """Each player's place (1 for the winner; ties share a place) and final values."""

    places: list[int]
    values: list[list[int]]
    points: list[int] | None = None  # in a series; None for games that are not played in series


class Moves(Sequence[str]):
    """The legal moves of a position as texts in the notation, formatted lazily."""

    def __init__(self, rules: Rules, numbers: np.ndarray) -> None:
        self.numbers = numbers
        self._texts = notation.move_texts(rules)

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
        text = self._texts[number]
        assert text is not None
        return text


class Position:
    """The common base of games and views: a state, its rules, and the words of the last move, which start with the
    player's number."""

    last: Sequence[str] = ()

    def __init__(self, rules: Rules, states: np.ndarray) -> None:
        self.rules = rules
        self._lifted = lift(rules)
        self._states = states
        self._phase = states["phase"]
        self._turn = states["turn"]

    @property
    def state(self) -> np.record:
        """The state as the record that the rules work on."""
        state: np.record = self._states[0]
        return state

    @property
    def states(self) -> np.ndarray:
        """The state as an array of one, which is much faster to pass to compiled functions than a record."""
        return self._states

    def as_dict(self) -> dict[str, Any]:
        """The state's fields as plain numbers and (nested) lists, plus ``pool_size``."""
        fields = _unpacker(self._states.dtype)(self._states.tobytes())
        fields["pool_size"] = self._lifted.pool_size(self._states)
        return fields

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
        """The player who has to decide; None when the game is over or waits for chance."""
        return None if self._phase[0] < FIRST_DECISION else int(self._turn[0])

    @property
    def active_player(self) -> int | None:
        """The player whose turn it is, also while the game waits for chance; None when it is over."""
        return None if self.over else int(self._turn[0])

    @property
    def choosing(self) -> bool:
        """T16, C13: is the player at the private choice that ends a turn?"""
        return bool(self._phase[0] == self.rules.CHOOSE)

    @property
    def pending_chance(self) -> tuple[Occasion, int, int]:
        """While the game waits for chance: the occasion, the player and the number of items to supply."""
        occasion, number = self._lifted.pending_chance(self._states)
        return self.rules.OCCASIONS[occasion], int(self._turn[0]), int(number)

    def hand_is_public(self, player: int) -> bool:
        """Whether everybody may see what a player holds."""
        return bool(self.rules.sees(self.state, NONE, player))

    def legal(self) -> Moves:
        """All moves of the player in turn."""
        numbers = np.empty(self.rules.MAX_LEGAL, dtype=np.int16)
        return Moves(self.rules, numbers[: self._lifted.legal(self._states, numbers)])

    def previews(self, moves: Moves) -> np.ndarray:
        """A row for each move: what it adds to the player's values, and the phase it leads to."""
        effects = np.zeros((len(moves), len(self.rules.VALUES) + 1), dtype=np.int8)
        table = np.zeros((self.players, len(self.rules.VALUES)), dtype=np.int8)
        self._lifted.preview(self._states, _copied(self._states), moves.numbers, table, effects)
        return effects

    def choices(self) -> int:
        """The number of legal moves."""
        return int(self._lifted.count(self._states))

    @property
    def values(self) -> list[list[int]]:
        """Each player's values, such as scores, columns or marks, in the order of the rules' ``VALUES``."""
        table = np.zeros((self.players, len(self.rules.VALUES)), dtype=np.int8)
        self._lifted.values(self._states, table)
        rows: list[list[int]] = table.tolist()
        return rows

    @property
    def result(self) -> Result | None:
        """Places and values when the game is over."""
        return Result(self.places, self.values, self._points()) if self.over else None

    def _points(self) -> list[int] | None:
        if not self.rules.ROUNDS:
            return None
        rules = cast(Series, self.rules)
        return [int(rules.points(self.state, player)) for player in range(self.players)]

    @property
    def places(self) -> list[int]:
        """Each player's place by the game's own ranking, also in the middle of a game."""
        values = np.zeros((self.players, len(self.rules.VALUES)), dtype=np.int8)
        places = np.zeros(self.players, dtype=np.int8)
        self._lifted.rank(self._states, values, places)
        numbers: list[int] = places.tolist()
        return numbers

    def __str__(self) -> str:
        return render_text(self.rules, self.state)

    def _repr_svg_(self) -> str:
        """The position as SVG, for notebooks."""
        return svg.render_svg(self)


class View(Position):
    """A game as one seat may know it; a spectator's seat is None."""

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
        """A determinization: a random game that is consistent with this view, its hidden items dealt at random."""
        states = _copied(self._states)
        state = states[0]
        seat = NONE if self.seat is None else self.seat
        weights = np.zeros(len(self.rules.ITEMS), dtype=np.int8)
        while (player := self.rules.unknown(state, seat)) != NONE:
            self.rules.possible(state, player, weights)
            self.rules.fill(state, player, chance.pick(weights))
        return Game(self.rules, states, chance)


class Game(Position):
    """One game: its state, its events so far, and its source of chance."""

    def __init__(
        self, rules: Rules, states: np.ndarray, chance: Chance | None = None, events: Iterable[str] = ()
    ) -> None:
        super().__init__(rules, states)
        self._pool = _uniform_pool(rules) if rules.POOL is None else states[rules.POOL][0]
        self.chance = chance
        self.events = list(events)

    def play(self, move: str) -> list[str]:
        """Play a move in the notation, with or without the player's number; returns the events that followed."""
        if self.turn is None:
            raise Refused(move, Refusal("over", self.rules.END_CLAUSE))
        seat, words = self._split(move)
        if seat is not None and seat != str(self.turn):
            raise Refused(move, Refusal("not_your_turn", "record", {"player": str(self.turn)}))
        return self._act(self._legal_number(words, move), words)

    def play_number(self, number: int) -> list[str]:
        """Play a legal move by its number in the rules; returns the events that followed."""
        return self._act(number, notation.write(self.rules, number))

    def _act(self, number: int, text: str) -> list[str]:
        before = len(self.events)
        self.events.append(f"{self.turn} {text}")
        self._lifted.act(self._states, number)
        self.resolve_chance()
        return self.events[before:]

    def resolve_chance(self) -> None:
        """Let chance supply every pending item, event by event."""
        while self.chance is not None and self._phase[0] == CHANCE:
            occasion, player, number = self.pending_chance
            items = []
            for _ in range(number):
                item = self.chance.pick(self._pool)
                self._lifted.receive(self._states, item)
                items.append(item)
            self.events.append(chance_event(self.rules, occasion, player, items))

    def apply(self, event: str) -> None:
        """Apply one event of a record, a player's or chance's, exactly as it is written."""
        if self.over:
            raise Refused(event, Refusal("over", self.rules.END_CLAUSE))
        words = event.split(" ")
        if chance_occasion(self.rules, event) is not None:
            self._apply_chance(event, words)
        else:
            self._apply_move(event)
        self.events.append(event)

    def masked_event(self, event: str, seat: int | None) -> str | None:
        """An event as a seat hears of it during play; see ``mask_event``."""
        return mask_event(self.rules, self._states, event, seat)

    def view(self, seat: int | None) -> View:
        """The view of a seat; None for a spectator."""
        return View(self.rules, self.seen_by(seat), seat, self._last_visible_move(seat))

    def seen_by(self, seat: int | None) -> np.ndarray:
        """A copy of the state with everything hidden that a seat may not know."""
        if seat is not None and not 0 <= seat < self.players:
            raise SetupError(f"there is no seat {seat}; seats are 0 to {self.players - 1}")
        states = _copied(self._states)
        self._lifted.hide(states, NONE if seat is None else seat)
        return states

    def open_view(self) -> View:
        """A view that hides nothing, for games that are over."""
        return View(self.rules, _copied(self._states), None, self.last)

    @property
    def last(self) -> Sequence[str]:  # type: ignore[override]
        """The words of the last move, starting with the player's number; empty before the first move."""
        return next((event for event in reversed(self.events) if event[0].isdigit()), "").split()

    def _last_visible_move(self, seat: int | None) -> Sequence[str]:
        """The words of the last move that a seat may see."""
        for event in reversed(self.events):
            if event[0].isdigit() and not _is_private(self.rules, words := event.split(" "), seat):
                return words
        return []

    def copy(self, chance: Chance | None = None) -> "Game":
        """An independent copy, with the same source of chance unless another is given."""
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

    def _legal_number(self, words: str, text: str) -> int:
        """The number of a legal move; raises ``Refused`` with the reason if it is not legal."""
        try:
            number = notation.read(self.rules, words)
        except Refused as refused:
            raise Refused(text, refused.refusal) from None
        if not self._lifted.allowed(self._states, number):
            raise Refused(text, annotations.refusal(self, number))
        return number

    def _apply_move(self, event: str) -> None:
        seat, words = self._split(event)
        if self.turn is None:
            if words in self.rules.CHOICES:
                raise Refused(event, annotations.refusal(self, notation.read(self.rules, words)))
            raise Refused(event, self._pending_chance_refusal())
        if seat is None:
            example = f"{self.turn} {notation.example(self.rules)}"
            raise Refused(event, Refusal("not_a_move", "record", {"example": example}))
        if seat != str(self.turn):
            raise Refused(event, Refusal("not_your_turn", "record", {"player": str(self.turn)}))
        self._lifted.act(self._states, self._legal_number(words, event))

    def _apply_chance(self, event: str, words: list[str]) -> None:
        """Apply an event of chance; the state is unchanged if it is refused."""
        if self.turn is not None:
            if self._phase[0] == self.rules.CHOOSE:
                raise Refused(event, annotations.refusal(self, 0))
            raise Refused(event, Refusal("no_chance", "record", {"player": str(self.turn)}))
        occasion, player, number = self.pending_chance
        if words[:2] != [occasion.word, str(player)]:
            raise Refused(event, self._pending_chance_refusal())
        if len(words) - 2 != number:
            words_given = {**self._pending_chance_refusal().words, "given": str(len(words) - 2)}
            raise Refused(event, Refusal("wrong_number", occasion.clause, words_given))
        for item in words[2:]:
            if item not in self.rules.ITEMS:
                raise Refused(event, Refusal("no_item", "record", {"item": item}))
        items = [self.rules.ITEMS.index(item) for item in words[2:]]
        ordered = chance_event(self.rules, occasion, player, items)
        if ordered != event:
            raise Refused(event, Refusal("item_order", "record", {"example": ordered}))
        before = self._states.tobytes()
        while items:
            # When a pool is refilled, its last items come first, whatever their order in the event.
            possible = [item for item in items if self._pool[item]]
            if not possible:
                refusal = self._unavailable(items, occasion.clause)
                self._states[:] = np.frombuffer(before, dtype=self.rules.STATE)
                raise Refused(event, refusal)
            items.remove(possible[0])
            self._lifted.receive(self._states, possible[0])

    def _unavailable(self, items: list[int], clause: str) -> Refusal:
        """Why chance cannot supply any of these items now."""
        if self.rules.REFILL_CLAUSE is not None and len(items) > self._pool.sum() > 0:
            return Refusal("pile_first", self.rules.REFILL_CLAUSE, {"item": self.rules.ITEMS[int(self._pool.argmax())]})
        return Refusal("not_there", clause, {"item": self.rules.ITEMS[items[0]]})

    def _pending_chance_refusal(self) -> Refusal:
        occasion, player, number = self.pending_chance
        words = {"word": occasion.word, "player": str(player), "number": str(number)}
        return Refusal("chance_first", occasion.clause, words)


def chance_event(rules: Rules, occasion: Occasion, player: int, items: list[int]) -> str:
    """An event of chance in the notation; the items are sorted unless their order matters."""
    written = items if occasion.as_they_lie else sorted(items)
    return " ".join([occasion.word, str(player), *(rules.ITEMS[item] for item in written)])


def chance_occasion(rules: Rules, event: str) -> Occasion | None:
    """The occasion of an event of chance, or None for a move. Occasions that share a word are equally visible.

    The items of a hidden occasion are a step of the game of their own; all others belong to the move that caused them.
    """
    word = event.partition(" ")[0]
    return next((occasion for occasion in rules.OCCASIONS if occasion.word == word), None)


def mask_event(rules: Rules, states: np.ndarray, event: str, seat: int | None) -> str | None:
    """An event as a seat (None for a spectator) hears of it during play: hidden items as ``??``, and None for another
    player's private choice, of which it does not hear at all (T16, C13). ``states`` holds the state of the game."""
    words = event.split(" ")
    occasion = chance_occasion(rules, event)
    if occasion is None:
        return None if _is_private(rules, words, seat) else event
    number, player = rules.OCCASIONS.index(occasion), int(words[1])
    if not lift(rules).conceals(states, number, player, NONE if seat is None else seat):
        return event
    return " ".join([*words[:2], *(HIDDEN for _ in words[2:])])


def _is_private(rules: Rules, words: list[str], seat: int | None) -> bool:
    """T16, C13: whether a move is the private choice, which only its own seat may see."""
    return words[1:] == [*rules.CHOICES[:1]] and words[0] != str(seat)


def start(name: str, players: int = 2, *, chance: Chance | None = None, **options: Any) -> Game:
    """Start a game by its name. Without a source of chance, chance events must be supplied with ``apply``."""
    rules = rules_of(name, players)
    game = Game(rules, rules.start(players, **full_options(rules, options)), chance)
    game.resolve_chance()
    return game
