"""The contract that a game keeps: the modules of its package, and what each module must and may provide.

A game is a package, either in ``sixfold.games`` or in another distribution that registers it under the entry point
group ``sixfold.games``. The package itself provides the facts (``Facts``); its modules provide the rest:

| module | required | protocol | provides |
| --- | --- | --- | --- |
| ``rules`` | yes | ``Rules`` | the state, and every rule as a compiled function of the state |
| ``annotations`` | yes | ``Annotations`` | compiled: points of a move, row limits, reasons for refusals and endings |
| ``notation`` | yes | ``Notation`` | moves as text |
| ``text`` | yes | ``Text`` | a position as human-readable text |
| ``codec`` | yes | ``Codec`` | a position as a typed message, and back |
| ``heuristics`` | no | ``Heuristics`` | compiled: move evaluation, and the parameters of the tree search |
| ``levels`` | no | ``Levels`` | five levels of play; without it, all of them play random moves |
| ``features`` | no | ``Features`` | compiled: the inputs of neural nets, and the moves that they evaluate |
| ``svg`` | no | ``Svg`` | a position as SVG; without it, its text is rendered |
| ``terminal`` | no | ``Terminal`` | a position for a full-screen terminal, and how to pick a move there |

A package may contain ``languages/en.json`` and so on with its own sentences, and ``net-2.npz`` and so on with the nets
for two players and so on. Modules implement the protocols below as plain functions and constants. Optional extensions
of a module are separate protocols, marked "Optional".

"Compiled" functions are decorated with ``games.shared.compiler.compiled``. They take a state as a NumPy record, write
results into arrays that the caller provides, and must not allocate arrays, so that they also run on a GPU.
Players, moves, items, cells and symbols are numbered from 0; NONE (-1) stands for none of them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
import numpy as np

if TYPE_CHECKING:
    from sixfold.games.shared.codec import PositionFields

Value = bool | str


class Flag(msgspec.Struct, frozen=True, tag_field="kind", tag="flag"):
    """An option that is on or off."""

    default: bool = False

    @property
    def choices(self) -> tuple[Value, ...]:
        """The possible values; a state stores the index of the chosen one."""
        return (False, True)


class Choice(msgspec.Struct, frozen=True, tag_field="kind", tag="choice"):
    """An option with named values."""

    default: str
    choices: tuple[str, ...]


Option = Flag | Choice


class Setup(Protocol):
    """What can be agreed before a game. The package states it; ``rules`` imports it from there."""

    @property
    def NAME(self) -> str: ...
    @property
    def VERSION(self) -> int:
        """Must be increased when a change of the rules makes the same events lead to another result."""

    @property
    def PLAYERS(self) -> tuple[int, ...]:
        """The supported numbers of players, in ascending order."""

    @property
    def OPTIONS(self) -> Mapping[str, Option]:
        """The options of the rules by name. Each is also a field of the state with the index of the chosen value."""

    @property
    def ROUNDS(self) -> Mapping[int, int]:
        """The default number of games in a series, by number of players; empty if the game has no series."""


class Facts(Setup, Protocol):
    """The package itself: facts about a game that are available without importing its rules."""

    @property
    def YEAR(self) -> int:
        """The year in which the printed game was published; games are listed in this order."""

    @property
    def LAST(self) -> int:
        """The highest value that a symbol can reach."""

    @property
    def GOAL(self) -> int:
        """A player whose values have all reached this one wins immediately."""

    @property
    def AREAS(self) -> tuple[int, ...]:
        """The last value of each area of a row, in ascending order."""

    @property
    def MINUTES(self) -> int:
        """The approximate duration of a game."""


class Occasion(NamedTuple):
    """A reason for chance to supply items: the first word of its event, the clause of the rules, and its visibility."""

    word: str
    clause: str
    hidden: bool = False  # only seats that may see the player's hand learn the items
    as_they_lie: bool = False  # the event keeps the order of the items; otherwise they are sorted


class Rules(Setup, Protocol):
    """The rules of a game. All functions but ``start`` are compiled.

    A state is in phase CHANCE, in phase OVER, or in one of the game's own phases, in which the player in turn decides
    (numbered from FIRST_DECISION, see ``games.shared.symbols``). The rules contain no randomness: in phase CHANCE,
    ``pending_chance`` says what is needed, ``pool_size`` and ``item_at`` what is available, and the caller supplies
    items one at a time with ``receive`` until the phase changes.
    """

    def __hash__(self) -> int: ...

    @property
    def END_CLAUSE(self) -> str:
        """The clause of the rules that ends a game, cited in messages."""

    @property
    def RANKING_CLAUSE(self) -> str:
        """The clause of the rules that ranks the players, cited in messages."""

    @property
    def CHOICES(self) -> tuple[str, ...]:
        """The options of the private choice at the end of a turn, as texts; empty if there is no such choice. The first
        one is kept secret: other players do not see that it was chosen."""

    @property
    def CHOOSE(self) -> int:
        """The phase of the private choice, or NONE."""

    @property
    def ITEMS(self) -> Sequence[str]:
        """The names of the items that chance supplies (tiles, cards or symbols of a die), by number."""

    @property
    def POOL(self) -> str | None:
        """The state field with the available copies of each item; None if all items are always equally likely."""

    @property
    def REFILL_CLAUSE(self) -> str | None:
        """The clause by which an exhausted pool is refilled in the middle of a draw, or None."""

    @property
    def OCCASIONS(self) -> tuple[Occasion, ...]:
        """The occasions on which chance supplies items, by number."""

    @property
    def STATE(self) -> "np.dtype[np.void]":
        """The record type of a state, with at least the fields ``phase``, ``turn`` and ``players``. Fields of one byte
        hold the facts; wider fields must be derived from them. A field whose first dimension is the maximum number of
        players has one row per player."""

    @property
    def ACTIONS(self) -> int:
        """The size of the action space: every move is a number below this one."""

    @property
    def MAX_LEGAL(self) -> int:
        """An upper bound for the number of legal moves in a state."""

    @property
    def start(self) -> Callable[..., np.ndarray]:
        """Takes the number of players and the options as keywords; returns an array of one initial state, before
        anything is dealt. Not compiled."""

    def count(self, state: np.record, /) -> int:
        """The number of legal moves of the player in turn; 0 in phases CHANCE and OVER."""

    def nth(self, state: np.record, which: int, /) -> int:
        """The legal move at index ``which``, in the order of ``legal``."""

    def legal(self, state: np.record, moves: np.ndarray, /) -> int:
        """Write all legal moves into ``moves``, which has room for the maximum; returns their number."""

    def allowed(self, state: np.record, move: int, /) -> bool:
        """Whether a move is legal; any integer may be passed."""

    def act(self, state: np.record, move: int, /) -> None:
        """Apply a legal move to the state."""

    def pending_chance(self, state: np.record, /) -> tuple[int, int]:
        """In phase CHANCE: the number of the occasion, and how many items the player in turn still needs."""

    def item_at(self, state: np.record, which: int, /) -> int:
        """The item at index ``which`` when all available copies are sorted; a uniformly random index below
        ``pool_size`` gives a correctly distributed item."""

    def pool_size(self, state: np.record, /) -> int:
        """The number of available copies of all items together."""

    def receive(self, state: np.record, item: int, /) -> None:
        """Supply one item to the player in turn; with the last pending one the phase changes."""

    def sees(self, state: np.record, seat: int, player: int, /) -> bool:
        """Whether a seat, or a spectator (NONE), may see what a player holds."""

    def hide(self, state: np.record, seat: int, /) -> None:
        """Remove everything from the state that a seat may not know: hidden items return to the pool, and another
        player's private choice looks as if it had not come up."""

    def unknown(self, state: np.record, seat: int, /) -> int:
        """In a hidden state: the next player with an unknown item, or NONE. Determinization repeats ``unknown``,
        ``possible`` and ``fill`` until nobody is left."""

    def possible(self, state: np.record, player: int, weights: np.ndarray, /) -> None:
        """Write into ``weights`` how many copies of each item the player's next unknown item can be."""

    def fill(self, state: np.record, player: int, item: int, /) -> None:
        """Replace the player's next unknown item by this one."""

    @property
    def VALUES(self) -> Sequence[str]:
        """The names of the values that each player has, often the symbols. ``symbol_NAME`` is the key of a sentence."""

    def values(self, state: np.record, result: np.ndarray, /) -> None:
        """Write the values of each player."""


