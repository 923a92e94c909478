"""Levels of play in the card game."""

from sixfold.games.contract import Level

# Level 5 thinks as long as nobody notices the wait, level 4 only looks at what its net says. The others are
# short-sighted: they look at few moves, those that bring most at once, and overlook some.
LEVELS = (
    Level("net", habits={"looks": 1, "blind": 40}),
    Level("net", habits={"looks": 1}),
    Level("net", habits={"looks": 2, "blind": 4}),
    Level("net"),
    Level("netsearch", milliseconds=300),
)
# With more players luck has a greater share, and the steps are smaller.
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
