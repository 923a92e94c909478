"""What a game is: the parts that its package must have, and what each part must and may offer.

A game is a package: in ``sixfold.games``, or anywhere else if a distribution names it in the entry points
``sixfold.games``. The package itself has the facts; its modules are the parts:

| part | what it holds |
| --- | --- |
| ``rules`` | the state, and every rule as a compiled function over it |
| ``explaining`` | compiled too: what a move earns, how far a row may go, why not, why it is over |
| ``spelling`` | moves as text |
| ``picture`` | a position as text for people |
| ``shown`` | a position as a typed message |
| ``judgement`` | compiled: what makes a move good, and how a search goes about the game |
| ``levels`` | five levels of play for people |
| ``features`` | may be there; compiled: what nets are told, and which moves they are shown |
| ``drawing`` | may be there: a position as a drawing; without it, its text is drawn |
| ``terminal`` | may be there: a position drawn for a terminal, and how a move is picked in the drawing |

A package may have ``languages/en.json`` and so on with sentences of its own, and ``net-2.npz`` and so on with the nets
for two players and so on. Modules keep the protocols below; what a
part *may* have beyond them is a protocol of its own, marked "may".
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

Value = bool | str


class Flag(msgspec.Struct, frozen=True, tag_field="kind", tag="flag"):
    """An option that is on or off."""

    default: bool = False

    @property
    def choices(self) -> tuple[Value, ...]:
        """The values it may have; a state holds a value's number in this row."""
        return (False, True)


class Choice(msgspec.Struct, frozen=True, tag_field="kind", tag="choice"):
    """An option with named values."""

    default: str
    choices: tuple[str, ...]


Option = Flag | Choice


class Facts(Protocol):
    """The package itself: what can be said about a game before any of its rules are loaded."""

    @property
    def NAME(self) -> str: ...
    @property
    def VERSION(self) -> int:
        """Goes up when the same events can lead to something else."""

    @property
    def YEAR(self) -> int:
        """Of the printed game; games are listed in this order."""

    @property
    def PLAYERS(self) -> tuple[int, ...]: ...
    @property
    def OPTIONS(self) -> Mapping[str, Option]: ...
    @property
    def ROUNDS(self) -> Mapping[int, int]:
        """How many games a series has where nothing else is agreed, by players; empty where there are no series."""

    @property
    def LAST(self) -> int:
        """The highest value that a symbol can have."""

    @property
    def GOAL(self) -> int:
        """The lowest value that wins at once."""

    @property
    def AREAS(self) -> tuple[int, ...]:
        """Where each area of a row ends."""

    @property
    def MINUTES(self) -> int:
        """About how long a game takes."""


class Occasion(NamedTuple):
    """When chance speaks: the word of its event, the clause, and who learns what came."""

    word: str
    clause: str
    hidden: bool = False  # only who may see the player's hand
    as_they_lie: bool = False  # written in the order in which they came


class Rules(Protocol):
    """The rules. They draw nothing and roll nothing: a state in phase CHANCE says what is owed and what may come, and
    is told what came. All functions are compiled, and none makes an array."""

    def __hash__(self) -> int: ...

    @property
    def NAME(self) -> str: ...
    @property
    def PLAYERS(self) -> tuple[int, ...]: ...
    @property
    def OPTIONS(self) -> Mapping[str, Option]:
        """Each is a field of the state too, where its value's number stands."""

    @property
    def VERSION(self) -> int: ...
    @property
    def ROUNDS(self) -> Mapping[int, int]: ...
    @property
    def END(self) -> str:
        """The clause that ends a game."""

    @property
    def PLACES(self) -> str:
        """The clause that ranks the players."""

    @property
    def CHOICES(self) -> tuple[str, ...]:
        """The words of the private choice at a turn's end, the one that tells nobody anything first; often none."""

    @property
    def CHOOSE(self) -> int:
        """The phase of that choice, or NONE."""

    @property
    def ITEMS(self) -> Sequence[str]:
        """What chance supplies, by its number."""

    @property
    def POOL(self) -> str | None:
        """The field of the state that counts what may come; None where every item may, each as likely."""

    @property
    def REFILL(self) -> str | None:
        """The clause by which an empty pool is filled again while it is drawn from, or None."""

    @property
    def OCCASIONS(self) -> tuple[Occasion, ...]: ...
    @property
    def STATE(self) -> "np.dtype[np.void]":
        """It has at least the fields phase, turn and players. What a field of one byte holds is a fact; wider fields
        are worked out from those. A field with as many rows as there can be players has a row for each of them."""

    @property
    def ACTIONS(self) -> int:
        """Moves are numbers below this one."""

    @property
    def MOST_LEGAL(self) -> int: ...

    @property
    def start(self) -> Callable[..., np.ndarray]:
        """With the number of players and options by name: one state in an array, before anything is dealt."""

    def count(self, state: np.record, /) -> int:
        """How many moves the player in turn has."""

    def nth(self, state: np.record, which: int, /) -> int:
        """One of them, in the order of ``legal``."""

    def legal(self, state: np.record, moves: np.ndarray, /) -> int:
        """Write all of them into an array; returns how many there are."""

    def allowed(self, state: np.record, move: int, /) -> bool: ...
    def act(self, state: np.record, move: int, /) -> None:
        """Do a legal move."""

    def owed(self, state: np.record, /) -> tuple[int, int]:
        """What chance owes the player in turn: the occasion's number, and how many items."""

    def drawn(self, state: np.record, which: int, /) -> int:
        """The item that is number ``which`` when all that may come lie in order."""

    def pool_size(self, state: np.record, /) -> int:
        """How many lie there."""

    def receive(self, state: np.record, item: int, /) -> None:
        """Chance supplies one item."""

    def sees(self, state: np.record, seat: int, player: int, /) -> bool:
        """May a seat, or a spectator (NONE), see what a player holds?"""

    def hide(self, state: np.record, seat: int, /) -> None:
        """Turn a state into what a seat knows. For everybody else a private choice has not come up."""

    def unknown(self, state: np.record, seat: int, /) -> int:
        """The next player for whom a hidden item has to be guessed, or NONE."""

    def possible(self, state: np.record, player: int, weights: np.ndarray, /) -> None:
        """How many there are of each item that it may be."""

    def fill(self, state: np.record, player: int, item: int, /) -> None:
        """Guess it."""

    def values(self, state: np.record, result: np.ndarray, /) -> None:
        """Six values for each player, which are compared in the end from the lowest up."""


