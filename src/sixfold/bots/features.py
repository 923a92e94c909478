"""What nets are told of each game: the modules that turn what a seat knows into numbers.

Every game's module has the same functions, so that one trainer and one bot serve all games:

- ``describe`` tells a net what a seat knows of a position, as ``inputs`` whole numbers, each divided by its ``scales``;
- ``glance`` sees a position before a decision, and ``slot`` names each of its ``slots`` moves with what it looks like
  at first sight; the ``judged`` best of them are shown to the net.
"""

from types import ModuleType

from sixfold.games.cards import features as cards
from sixfold.games.dice import features as dice
from sixfold.games.travel import features as travel

FEATURES: dict[str, ModuleType] = {"travel": travel, "cards": cards, "dice": dice}
