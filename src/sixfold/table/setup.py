"""The settings agreed before a table starts (game, options, rounds, clock), and its seats."""

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
# Invisible characters in the category of letters or symbols: Hangul fillers and the blank Braille pattern.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_MARKS = ("Mn", "Me", "Mc")
# No language stacks more combining marks than this on one letter.
_MOST_MARKS = 3


class TableRefused(ValueError):
    """An action that the table does not allow: a translation key, the clause, and the values for the sentence."""

    def __init__(self, key: str, **words: object) -> None:
        self.refusal = Refusal(key, "table", {name: str(word) for name, word in words.items()})
        super().__init__(self.reason())

    def reason(self, language: str = "en") -> str:
        return say(self.refusal.key, language, **self.refusal.words)


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a table. Times are in seconds. ``first`` is the seat that plays first, None to draw it at random.
    ``hints`` None allows them only if all other seats are bots. 0 rounds means the game's default."""

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
        _check_range("rounds", self.rounds, 1, MOST_ROUNDS if rules.ROUNDS else 1)
        if self.clock not in CLOCKS:
            raise SetupError(f"there is no clock {self.clock!r}; choose one of {', '.join(CLOCKS)}")
        if self.clock == "none":
            _check_range("seconds without a clock", self.seconds, 0, 0)
        else:
            _check_range("seconds", self.seconds, 1, LONGEST_TIME)
        if self.takeover is not None:
            _check_range("takeover", self.takeover, 1, LONGEST_TIME)
        if self.first is not None:
            _check_range("first", self.first, 0, self.players - 1)


def _check_range(name: str, number: int, least: int, most: int) -> None:
    if isinstance(number, bool) or not least <= number <= most:
        raise SetupError(f"{name} is from {least} to {most}, not {number}")


class Seat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place at the table: open, held by a person (a guest may hold several), or held by a bot."""

    kind: str = "open"
    name: str = ""
    guest: str = ""
    level: str = ""
    portrait: str = ""
    left: bool = False
    relieved: bool = False  # a substitute bot plays until the person is back
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
        """The public part of a seat: everything except the guest's id, which is secret."""
        public = structs.asdict(self)
        del public["guest"]
        return public


def clean_name(name: str) -> str:
    """Normalise a name; refuses one that is too long, not printable, invisible, or stacked with combining marks."""
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    visible = [letter for letter in cleaned if unicodedata.category(letter) not in (*_MARKS, "Zs")]
    stacked = any(
        sum(unicodedata.category(letter) in _MARKS for letter in cleaned[at : at + _MOST_MARKS + 1]) > _MOST_MARKS
        for at in range(len(cleaned))
    )
    blank = not visible or not _BLANKS.isdisjoint(cleaned)
    if blank or stacked or len(cleaned) > LONGEST_NAME or not cleaned.isprintable():
        raise TableRefused("bad_name", most=LONGEST_NAME)
    return cleaned


def person(name: str, guest: str, portrait: str, others: Collection[Seat]) -> Seat:
    """A person's seat: the name is made unique at the table, and a free portrait is chosen if none is given."""
    return Seat(
        "person", _unique_name(clean_name(name), others), guest, portrait=portrait or _free_portrait(guest, others)
    )


def bot(level: str, seed: str, others: Collection[Seat]) -> Seat:
    """A bot's seat, with a name that nobody else at the table has."""
    used_names = {seat.name.casefold() for seat in others}
    free = [name for name in PERSONAS if name.casefold() not in used_names]
    name = free[_hash(seed) % len(free)]
    return Seat("bot", name, level=level, portrait=name.lower())


def check_portrait(portrait: str) -> str:
    if portrait and portrait not in PORTRAITS:
        raise TableRefused("no_portrait", portraits=", ".join(PORTRAITS))
    return portrait


def _unique_name(name: str, others: Collection[Seat]) -> str:
    used_names = {seat.name.casefold() for seat in others}
    if name.casefold() not in used_names:
        return name
    numbered = (f"{name[: LONGEST_NAME - 2].rstrip()} {number}" for number in range(2, 10))
    return next(candidate for candidate in numbered if candidate.casefold() not in used_names)


def _free_portrait(guest: str, others: Collection[Seat]) -> str:
    used_portraits = {seat.portrait for seat in others}
    free = [portrait for portrait in PORTRAITS if portrait not in used_portraits]
    return free[_hash(guest) % len(free)]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
