"""Levels of play in the card game."""

from sixfold.games.contract import Level

# Level 5 searches for an unnoticeable time, level 4 plays the net's best move without search. The others evaluate only
# the few moves with the largest immediate gain, and overlook some of them.
LEVELS = (
    Level("net", habits={"looks": 1, "blind": 40}),
    Level("net", habits={"looks": 1}),
    Level("net", habits={"looks": 2, "blind": 4}),
    Level("net"),
    Level("netsearch", milliseconds=300),
)
# With more players luck matters more, so that the levels lie closer together.
_FIRST, _SECOND = Level("net", habits={"looks": 1, "blind": 49}), Level("net", habits={"looks": 1, "blind": 25})
SPECIAL = {
    (3, 1): _FIRST,
    (3, 2): _SECOND,
    (3, 3): Level("net", habits={"looks": 2, "blind": 12}),
    (4, 1): _FIRST,
    (4, 2): _SECOND,
    (4, 3): Level("net", habits={"looks": 1}),
}
BOTS: dict[str, str] = {}
DATA_FILES = ("net-2.npz", "net-3.npz", "net-4.npz")
