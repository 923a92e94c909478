"""The dice game for two to four players (docs/rules/dice.md)."""

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER, SYMBOLS, Refusal, layout, limit, lowest

NAME = "dice"
VERSION = 1
SERIES = True
END = PLACES = "D13"
CHOICES = ()
PLAYERS = (2, 3, 4)
OPTIONS = {"split_jokers": False, "hidden_start": False}
BOXES = 7
ROLLS = 3

DECIDE = FIRST_DECISION

ITEMS = list(SYMBOLS)

# Moves: roll again; score without jokers; with one joker (symbol, number of dice, target); with two pairs as jokers.
REROLL = 0
SCORE = 1
ONE_JOKER = 2
TWO_JOKERS = ONE_JOKER + 6 * 3 * 6
ACTIONS = TWO_JOKERS + 36 * 36
MOST_LEGAL = 64

# What chance supplies, one die at a time, is always one of six; the occasions have a word and a clause.
POOL = None
OCCASIONS = (("roll", "D3"), ("roll", "D4"))

STATE = layout(
    [
        ("marks", np.int8, (4, 6)),
        ("dice", np.int8, (4, 6)),  # how many dice of each symbol a player shows
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
    """D2, D3, D15: empty sheets; all but player 0 owe an opening roll, unless the start is hidden."""
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


# What may be done


@compiled
def joker(symbol: int, number: int, target: int) -> int:
    """One group of equal dice as a joker, in the order of the notation."""
    return ONE_JOKER + (symbol * 3 + number - 2) * 6 + target


@compiled
def two_jokers(symbol: int, target: int, other: int, other_target: int) -> int:
    """Two pairs of dice as jokers, in the order of the notation."""
    return TWO_JOKERS + (symbol * 6 + target) * 36 + other * 6 + other_target


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
    """The move that is number ``which`` in the order of ``legal``."""
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
        if which < number + 36:
            at = which - number
            return two_jokers(first, at // 6, symbol, at % 6)
        number += 36
    return REROLL


@compiled
def legal(state: np.record, moves: np.ndarray) -> int:
    """Write all moves into an array and say how many there are."""
    number = count(state)
    for which in range(number):
        moves[which] = nth(state, which)
    return number


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Is it one of the moves?"""
    for which in range(count(state)):
        if nth(state, which) == move:
            return True
    return False


# Doing it


@compiled
def others(state: np.record, symbol: int) -> int:
    """D6, D15: how many dice with a symbol the other players show; who has not rolled yet shows none."""
    number = 0
    for player in range(state.players):
        if player != state.turn:
            number += state.dice[player, symbol]
    return number


@compiled
def earn(state: np.record, move: int) -> None:
    """D6 to D8: what a way to score gives for each symbol, before the strips are looked at."""
    own = state.dice[state.turn]
    for symbol in range(6):
        state.due[symbol] = own[symbol] * others(state, symbol)
    if move >= TWO_JOKERS:
        pairs = move - TWO_JOKERS
        for pair in (pairs // 36, pairs % 36):
            set_apart(state, pair // 6, 2, pair % 6)
    elif move >= ONE_JOKER:
        group = (move - ONE_JOKER) // 6
        set_apart(state, group // 3, group % 3 + 2, (move - ONE_JOKER) % 6)


@compiled
def set_apart(state: np.record, symbol: int, size: int, target: int) -> None:
    """D7, D8: equal dice as a joker match nothing and give one mark less than they are for the target."""
    state.due[symbol] -= size * others(state, symbol)
    state.due[target] += size - 1


@compiled
def mark(state: np.record) -> None:
    """D10 to D12: mark boxes from left to right until nothing more fits; the rest is lost."""
    sheet = state.marks[state.turn]
    again = True
    while again:
        again = False
        last = limit(sheet, BOXES)
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
        state.turn = (state.turn + 1) % state.players
        state.rolls = 0
    roll_again(state)


# Chance


@compiled
def owed(state: np.record) -> tuple[int, int]:
    """D3, D4: what chance owes the player in turn: the occasion and the number of dice."""
    return 0 if state.opening else 1, dice_each(state) - state.rolled


@compiled
def drawn(state: np.record, which: int) -> int:
    """The symbol that is number ``which`` on a die."""
    return which


@compiled
def pool_size(state: np.record) -> int:
    """A die has six sides."""
    return 6


@compiled
def receive(state: np.record, symbol: int) -> None:
    """D3, D4: a die comes to rest; with all dice the opening goes on, or the player decides."""
    state.dice[state.turn, symbol] += 1
    state.rolled += 1
    if state.rolled != dice_each(state):
        return
    state.rolled = 0
    if not state.opening:
        state.rolls += 1
        state.phase = DECIDE
        return
    state.turn += 1
    if state.turn == state.players:
        state.turn = 0
        state.opening = 0


# What a seat sees


@compiled
def hide(state: np.record, seat: int) -> None:
    """D5: everything lies open."""


@compiled
def unknown(state: np.record, seat: int) -> int:
    """Nobody has anything hidden."""
    return NONE


@compiled
def fill(state: np.record, player: int, symbol: int) -> None:
    """Nothing is hidden, so nothing is guessed."""


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """Nothing is hidden, so nothing is possible."""
    weights[:] = 0


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """D13, D14: the marks in each player's six rows."""
    for player in range(state.players):
        for symbol in range(6):
            result[player, symbol] = state.marks[player, symbol]


# Why not


def refusal(state: np.record, move: int) -> Refusal:
    """The reason why a move is not allowed, with its clause."""
    if move == REROLL:
        return Refusal("no_reroll", "D4")
    dice = [int(number) for number in state.dice[int(state.turn)]]
    needed = [0] * 6
    if move >= TWO_JOKERS:
        for pair in divmod(move - TWO_JOKERS, 36):
            needed[pair // 6] += 2
    else:
        group = (move - ONE_JOKER) // 6
        needed[group // 3] = group % 3 + 2
    for symbol in range(6):
        if needed[symbol] > dice[symbol]:
            return Refusal("no_group", "D7", {"number": str(needed[symbol]), "symbol": SYMBOLS[symbol]})
    return Refusal("whole_group", "D9")
