"""The bot that plays uniformly at random."""

from sixfold.bots import Budget
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View


class Random:
    """Plays a legal move chosen uniformly."""

    def __init__(self, game: str, players: int) -> None:
        pass

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves = view.legal()
        return moves[chance.below(len(moves))]
