"""Moves of the travel edition as numbers: a pair of cells with two symbols on it in order, or the choice of T16."""

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import ORDERED
from sixfold.games.travel.board import PAIRS

KEEP = len(PAIRS) * ORDERED
SWAP = KEEP + 1
ACTIONS = SWAP + 1


@compiled
def placement(pair: int, way: int) -> int:
    """A tile on a pair of cells; the way is the symbol on its first cell and the one on its second."""
    return pair * ORDERED + way


@compiled
def pair_of(move: int) -> int:
    return move // ORDERED


@compiled
def way_of(move: int) -> int:
    return move % ORDERED
