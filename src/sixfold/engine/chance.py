"""Sources of chance outcomes: a seeded generator or a fixed script."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from sixfold.games.shared.generator import below, picked, seed_word, stream


class Chance(Protocol):
    """A source of outcomes for draws and rolls."""

    def pick(self, weights: np.ndarray) -> int:
        """Pick a kind of item with probability proportional to its weight."""


class Seeded:
    """Reproducible outcomes from a seed; ``number`` selects the game within a run."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self.generator = np.array([stream(seed_word(seed), number)], dtype=np.uint64)

    def below(self, limit: int) -> int:
        return int(below(self.generator, limit))

    def pick(self, weights: np.ndarray) -> int:
        return int(picked(self.generator, weights))


class Scripted:
    """Outcomes from a list, for tests and replays; raises when the list is exhausted or its items are impossible."""

    def __init__(self, items: Iterable[int]) -> None:
        self.items = list(items)

    def pick(self, weights: np.ndarray) -> int:
        # Take the first possible outcome, because a record does not keep the order of the items within an event.
        for index, item in enumerate(self.items):
            if weights[item]:
                return self.items.pop(index)
        raise ValueError(f"none of the script's outcomes is possible here: {self.items}")
