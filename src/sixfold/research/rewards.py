"""Final rewards of a game."""

import numpy as np

from sixfold.engine.game import Position
from sixfold.games.shared.ranking import utility


def by_place(position: Position) -> list[float]:
    """Rewards by place: from 1 for the first to -1 for the last, in even steps; they sum to zero."""
    result = position.result
    assert result is not None
    places, players = np.array(result.places, dtype=np.int8), len(result.places)
    return [float(utility(places, players, player)) for player in range(players)]
