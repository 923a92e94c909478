"""Heuristics for the dice game."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.dice import AREAS
from sixfold.games.dice import rules as rules
from sixfold.games.dice import turns_needed as turns
from sixfold.games.dice.race import BOARD_FEATURES_SHAPE as BOARD_FEATURES_SHAPE
from sixfold.games.dice.race import WORKSPACE_SHAPE as WORKSPACE_SHAPE
from sixfold.games.dice.race import candidates as candidates
from sixfold.games.dice.race import evaluate as evaluate
from sixfold.games.dice.race import gain_of_others, turns_of
from sixfold.games.dice.race import playout_move as playout_move
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.heuristics import act_of, clear, sum_at, weighted_sum
from sixfold.games.shared.heuristics import compute_board_features as compute_board_features
from sixfold.games.shared.heuristics import copy_board_features as copy_board_features
from sixfold.games.shared.mathematics import exponentials
from sixfold.games.shared.symbols import limit

# ``left`` is the worth of the dice that stay on the table to the other players, ``hope`` the expected value of another
# roll for one-ply play, ``saved`` the number of turns that the decision saves.
TERMS = ("growth", "left", "goal", "hope", "saved")
GROWTH, LEFT, WON, HOPE, SAVED = range(5)
WEIGHTS = np.array([1.0, -0.3, 100.0, 1.0, 0.0])
# The tree search uses the turns that a roll saves, or that rolling on saves in expectation.
SEARCH_WEIGHTS = np.array([0.0, 0.0, 100.0, 0.0, 1.0])

# A mark is worth less the more marks a row has.
SLOPE = 0.3
DECAY = exponentials(-SLOPE * np.arange(rules.BOXES + 1))
DECISIVE_LEAD = (1.5, 0.8)
PLAN = Plan(depth=1, width=6, reply_width=2, widening=0.1, c_puct=0.3, prior_temperature=0.1)
# D1: two to four players roll four, three or two dice each.
ROLLS_OF_4, CHANCES_OF_4 = turns.rolls(4)
ROLLS_OF_3, CHANCES_OF_3 = turns.rolls(3)
ROLLS_OF_2, CHANCES_OF_2 = turns.rolls(2)
act = act_of(rules)


# Static evaluation


@compiled
def need(state: np.record, player: int) -> float:
    """How much a player still needs, dominated by the shortest rows."""
    return sum_at(DECAY, state.marks[player])


@compiled
def progress(state: np.record) -> float:
    """The share of the game that has been played, from 0 to 1: the leading player's share of marked boxes."""
    most = 0
    for player in range(state.players):
        marks = 0
        for symbol in range(6):
            marks += state.marks[player, symbol]
        most = max(most, marks)
    return most / (6 * rules.BOXES)


@compiled
def worths(state: np.record, player: int, table: np.ndarray) -> None:
    """D11: tabulate the worth of one more mark in each row; closed and full rows have none."""
    sheet = state.marks[player]
    end = limit(sheet, AREAS)
    share = 1.0 / need(state, player)
    for symbol in range(6):
        before = int(sheet[symbol])
        table[symbol] = (DECAY[before] - DECAY[before + 1]) * share if before < end else 0.0


@compiled
def wishes(state: np.record, player: int, table: np.ndarray, total: np.ndarray) -> None:
    """Sum up the worth of one mark for each symbol over all other players."""
    clear(total)
    for other in range(state.players):
        if other != player:
            worths(state, other, table)
            for symbol in range(6):
                total[symbol] += table[symbol]


# Terms of a move


@compiled
def score_terms(
    state: np.record, move: int, wishes_of_others: np.ndarray, after: np.ndarray, result: np.ndarray
) -> None:
    """The terms of a scoring move."""
    player = int(np.int64(state.turn))
    after[0] = state
    then = after[0]
    rules.earn(then, move)
    rules.mark(then)
    clear(result)
    missing = need(state, player)
    full = True
    for symbol in range(6):
        result[GROWTH] += (DECAY[state.marks[player, symbol]] - DECAY[then.marks[player, symbol]]) / missing
        result[LEFT] += state.dice[player, symbol] * wishes_of_others[symbol]
        full = full and then.marks[player, symbol] == rules.BOXES
    result[LEFT] *= rules.dice_each(state) / 6
    result[WON] = 1.0 if full else 0.0
    before = turns_of(turns.word_of(state.marks[player]), int(np.int64(state.players)))
    result[SAVED] = (
        before - turns_of(turns.word_of(then.marks[player]), int(np.int64(state.players))) - gain_of_others(state)
    )


@compiled_with_arrays
def every_roll(number: int) -> tuple[np.ndarray, np.ndarray]:
    """All rolls of a number of dice with their probabilities."""
    if number == 4:
        return ROLLS_OF_4, CHANCES_OF_4
    if number == 3:
        return ROLLS_OF_3, CHANCES_OF_3
    return ROLLS_OF_2, CHANCES_OF_2


@compiled
def best_scores(
    state: np.record, wishes_of_others: np.ndarray, after: np.ndarray, result: np.ndarray
) -> tuple[float, float]:
    """The highest value of any scoring move for the current roll, and the most turns that any scoring move saves."""
    best = -1000.0
    saved = -1000.0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            score_terms(state, move, wishes_of_others, after, result)
            best = max(best, weighted_sum(WEIGHTS, result))
            saved = max(saved, result[SAVED])
    return best, saved


@compiled_with_arrays
def roll_terms(state: np.record, wishes_of_others: np.ndarray, after: np.ndarray, result: np.ndarray) -> None:
    """D4: the terms of rolling again: the expectation over all rolls of the best scoring move."""
    rolls, chances = every_roll(rules.dice_each(state))
    trial = after[1:]
    trial[0] = state
    saved = np.empty(len(rolls))
    hope = 0.0
    for roll in range(len(rolls)):
        for symbol in range(6):
            trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
        best, saved[roll] = best_scores(trial[0], wishes_of_others, after, result)
        hope += chances[roll] * best
    clear(result)
    result[HOPE] = hope
    result[SAVED] = -turns.best_of_rolls(-saved, chances, rules.ROLLS - state.rolls)


@compiled_with_arrays
def terms(
    state: np.record,
    board_features: np.ndarray,
    move: int,
    after: np.ndarray,
    features_after: np.ndarray,
    result: np.ndarray,
) -> None:
    """The terms of a decision; ``after`` is scratch space for trying moves."""
    table = np.empty(6)
    wishes_of_others = np.empty(6)
    wishes(state, int(np.int64(state.turn)), table, wishes_of_others)
    if move == rules.REROLL:
        roll_terms(state, wishes_of_others, after, result)
    else:
        score_terms(state, move, wishes_of_others, after, result)
