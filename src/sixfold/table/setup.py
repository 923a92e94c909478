"""What is agreed before a table starts: the game, its options, rounds, the clock, and when a bot takes over."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sixfold.bots import BOTS
from sixfold.engine.game import SetupError, full_options, rules_of
from sixfold.games.shared.symbols import Refusal
from sixfold.language import say

CLOCKS = ("none", "move", "game")
REACTIONS = ("hello", "well_played", "thanks", "oops", "wow", "thinking", "hurry", "goodbye")
MOST_ROUNDS = 20
LONGEST_NAME = 24
LONGEST_TIME = 7 * 24 * 3600


class TableRefused(ValueError):
    """An action that the table does not allow: a key for translation, the clause, and the words of the sentence."""

    def __init__(self, key: str, **words: object) -> None:
        self.refusal = Refusal(key, "table", {name: str(word) for name, word in words.items()})
        super().__init__(self.reason())

    def reason(self, language: str = "en") -> str:
        return say(self.refusal.key, language, **self.refusal.words)


@dataclass(frozen=True)
class Setup:
    """A table's agreement. Times are in seconds; ``first`` is the seat that begins, None to draw it."""

    game: str
    players: int
    options: dict[str, bool] = field(default_factory=dict)
    rounds: int = 1
    clock: str = "none"
    seconds: int = 0
    takeover: int | None = 120
    first: int | None = None
    deputy: str = "random"  # the bot that takes over

    def __post_init__(self) -> None:
        rules = rules_of(self.game, self.players)
        object.__setattr__(self, "options", full_options(rules, self.options))
        most = MOST_ROUNDS if rules.SERIES else 1
        _within("rounds", self.rounds, 1, most)
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
        check_level(self.deputy)

    def value(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Setup":
        return cls(**{name: value[name] for name in cls.__dataclass_fields__})


def _within(what: str, number: int, least: int, most: int) -> None:
    if isinstance(number, bool) or not least <= number <= most:
        raise SetupError(f"{what} is from {least} to {most}, not {number}")


def check_level(level: str) -> None:
    """A bot that may sit at a table: one of ours, never a class that somebody names from afar."""
    if level not in BOTS:
        raise SetupError(f"there is no bot {level!r}; choose one of {', '.join(BOTS)}")


# Letters and signs by their category that show nothing: Hangul fillers, and Braille without a dot.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_MARKS = ("Mn", "Me", "Mc")
# No language piles up more than this on one letter.
_MOST_MARKS = 3


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


@dataclass
class Seat:
    """A place at the table: open, a person's (a guest may hold several), or a bot's."""

    kind: str = "open"
    name: str = ""
    guest: str = ""
    level: str = ""
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

    def value(self) -> dict[str, Any]:
        """What everybody may know of a seat; whose guest it is, is nobody's business."""
        names = ("kind", "name", "level", "left", "relieved", "resigned", "ready", "time_left")
        return {name: getattr(self, name) for name in names}
