"""Levels of play in the card game."""

from sixfold.games.contract import Level

# Level 5 thinks as long as nobody notices the wait. Where iterations are named, the time is a limit for slow machines.
LEVELS = (
    Level("greedy", slips=85),
    Level("greedy", slips=50),
    Level("greedy"),
    Level("search", iterations=100, milliseconds=70),
    Level("search", milliseconds=300),
)
SPECIAL: dict[tuple[int, int], Level] = {}
BOTS: dict[str, str] = {}
DATA_FILES = ("net-2.npz", "net-3.npz", "net-4.npz")
