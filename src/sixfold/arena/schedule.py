"""The games to play: every pairing in all seat orders, with the same random seed for each order."""

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
    """The settings of a run. Equal settings with budgets in iterations give identical games."""

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
        """The same settings with all options and pairings filled in; refuses what cannot be played."""
        rules = rules_of(self.game, self.players)
        options = full_options(rules, self.options)
        if len(self.bots) < 2 or len(set(self.bots)) < len(self.bots):
            raise SetupError("the arena needs at least two bots, each named once")
        if self.games < 1:
            raise SetupError(f"--games has to be at least 1, not {self.games}")
        if self.move_limit is not None and self.move_limit <= 0:
            raise SetupError(f"--move-limit has to be more than 0 seconds, not {self.move_limit:g}")
        bot_instances = [_make_bot(name, self.game, self.players) for name in self.bots]
        digests = code_and_data_digests(cast(ModuleType, rules), self.bots)
        for bot in bot_instances:
            if isinstance(bot, DeclaresData):
                digests |= bot.data_digests(options)
        return Settings(
            self.game,
            self.bots,
            self.players,
            self.games,
            options,
            self.budget,
            self.seed,
            default_move_limit(self.budget) if self.move_limit is None else self.move_limit,
            self.pairings or tuple(combinations(self.bots, 2)),
            digests,
        )

    @property
    def limit(self) -> float:
        """Seconds that a bot may take for a move before it forfeits."""
        return default_move_limit(self.budget) if self.move_limit is None else self.move_limit

    @property
    def orders(self) -> int:
        """The number of seat orders in which each deal is played."""
        return len(seatings(("one", "other"), self.players))

    @property
    def deals(self) -> int:
        """The number of deals per pairing; each is played in all seat orders."""
        return -(-self.games // self.orders)

    @property
    def total(self) -> int:
        """The total number of games."""
        return self.deals * len(self.pairings) * self.orders

    def fixtures(self) -> Iterator[Fixture]:
        """All games, deal by deal, so that an interrupted run has played every pairing about equally often."""
        for deal in range(self.deals):
            for pair in self.pairings:
                for seats in seatings(pair, self.players):
                    yield Fixture(deal, seats)

    def identity(self) -> dict[str, Any]:
        """What identifies a run: everything except the number of games."""
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


def _make_bot(name: str, game: str, players: int) -> Bot:
    """Create a bot, refusing one that cannot be created."""
    try:
        return bots.make(name, game, players)
    except SetupError:
        raise
    except Exception as error:
        raise SetupError(f"the bot {name!r} cannot be made: {type(error).__name__}: {error}") from error


def seatings(pair: tuple[str, str], players: int) -> list[tuple[str, ...]]:
    """All seatings of two bots in which both take part: 2 for two players, 6 for three, 14 for four.

    Swapping the two bots leaves the list unchanged, so each has every seat equally often against the same opponents.
    """
    return [seats for seats in product(pair, repeat=players) if len(set(seats)) == 2]


def code_and_data_digests(rules: ModuleType, names: Iterable[str]) -> dict[str, str]:
    """A digest of all code of the bots and the game, and one of every data file.

    It prevents continuing a run with different bots, and documents what was measured.
    """
    modules = [*sources.in_package(bots.__name__), *sources.beside(sources.of(rules))]
    custom_bots = packages()[rules.NAME].levels.BOTS.values()
    modules += [module for path in custom_bots for module in sources.in_package(path.partition(":")[0])]
    modules += [sources.loaded(module) for module in map(bots.module_of, names)]
    closure = sources.closure(modules)
    data = sorted(file for module in closure for file in sources.data_files(module))
    digests = {"code": sources.digest(closure), **{name: sources.digest([(name, path)]) for name, path in data}}
    return {name: digest[:12] for name, digest in digests.items()}


_BUDGET = re.compile(r"(\d+(?:\.\d+)?)(ms|it)")


def read_budget(text: str | None) -> Budget:
    """Parse ``100ms`` or ``500it``; None leaves the budget to each bot."""
    if text is None:
        return Budget()
    match = _BUDGET.fullmatch(text)
    if match and float(match[1]) > 0:
        if match[2] == "ms":
            return Budget(milliseconds=float(match[1]))
        if match[1].isdigit():
            return Budget(iterations=int(match[1]))
    raise SetupError(f"a budget is written 100ms (milliseconds) or 500it (iterations), not {text!r}")


def write_budget(budget: Budget) -> str | None:
    """The budget in the form that ``read_budget`` parses."""
    if budget.milliseconds is not None:
        return f"{budget.milliseconds:g}ms"
    return None if budget.iterations is None else f"{budget.iterations}it"


def default_move_limit(budget: Budget) -> float:
    """The default limit per move in seconds: ten times the budget but at least ten, or 60 without a time budget."""
    return 60.0 if budget.milliseconds is None else max(10.0, budget.milliseconds / 100)
