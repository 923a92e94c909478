"""Final rewards of a game."""

from sixfold.engine.game import Position


def by_place(position: Position) -> list[float]:
    """Rewards by place: from 1 for the first to -1 for the last, in even steps; they sum to zero."""
    result = position.result
    assert result is not None
    opponents = len(result.places) - 1
    return [sum((other > place) - (other < place) for other in result.places) / opponents for place in result.places]
