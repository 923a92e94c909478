"""The dice game (docs/rules/dice.md)."""

from sixfold.games.contract import Flag, Option

NAME = "dice"
VERSION = 1
YEAR = 2012
PLAYERS = (2, 3, 4)
OPTIONS: dict[str, Option] = {"split_jokers": Flag(), "hidden_start": Flag()}
# D14: by default as many games as players.
ROUNDS = {players: players for players in PLAYERS}
LAST = GOAL = 7
AREAS = (3, 6, LAST)
MINUTES = 15
