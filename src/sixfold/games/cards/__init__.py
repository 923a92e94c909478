"""The card game (docs/rules/cards.md)."""

from sixfold.games.contract import Option

NAME = "cards"
VERSION = 1
YEAR = 2008
PLAYERS = (2, 3, 4)
OPTIONS: dict[str, Option] = {}
ROUNDS = dict.fromkeys(PLAYERS, 1)
LAST = 10
GOAL = 7
AREAS = (3, 6, LAST)
MINUTES = 20
