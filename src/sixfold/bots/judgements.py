"""What makes a move good, game by game: compiled, and in terms that a player would name.

Every game's module has the same functions, so that one search serves all games:

- ``look`` fills ``sight`` (what a player sees at a glance) and ``act`` does a move and keeps ``sight`` up to date;
- ``terms`` says what a move is good for, term by term, and ``WEIGHTS`` makes one number of it;
- ``candidates`` finds the moves that look best at first sight, ``light`` a sensible one as fast as possible;
- ``standing`` says how well a player stands, ``REACH`` how far a standing decides the game.
"""

from types import ModuleType

from sixfold.games.cards import judgement as cards
from sixfold.games.dice import judgement as dice
from sixfold.games.travel import judgement as travel

JUDGEMENTS: dict[str, ModuleType] = {"travel": travel, "cards": cards, "dice": dice}
