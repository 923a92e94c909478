"""Shared helpers for rendering positions as text: a player's values, and items that may be hidden."""

from collections.abc import Sequence

import numpy as np

from sixfold.games.shared.symbols import NONE, SYMBOLS

HIDDEN = "??"


def values_text(row: np.ndarray) -> str:
    return " ".join(f"{letter}{value:<2}" for letter, value in zip(SYMBOLS, row, strict=True))


def item_names(names: Sequence[str], items: Sequence[int] | np.ndarray, size: int) -> list[str]:
    """The names of a player's items, with ``??`` for hidden ones."""
    return [HIDDEN if item == NONE else names[item] for item in items[:size]]