class Series(Protocol):
    """Required in ``rules`` if the game is played in series (``ROUNDS`` is not empty)."""

    def points(self, state: np.record, player: int, /) -> int:
        """The points that a player scores for a finished round; the highest total wins the series."""


class Ranks(Protocol):
    """Optional, in ``rules``: the game's own ranking, for partners or another comparison; otherwise the players are
    ranked by their lowest value, then the next lowest, and so on."""

    def rank(self, state: np.record, places: np.ndarray, /) -> None:
        """Write each player's place, from 1 for the first; players who tie, and partners, share a place."""


class Masks(Protocol):
    """Optional, in ``rules``: a fast mask of the legal moves for games with a large action space."""

    def mask(self, state: np.record, words: np.ndarray, first: int, stride: int, /) -> None:
        """Write one byte per move, 1 if it is legal and else 0, packed eight to a 64-bit word. Only every ``stride``-th
        part of the mask is written, starting with part ``first``, so that many GPU threads can share the work."""


@dataclass(frozen=True)
class Refusal:
    """Why a move is not allowed: the key of a sentence, the clause of the rules, and the words to fill in."""

    key: str
    clause: str
    words: dict[str, str] = field(default_factory=dict)


class Reason(NamedTuple):
    """A reason that compiled code returns by its index. For each placeholder of its sentence, compiled code supplies a
    number: an index into the given texts, or the number itself if there are none."""

    key: str
    clause: str
    words: tuple[tuple[str, Sequence[str] | None], ...] = ()

    def filled(self, numbers: Sequence[int]) -> Refusal:
        """The refusal with its placeholders resolved from the numbers."""
        named = zip(self.words, numbers, strict=False)
        words = {word: str(number) if texts is None else texts[number] for (word, texts), number in named}
        return Refusal(self.key, self.clause, words)


