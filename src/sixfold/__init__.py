"""Sixfold: Reiner Knizia's three small "Einfach Genial" games, to play, to study and to build on."""

from sixfold.chance import Chance, Scripted, Seeded
from sixfold.games import GAMES, Game, Moves, Result, SetupError, View, start
from sixfold.notation import Refused
from sixfold.series import Series

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
