"""The dice game as a race: how many turns everybody still needs, and what a roll saves or promises."""

import numpy as np

from sixfold.games.dice import AREAS, rules
from sixfold.games.dice import turns_needed as turns
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.judging import rank
from sixfold.games.shared.symbols import NONE, limit

# The others' dice, the marks due and the rows after them; and what a roll saves and another one promises.
SIGHT = (3, 6)
WORK = (1, 2)
# How many turns a sheet still needs, for two to four players.
TURNS = turns.read()
# What another roll saves, guessed: shares of an average roll, of a joker on the row most in need, and of the symbol
# that the others' dice favour most; for two, three and four players, after the first and the second roll. Fitted to
# what a count over all rolls says.
GUESS = np.array(
    [
        [[0.75, 0.95, 0.15], [0.76, 0.78, 0.02]],
        [[0.78, 0.58, 0.19], [0.80, 0.44, 0.03]],
        [[0.81, 0.26, 0.21], [0.88, 0.16, 0.02]],
    ]
)


@compiled
def turns_of(word: int, players: int) -> float:
    """How many turns a sheet, given as a word, still needs."""
    return TURNS[players - 2, turns.place(word)]


@compiled
def standing(state: np.record, player: int) -> float:
    """The turns that a player still needs, fewer being better; whoever is in turn is half a turn ahead."""
    ahead = 0.5 if player == state.turn else 0.0
    return ahead - turns_of(turns.word_of(state.marks[player]), int(np.int64(state.players)))


# The moves that look best at first sight


@compiled
def more(word: int, marks: int, number: int, end: int) -> int:
    """D11: a sheet's word after some more marks in a row that had this many."""
    return word - turns.SHARE[marks] + turns.SHARE[max(marks, min(marks + number, end))]


@compiled
def neediest(sheet: np.ndarray) -> int:
    """The row that a joker helps most: the shortest."""
    wish = 0
    for symbol in range(1, 6):
        if sheet[symbol] < sheet[wish]:
            wish = symbol
    return wish


@compiled
def promise(state: np.record, sight: np.ndarray, word: int, before: float, wish: int) -> float:
    """How many turns another roll saves, guessed."""
    sheet = state.marks[state.turn]
    players = int(np.int64(state.players))
    end = limit(sheet, AREAS)
    total = 0.0
    most = 0.0
    for symbol in range(6):
        if sight[0, symbol] > 0 and sheet[symbol] < end:
            saved = before - turns_of(more(word, int(sheet[symbol]), int(sight[0, symbol]), end), players)
            total += saved
            most = max(most, saved)
    joker = before - turns_of(more(word, int(sheet[wish]), 1, end), players)
    guess = GUESS[players - 2, state.rolls - 1]
    return guess[0] * total * rules.dice_each(state) / 6 + guess[1] * joker + guess[2] * most


@compiled
def fill_rows(sheet: np.ndarray, rows: np.ndarray, due: np.ndarray) -> int:
    """D10 to D12: the word of a sheet after marking what is due, rows that open on the way included."""
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
def light_score(state: np.record, sight: np.ndarray, word: int, wish: int, due: np.ndarray) -> int:
    """Which groups of dice to set apart, each looked at alone; ``due`` gets the marks."""
    own = state.dice[state.turn]
    sheet = state.marks[state.turn]
    players = int(np.int64(state.players))
    end = limit(sheet, AREAS)
    move = rules.SCORE
    first = NONE
    for symbol in range(6):
        due[symbol] = own[symbol] * sight[0, symbol]
    for symbol in range(6):
        size = int(own[symbol])
        if size < 2:
            continue
        matched = more(word, int(sheet[symbol]), int(due[symbol]), end)
        wished = more(word, int(sheet[wish]), size - 1, end)
        if due[symbol] > 0 and turns_of(wished, players) >= turns_of(matched, players):
            continue
        due[symbol] -= size * sight[0, symbol]
        due[wish] += size - 1
        if first == NONE:
            first = symbol
            move = rules.joker(symbol, size, wish)
        else:
            move = rules.two_jokers(first, wish, symbol, wish)
    return move


@compiled
def gift(state: np.record) -> float:
    """What the player's dice save the others, more or less than an average roll would: they stay to be matched."""
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
            value += surplus * (before - turns_of(more(word, int(sheet[symbol]), 1, end), players))
    return value * GUESS[players - 2, 0, 0] * each / (6 * (players - 1))


@compiled
def weigh_roll(state: np.record, sight: np.ndarray, work: np.ndarray) -> int:
    """How to score; ``work`` gets the turns that this saves, and what another roll promises."""
    sheet = state.marks[state.turn]
    for symbol in range(6):
        sight[0, symbol] = rules.others(state, symbol)
    wish = neediest(sheet)
    word = turns.word_of(sheet)
    before = turns_of(word, int(np.int64(state.players)))
    move = light_score(state, sight, word, wish, sight[1])
    saved = before - turns_of(fill_rows(sheet, sight[2], sight[1]), int(np.int64(state.players)))
    # With more players a roll is a small part of what the others match, and looking at them all takes its time.
    work[0, 0] = saved - gift(state) if state.players == 2 else saved
    work[0, 1] = promise(state, sight, word, before, wish) if state.rolls < rules.ROLLS else NONE
    return move


@compiled
def candidates(
    state: np.record, sight: np.ndarray, work: np.ndarray, moves: np.ndarray, values: np.ndarray, most: int
) -> int:
    """The way to score that saves most turns, and rolling again."""
    size = rank(moves, values, 0, most, weigh_roll(state, sight, work), work[0, 0])
    if state.rolls < rules.ROLLS:
        size = rank(moves, values, size, most, rules.REROLL, work[0, 1])
    return size


@compiled
def light(state: np.record, sight: np.ndarray, work: np.ndarray, generator: np.ndarray) -> int:
    """A sensible decision as fast as possible: the turns that the roll saves against what another one promises."""
    move = weigh_roll(state, sight, work)
    return rules.REROLL if work[0, 0] < work[0, 1] else move