class Annotations(Protocol):
    """What the rules say about a position beyond the legal moves, for people to read; all functions are compiled."""

    def __hash__(self) -> int: ...

    @property
    def CELLS(self) -> Sequence[str]:
        """The names of the board's cells, empty without a board. With cells, the module must also provide ``Lines``."""

    @property
    def REASONS(self) -> tuple[Reason, ...]:
        """The reasons that ``refusal`` can return, by index."""

    @property
    def ENDS(self) -> tuple[tuple[str, str], ...]:
        """The reasons that ``ended`` can return, by index: the key of a sentence in the browser, and the clause."""

    def earned(self, state: np.record, move: int, result: np.ndarray, /) -> None:
        """Write what a move adds to each of the player's values, before any limit applies."""

    def reach(self, state: np.record, player: int, /) -> int:
        """The highest value that a player's rows may reach now."""

    def bonus(self, state: np.record, /) -> bool:
        """Whether the current turn is a bonus turn."""

    def ended(self, state: np.record, /) -> int:
        """In phase OVER: the index in ENDS of the reason why the game is over."""

    def refusal(self, state: np.record, move: int, words: np.ndarray, /) -> int:
        """The index in REASONS of the reason why a move is not legal; writes the numbers of its placeholders."""


MAX_WORDS = 4


class Lines(Protocol):
    """Optional, in ``annotations``: the scoring lines of games with a board."""

    def __hash__(self) -> int: ...

    @property
    def MAX_SCORING(self) -> int:
        """An upper bound for the number of cells that a move scores with."""

    def scoring(self, state: np.record, cell: int, symbol: int, cells: np.ndarray, /) -> int:
        """Write the cells that a symbol placed on a free cell would score with; returns their number."""

    def scored(self, state: np.record, move: int, cells: np.ndarray, /) -> int:
        """Write the cells that a move scores with; returns their number."""


class Shows(Protocol):
    """Optional, in ``annotations``: for games in which a move can reveal a hand to everybody."""

    def __hash__(self) -> int: ...
    def shows(self, state: np.record, move: int, items: np.ndarray, /) -> int:
        """Write the items that a move reveals to everybody; returns their number."""


