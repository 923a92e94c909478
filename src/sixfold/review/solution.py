"""Evaluates the two-player dice game by its solution: the value file if there is one, else the approximation.

Every chance is a multiple of 1 / UNIT and the same wherever a position occurs: before a roll, after it, and after the
move that led there. So the gains and losses of a game's steps add up exactly to its result.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from sixfold.engine.game import View
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.review.evaluator import WIDTH, DrawEvaluation, MoveEvaluations, Option, decided
from sixfold.review.model import POINTS
from sixfold.solve.play.approximation import NO_GUESS, Guess, guess_chance, shipped
from sixfold.solve.play.expectimax import BEST, GUESS, NO_BLOCK, guess_worth, look_ahead, worth
from sixfold.solve.positions.outcomes import lay_out, scoring_state, sheet_after
from sixfold.solve.positions.sheets import row
from sixfold.solve.positions.state_space import Numbering
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values, default_path, open_values, read_value

# Rolling again leaves the sheet as it is.
NO_SHEET = -1
# No roll is left.
NO_ROLL = -1.0


@compiled
def round_to_unit(chance: float) -> float:
    """Round a chance to a multiple of 1 / UNIT, in points, so that sums are exact."""
    parts = np.floor(chance * UNIT)
    rest = chance * UNIT - parts
    # Halves round to even.
    if rest > 0.5 or (rest == 0.5 and parts % 2.0 == 1.0):
        parts += 1.0
    return float(POINTS * parts / UNIT)


@compiled_with_arrays
def list_options(
    numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int, reroll_value: float, moves: np.ndarray, sheets: np.ndarray, chances: np.ndarray,
) -> int:  # fmt: skip
    """List every option for a roll with the resulting sheet and chance in points; returns their number.

    ``reroll_value`` is the value of another roll.
    """
    lay_out(trial[0], mine, shown, roll)
    number = dice.count(trial[0])
    for index in range(number):
        moves[index] = dice.nth(trial[0], index)
        sheets[index] = sheet_after(trial[0], mine, moves[index])
        if policy == GUESS:
            chance = guess_worth(numbering, guess, sheets[index], theirs, numbering.roll_of[roll])
        else:
            chance = worth(numbering, block, sheets[index], theirs, numbering.roll_of[roll])
        chances[index] = round_to_unit(chance)
    if reroll_value != NO_ROLL:
        moves[number], sheets[number], chances[number] = dice.REROLL, NO_SHEET, round_to_unit(reroll_value)
        number += 1
    return number


@compiled
def rank_options(sheets: np.ndarray, chances: np.ndarray, order: np.ndarray) -> int:
    """Order the indices of options that lead to different sheets, best first; returns their number."""
    ranked = 0
    for last in range(sheets.size - 1, -1, -1):
        known = False
        for at in range(ranked):
            known = known or sheets[order[at]] == sheets[last]
        if known:
            continue
        first = 0
        while sheets[first] != sheets[last]:
            first += 1
        at = ranked
        while at > 0 and chances[order[at - 1]] < chances[first]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = first
        ranked += 1
    return ranked


@compiled
def place_played(moves: np.ndarray, sheets: np.ndarray, order: np.ndarray, played: int) -> int:
    """Put the played move among the best ones, last if it is not one of them; returns its position."""
    played_at = 0
    while moves[played_at] != played:
        played_at += 1
    rank = 0
    while sheets[order[rank]] != sheets[played_at]:
        rank += 1
    position = min(rank, WIDTH)
    order[position] = played_at
    return position


@compiled
def margin(sheets: np.ndarray, which: int, theirs: int) -> float:
    """How far the lowest row is ahead after a move; a reroll counts as the best option that scores now."""
    lowest = 0
    for at in range(sheets.size):
        if sheets[at] != NO_SHEET and (at == which or sheets[which] == NO_SHEET):
            lowest = max(lowest, lowest_row(sheets[at]))
    return float(lowest - lowest_row(theirs))


@compiled
def lowest_row(sheet: int) -> int:
    """The marks in the lowest row of a sheet."""
    least = row(sheet, 0)
    for symbol in range(1, 6):
        least = min(least, row(sheet, symbol))
    return least


@compiled
def before_turn(
    numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, mine: int, theirs: int, shown: int
) -> float:
    """The chance of the player about to make the first roll, given the dice that the opponent shows."""
    if policy == GUESS:
        return guess_chance(numbering, guess, mine, theirs, numbering.roll_of[shown])
    return read_value(numbering, block, mine, theirs, numbering.roll_of[shown]) / UNIT


@compiled
def before_opening(numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, mine: int, theirs: int) -> float:
    """The chance of the starting player, averaged over the opponent's opening roll (D3)."""
    total = 0.0
    for roll in range(numbering.rolls.size):
        shown = numbering.rolls[roll]
        total += numbering.chance[roll] * before_turn(numbering, block, guess, policy, mine, theirs, shown)
    return total


def solves(game: str, players: int) -> bool:
    """Whether this is the solved game."""
    return (game, players) == (dice.NAME, 2)


def values_of(record: object, path: Path | None = None) -> Values | None:
    """The exact values for a record's game, from a file or the default path; None if there are none."""
    if not isinstance(record, dict) or not solves(str(record.get("game")), record.get("players") or 0):
        return None
    options = record.get("options")
    split = isinstance(options, dict) and options.get("split_jokers") is True
    return open_values(split, path) if path or default_path(split).exists() else None


