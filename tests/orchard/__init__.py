"""Orchard, a small game of another family than posy, also unknown to the sources: partners, a single player, a ranking
of its own, a private choice, and neither levels nor heuristics.

- **O1** There are five kinds of fruit, five of each. One to four players; of four, those opposite are partners.
- **O2** At the start each player takes three fruits, hidden from the others.
- **O3** A turn: lay a fruit from the hand in front of you, on top of what you laid before.
- **O4** Your harvest grows by one, and by one more if your partner's topmost fruit is the same. What you spoil grows by
  one for every opponent whose topmost fruit is the same.
- **O5** If all fruits left in your hand are the same, you may show and trade them for new ones, while there are any.
- **O6** Then take fruits until you have three again, as long as there are any.
- **O7** The game ends when all hands are empty.
- **O8** The harvest less what was spoilt decides, partners together; partners share a place.
"""

from sixfold.games.contract import Option

NAME = "orchard"
VERSION = 1
YEAR = 2026
PLAYERS = (1, 2, 3, 4)
OPTIONS: dict[str, Option] = {}
ROUNDS: dict[int, int] = {}
LAST = 50
GOAL = LAST
AREAS = (LAST,)
MINUTES = 5
