"""The dice game for two to four players (docs/rules/dice.md)."""

import numpy as np

from sixfold.games.contract import Occasion
from sixfold.games.dice import AREAS, LAST
from sixfold.games.dice import NAME as NAME
from sixfold.games.dice import OPTIONS as OPTIONS
from sixfold.games.dice import PLAYERS as PLAYERS
from sixfold.games.dice import ROUNDS as ROUNDS
from sixfold.games.dice import VERSION as VERSION
from sixfold.games.dice.moves import ACTIONS as ACTIONS
from sixfold.games.dice.moves import REROLL as REROLL
from sixfold.games.dice.moves import SCORE as SCORE
from sixfold.games.dice.moves import joker as joker
from sixfold.games.dice.moves import joker_of, jokers_in
from sixfold.games.dice.moves import two_jokers as two_jokers
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    ORDERED,
    OVER,
    SYMBOLS,
    copy_rows,
    first_of,
    layout,
    limit,
    list_moves,
    lowest,
    next_player,
    second_of,
)

END_CLAUSE = RANKING_CLAUSE = "D13"
MAX_PLAYERS = PLAYERS[-1]
BOXES = LAST
ROLLS = 3

DECIDE = FIRST_DECISION
# There is no private choice.
CHOICES = ()
CHOOSE = NONE

ITEMS = list(SYMBOLS)
VALUES = SYMBOLS

# The most are two pairs, each set apart or not: 1 + 6 + 6 + 36, and roll again; with split jokers four of a kind have
# fewer.
MAX_LEGAL = 64

# Chance supplies one die at a time, always one of six symbols.
POOL = None
REFILL_CLAUSE = None
OCCASIONS = (Occasion("roll", "D3"), Occasion("roll", "D4"))

STATE = layout(
    [
        ("marks", np.int8, (MAX_PLAYERS, 6)),
        ("dice", np.int8, (MAX_PLAYERS, 6)),  # how many dice of each symbol a player shows
        ("due", np.int8, 6),  # marks that the roll being scored still gives
        ("rolled", np.int8),  # dice of the present roll that have come to rest
        ("rolls", np.int8),  # rolls made in this turn
        ("phase", np.int8),
        ("turn", np.int8),
        ("opening", np.int8),
        ("players", np.int8),
        ("split_jokers", np.int8),
        ("hidden_start", np.int8),
    ]
)


def start(players: int, split_jokers: bool = False, hidden_start: bool = False) -> np.ndarray:
    """D2, D3, D15: empty sheets; all players but player 0 make an opening roll, unless the start is hidden."""
    begin = np.zeros(1, dtype=STATE)
    state = begin[0]
    state.players = players
    state.split_jokers = split_jokers
    state.hidden_start = hidden_start
    state.opening = not hidden_start
    state.turn = 0 if hidden_start else 1
    state.phase = CHANCE
    return begin


@compiled
def dice_each(state: np.record) -> int:
    """D1: two players use four dice each, three players three, four players two."""
    return 6 - state.players


# Legal moves


@compiled
def count(state: np.record) -> int:
    """D4, D7, D9: roll again while fewer than three rolls are made, or score, each group of dice a joker or not."""
    if state.phase != DECIDE:
        return 0
    number = 1
    for symbol in range(6):
        size = int(state.dice[state.turn, symbol])
        if size >= 2:
            jokers = 6
            if state.split_jokers:
                jokers = 6 * (size - 1) + (21 if size == 4 else 0)
            number *= 1 + jokers
    return number + (state.rolls < ROLLS)


