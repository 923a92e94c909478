"""Posy, a small game that the sources have never heard of: it proves that a package is all that a game needs.

- **P1** A pack has six flowers, one for each symbol, six of each kind; with the option ``pack`` "large", eight.
- **P2** Two to four players are dealt four flowers each, hidden from the others unless ``open_hands`` is chosen.
- **P3** A turn: lay a flower from the hand in front of you, on top of what you laid before.
- **P4** Its symbol's value rises by one, and by one more for every other player whose topmost flower shows it.
- **P5** A value stops at 5.
- **P6** Then draw a flower, as long as there are any.
- **P7** Who has all six values at 2 or more wins at once. Otherwise the game ends when all hands are empty.
- **P8** Compare the lowest value, then the next lowest, and so on.
"""

from sixfold.games.contract import Choice, Flag, Option

NAME = "posy"
VERSION = 1
YEAR = 2026
PLAYERS = (2, 3, 4)
OPTIONS: dict[str, Option] = {"pack": Choice("small", ("small", "large")), "open_hands": Flag()}
ROUNDS = dict.fromkeys(PLAYERS, 3)
LAST = 5
GOAL = 2
AREAS = (LAST,)
MINUTES = 5