class Masks(Protocol):
    """May, in ``rules``: for games with so many moves that listing the legal ones takes long."""

    def mask(self, state: np.record, words: np.ndarray, first: int, stride: int, /) -> None:
        """A byte for every move, 1 where it is legal and else 0, eight of them in a word. Of the parts that it is made
        of, every ``stride``-th from number ``first`` on: on a card many threads write one mask."""


@dataclass(frozen=True)
class Refusal:
    """Why a move is not allowed: a key for translation, the clause, and the words that fill the sentence."""

    key: str
    clause: str
    words: dict[str, str] = field(default_factory=dict)


class Reason(NamedTuple):
    """A reason that compiled code gives by its number: each word of its sentence is a number there, and stands in a row
    of texts, or is the number itself where there is no row."""

    key: str
    clause: str
    words: tuple[tuple[str, Sequence[str] | None], ...] = ()

    def filled(self, numbers: Sequence[int]) -> Refusal:
        """The reason with its words."""
        named = zip(self.words, numbers, strict=False)
        words = {word: str(number) if texts is None else texts[number] for (word, texts), number in named}
        return Refusal(self.key, self.clause, words)


class Explaining(Protocol):
    """What people ask of a position, answered by the rules; compiled."""

    def __hash__(self) -> int: ...

    @property
    def CELLS(self) -> Sequence[str]:
        """The names of the cells of a board; none where there is no board. With cells it must keep ``Lines``."""

    @property
    def REASONS(self) -> tuple[Reason, ...]: ...
    @property
    def ENDS(self) -> tuple[tuple[str, str], ...]:
        """Why a game can be over: a key, for which the browser has a sentence, and the clause."""

    def earned(self, state: np.record, move: int, result: np.ndarray, /) -> None:
        """What a move gives for each symbol, before any limit."""

    def reach(self, state: np.record, player: int, /) -> int:
        """How far a row of a player may go now."""

    def bonus(self, state: np.record, /) -> bool:
        """Is the player in turn in a bonus turn?"""

    def ended(self, state: np.record, /) -> int:
        """The number of the reason why the game is over."""

    def refusal(self, state: np.record, move: int, words: np.ndarray, /) -> int:
        """The number of the reason why a move is not allowed, with its words' numbers."""


MOST_WORDS = 4


class Lines(Protocol):
    """May, in ``explaining``: for games with a board."""

    def __hash__(self) -> int: ...

    @property
    def MOST_SCORING(self) -> int: ...
    def scoring(self, state: np.record, cell: int, symbol: int, found: np.ndarray, /) -> int:
        """The cells that a symbol on a free cell would score with; returns how many."""

    def scored(self, state: np.record, move: int, found: np.ndarray, /) -> int:
        """The cells that a move scores with; returns how many."""


class Shows(Protocol):
    """May, in ``explaining``: for games in which a move shows a hand to everybody."""

    def __hash__(self) -> int: ...
    def shows(self, state: np.record, move: int, found: np.ndarray, /) -> int:
        """The items that a move shows to everybody; returns how many."""


