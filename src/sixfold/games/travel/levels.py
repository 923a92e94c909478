"""Levels of play in the travel edition."""

from sixfold.games.contract import Level

# Level 5 thinks as long as nobody notices the wait, level 4 only looks at what its net says. The others are
# short-sighted: they look at few moves, those that bring most at once, and overlook some.
LEVELS = (
    Level("net", habits={"looks": 2, "blind": 40}),
    Level("net", habits={"looks": 3}),
    Level("net", habits={"looks": 12}),
    Level("net"),
    Level("netsearch", milliseconds=300),
)
SPECIAL: dict[tuple[int, int], Level] = {}
BOTS: dict[str, str] = {}
DATA_FILES = ("net-2.npz",)