class Favours(Protocol):
    """Optional, in ``annotations``: for games in which a move names the symbols that receive jokers."""

    def favours(self, move: int, symbol: int, /) -> bool:
        """Whether a move gives a joker to a symbol."""


class Hints(Protocol):
    """Optional, in ``annotations``: the game's own reasons for a hint; otherwise they follow from the values."""

    @property
    def HINTS(self) -> tuple[Reason, ...]:
        """The reasons that ``hint`` can return, by index. The text of a placeholder ``symbol`` is translated."""

    def hint(self, before: np.record, after: np.record, values: np.ndarray, move: int, words: np.ndarray, /) -> int:
        """The index in HINTS of the reason for a move of the player in turn; writes the numbers of its placeholders.
        ``values`` has the values of each player before and after it."""


class Notation(Protocol):
    """Moves as text, without the player's number. Every move has exactly one text."""

    @property
    def EXAMPLE(self) -> str:
        """The text of some move, to show users how moves are written."""

    def format_move(self, move: int, /) -> str | None:
        """The text of a move; None for numbers below ACTIONS that are not moves."""

    def diagnose(self, text: str, /) -> Refusal | None:
        """A specific reason why a text is not a move; None if only an example would help."""


class Text(Protocol):
    """A position as human-readable text."""

    def decision(self, state: np.record, language: str, /) -> str:
        """What the player in turn has to decide, as a sentence."""

    def lines(self, state: np.record, language: str, /) -> list[str]:
        """The lines of text below the heading, with ``??`` for hidden items."""


class SvgPart(NamedTuple):
    """An SVG fragment with its width and height; the origin is at its top left."""

    width: float
    height: float
    svg: str


class Svg(Protocol):
    """Optional: a position as SVG, built from the elements of ``games.shared.svg``."""

    def render(self, state: np.record, last: Sequence[str], language: str, /) -> SvgPart:
        """The position below its heading. ``last`` has the words of the last move, starting with the player's number;
        it is empty before the first move."""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of every position message. A game derives its own type, with the game's name as the tag ``game``."""

    players: int
    options: dict[str, Value]
    seen_by: int | None
    phase: str
    turn: int
    values: list[list[int]]


class Codec(Protocol):
    """Converts a view to a typed message, with items and phases by name, and back."""

    @property
    def POSITION(self) -> type[Position]:
        """The game's message type."""

    @property
    def PHASES(self) -> Mapping[int, str]:
        """The names of the game's own phases. All games share "over", and use the occasion's word in phase CHANCE."""

    def decode(self, state: np.record, position: Any, /) -> None:
        """Change an initial state to the one that a message describes; ``position`` is of type POSITION."""


class Fields(Protocol):
    """Optional, in ``codec``: the codec as a description. Without it a game has no WebAssembly module, so that browsers
    play it only at a server's table."""

    @property
    def FIELDS(self) -> "PositionFields":
        """Every field of the message, from which browsers encode and decode positions, too. A module with it takes
        ``encode`` and ``decode`` from it."""


class Encodes(Protocol):
    """Required in ``codec`` if the game does not describe its fields."""

    def encode(self, plain: Mapping[str, Any], /) -> dict[str, Any]:
        """The fields of the message that only this game has. ``plain`` has the state's fields as plain numbers and
        lists, plus ``pool_size``."""


class Span(NamedTuple):
    """Some characters of a terminal rendering, their style, and what is picked by clicking them.

    A style is a symbol's letter (on the symbol's colour), its lower-case letter (in the colour), ``free``, ``faint``,
    ``strong`` or ``mark``. The meaning must also be clear without colours.
    """

    text: str
    look: str = ""
    pick: str = ""


@dataclass(frozen=True)
class Scene:
    """Everything that a terminal rendering shows; lists are indexed by player."""

    position: Any  # of the game's own message type
    names: Sequence[str]
    reach: Sequence[int]
    language: str
    player: int | None = None  # the player whose items are shown as the viewer's own
    offers: Mapping[str, int] = field(default_factory=dict)  # what can be picked next, and the points it would bring
    picked: Sequence[str] = ()  # what has been picked for the move so far
    gained: Sequence[int] = ()  # what the picked move would add to the viewer's values
    marked: Collection[str] = ()  # the cells of the last move


