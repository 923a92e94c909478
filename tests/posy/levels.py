"""Levels of play in posy."""

from sixfold.games.contract import Level

LEVELS = (
    Level("greedy", slips=80),
    Level("greedy", slips=40),
    Level("greedy"),
    Level("search", iterations=50, milliseconds=50),
    Level("search", iterations=200, milliseconds=100),
)
SPECIAL: dict[tuple[int, int], Level] = {}
BOTS: dict[str, str] = {}
