"""Bots: one file each, with one method that turns a view into a move."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, runtime_checkable

from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.errors import SetupError
from sixfold.games import packages


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: milliseconds, or iterations for repeatable results."""

    milliseconds: float | None = None
    iterations: int | None = None


class Bot(Protocol):
    """A computer player. It is given a view, never the game."""

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        """One of ``view.legal()``; the same view, iterations and chance give the same move."""


@runtime_checkable
class DeclaresData(Protocol):
    """A bot that depends on data besides its modules' code and data files, which the arena's journal records."""

    def data_digests(self, options: Mapping[str, Any]) -> dict[str, str]:
        """A digest of each such data source, by name."""


# Bot names and their classes, imported on demand.
_EVERY_GAME = {
    "random": "sixfold.bots.random:Random",
    "greedy": "sixfold.bots.greedy:Greedy",
    "careful": "sixfold.bots.careful:Careful",
    "search": "sixfold.bots.search:Search",
    "net": "sixfold.bots.net:Net",
    "netsearch": "sixfold.bots.netsearch:NetSearch",
    **{f"level{number}": f"sixfold.bots.levels:level{number}" for number in range(1, 6)},
}


@cache
def registry() -> dict[str, str]:
    """All bots by name, including those for a single game."""
    return _EVERY_GAME | {name: place for game in packages().values() for name, place in game.levels.BOTS.items()}


def module_of(name: str) -> str:
    """The module that defines a bot."""
    return registry().get(name, name).partition(":")[0]


def make(name: str, game: str, players: int, **habits: int) -> Bot:
    """Create a bot by name, or a custom one given as ``module:Class``.

    The class is called with the game, the number of players, and the options of a level (``habits``), if any.
    """
    module, colon, cls = registry().get(name, name).partition(":")
    if not colon:
        raise SetupError(
            f"there is no bot {name!r}; choose one of {', '.join(registry())}, or your own as module:Class"
        )
    try:
        factory = getattr(importlib.import_module(module), cls)
    except (ImportError, AttributeError) as error:
        raise SetupError(f"the bot {name!r} cannot be loaded: {error}") from None
    bot: Bot = factory(game, players, **habits)
    return bot
