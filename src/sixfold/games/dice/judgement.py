"""Judging the decisions of the dice game."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.dice import AREAS
from sixfold.games.dice import rules as rules
from sixfold.games.dice import turns_needed as turns
from sixfold.games.dice.race import SIGHT as SIGHT
from sixfold.games.dice.race import WORK as WORK
from sixfold.games.dice.race import candidates as candidates
from sixfold.games.dice.race import gift, turns_of
from sixfold.games.dice.race import light as light
from sixfold.games.dice.race import standing as standing
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.judging import clear, weighed
from sixfold.games.shared.judging import copy_sight as copy_sight
from sixfold.games.shared.judging import look as look
from sixfold.games.shared.mathematics import exponentials
from sixfold.games.shared.symbols import limit

# What a decision is good for. ``left`` is what the dice that stay in view are worth to the next player, ``hope`` what
# another roll promises at one look ahead, ``saved`` how many turns it saves in the race.
TERMS = ("growth", "left", "goal", "hope", "saved")
GROWTH, LEFT, WON, HOPE, SAVED = range(5)
WEIGHTS = np.array([1.0, -0.3, 100.0, 1.0, 0.0])
# A search looks at the turns that a roll saves, or that rolling on to the end saves.
FORESIGHT = np.array([0.0, 0.0, 100.0, 0.0, 1.0])

# A mark is worth less the more marks a row has.
SLOPE = 0.3
DECAY = exponentials(-SLOPE * np.arange(rules.BOXES + 1))
REACH = (1.5, 0.8)
PLAN = Plan(depth=1, width=6, reply=2, growth=0.1, courage=0.3, trust=0.1)
# D1: two to four players roll four, three or two dice each.
ROLLS_OF_4, CHANCES_OF_4 = turns.rolls(4)
ROLLS_OF_3, CHANCES_OF_3 = turns.rolls(3)
ROLLS_OF_2, CHANCES_OF_2 = turns.rolls(2)


@compiled
def act(state: np.record, sight: np.ndarray, move: int) -> None:
    """Do a move."""
    rules.act(state, move)


# How well a player stands


@compiled
def need(state: np.record, player: int) -> float:
    """How much is missing, the shortest rows above all."""
    missing = 0.0
    for symbol in range(6):
        missing += DECAY[state.marks[player, symbol]]
    return missing


@compiled
def progress(state: np.record) -> float:
    """How much of the game is over, from 0 to 1: how many boxes the foremost player has marked."""
    most = 0
    for player in range(state.players):
        marks = 0
        for symbol in range(6):
            marks += state.marks[player, symbol]
        most = max(most, marks)
    return most / (6 * rules.BOXES)


@compiled
def worths(state: np.record, player: int, table: np.ndarray) -> None:
    """D11: what one more mark is worth in each row; in a barred or full row nothing."""
    sheet = state.marks[player]
    end = limit(sheet, AREAS)
    share = 1.0 / need(state, player)
    for symbol in range(6):
        before = int(sheet[symbol])
        table[symbol] = (DECAY[before] - DECAY[before + 1]) * share if before < end else 0.0


@compiled
def wishes(state: np.record, player: int, table: np.ndarray, total: np.ndarray) -> None:
    """What one mark for each symbol is worth to all other players together."""
    clear(total)
    for other in range(state.players):
        if other != player:
            worths(state, other, table)
            for symbol in range(6):
                total[symbol] += table[symbol]


# What a move is good for


@compiled
def score_terms(state: np.record, move: int, wished: np.ndarray, after: np.ndarray, found: np.ndarray) -> None:
    """Name what a way to score is good for."""
    player = int(np.int64(state.turn))
    after[0] = state
    then = after[0]
    rules.earn(then, move)
    rules.mark(then)
    clear(found)
    missing = need(state, player)
    full = True
    for symbol in range(6):
        found[GROWTH] += (DECAY[state.marks[player, symbol]] - DECAY[then.marks[player, symbol]]) / missing
        found[LEFT] += state.dice[player, symbol] * wished[symbol]
        full = full and then.marks[player, symbol] == rules.BOXES
    found[LEFT] *= rules.dice_each(state) / 6
    found[WON] = 1.0 if full else 0.0
    before = turns_of(turns.word_of(state.marks[player]), int(np.int64(state.players)))
    found[SAVED] = before - turns_of(turns.word_of(then.marks[player]), int(np.int64(state.players))) - gift(state)


@compiled_with_arrays
def every_roll(number: int) -> tuple[np.ndarray, np.ndarray]:
    """All rolls of some dice with their chances."""
    if number == 4:
        return ROLLS_OF_4, CHANCES_OF_4
    if number == 3:
        return ROLLS_OF_3, CHANCES_OF_3
    return ROLLS_OF_2, CHANCES_OF_2


@compiled
def best_scores(state: np.record, wished: np.ndarray, after: np.ndarray, found: np.ndarray) -> tuple[float, float]:
    """What the best way to score the present roll is worth, and how many turns another best way saves."""
    best = -1000.0
    saved = -1000.0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            score_terms(state, move, wished, after, found)
            best = max(best, weighed(WEIGHTS, found))
            saved = max(saved, found[SAVED])
    return best, saved


@compiled_with_arrays
def roll_terms(state: np.record, wished: np.ndarray, after: np.ndarray, found: np.ndarray) -> None:
    """D4: what rolling again promises: the best of every roll by its chance."""
    rolls, chances = every_roll(rules.dice_each(state))
    trial = after[1:]
    trial[0] = state
    saved = np.empty(len(rolls))
    hope = 0.0
    for roll in range(len(rolls)):
        for symbol in range(6):
            trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
        best, saved[roll] = best_scores(trial[0], wished, after, found)
        hope += chances[roll] * best
    clear(found)
    found[HOPE] = hope
    found[SAVED] = -turns.best_of_rolls(-saved, chances, rules.ROLLS - state.rolls)


@compiled_with_arrays
def terms(
    state: np.record, sight: np.ndarray, move: int, after: np.ndarray, seen: np.ndarray, found: np.ndarray
) -> None:
    """Name what a decision is good for; ``after`` is for trying things out."""
    table = np.empty(6)
    wished = np.empty(6)
    wishes(state, int(np.int64(state.turn)), table, wished)
    if move == rules.REROLL:
        roll_terms(state, wished, after, found)
    else:
        score_terms(state, move, wished, after, found)
