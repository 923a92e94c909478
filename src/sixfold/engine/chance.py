"""Where outcomes come from: a seeded generator, or a list that somebody wrote."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from sixfold.games.shared.generator import below, picked, seed_word, stream


class Chance(Protocol):
    """What a game asks when something is drawn or rolled."""

    def pick(self, weights: np.ndarray) -> int:
        """Choose one kind of item, each as likely as its share of all items."""


class Seeded:
    """The same outcomes for the same seed; ``number`` tells the games of one run apart."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self.generator = np.array([stream(seed_word(seed), number)], dtype=np.uint64)

    def below(self, limit: int) -> int:
        return int(below(self.generator, limit))

    def pick(self, weights: np.ndarray) -> int:
        return int(picked(self.generator, weights))


class Scripted:
    """Outcomes in a given order, for tests and for replaying; asking for more, or for what is not there, fails."""

    def __init__(self, items: Iterable[int]) -> None:
        self.items = list(items)

    def pick(self, weights: np.ndarray) -> int:
        # The first outcome that is possible: a record does not say in which order the items of one event came.
        for at, item in enumerate(self.items):
            if weights[item]:
                return self.items.pop(at)
        raise ValueError(f"none of the script's outcomes is possible here: {self.items}")
