"""The expected number of turns that a sheet of the dice game still needs, computed for a single player.

The dice of the other players are taken as random rolls; their sheets are ignored. ``python -m
sixfold.games.dice.turns_needed`` computes the numbers for two to four players and rewrites ``turns.json``.
"""

import json
from importlib import resources
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from pathlib import Path

import numpy as np

from sixfold.games.dice import AREAS, rules
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import limit

FILE = "turns.json"
DATA_FILES = ("turns.json",)
SWEEPS = 60
CLOSE = 5e-4


def _sheets() -> np.ndarray:
    """Every sorted sheet that D11 allows, the fullest first."""
    sheets = [
        rows
        for rows in combinations_with_replacement(range(rules.BOXES + 1), 6)
        if rows[5] <= limit(np.array(rows, dtype=np.int8), AREAS)
    ]
    return np.array(sorted(sheets, key=sum, reverse=True), dtype=np.int8)


def rolls(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Every roll of a number of dice as counts of the six symbols, and its probability."""
    counts = [
        [symbols.count(symbol) for symbol in range(6)] for symbols in combinations_with_replacement(range(6), number)
    ]
    orders = [factorial(number) // prod(factorial(count) for count in row) for row in counts]
    return np.array(counts, dtype=np.int8), np.array(orders) / 6**number


# A sheet as a word: how many rows have at least 1, 2 … 7 marks, four bits each. A word is the sum of its rows' shares.
SHARE = np.array([sum(1 << (4 * box) for box in range(marks)) for marks in range(rules.BOXES + 1)], dtype=np.int64)
# The index of such a non-increasing sequence of seven numbers among all of them, as a sum over the seven.
_PLACE = np.array([[comb(rows + 6 - box, 7 - box) for rows in range(7)] for box in range(7)], dtype=np.int64)
PLACES = comb(13, 6)


@compiled
def place(word: int) -> int:
    """The index of a sheet, given as a word, in a table of all sheets."""
    number = 0
    for box in range(7):
        number += _PLACE[box, (word >> (4 * box)) & 15]
    return number


@compiled
def word_of(sheet: np.ndarray) -> int:
    """A sheet as a word."""
    word = 0
    for symbol in range(6):
        word += SHARE[sheet[symbol]]
    return word


@compiled
def best_of_rolls(values: np.ndarray, chances: np.ndarray, left: int) -> float:
    """D4: the expected number of turns under optimal rerolling, before the first of ``left`` rolls."""
    expected = 1.0e9
    for _ in range(left):
        again = expected
        expected = 0.0
        for roll in range(values.size):
            expected += chances[roll] * min(values[roll], again)
    return expected


@compiled
def after_scoring(trial: np.ndarray, sheet: np.ndarray, table: np.ndarray) -> float:
    """The number of turns still needed after the best scoring move for the current roll."""
    state = trial[0]
    best = 1.0e9
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            for symbol in range(6):
                state.marks[0, symbol] = sheet[symbol]
            rules.earn(state, move)
            rules.mark(state)
            best = min(best, table[place(word_of(state.marks[0]))])
    return best


@compiled_with_arrays
def turns_from(
    sheet: np.ndarray,
    trial: np.ndarray,
    own: np.ndarray,
    own_chances: np.ndarray,
    shown_rolls: np.ndarray,
    shown_chances: np.ndarray,
    table: np.ndarray,
) -> float:
    """The expected number of turns from a sheet, averaged over the dice that the others may show."""
    state = trial[0]
    values = np.empty(len(own))
    number = 1.0
    for roll_shown in range(len(shown_rolls)):
        for symbol in range(6):
            state.dice[1, symbol] = shown_rolls[roll_shown, symbol]
        for roll in range(len(own)):
            for symbol in range(6):
                state.dice[0, symbol] = own[roll, symbol]
            values[roll] = after_scoring(trial, sheet, table)
        number += shown_chances[roll_shown] * best_of_rolls(values, own_chances, rules.ROLLS)
    return number


def count_out(players: int) -> np.ndarray:
    """Compute the turns of every sheet by its index, from the full sheet down."""
    trial = rules.start(2)
    trial[0].phase = rules.DECIDE
    trial[0].turn = 0
    trial[0].rolls = rules.ROLLS
    own = rolls(6 - players)
    shown_rolls = rolls((6 - players) * (players - 1))
    table = np.zeros(PLACES)
    for sheet in _sheets()[1:]:
        at = place(word_of(sheet))
        # A turn may bring nothing, so the equation contains its own result; iteration converges quickly.
        table[at] = 5.0
        for _ in range(SWEEPS):
            before = table[at]
            table[at] = turns_from(sheet, trial, *own, *shown_rolls, table)
            if abs(table[at] - before) < CLOSE:
                break
    return table


def read() -> np.ndarray:
    """The turns of every sheet by its index, for two, three and four players."""
    rows = json.loads(resources.files("sixfold.games.dice").joinpath(FILE).read_text(encoding="utf-8"))
    table = np.zeros((3, PLACES))
    for sheet, *numbers in rows:
        table[:, place(word_of(np.array([int(marks) for marks in sheet], dtype=np.int8)))] = numbers
    return table


def write() -> None:
    """Compute everything and write the file."""
    tables = [count_out(players) for players in rules.PLAYERS]
    rows = []
    for sheet in _sheets():
        at = place(word_of(sheet))
        rows.append(["".join(str(marks) for marks in sheet), *(round(float(table[at]), 3) for table in tables)])
    lines = ",\n".join(json.dumps(row) for row in rows)
    Path(__file__).with_name(FILE).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write()