class Favours(Protocol):
    """May, in ``explaining``: for games in which a player names the symbol that gets something."""

    def favours(self, move: int, symbol: int, /) -> bool:
        """Does a move give a joker to a symbol?"""


class Spelling(Protocol):
    """Moves as text, without the player's number."""

    @property
    def EXAMPLE(self) -> str: ...
    def spelled(self, move: int, /) -> str | None:
        """A move's only text; None for a number that no move has."""

    def diagnosis(self, text: str, /) -> Refusal | None:
        """Why a text is no move; None where nothing helps but an example."""


class Picture(Protocol):
    """A position as text for people."""

    def decision(self, state: np.record, language: str, /) -> str:
        """What the player in turn has to do."""

    def lines(self, state: np.record, language: str, /) -> list[str]:
        """The position below its heading, with ``??`` for what is hidden."""


class Drawn(NamedTuple):
    """A part of a drawing: SVG that is so wide and high from its origin at the top left."""

    width: float
    height: float
    svg: str


class Drawing(Protocol):
    """May: a position as a drawing, made of what ``games.shared.drawing`` offers."""

    def drawn(self, state: np.record, last: Sequence[str], language: str, /) -> Drawn:
        """The position below its heading; ``last`` are the words of the last move, the player's number first, or
        none."""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """What every game shows of a position; a game's own type of it has the game's name as its tag ``game``."""

    players: int
    options: dict[str, Value]
    seen_by: int | None
    phase: str
    turn: int
    values: list[list[int]]


class Shown(Protocol):
    """What a view shows, as a typed message in the words of the notation, and back again."""

    @property
    def POSITION(self) -> type[Position]: ...
    @property
    def PHASES(self) -> Mapping[int, str]:
        """The words for the decisions; "over" and the words of chance are the same in all games."""

    def shown(self, fields: Mapping[str, Any], /) -> dict[str, Any]:
        """What this game shows beyond what all games show; ``fields`` is the state as plain numbers and lists, and
        ``pool_size``."""

    def tell(self, state: np.record, position: Any, /) -> None:
        """Bring a state from the start to where a position was, as far as it was shown."""


class Span(NamedTuple):
    """Some letters of a drawing, how they look, and what is picked there.

    A look is a symbol's letter (on the symbol's colour), its small letter (in the colour), ``free``, ``faint``,
    ``strong`` or ``mark``; what it means must also be seen without any colour.
    """

    text: str
    look: str = ""
    pick: str = ""


@dataclass(frozen=True)
class Scene:
    """What a drawing shows; lists go by player."""

    position: Any  # of the game's own type
    names: Sequence[str]
    reach: Sequence[int]
    language: str
    player: int | None = None  # whose items lie before the one who looks
    offers: Mapping[str, int] = field(default_factory=dict)  # what can be picked, and what it would bring
    picked: Sequence[str] = ()
    gained: Sequence[int] = (0, 0, 0, 0, 0, 0)  # what the move would add to the six values
    marked: Collection[str] = ()  # the cells of the last move


class Terminal(Protocol):
    """May: for a full-screen terminal. A game without it is shown by its picture and a list of moves."""

    def draw(self, scene: Scene, /) -> list[list[Span]]:
        """The position in at most 80 columns and 15 lines."""

    def steps(self, move: str, /) -> Sequence[tuple[str, ...]]:
        """The ways to pick a move, each as what is picked one after the other."""


@dataclass(frozen=True)
class Plan:
    """How a search goes about a game."""

    depth: int  # decisions in the tree
    width: int  # moves that are looked at to begin with at the root
    reply: int  # and further down
    growth: float  # more moves by this much times the root of the visits
    courage: float  # how much is tried that has not been good so far
    trust: float  # how far first sight is trusted: the smaller, the more
    cut: int = 10_000  # decisions that are played out before the position is judged; by default all
    margin: float = 0.2  # how much of the reward is the margin and not the place

    def record(self) -> np.ndarray:
        """The plan as compiled code reads it."""
        return np.array([astuple(self)], dtype=PLAN)


_KINDS: dict[Any, Any] = {int: np.int64, float: np.float64}
PLAN = np.dtype((np.record, [(name, _KINDS[kind]) for name, kind in Plan.__annotations__.items()]))


