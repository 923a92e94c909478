"""Which games are played: every pairing in all seat orders, with the same chance for each order."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from sixfold import bots
from sixfold.bots import Budget
from sixfold.engine.game import SetupError, full_options, rules_of
from sixfold.games.contract import Value


class Fixture(NamedTuple):
    """One game to play: which deal, and which bot sits in which seat."""

    deal: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """What is played. Two runs with equal settings and budgets in iterations play the same games."""

    game: str
    bots: tuple[str, ...]
    players: int = 2
    games: int = 100
    options: dict[str, Value] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    seed: int = 1
    move_limit: float | None = None
    pairings: tuple[tuple[str, str], ...] = ()

    def checked(self) -> "Settings":
        """The same, with every option and every pairing named; refuses what cannot be played."""
        rules = rules_of(self.game, self.players)
        options = full_options(rules, self.options)
        if len(self.bots) < 2 or len(set(self.bots)) < len(self.bots):
            raise SetupError("the arena needs at least two bots, each named once")
        if self.games < 1:
            raise SetupError(f"--games has to be at least 1, not {self.games}")
        if self.move_limit is not None and self.move_limit <= 0:
            raise SetupError(f"--move-limit has to be more than 0 seconds, not {self.move_limit:g}")
        for name in self.bots:
            _try(name, self.game, self.players)
        return Settings(
            self.game,
            self.bots,
            self.players,
            self.games,
            options,
            self.budget,
            self.seed,
            patience(self.budget) if self.move_limit is None else self.move_limit,
            self.pairings or tuple(combinations(self.bots, 2)),
        )

    @property
    def limit(self) -> float:
        """Seconds that a bot may take for a move before it has lost."""
        return patience(self.budget) if self.move_limit is None else self.move_limit

    @property
    def orders(self) -> int:
        """In how many seat orders each deal is played."""
        return len(seatings(("one", "other"), self.players))

    @property
    def deals(self) -> int:
        """How often every pairing is dealt: every deal is played in all seat orders, so games come in whole deals."""
        return -(-self.games // self.orders)

    @property
    def total(self) -> int:
        """How many games that makes."""
        return self.deals * len(self.pairings) * self.orders

    def fixtures(self) -> Iterator[Fixture]:
        """All games, deal by deal, so that a run that is stopped has played about as much of every pairing."""
        for deal in range(self.deals):
            for pair in self.pairings:
                for seats in seatings(pair, self.players):
                    yield Fixture(deal, seats)

    def identity(self) -> dict[str, Any]:
        """What two runs must have in common to be one: all but the number of games."""
        return {
            "game": self.game,
            "players": self.players,
            "options": self.options,
            "bots": list(self.bots),
            "pairings": [list(pair) for pair in self.pairings],
            "budget": write_budget(self.budget),
            "seed": self.seed,
            "move_limit": self.limit,
            "rules_version": rules_of(self.game).VERSION,
            "sources": fingerprint(),
        }


def _try(name: str, game: str, players: int) -> None:
    """Refuse a bot that cannot even be made."""
    try:
        bots.make(name, game, players)
    except SetupError:
        raise
    except Exception as error:
        raise SetupError(f"the bot {name!r} cannot be made: {type(error).__name__}: {error}") from error


def seatings(pair: tuple[str, str], players: int) -> list[tuple[str, ...]]:
    """Every way to seat two bots at a table such that both sit there: two for two players, 6 for three, 14 for four.

    Each bot has each seat equally often, against the same company: swap the two and the list is the same.
    """
    return [seats for seats in product(pair, repeat=players) if len(set(seats)) == 2]


def fingerprint() -> str:
    """Stands for the bots and rules of this version, so that a run is not continued with other bots."""
    package = Path(bots.__file__).parents[1]
    digest = hashlib.sha256()
    for room in ("games", "bots"):
        for path in sorted((package / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(ms|it)")


def read_budget(text: str | None) -> Budget:
    """``100ms`` or ``500it``; None leaves it to each bot."""
    if text is None:
        return Budget()
    found = _BUDGET.fullmatch(text)
    if found and float(found[1]) > 0:
        if found[2] == "ms":
            return Budget(milliseconds=float(found[1]))
        if found[1].isdigit():
            return Budget(iterations=int(found[1]))
    raise SetupError(f"a budget is written 100ms (milliseconds) or 500it (iterations), not {text!r}")


def write_budget(budget: Budget) -> str | None:
    """The budget as it is typed."""
    if budget.milliseconds is not None:
        return f"{budget.milliseconds:g}ms"
    return None if budget.iterations is None else f"{budget.iterations}it"


def patience(budget: Budget) -> float:
    """The usual limit for one move in seconds: ten times the budget, at least ten seconds; a minute without a clock."""
    return 60.0 if budget.milliseconds is None else max(10.0, budget.milliseconds / 100)
