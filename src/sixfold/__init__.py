"""Sixfold: Reiner Knizia's three small "Einfach Genial" games, to play, to study and to build on."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sixfold.engine.chance import Chance, Scripted, Seeded
    from sixfold.engine.game import Game, Moves, Result, SetupError, View, start
    from sixfold.engine.notation import Refused
    from sixfold.engine.series import Series
    from sixfold.games import GAMES

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Chance",
    "Game",
    "Moves",
    "Refused",
    "Result",
    "Scripted",
    "Seeded",
    "Series",
    "SetupError",
    "View",
    "start",
]

# The module that defines each exported name. Importing them is slow, so each is loaded on first use.
_EXPORTS = {
    "games": ("GAMES",),
    "engine.chance": ("Chance", "Scripted", "Seeded"),
    "engine.game": ("Game", "Moves", "Result", "SetupError", "View", "start"),
    "engine.notation": ("Refused",),
    "engine.series": ("Series",),
}


def __getattr__(name: str) -> Any:
    for module, names in _EXPORTS.items():
        if name in names:
            return getattr(import_module(f"sixfold.{module}"), name)
    raise AttributeError(f"module 'sixfold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
