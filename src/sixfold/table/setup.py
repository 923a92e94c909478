"""What is agreed before a table starts: the game, its options, rounds, the clock, and who sits where."""

import hashlib
import unicodedata
from collections.abc import Collection
from typing import Any

from msgspec import Struct, structs

from sixfold.engine.game import SetupError, full_options, rules_of
from sixfold.games.contract import Refusal, Value
from sixfold.language import say

CLOCKS = ("none", "move", "game")
REACTIONS = ("hello", "well_played", "thanks", "oops", "wow", "thinking", "hurry", "goodbye")
PERSONAS = ("Mira", "Otto", "Juno", "Bruno", "Wanda", "Felix", "Ida", "Nils", "Rosa", "Theo", "Lena", "Emil")
PORTRAITS = (
    "fox",
    "owl",
    "cat",
    "bear",
    "hare",
    "frog",
    "heron",
    "badger",
    "hedgehog",
    "otter",
    "moth",
    "snail",
)
MOST_ROUNDS = 20
LONGEST_NAME = 24
LONGEST_TIME = 7 * 24 * 3600
# Letters and signs by their category that show nothing: Hangul fillers, and Braille without a dot.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_MARKS = ("Mn", "Me", "Mc")
# No language piles up more than this on one letter.
_MOST_MARKS = 3


class TableRefused(ValueError):
    """An action that the table does not allow: a key for translation, the clause, and the words of the sentence."""

    def __init__(self, key: str, **words: object) -> None:
        self.refusal = Refusal(key, "table", {name: str(word) for name, word in words.items()})
        super().__init__(self.reason())

    def reason(self, language: str = "en") -> str:
        return say(self.refusal.key, language, **self.refusal.words)


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's agreement. Times are in seconds; ``first`` is the seat that begins, None to draw it; ``hints`` None
    means: only where nobody else is a person. 0 rounds stand for as many as the game has by default."""

    game: str
    players: int
    options: dict[str, Value] = {}
    rounds: int = 0
    clock: str = "none"
    seconds: int = 0
    takeover: int | None = 120
    first: int | None = None
    deputy: str = "random"  # the bot that takes over
    hints: bool | None = None

    def __post_init__(self) -> None:
        rules = rules_of(self.game, self.players)
        structs.force_setattr(self, "options", full_options(rules, self.options))
        structs.force_setattr(self, "rounds", self.rounds or rules.ROUNDS.get(self.players, 1))
        _within("rounds", self.rounds, 1, MOST_ROUNDS if rules.ROUNDS else 1)
        if self.clock not in CLOCKS:
            raise SetupError(f"there is no clock {self.clock!r}; choose one of {', '.join(CLOCKS)}")
        if self.clock == "none":
            _within("seconds without a clock", self.seconds, 0, 0)
        else:
            _within("seconds", self.seconds, 1, LONGEST_TIME)
        if self.takeover is not None:
            _within("takeover", self.takeover, 1, LONGEST_TIME)
        if self.first is not None:
            _within("first", self.first, 0, self.players - 1)


def _within(what: str, number: int, least: int, most: int) -> None:
    if isinstance(number, bool) or not least <= number <= most:
        raise SetupError(f"{what} is from {least} to {most}, not {number}")


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place at the table: open, a person's (a guest may hold several), or a bot's."""

    kind: str = "open"
    name: str = ""
    guest: str = ""
    level: str = ""
    portrait: str = ""
    left: bool = False
    relieved: bool = False  # a bot plays for the person until they are back
    resigned: bool = False
    ready: bool = False
    time_left: int = 0  # milliseconds on a clock per game

    @property
    def person(self) -> bool:
        return self.kind == "person"

    @property
    def here(self) -> bool:
        """Is it a person who still takes part?"""
        return self.person and not self.left

    @property
    def plays(self) -> bool:
        """Is it a person who decides for themselves?"""
        return self.here and not self.relieved and not self.resigned

    def value(self) -> dict[str, Any]:
        """What everybody may know of a seat; whose guest it is, is nobody's business."""
        shown = structs.asdict(self)
        del shown["guest"]
        return shown


def clean_name(name: str) -> str:
    """A name as it may be shown: printable and to be seen, blanks single, not too long, no pile of marks."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    seen = [letter for letter in shown if unicodedata.category(letter) not in (*_MARKS, "Zs")]
    piled = any(
        sum(unicodedata.category(letter) in _MARKS for letter in shown[at : at + _MOST_MARKS + 1]) > _MOST_MARKS
        for at in range(len(shown))
    )
    blank = not seen or not _BLANKS.isdisjoint(shown)
    if blank or piled or len(shown) > LONGEST_NAME or not shown.isprintable():
        raise TableRefused("bad_name", most=LONGEST_NAME)
    return shown


def person(name: str, guest: str, portrait: str, others: Collection[Seat]) -> Seat:
    """Somebody at a table: the name is told apart from those that are there, and a face is found for who has none."""
    return Seat("person", _apart(clean_name(name), others), guest, portrait=portrait or _face(guest, others))


def bot(level: str, seed: str, others: Collection[Seat]) -> Seat:
    """A bot at a table, as somebody who is not there yet."""
    taken = {other.name.casefold() for other in others}
    free = [name for name in PERSONAS if name.casefold() not in taken]
    name = free[_number(seed) % len(free)]
    return Seat("bot", name, level=level, portrait=name.lower())


def check_portrait(portrait: str) -> str:
    if portrait and portrait not in PORTRAITS:
        raise TableRefused("no_portrait", portraits=", ".join(PORTRAITS))
    return portrait


def _apart(name: str, others: Collection[Seat]) -> str:
    taken = {other.name.casefold() for other in others}
    if name.casefold() not in taken:
        return name
    numbered = (f"{name[: LONGEST_NAME - 2].rstrip()} {number}" for number in range(2, 10))
    return next(one for one in numbered if one.casefold() not in taken)


def _face(guest: str, others: Collection[Seat]) -> str:
    taken = {other.portrait for other in others}
    free = [portrait for portrait in PORTRAITS if portrait not in taken]
    return free[_number(guest) % len(free)]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
