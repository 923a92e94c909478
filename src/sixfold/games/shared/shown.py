"""What the games' positions share: items and counts in the words of the notation, and back."""

from collections.abc import Mapping, Sequence

import numpy as np

from sixfold.games.shared.picture import HIDDEN
from sixfold.games.shared.symbols import NONE


def named_counts(names: Sequence[str], counts: Sequence[int]) -> dict[str, int]:
    return {names[item]: number for item, number in enumerate(counts) if number}


def tell_items(names: Sequence[str], items: np.ndarray, size: np.ndarray, told: Sequence[Sequence[str]]) -> None:
    for player, held in enumerate(told):
        size[player] = len(held)
        for at, name in enumerate(held):
            items[player, at] = NONE if name == HIDDEN else names.index(name)


def tell_counts(names: Sequence[str], counts: np.ndarray, told: Mapping[str, int]) -> None:
    for item, name in enumerate(names):
        counts[item] = told.get(name, 0)
