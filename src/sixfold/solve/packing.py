"""Values as they stand in a file: twenty bits each, between the lowest and the highest value of their pair of sheets.

A pair of sheets takes four bytes, ``low`` and ``span`` in parts of 65535, both little-endian, and then five bytes for
every two columns: a column's value is ``(low + span * number / (2**20 - 1)) / 65535``. So the error is at most
``span / 2**21``, a twentieth of a millionth where the dice in view are worth a tenth of a win.
"""

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.solve.book import TIES, Numbering, ties
from sixfold.solve.equation import UNIT

COARSE = 65535
FINE = (1 << 20) - 1


def packed_sizes(columns: np.ndarray) -> np.ndarray:
    """How many bytes a pair of sheets takes, by its number of columns."""
    return np.where(columns > 0, 4 + (5 * columns + 1) // 2, 0).astype(np.int32)


@compiled
def unpacked(block: np.ndarray, at: int, column: int) -> int:
    """One value of the pair that begins at ``at``, in parts of UNIT."""
    low = int(block[at]) | int(block[at + 1]) << 8
    span = int(block[at + 2]) | int(block[at + 3]) << 8
    byte = at + 4 + column * 5 // 2
    word = int(block[byte]) | int(block[byte + 1]) << 8 | int(block[byte + 2]) << 16
    fine = word & FINE if column % 2 == 0 else word >> 4
    return int((low + span * (fine / FINE)) / COARSE * UNIT + 0.5)


@compiled
def pack_pair(values: np.ndarray, columns: int, block: np.ndarray, at: int) -> None:
    """Write the values of one pair."""
    low = UNIT
    high = 0
    for column in range(columns):
        low = min(low, values[column])
        high = max(high, values[column])
    low = int(np.floor(low / UNIT * COARSE))
    span = int(np.ceil(high / UNIT * COARSE)) - low
    for byte in range(2):
        block[at + byte] = low >> 8 * byte & 255
        block[at + 2 + byte] = span >> 8 * byte & 255
    for column in range(columns):
        share = (values[column] / UNIT * COARSE - low) / max(span, 1)
        fine = min(max(int(share * FINE + 0.5), 0), FINE)
        byte = at + 4 + column * 5 // 2
        if column % 2 == 0:
            block[byte] = fine & 255
            block[byte + 1] = fine >> 8 & 255
            block[byte + 2] = fine >> 16
        else:
            block[byte] |= (fine & 15) << 4
            block[byte + 1] = fine >> 4 & 255
            block[byte + 2] = fine >> 12


@compiled
def packed_class_size(numbering: Numbering, which: int, sizes: np.ndarray) -> int:
    """How many bytes a class takes."""
    size = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] >= 0:
            size += sizes[which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])]
    return size


@compiled
def pack_class(numbering: Numbering, which: int, sizes: np.ndarray, values: np.ndarray, block: np.ndarray) -> None:
    """Write all pairs of a class; ``values`` and ``block`` begin with it."""
    at = 0
    for sheet in range(numbering.sheets.size):
        place = numbering.place[which, sheet]
        if place >= 0:
            form = which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])
            pack_pair(values[place:], numbering.columns[form], block, at)
            at += sizes[form]


@compiled
def count_values(numbering: Numbering, which: int) -> int:
    """How many values a class has."""
    number = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] >= 0:
            number += numbering.columns[which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])]
    return number


@compiled
def unpack_class(numbering: Numbering, which: int, block: np.ndarray, values: np.ndarray) -> None:
    """Read all pairs of a class, which stand where the numbering of the file says."""
    number = 0
    for sheet in range(numbering.sheets.size):
        at = numbering.place[which, sheet]
        if at >= 0:
            form = which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])
            for column in range(numbering.columns[form]):
                values[number] = unpacked(block, at, column)
                number += 1