class Solution:
    """Evaluates every position, exactly or approximately."""

    def __init__(self, split_jokers: bool, values: Values | None = None) -> None:
        self.name = "approximation" if values is None else "values"
        self._values = values
        if values is None:
            self._numbering, self._guess = shipped()
            self._block, self._policy = NO_BLOCK, GUESS
        else:
            self._numbering, self._guess = values.numbering, NO_GUESS
            self._block, self._policy = values.block, BEST
        self._tables = self._numbering, self._block, self._guess, self._policy
        self._trial = scoring_state(split_jokers)
        # A turn asks for the same values several times.
        self._options = lru_cache(64)(self._list_all)
        self._roll_values = lru_cache(4096)(self._look_ahead)
        self._opening = lru_cache(4096)(self._average_opening)

    def evaluate_moves(self, view: View, played: int, iterations: int = 0, seed: int = 0) -> MoveEvaluations:
        moves, sheets, chances, best = self._options(*codes_of(view))
        order = best.copy()
        played_at = place_played(moves, sheets, order, played)
        selected = order[: max(WIDTH, played_at + 1)]
        options = [Option(int(moves[at]), float(chances[at]), 0.0) for at in selected]
        margins = None
        if decided(options[0].chance, options[played_at].chance):
            theirs = codes_of(view)[1]
            margins = [margin(sheets, at, theirs) for at in selected]
        return MoveEvaluations(options, played_at, margins)

    def every_option(self, view: View) -> list[Option]:
        """All moves of the active player that lead to different sheets, best first."""
        moves, _, chances, best = self._options(*codes_of(view))
        return [Option(int(moves[at]), float(chances[at]), 0.0) for at in best]

    def evaluate_draw(self, before: View, after: View, iterations: int = 0, seed: int = 0) -> DrawEvaluation:
        player = int(before.states["turn"][0])
        return DrawEvaluation(self.chance(after, player), self.chance(before, player), 0.0)

    def chances(self, views: Sequence[View], iterations: int = 0, seed: int = 0) -> list[float]:
        first = self.chance(views[0], 0)
        return [first, POINTS - first]

    def chance(self, view: View, player: int) -> float:
        """A player's chance in any position of a game, in points."""
        if view.over:
            # D13: the player who fills the sheet wins immediately.
            return POINTS if view.states["turn"][0] == player else 0.0
        active_player, mine = self._active_chance(view)
        return mine if active_player == player else POINTS - mine

    def _active_chance(self, view: View) -> tuple[int, float]:
        """The active player and their chance; before the opening roll (D3) the player who then begins."""
        mine, theirs, shown, roll, rolls = codes_of(view)
        if view.states["opening"][0]:
            return 0, round_to_unit(self._opening(theirs, mine))
        if view.turn is not None:
            _, _, chances, best = self._options(mine, theirs, shown, roll, rolls)
            chance = float(chances[best[0]])
        elif rolls or not shown:
            # D15: nobody may have shown dice yet.
            chance = round_to_unit(self._roll_values(mine, theirs, shown)[rolls])
        else:
            self._load(mine)
            chance = round_to_unit(before_turn(*self._tables, mine, theirs, shown))
        return int(view.states["turn"][0]), chance

    def _average_opening(self, mine: int, theirs: int) -> float:
        self._load(mine)
        return float(before_opening(*self._tables, mine, theirs))

    def _look_ahead(self, mine: int, theirs: int, shown: int) -> list[float]:
        """The values of the first, second and third roll before they are made."""
        self._load(theirs)
        values = np.zeros(dice.ROLLS)
        look_ahead(*self._tables, self._trial, mine, theirs, shown, values)
        return [float(chance) for chance in values]

    def _load(self, sheet: int) -> None:
        if self._values is not None:
            self._values.load_class(sheet)

    def _list_all(self, mine: int, theirs: int, shown: int, roll: int, rolls: int) -> tuple[np.ndarray, ...]:
        """All options for a roll (moves, sheets, chances), and the order of those that differ."""
        reroll_value = self._roll_values(mine, theirs, shown)[rolls] if rolls < dice.ROLLS else NO_ROLL
        self._load(theirs)
        moves, sheets, order = (np.zeros(dice.MAX_LEGAL, dtype=np.int64) for _ in range(3))
        chances = np.zeros(dice.MAX_LEGAL)
        number = list_options(
            *self._tables, self._trial, mine, theirs, shown, roll, reroll_value, moves, sheets, chances
        )
        ranked = rank_options(sheets[:number], chances[:number], order)
        return moves[:number], sheets[:number], chances[:number], order[:ranked]


def codes_of(view: View) -> tuple[int, int, int, int, int]:
    """Both sheets, the opponent's dice and the active player's roll as codes, and the number of rolls made."""
    states = view.states
    seat = int(states["turn"][0])
    marks, dice_counts = states["marks"][0].tolist(), states["dice"][0].tolist()
    rows = marks[seat], marks[1 - seat], dice_counts[1 - seat], dice_counts[seat]
    mine, theirs, shown_by_opponent, roll = (
        sum(count << 3 * symbol for symbol, count in enumerate(counts)) for counts in rows
    )
    return mine, theirs, shown_by_opponent, roll, int(states["rolls"][0])
