"""The travel edition (docs/rules/travel.md)."""

from sixfold.games.contract import Flag, Option

NAME = "travel"
VERSION = 1
YEAR = 2006
PLAYERS = (2,)
OPTIONS: dict[str, Option] = {"open_racks": Flag()}
ROUNDS: dict[int, int] = {}
LAST = GOAL = 18
AREAS = (LAST,)
MINUTES = 20
