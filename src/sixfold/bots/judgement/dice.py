"""Judging the decisions of the dice game."""

import numpy as np

from sixfold.bots.judgement.shared import clear, rank
from sixfold.rules import dice as rules
from sixfold.rules.compiling import compiled
from sixfold.rules.shared import NONE, limit

# What a decision is good for. ``left`` is what the dice that stay in view are worth to the next player, ``hope`` what
# another roll promises.
TERMS = ("growth", "left", "goal", "hope")
GROWTH, LEFT, WON, HOPE = range(4)
WEIGHTS = np.array([1.0, -0.3, 100.0, 1.0])

SIGHT = (1, 1)
WORK = (4, 12)

# A mark is worth less the more marks a row has.
SLOPE = 0.3
DECAY = np.exp(-SLOPE * np.arange(8))
REACH = (2.0, 0.7)
# What another roll promises, guessed: shares of an average roll, of a joker on the row most in need, and of the symbol
# that the others' dice favour most; for two, three and four players, after the first and the second roll. Fitted to
# ``hope``, which counts it out.
GUESS = np.array(
    [
        [[0.61, 0.97, 0.22], [0.65, 0.82, 0.07]],
        [[0.69, 0.59, 0.22], [0.74, 0.46, 0.04]],
        [[0.77, 0.25, 0.22], [0.85, 0.15, 0.03]],
    ]
)


