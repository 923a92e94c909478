"""Reduced dice games solved by brute force in exact fractions: the referee's rules, no symmetry, no shortcuts.

A game with fewer symbols leaves the other rows full, and no die shows them; one with fewer boxes begins with marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.referee.common import SYMBOLS
from tests.referee.dice import ROLLS, ROW, mark, marks_for, scorings

Sheet = tuple[int, ...]
Roll = tuple[int, ...]
Position = tuple[Sheet, Sheet, Roll]  # mine, theirs, and the dice they show, each in the order of the symbols


class BruteForceSolver:
    """All values of a reduced game, from full sheets down to those with ``fewest`` marks in every row in play."""

    def __init__(self, symbols: int, dice: int, fewest: int, split: bool) -> None:
        self.symbols, self.split = symbols, split
        faces = Counter(
            tuple(throw.count(symbol) for symbol in range(6)) for throw in product(range(symbols), repeat=dice)
        )
        self.chance: dict[Roll, Fraction] = {roll: Fraction(ways, symbols**dice) for roll, ways in faces.items()}
        self.values: dict[Position, Fraction] = {}
        self.results: dict[tuple[Sheet, Roll, Roll], frozenset[Sheet]] = {}
        sheets = [sheet for sheet in self._sheets(fewest) if min(sheet) < ROW]
        for level in range(2 * 6 * ROW, -1, -1):
            for mine in sheets:
                for theirs in sheets:
                    if sum(mine) + sum(theirs) == level and (mine, theirs) <= (theirs, mine):
                        self._solve(mine, theirs)

    def _sheets(self, fewest: int) -> Iterator[Sheet]:
        """D11: every reachable sheet."""
        for rows in product(range(fewest, ROW + 1), repeat=self.symbols):
            last = 3 if min(rows) < 1 else 6 if min(rows) < 4 else 7
            if max(rows) <= last:
                yield rows + (ROW,) * (6 - self.symbols)

    def after(self, mine: Sheet, shown: Roll, roll: Roll) -> frozenset[Sheet]:
        """Every sheet that scoring a roll can lead to, including bad choices."""
        key = mine, shown, roll
        if key not in self.results:
            dice = Counter({SYMBOLS[at]: number for at, number in enumerate(roll) if number})
            others = Counter({SYMBOLS[at]: number for at, number in enumerate(shown) if number})
            sheets = set()
            for jokers in scorings(dice, self.split):
                sheet = dict(zip(SYMBOLS, mine, strict=True))
                mark(sheet, marks_for(dice, others, jokers))
                sheets.add(tuple(sheet.values()))
            self.results[key] = frozenset(sheets)
        return self.results[key]

    def keep(self, mine: Sheet, theirs: Sheet, shown: Roll, roll: Roll) -> Fraction:
        """The value of keeping a roll, by the current values."""
        candidate_values = (
            Fraction(1) if min(sheet) == ROW else 1 - self.values[theirs, sheet, roll]
            for sheet in self.after(mine, shown, roll)
        )
        return max(candidate_values)

    def turn(self, position: Position) -> tuple[Fraction, dict[Roll, Fraction]]:
        """A position's value by the optimality equation, and its dependence on each roll that may mark nothing.

        The dependence is the probability that the best play, by the current values, ends the turn with that roll.
        """
        mine, theirs, shown = position
        keep = {roll: self.keep(mine, theirs, shown, roll) for roll in self.chance}
        idle = {
            roll
            for roll in self.chance
            if mine in self.after(mine, shown, roll) and keep[roll] == 1 - self.values[theirs, mine, roll]
        }
        again, dependence = Fraction(0), dict.fromkeys(self.chance, Fraction(0))
        for _ in range(ROLLS):
            stopping_rolls = {roll for roll in self.chance if keep[roll] >= again}
            reroll_chance = sum((self.chance[roll] for roll in self.chance if roll not in stopping_rolls), Fraction(0))
            again = (
                sum((self.chance[roll] * keep[roll] for roll in stopping_rolls), Fraction(0)) + reroll_chance * again
            )
            dependence = {
                roll: reroll_chance * dependence[roll] + (self.chance[roll] if roll in stopping_rolls & idle else 0)
                for roll in self.chance
            }
        return again, dependence

    def _solve(self, mine: Sheet, theirs: Sheet) -> None:
        """Policy iteration: evaluate the best policy of the last values exactly, until nothing changes."""
        positions = [(mine, theirs, roll) for roll in self.chance]
        if mine != theirs:
            positions += [(theirs, mine, roll) for roll in self.chance]
        for position in positions:
            self.values[position] = Fraction(1, 2)
        while True:
            turns = {position: self.turn(position) for position in positions}
            if all(turns[position][0] == self.values[position] for position in positions):
                return
            self.values.update(self._exact(positions, turns))

    def _exact(
        self, positions: list[Position], turns: dict[Position, tuple[Fraction, dict[Roll, Fraction]]]
    ) -> dict[Position, Fraction]:
        """Solve the linear equations of a fixed policy: value = constant + sum of shares * (1 - other value)."""
        index = {position: at for at, position in enumerate(positions)}
        rows = []
        for position in positions:
            mine, theirs, _ = position
            value, dependence = turns[position]
            row = [Fraction(0)] * (len(positions) + 1)
            row[index[position]] += 1
            constant = value
            for roll, share in dependence.items():
                if share:
                    opponent_position = theirs, mine, roll
                    constant += share * self.values[opponent_position]
                    row[index[opponent_position]] += share
            row[-1] = constant
            rows.append(row)
        return dict(zip(positions, eliminate(rows), strict=True))


def eliminate(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss-Jordan elimination in fractions."""
    for at in range(len(rows)):
        pivot = next(other for other in range(at, len(rows)) if rows[other][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [number / rows[at][at] for number in rows[at]]
        for other in range(len(rows)):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]
