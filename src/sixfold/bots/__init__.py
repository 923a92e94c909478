"""Bots: one file each, with one method, from what a seat may know to a move."""

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
    """How long a bot may think: milliseconds, or iterations where the answer must be repeatable."""

    milliseconds: float | None = None
    iterations: int | None = None


class Bot(Protocol):
    """A player without hands. It gets a view, never the game."""

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        """One of ``view.legal()``; the same view, iterations and chance give the same move."""


@runtime_checkable
class PlaysBy(Protocol):
    """A bot that plays by more than its code and the data files of its modules says so, for the arena's journal."""

    def plays_by(self, options: Mapping[str, Any]) -> dict[str, str]:
        """A digest for each such thing, by its name."""


# A bot's name and the class that plays it, imported only when somebody asks for it.
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
def known() -> dict[str, str]:
    """All bots by name, those that know only one game included."""
    return _EVERY_GAME | {name: place for game in packages().values() for name, place in game.levels.BOTS.items()}


def module_of(name: str) -> str:
    """The module in which a bot is at home."""
    return known().get(name, name).partition(":")[0]


def make(name: str, game: str, players: int, **habits: int) -> Bot:
    """A bot by its name, or anybody's own as ``module:Class``; the class is called with the game and the players, and
    with habits where a level has some."""
    module, colon, cls = known().get(name, name).partition(":")
    if not colon:
        raise SetupError(f"there is no bot {name!r}; choose one of {', '.join(known())}, or your own as module:Class")
    try:
        found = getattr(importlib.import_module(module), cls)
    except (ImportError, AttributeError) as error:
        raise SetupError(f"the bot {name!r} cannot be loaded: {error}") from None
    made: Bot = found(game, players, **habits)
    return made
