"""What a game is worth to its players in the end."""

from sixfold.engine.game import Position


def by_place(position: Position) -> list[float]:
    """1 for who is ahead of everybody, -1 for who is behind everybody, evenly in between; together nothing."""
    result = position.result
    assert result is not None
    behind = len(result.places) - 1
    return [sum((other > place) - (other < place) for other in result.places) / behind for place in result.places]