class Terminal(Protocol):
    """Optional: rendering for a full-screen terminal. A game without it is shown as text with a list of moves."""

    def draw(self, scene: Scene, /) -> list[list[Span]]:
        """Render the position, at any size; a window that is too small for it scrolls."""

    def steps(self, move: str, /) -> Sequence[tuple[str, ...]]:
        """The possible sequences of picks that make up a move."""


@dataclass(frozen=True)
class Plan:
    """Parameters of the tree search (PUCT with progressive widening) for a game."""

    depth: int  # maximum depth of the tree, in decisions
    width: int  # initial number of candidate moves at the root
    reply_width: int  # initial number of candidate moves below the root
    widening: float  # progressive widening: this times the square root of the visits more candidates
    c_puct: float  # exploration constant of PUCT
    prior_temperature: float  # temperature of the softmax that turns the values of candidates into priors
    playout_limit: int = 10_000  # decisions after which a playout stops and is evaluated; by default it runs to the end
    margin_weight: float = 0.2  # share of the reward that depends on the margin instead of the place

    def record(self) -> np.ndarray:
        """The parameters as a record array for compiled code."""
        return np.array([astuple(self)], dtype=PLAN)


_KINDS: dict[Any, Any] = {int: np.int64, float: np.float64}
PLAN = np.dtype((np.record, [(name, _KINDS[kind]) for name, kind in Plan.__annotations__.items()]))


class Heuristics(Protocol):
    """Hand-written move evaluation for the greedy bot, the tree search and its playouts; all functions are compiled.

    ``board_features`` is a small int8 array that caches what the evaluation needs to know about the board. It is
    computed once for a state and then updated move by move; games that need no cache use the empty functions of
    ``games.shared.heuristics``. ``workspace`` is a float64 scratch array.
    """

    def __hash__(self) -> int: ...

    @property
    def rules(self) -> Rules: ...
    @property
    def TERMS(self) -> tuple[str, ...]:
        """The names of the terms of the evaluation, in words that a player would use."""

    @property
    def WEIGHTS(self) -> np.ndarray:
        """The weights of the terms for one-ply play."""

    @property
    def SEARCH_WEIGHTS(self) -> np.ndarray:
        """The weights of the terms for the tree search."""

    @property
    def BOARD_FEATURES_SHAPE(self) -> tuple[int, ...]:
        """The shape of ``board_features``."""

    @property
    def WORKSPACE_SHAPE(self) -> tuple[int, ...]:
        """The shape of ``workspace``."""

    @property
    def DECISIVE_LEAD(self) -> tuple[float, float]:
        """The lead in ``evaluate`` that practically decides a game, at its start and at its end."""

    @property
    def PLAN(self) -> Plan: ...

    def compute_board_features(self, state: np.record, board_features: np.ndarray, /) -> None:
        """Compute the board features of a state from scratch."""

    def copy_board_features(self, board_features: np.ndarray, copied: np.ndarray, /) -> None:
        """Copy board features into another array."""

    def act(self, state: np.record, board_features: np.ndarray, move: int, /) -> None:
        """Apply a move to the state and update the board features."""

    def terms(
        self,
        state: np.record,
        board_features: np.ndarray,
        move: int,
        after: np.ndarray,
        features_after: np.ndarray,
        result: np.ndarray,
        /,
    ) -> None:
        """Write the value of each term for a move. ``after`` (an array of two states) and ``features_after`` are
        scratch space for trying the move."""

    def candidates(
        self,
        state: np.record,
        board_features: np.ndarray,
        workspace: np.ndarray,
        moves: np.ndarray,
        values: np.ndarray,
        limit: int,
        /,
    ) -> int:
        """Write the at most ``limit`` most promising moves by a cheap evaluation, best first, and their values;
        returns their number."""

    def playout_move(
        self, state: np.record, board_features: np.ndarray, workspace: np.ndarray, generator: np.ndarray, /
    ) -> int:
        """A reasonable move for playouts, chosen as fast as possible and somewhat at random."""

    def evaluate(self, state: np.record, player: int, /) -> float:
        """Static evaluation of a player's position; higher is better."""

    def progress(self, state: np.record, /) -> float:
        """The estimated share of the game that has been played, from 0 to 1."""


