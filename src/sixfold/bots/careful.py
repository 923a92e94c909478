"""A one-ply bot like ``greedy`` that evaluates with the foresight weights: expectimax over the rolls of a turn."""

from sixfold.bots import Budget
from sixfold.bots.greedy import OnePly, state_array
from sixfold.bots.selection import argmax
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View


class Careful:
    """In the dice game it weighs every roll by its chance and by the turns that a sheet still needs."""

    def __init__(self, game: str, players: int) -> None:
        self._one_ply = OnePly(game, foresight=True)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        _, values = self._one_ply(state_array(view))
        return view.legal()[int(argmax(values))]
