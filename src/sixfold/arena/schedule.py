"""Which games are played: every pairing in all seat orders, with the same chance for each order."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from types import ModuleType
from typing import Any, NamedTuple, cast

from sixfold import bots, sources
from sixfold.bots import Bot, Budget, DeclaresData
from sixfold.engine.game import full_options, rules_of
from sixfold.errors import SetupError
from sixfold.games import packages
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
    bots_and_rules: dict[str, str] = field(default_factory=dict)

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
        tried = [_try(name, self.game, self.players) for name in self.bots]
        known = made_of(cast(ModuleType, rules), self.bots)
        for bot in tried:
            if isinstance(bot, DeclaresData):
                known |= bot.data_digests(options)
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
            known,
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
            "bots_and_rules": self.bots_and_rules,
        }


def _try(name: str, game: str, players: int) -> Bot:
    """Refuse a bot that cannot even be made."""
    try:
        return bots.make(name, game, players)
    except SetupError:
        raise
    except Exception as error:
        raise SetupError(f"the bot {name!r} cannot be made: {type(error).__name__}: {error}") from error


def seatings(pair: tuple[str, str], players: int) -> list[tuple[str, ...]]:
    """Every way to seat two bots at a table such that both sit there: two for two players, 6 for three, 14 for four.

    Each bot has each seat equally often, against the same company: swap the two and the list is the same.
    """
    return [seats for seats in product(pair, repeat=players) if len(set(seats)) == 2]


def made_of(rules: ModuleType, names: Iterable[str]) -> dict[str, str]:
    """Everything that bots play by: a digest of all code, their own and the game's, and one of every data file.

    So a run is not continued with other bots, and a page of results says what was measured.
    """
    modules = [*sources.in_package(bots.__name__), *sources.beside(sources.of(rules))]
    special = packages()[rules.NAME].levels.BOTS.values()
    modules += [module for place in special for module in sources.in_package(place.partition(":")[0])]
    modules += [sources.loaded(module) for module in map(bots.module_of, names)]
    parts = sources.closure(modules)
    data = sorted(file for module in parts for file in sources.data_files(module))
    digests = {"code": sources.digest(parts), **{name: sources.digest([(name, path)]) for name, path in data}}
    return {name: digest[:12] for name, digest in digests.items()}


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
