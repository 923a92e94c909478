"""Expectimax over the rolls of a turn: one look ahead like ``greedy``, with the search's foresight and no search."""

from sixfold.bots import Budget
from sixfold.bots.choosing import best
from sixfold.bots.greedy import Judge, copied
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View


class Careful:
    """In the dice game the chances of all rolls are counted, by the turns that a sheet still needs."""

    def __init__(self, game: str, players: int) -> None:
        self._judge = Judge(game, foresight=True)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        _, values = self._judge(copied(view))
        return view.legal()[int(best(values))]
