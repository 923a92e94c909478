"""The levels of a game that defines none: all of them play random moves."""

from sixfold.games.contract import Level

LEVELS = (Level("random"),) * 5
SPECIAL: dict[tuple[int, int], Level] = {}
BOTS: dict[str, str] = {}