@compiled
def nth(state: np.record, which: int) -> int:
    """The move at index ``which`` in the order of ``legal``."""
    number = 1
    if which == 0:
        return SCORE
    dice = state.dice[state.turn]
    first = NONE
    for symbol in range(6):
        size = int(dice[symbol])
        if size < 2:
            continue
        smallest = 2 if state.split_jokers else size
        more = 6 * (size + 1 - smallest)
        if which < number + more:
            at = which - number
            return joker(symbol, smallest + at // 6, at % 6)
        number += more
        if size == 4 and state.split_jokers:
            for target in range(6):
                if which < number + 6 - target:
                    return two_jokers(symbol, target, symbol, target + which - number)
                number += 6 - target
        if first == NONE:
            first = symbol
            continue
        if which < number + ORDERED:
            targets = which - number
            return two_jokers(first, first_of(targets), symbol, second_of(targets))
        number += ORDERED
    return REROLL


legal = list_moves(count, nth)


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Whether a move is legal."""
    for which in range(count(state)):
        if nth(state, which) == move:
            return True
    return False


# Effects of moves


@compiled
def dice_of_others(state: np.record, symbol: int) -> int:
    """D6, D15: the number of dice with a symbol that the other players show; a player who has not rolled shows none."""
    number = 0
    for player in range(state.players):
        if player != state.turn:
            number += state.dice[player, symbol]
    return number


@compiled
def count_marks(state: np.record, move: int, due: np.ndarray) -> None:
    """D6 to D8: count the marks of a scoring move for each symbol, before the limits of the strips."""
    own = state.dice[state.turn]
    for symbol in range(6):
        due[symbol] = own[symbol] * dice_of_others(state, symbol)
    for which in range(jokers_in(move)):
        symbol, size, target = joker_of(move, which)
        # Dice that are set apart match nothing, and give one mark less than their number.
        due[symbol] -= size * dice_of_others(state, symbol)
        due[target] += size - 1


@compiled
def earn(state: np.record, move: int) -> None:
    """D6 to D8: store the marks of a scoring move as due."""
    count_marks(state, move, state.due)


@compiled
def mark(state: np.record) -> None:
    """D10 to D12: mark boxes from left to right until nothing more fits; the rest is lost."""
    sheet = state.marks[state.turn]
    again = True
    while again:
        again = False
        last = limit(sheet, AREAS)
        for symbol in range(6):
            fits = min(state.due[symbol], last - sheet[symbol])
            if fits > 0:
                sheet[symbol] += fits
                state.due[symbol] -= fits
                again = True
    for symbol in range(6):
        state.due[symbol] = 0


@compiled
def roll_again(state: np.record) -> None:
    """D4: take up all of the player's dice to roll them."""
    for symbol in range(6):
        state.dice[state.turn, symbol] = 0
    state.phase = CHANCE


@compiled
def act(state: np.record, move: int) -> None:
    """D4, D5, D13: roll again, or mark what the roll gives; a full sheet ends the game, else the next player rolls."""
    if move != REROLL:
        earn(state, move)
        mark(state)
        if lowest(state.marks[state.turn]) == BOXES:
            state.phase = OVER
            return
        state.turn = next_player(state)
        state.rolls = 0
    roll_again(state)


# Chance


@compiled
def pending_chance(state: np.record) -> tuple[int, int]:
    """D3, D4: the pending occasion, and the number of dice that the player in turn still has to roll."""
    return 0 if state.opening else 1, dice_each(state) - state.rolled


@compiled
def item_at(state: np.record, which: int) -> int:
    """The symbol at index ``which`` of a die."""
    return which


@compiled
def pool_size(state: np.record) -> int:
    """A die has six sides."""
    return 6


@compiled
def receive(state: np.record, symbol: int) -> None:
    """D3, D4: a die comes to rest; after the last one the next player opens, or the player decides."""
    state.dice[state.turn, symbol] += 1
    state.rolled += 1
    if state.rolled != dice_each(state):
        return
    state.rolled = 0
    if not state.opening:
        state.rolls += 1
        state.phase = DECIDE
        return
    state.turn = next_player(state)
    if state.turn == 0:
        state.opening = 0


# Hidden information


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """D5: nothing is hidden."""
    return True


@compiled
def hide(state: np.record, seat: int) -> None:
    """D5: nothing is hidden."""


@compiled
def unknown(state: np.record, seat: int) -> int:
    """Nobody has anything hidden."""
    return NONE


@compiled
def fill(state: np.record, player: int, symbol: int) -> None:
    """Nothing is hidden, so there is nothing to guess."""


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """Nothing is hidden, so nothing is possible."""
    weights[:] = 0


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """D13, D14: the marks in each player's six rows."""
    copy_rows(state.marks, int(state.players), result)


@compiled
def points(state: np.record, player: int) -> int:
    """D14: in a series, a player scores the lowest value."""
    return lowest(state.marks[player])
