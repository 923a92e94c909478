"""What a net says of one position, all of its numbers."""

import numpy as np

from sixfold.bots.net import listen, say_of_one, scratch


def said(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray) -> list[float]:
    numbers = []
    for which in range(int(sizes[-1])):
        room = scratch(int(sizes.max()))
        listen(weights, sizes, told, room, 0)
        numbers.append(say_of_one(weights, sizes, room, which))
    return numbers
