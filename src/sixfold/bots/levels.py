"""The five playing levels, built from the other bots."""

from functools import partial

import numpy as np

from sixfold.bots import Bot, Budget, make
from sixfold.bots.greedy import OnePly, state_array
from sixfold.bots.selection import PERCENT, random_of_better_half
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.games import GAMES, packages
from sixfold.games.contract import Level

# The names of the levels are in the languages' tables: level_1 to level_5.
LEVELS = (1, 2, 3, 4, 5)


def level_of(game: str, players: int, number: int) -> Level:
    """The definition of a level for a game and a number of players."""
    levels = packages()[game].levels
    return levels.SPECIAL.get((players, number), levels.LEVELS[number - 1])


class LevelBot:
    """A bot that plays at a level, within the smaller of the level's budget and the caller's."""

    def __init__(self, number: int, game: str, players: int) -> None:
        self.level = level_of(game, players, number)
        self._bot: Bot = make(self.level.bot, game, players, **self.level.habits)
        self._one_ply = OnePly(game) if self.level.slips else None

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        if self._one_ply is not None and chance.below(PERCENT) < self.level.slips:
            return self._slip(self._one_ply, view, chance)
        return self._bot.choose(view, self._budget(budget), chance)

    def _budget(self, budget: Budget) -> Budget:
        """The level's budget capped by the caller's; a caller's limit on iterations turns off the clock."""
        if budget.iterations is not None:
            return Budget(iterations=min(budget.iterations, self.level.iterations or budget.iterations))
        limits = [limit for limit in (budget.milliseconds, self.level.milliseconds) if limit is not None]
        return Budget(min(limits) if limits else None, self.level.iterations)

    def _slip(self, one_ply: OnePly, view: View, chance: Seeded) -> str:
        """A move chosen uniformly from the better half."""
        moves = view.legal()
        _, values = one_ply(state_array(view))
        order = np.empty(len(moves), dtype=np.int32)
        return moves[int(random_of_better_half(values, order, chance.generator))]


level1, level2, level3, level4, level5 = (partial(LevelBot, number) for number in LEVELS)


def warm_up(*names: str) -> None:
    """Compile what the levels of the named games need, or of all games, so that no table waits for it."""
    for name in names or GAMES:
        for players in GAMES[name].PLAYERS:
            game = start(name, players, chance=Seeded(1))
            assert game.turn is not None
            for number in LEVELS:
                LevelBot(number, name, players).choose(game.view(game.turn), Budget(iterations=1), Seeded(1))