class Judgement(Protocol):
    """What makes a move good, in terms that a player would name; compiled. One search serves all games."""

    def __hash__(self) -> int: ...

    @property
    def rules(self) -> Rules: ...
    @property
    def TERMS(self) -> tuple[str, ...]: ...
    @property
    def WEIGHTS(self) -> np.ndarray:
        """What the terms are worth at one look ahead."""

    @property
    def FORESIGHT(self) -> np.ndarray:
        """What they are worth to a search."""

    @property
    def SIGHT(self) -> tuple[int, ...]:
        """The shape of what a player sees at a glance."""

    @property
    def WORK(self) -> tuple[int, ...]: ...
    @property
    def REACH(self) -> tuple[float, float]:
        """How many steps of ``standing`` decide a game at its start and at its end."""

    @property
    def PLAN(self) -> Plan: ...

    def look(self, state: np.record, sight: np.ndarray, /) -> None:
        """Fill ``sight``."""

    def copy_sight(self, sight: np.ndarray, seen: np.ndarray, /) -> None: ...
    def act(self, state: np.record, sight: np.ndarray, move: int, /) -> None:
        """Do a move and keep ``sight`` up to date."""

    def terms(
        self, state: np.record, sight: np.ndarray, move: int, after: np.ndarray, seen: np.ndarray, found: np.ndarray, /
    ) -> None:
        """What a move is good for, term by term."""

    def candidates(
        self, state: np.record, sight: np.ndarray, work: np.ndarray, moves: np.ndarray, values: np.ndarray, most: int, /
    ) -> int:
        """The moves that look best at first sight; returns how many."""

    def light(self, state: np.record, sight: np.ndarray, work: np.ndarray, generator: np.ndarray, /) -> int:
        """A sensible move as fast as possible."""

    def standing(self, state: np.record, player: int, /) -> float:
        """How well a player stands."""

    def progress(self, state: np.record, /) -> float:
        """How much of the game is over, from 0 to 1."""


@dataclass(frozen=True)
class NetPlan:
    """How a search with a net goes about a game."""

    width: int  # moves that are tried
    depth: int  # decisions that are played on as the net would
    replies: int  # moves that the net is shown for each of them
    prior: float  # what the net says of a move at once counts as much as so many worlds
    patience: float = 2.0  # a move is given up when it is behind by so many standard errors
    few: int = 6  # worlds that are dealt before anything is given up, and then between two looks at the clock


class Features(Protocol):
    """May: what nets are told of a game, as whole numbers from what one seat may know (docs/nets.md); compiled."""

    def __hash__(self) -> int: ...

    @property
    def rules(self) -> Rules: ...
    @property
    def VERSION(self) -> int:
        """Goes up when the numbers mean something else: a net knows only those that it has learned with."""

    @property
    def NET(self) -> str:
        """How its nets are made: ``dense``, layer after layer, or ``graph``, symbols and pairs of them."""

    @property
    def GOAL(self) -> int:
        """What margins are divided by."""

    @property
    def PLAN(self) -> NetPlan: ...
    @property
    def SIGHT(self) -> int:
        """How many small numbers ``glance`` needs."""

    @property
    def SMALL(self) -> int:
        """Room for ``describe``: so many small numbers, and so many greater ones."""

    @property
    def WORK(self) -> int: ...
    def inputs(self, players: int, /) -> int:
        """How many numbers a net is told."""

    def scales(self, players: int, /) -> np.ndarray:
        """What each is divided by before a net learns from it."""

    def slots(self, players: int, /) -> int:
        """How many moves there can be."""

    def judged(self, players: int, /) -> int:
        """How many of them a net is shown while it learns."""

    def describe(
        self, state: np.record, seat: int, out: np.ndarray, small: np.ndarray, work: np.ndarray, keys: np.ndarray, /
    ) -> None:
        """Tell a net what a seat knows of a position."""

    def glance(self, state: np.record, sight: np.ndarray, /) -> None:
        """See a position before a decision."""

    def slot(self, state: np.record, sight: np.ndarray, which: int, /) -> tuple[int, float]:
        """One of the moves by its number, or NONE, and what it looks like at first sight."""


class GraphFeatures(Features, Protocol):
    """The same for graph nets: six rows, one for each symbol; the whole; then, kind by kind, fifteen numbers of the
    pairs of symbols, first of all how many such pieces are held."""

    def shape(self, players: int, /) -> tuple[int, int, int]:
        """How many numbers a row has, how many of these, the last ones, mean an open piece each that shows the symbol
        or does not, and how many are of the whole."""


@dataclass(frozen=True)
class Level:
    """What makes a level: the bot that thinks, how long it may, in how many of a hundred moves it slips, its habits."""

    bot: str
    slips: int = 0
    iterations: int | None = None
    milliseconds: float | None = None
    habits: Mapping[str, int] = field(default_factory=dict)  # what is special about the bot here


class Levels(Protocol):
    """Five levels of play for people, the weakest first."""

    @property
    def LEVELS(self) -> tuple[Level, ...]: ...
    @property
    def SPECIAL(self) -> Mapping[tuple[int, int], Level]:
        """Where there is something better for a number of players and a level."""

    @property
    def BOTS(self) -> Mapping[str, str]:
        """Bots that know only this game: a name, and the class as ``module:Class``."""