def _rolls(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Every roll of some dice as counts of the six symbols, and in how many ways it can come."""
    found: dict[tuple[int, ...], int] = {}
    for roll in np.ndindex(*[6] * number):
        counts = tuple(roll.count(symbol) for symbol in range(6))
        found[counts] = found.get(counts, 0) + 1
    return np.array(list(found), dtype=np.int8), np.array(list(found.values()), dtype=np.float64) / 6**number


# D1: two to four players roll four, three or two dice each.
ROLLS_OF_4, CHANCES_OF_4 = _rolls(4)
ROLLS_OF_3, CHANCES_OF_3 = _rolls(3)
ROLLS_OF_2, CHANCES_OF_2 = _rolls(2)


@compiled
def look(state: np.record, sight: np.ndarray) -> None:
    """There is nothing to remember."""


@compiled
def copy_sight(sight: np.ndarray, seen: np.ndarray) -> None:
    """There is nothing to remember."""


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
def standing(state: np.record, player: int) -> float:
    """The shortest rows as one number, in marks."""
    return -np.log(need(state, player)) / SLOPE


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
    end = limit(sheet, rules.BOXES)
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
    player = int(state.turn)
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


@compiled
def weighed(found: np.ndarray) -> float:
    """The terms of a move as one number."""
    value = 0.0
    for term in range(len(TERMS)):
        value += WEIGHTS[term] * found[term]
    return value


@compiled
def best_score(state: np.record, wished: np.ndarray, after: np.ndarray, found: np.ndarray) -> float:
    """What the best way to score the present roll is worth."""
    best = -1000.0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            score_terms(state, move, wished, after, found)
            best = max(best, weighed(found))
    return best


@compiled
def every_roll(number: int) -> tuple[np.ndarray, np.ndarray]:
    """All rolls of some dice with their chances."""
    if number == 4:
        return ROLLS_OF_4, CHANCES_OF_4
    if number == 3:
        return ROLLS_OF_3, CHANCES_OF_3
    return ROLLS_OF_2, CHANCES_OF_2


@compiled
def hope(state: np.record, wished: np.ndarray, after: np.ndarray, found: np.ndarray) -> float:
    """D4: what rolling again promises: the best of every roll by its chance, with a third roll where one is left."""
    rolls, chances = every_roll(rules.dice_each(state))
    trial = after[1:]
    trial[0] = state
    values = np.empty(len(rolls))
    last = 0.0
    for roll in range(len(rolls)):
        for symbol in range(6):
            trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
        values[roll] = best_score(trial[0], wished, after, found)
        last += chances[roll] * values[roll]
    if state.rolls == rules.ROLLS - 1:
        return last
    either = 0.0
    for roll in range(len(rolls)):
        either += chances[roll] * max(last, values[roll])
    return either


@compiled
def terms(
    state: np.record, sight: np.ndarray, move: int, after: np.ndarray, seen: np.ndarray, found: np.ndarray
) -> None:
    """Name what a decision is good for; ``after`` is for trying things out."""
    table = np.empty(6)
    wished = np.empty(6)
    wishes(state, int(state.turn), table, wished)
    if move != rules.REROLL:
        score_terms(state, move, wished, after, found)
        return
    value = hope(state, wished, after, found)
    clear(found)
    found[HOPE] = value


# The moves that look best at first sight


@compiled
def glance(state: np.record, work: np.ndarray) -> int:
    """What the others' dice, or one joker's mark, are worth to the player in each row; returns the row most in need."""
    sheet = state.marks[state.turn]
    end = limit(sheet, rules.BOXES)
    share = 1.0 / need(state, np.int64(state.turn))
    wish = 0
    for symbol in range(6):
        before = int(sheet[symbol])
        shown = rules.others(state, symbol)
        work[0, symbol] = shown
        work[1, symbol] = (DECAY[before] - DECAY[min(before + shown, end)]) * share
        work[2, symbol] = (DECAY[before] - DECAY[min(before + 1, end)]) * share
        if work[2, symbol] > work[2, wish]:
            wish = symbol
    return wish


@compiled
def promise(state: np.record, work: np.ndarray, wish: int) -> float:
    """What another roll promises, guessed."""
    total = 0.0
    most = 0.0
    for symbol in range(6):
        total += work[1, symbol]
        most = max(most, work[1, symbol])
    guess = GUESS[state.players - 2, state.rolls - 1]
    return guess[0] * total * rules.dice_each(state) / 6 + guess[1] * work[2, wish] + guess[2] * most


@compiled
def light_score(state: np.record, work: np.ndarray, wish: int) -> int:
    """The way to score with the most growth, each group of dice looked at alone; its worth goes to ``work[3, 0]``."""
    own = state.dice[state.turn]
    sheet = state.marks[state.turn]
    end = limit(sheet, rules.BOXES)
    share = 1.0 / need(state, np.int64(state.turn))
    value = 0.0
    move = rules.SCORE
    first = NONE
    for symbol in range(6):
        size = int(own[symbol])
        if size == 0:
            continue
        before = int(sheet[symbol])
        matched = (DECAY[before] - DECAY[min(before + size * int(work[0, symbol]), end)]) * share
        wished = int(sheet[wish])
        joker = (DECAY[wished] - DECAY[min(wished + size - 1, end)]) * share
        if joker <= matched or size < 2:
            value += matched
            continue
        value += joker
        if first == NONE:
            first = symbol
            move = rules.joker(symbol, size, wish)
        else:
            move = rules.two_jokers(first, wish, symbol, wish)
    work[3, 0] = value
    return move


@compiled
def candidates(
    state: np.record, sight: np.ndarray, work: np.ndarray, moves: np.ndarray, values: np.ndarray, most: int
) -> int:
    """The way to score with the most growth, and rolling again."""
    wish = glance(state, work)
    size = rank(moves, values, 0, most, light_score(state, work, wish), work[3, 0])
    if state.rolls < rules.ROLLS:
        size = rank(moves, values, size, most, rules.REROLL, promise(state, work, wish))
    return size


@compiled
def light(state: np.record, sight: np.ndarray, work: np.ndarray, generator: np.ndarray) -> int:
    """A sensible decision as fast as possible: the roll against what another one promises."""
    wish = glance(state, work)
    move = light_score(state, work, wish)
    if state.rolls < rules.ROLLS and work[3, 0] < promise(state, work, wish):
        return rules.REROLL
    return move
