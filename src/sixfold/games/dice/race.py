"""The dice game as a race: the turns that each player still needs, and the turns that a roll or a reroll saves."""

import numpy as np

from sixfold.games.dice import AREAS, rules
from sixfold.games.dice import turns_needed as turns
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.heuristics import rank
from sixfold.games.shared.symbols import NONE, limit

# Board features: the dice of the others, the marks due, and the rows after marking. Workspace: the turns saved by
# scoring now and by another roll.
BOARD_FEATURES_SHAPE = (3, 6)
WORKSPACE_SHAPE = (1, 2)
# The number of turns that a sheet still needs, for two to four players.
TURNS = turns.read()
# Coefficients of the estimate of what another roll saves: of an average roll, of a joker on the neediest row, and of
# the symbol that profits most from the others' dice; for two, three and four players, after the first and the second
# roll. Fitted to exact expectations over all rolls.
GUESS = np.array(
    [
        [[0.75, 0.95, 0.15], [0.76, 0.78, 0.02]],
        [[0.78, 0.58, 0.19], [0.80, 0.44, 0.03]],
        [[0.81, 0.26, 0.21], [0.88, 0.16, 0.02]],
    ]
)


@compiled
def turns_of(word: int, players: int) -> float:
    """The number of turns that a sheet, given as a word, still needs."""
    return TURNS[players - 2, turns.place(word)]


@compiled
def evaluate(state: np.record, player: int) -> float:
    """Minus the turns that a player still needs; the player in turn is half a turn ahead."""
    ahead = 0.5 if player == state.turn else 0.0
    return ahead - turns_of(turns.word_of(state.marks[player]), int(np.int64(state.players)))


# Candidate moves


@compiled
def word_after(word: int, marks: int, number: int, end: int) -> int:
    """D11: a sheet's word after adding marks to a row with this many."""
    return word - turns.SHARE[marks] + turns.SHARE[max(marks, min(marks + number, end))]


@compiled
def neediest(sheet: np.ndarray) -> int:
    """The row that a joker helps most, which is the shortest."""
    neediest_row = 0
    for symbol in range(1, 6):
        if sheet[symbol] < sheet[neediest_row]:
            neediest_row = symbol
    return neediest_row


@compiled
def reroll_gain(state: np.record, board_features: np.ndarray, word: int, before: float, neediest_row: int) -> float:
    """The estimated number of turns that another roll saves."""
    sheet = state.marks[state.turn]
    players = int(np.int64(state.players))
    end = limit(sheet, AREAS)
    total = 0.0
    most = 0.0
    for symbol in range(6):
        if board_features[0, symbol] > 0 and sheet[symbol] < end:
            saved = before - turns_of(
                word_after(word, int(sheet[symbol]), int(board_features[0, symbol]), end), players
            )
            total += saved
            most = max(most, saved)
    joker = before - turns_of(word_after(word, int(sheet[neediest_row]), 1, end), players)
    guess = GUESS[players - 2, state.rolls - 1]
    return guess[0] * total * rules.dice_each(state) / 6 + guess[1] * joker + guess[2] * most


@compiled
def fill_rows(sheet: np.ndarray, rows: np.ndarray, due: np.ndarray) -> int:
    """D10 to D12: the word of a sheet after marking what is due, including in rows that open on the way."""
    for symbol in range(6):
        rows[symbol] = sheet[symbol]
    again = True
    while again:
        again = False
        end = limit(rows, AREAS)
        for symbol in range(6):
            fits = min(due[symbol], end - rows[symbol])
            if fits > 0:
                rows[symbol] += fits
                due[symbol] -= fits
                again = True
    return turns.word_of(rows)


@compiled
def greedy_score(state: np.record, board_features: np.ndarray, word: int, neediest_row: int, due: np.ndarray) -> int:
    """Choose greedily which groups of dice to set apart as jokers; ``due`` receives the marks."""
    own = state.dice[state.turn]
    sheet = state.marks[state.turn]
    players = int(np.int64(state.players))
    end = limit(sheet, AREAS)
    move = rules.SCORE
    first = NONE
    for symbol in range(6):
        due[symbol] = own[symbol] * board_features[0, symbol]
    for symbol in range(6):
        size = int(own[symbol])
        if size < 2:
            continue
        matched = word_after(word, int(sheet[symbol]), int(due[symbol]), end)
        wished = word_after(word, int(sheet[neediest_row]), size - 1, end)
        if due[symbol] > 0 and turns_of(wished, players) >= turns_of(matched, players):
            continue
        due[symbol] -= size * board_features[0, symbol]
        due[neediest_row] += size - 1
        if first == NONE:
            first = symbol
            move = rules.joker(symbol, size, neediest_row)
        else:
            move = rules.two_jokers(first, neediest_row, symbol, neediest_row)
    return move


@compiled
def gain_of_others(state: np.record) -> float:
    """The turns that the player's dice save the others, who match them, relative to an average roll."""
    players = int(np.int64(state.players))
    each = rules.dice_each(state)
    value = 0.0
    for other in range(players):
        if other == state.turn:
            continue
        sheet = state.marks[other]
        end = limit(sheet, AREAS)
        word = turns.word_of(sheet)
        before = turns_of(word, players)
        for symbol in range(6):
            surplus = state.dice[state.turn, symbol] - each / 6
            value += surplus * (before - turns_of(word_after(word, int(sheet[symbol]), 1, end), players))
    return value * GUESS[players - 2, 0, 0] * each / (6 * (players - 1))


@compiled
def evaluate_roll(state: np.record, board_features: np.ndarray, workspace: np.ndarray) -> int:
    """Choose a scoring move; ``workspace`` receives the turns that it saves and the estimate for another roll."""
    sheet = state.marks[state.turn]
    for symbol in range(6):
        board_features[0, symbol] = rules.dice_of_others(state, symbol)
    neediest_row = neediest(sheet)
    word = turns.word_of(sheet)
    before = turns_of(word, int(np.int64(state.players)))
    move = greedy_score(state, board_features, word, neediest_row, board_features[1])
    saved = before - turns_of(fill_rows(sheet, board_features[2], board_features[1]), int(np.int64(state.players)))
    # With more players a roll is a small part of what the others match, and evaluating all of them is slow.
    workspace[0, 0] = saved - gain_of_others(state) if state.players == 2 else saved
    workspace[0, 1] = (
        reroll_gain(state, board_features, word, before, neediest_row) if state.rolls < rules.ROLLS else NONE
    )
    return move


@compiled
def candidates(
    state: np.record,
    board_features: np.ndarray,
    workspace: np.ndarray,
    moves: np.ndarray,
    values: np.ndarray,
    most: int,
) -> int:
    """The scoring move that saves the most turns, and rolling again."""
    size = rank(moves, values, 0, most, evaluate_roll(state, board_features, workspace), workspace[0, 0])
    if state.rolls < rules.ROLLS:
        size = rank(moves, values, size, most, rules.REROLL, workspace[0, 1])
    return size


@compiled
def playout_move(state: np.record, board_features: np.ndarray, workspace: np.ndarray, generator: np.ndarray) -> int:
    """A fast playout move: compares the turns that scoring saves with the estimate for another roll."""
    move = evaluate_roll(state, board_features, workspace)
    return rules.REROLL if workspace[0, 0] < workspace[0, 1] else move
