"""Sixfold: Reiner Knizia's three small "Einfach Genial" games, to play, to study and to build on."""

from sixfold.engine.chance import Chance, Scripted, Seeded
from sixfold.engine.game import GAMES, Game, Moves, Result, SetupError, View, start
from sixfold.engine.notation import Refused
from sixfold.engine.series import Series

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
