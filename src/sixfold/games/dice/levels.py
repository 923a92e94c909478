"""Levels of play in the dice game."""

from sixfold.games.contract import Level

# Level 5 considers every possible roll, level 4 plays the net's best move; the others overlook some of their moves.
LEVELS = (
    Level("net", habits={"blind": 64}),
    Level("net", habits={"blind": 40}),
    Level("net", habits={"blind": 20}),
    Level("net"),
    Level("netrolls"),
)
# With two players the game is solved, and there is no net.
SPECIAL = {
    (2, 1): Level("greedy", slips=85),
    (2, 2): Level("greedy", slips=55),
    (2, 3): Level("greedy", slips=30),
    (2, 4): Level("greedy"),
    (2, 5): Level("solved"),
}
BOTS = {
    "netrolls": "sixfold.solve.play.netrolls:NetRolls",
    "perfect": "sixfold.solve.play.players:Perfect",
    "solved": "sixfold.solve.play.players:Solved",
}
DATA_FILES = ("net-3.npz", "net-4.npz")
