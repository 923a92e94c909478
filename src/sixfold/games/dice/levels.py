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
BOTS = {"perfect": "sixfold.solve.play.players:Perfect", "solved": "sixfold.solve.play.players:Solved"}
