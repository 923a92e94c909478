"""Levels of play in the dice game."""

from sixfold.games.contract import Level

LEVELS = (
    Level("greedy", slips=85),
    Level("greedy", slips=55),
    Level("greedy", slips=30),
    Level("greedy"),
    Level("careful"),
)
# With two players the game is solved.
SPECIAL = {(2, 5): Level("solved")}
BOTS = {
    "netrolls": "sixfold.bots.netrolls:NetRolls",
    "perfect": "sixfold.solve.players:Perfect",
    "solved": "sixfold.solve.players:Solved",
}
