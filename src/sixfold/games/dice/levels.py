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
    "netrolls": "sixfold.solve.play.netrolls:NetRolls",
    "perfect": "sixfold.solve.play.players:Perfect",
    "solved": "sixfold.solve.play.players:Solved",
}
DATA_FILES = ("net-3.npz", "net-4.npz")
