"""Levels of play in the travel edition."""

from sixfold.games.contract import Level

# Level 5 searches for an unnoticeable time, level 4 plays the net's best move without search. The others evaluate only
# the few moves with the largest immediate gain, and overlook some of them.
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