@dataclass(frozen=True)
class NetPlan:
    """Parameters of the search with a net: each candidate move is played on by the net in sampled determinizations."""

    width: int  # number of candidate moves
    depth: int  # decisions that the net plays on after a candidate move
    replies: int  # moves that the net evaluates at each of these decisions
    prior_weight: float  # weight of the net's immediate evaluation of a move, in determinizations
    drop_threshold: float = 2.0  # a move is dropped once it trails by this many standard errors
    batch_size: int = 6  # determinizations per batch; moves are dropped and the clock is checked between batches


class Features(Protocol):
    """Optional: the inputs of neural nets and the moves that they evaluate (docs/nets.md).

    Inputs are small integers computed from what one seat may know. The functions with a state are compiled.
    ``scratch8`` (int8), ``scratch32`` (int32) and ``keys`` (six uint64) are scratch arrays with any content.
    """

    def __hash__(self) -> int: ...

    @property
    def rules(self) -> Rules: ...
    @property
    def VERSION(self) -> int:
        """Must be increased when the meaning of the inputs changes: a net works only with the inputs that it was
        trained on."""

    @property
    def NET(self) -> str:
        """The architecture of the nets: ``dense`` (fully connected), or ``graph`` (message passing between symbols)."""

    @property
    def GOAL(self) -> int:
        """The value that normalises margins."""

    @property
    def PLAN(self) -> NetPlan: ...
    @property
    def BOARD_FEATURES_SIZE(self) -> int:
        """The size of the int8 array ``board_features``."""

    @property
    def SCRATCH8_SIZE(self) -> int:
        """The size of ``scratch8`` in ``write_inputs``."""

    @property
    def SCRATCH32_SIZE(self) -> int:
        """The size of ``scratch32`` in ``write_inputs``."""

    def input_count(self, players: int, /) -> int:
        """The number of inputs of a net."""

    def scales(self, players: int, /) -> np.ndarray:
        """The divisor that normalises each input."""

    def candidate_count(self, players: int, /) -> int:
        """The number of candidate indexes of a decision."""

    def training_candidates(self, players: int, /) -> int:
        """The maximum number of candidate moves that a net evaluates per decision in training."""

    def write_inputs(
        self,
        state: np.record,
        seat: int,
        out: np.ndarray,
        scratch8: np.ndarray,
        scratch32: np.ndarray,
        keys: np.ndarray,
        /,
    ) -> None:
        """Write the inputs of a position as a seat knows it; nothing hidden from the seat may influence them."""

    def prepare(self, state: np.record, board_features: np.ndarray, /) -> None:
        """Compute the board features that ``candidate`` needs, once for each decision."""

    def candidate(self, state: np.record, board_features: np.ndarray, which: int, /) -> tuple[int, float]:
        """The candidate move with an index, or NONE if there is none, and a cheap estimate of its value by which
        candidates are preselected for the net."""


class GraphFeatures(Features, Protocol):
    """Optional: features of graph nets. The inputs are six rows, one for each symbol, then the global inputs, then for
    each kind of pair input fifteen numbers, one for each pair of symbols; the first kind counts the pieces held."""

    def shape(self, players: int, /) -> tuple[int, int, int]:
        """The length of a symbol's row, how many inputs at its end say whether one open piece shows the symbol, and the
        number of global inputs."""


@dataclass(frozen=True)
class Level:
    """A level of play: a bot, its budget and its handicaps."""

    bot: str
    slips: int = 0  # percentage of decisions with a random move from the better half
    iterations: int | None = None  # budget of each decision
    milliseconds: float | None = None
    habits: Mapping[str, int] = field(default_factory=dict)  # keyword arguments of the bot


class Levels(Protocol):
    """Five levels of play for people, the weakest first."""

    @property
    def LEVELS(self) -> tuple[Level, ...]:
        """The five levels."""

    @property
    def SPECIAL(self) -> Mapping[tuple[int, int], Level]:
        """Levels that differ for a number of players, by number of players and level (from 1)."""

    @property
    def BOTS(self) -> Mapping[str, str]:
        """Bots that play only this game, by name, each as ``module:Class``."""
