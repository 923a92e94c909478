"""Moves of the dice game as numbers: roll again; score without jokers, with one, or with two pairs as jokers."""

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import ORDERED, first_of, ordered, second_of

REROLL = 0
SCORE = 1
ONE_JOKER = 2
# D7: two, three or four equal dice of six symbols, for one of six symbols.
TWO_JOKERS = ONE_JOKER + 6 * 3 * 6
ACTIONS = TWO_JOKERS + ORDERED * ORDERED


@compiled
def joker(symbol: int, size: int, target: int) -> int:
    """One group of equal dice as a joker, in the order of the notation."""
    return ONE_JOKER + (symbol * 3 + size - 2) * 6 + target


@compiled
def two_jokers(symbol: int, target: int, other: int, other_target: int) -> int:
    """Two pairs of dice as jokers, in the order of the notation."""
    return TWO_JOKERS + ordered(symbol, target) * ORDERED + ordered(other, other_target)


@compiled
def jokers_in(move: int) -> int:
    """How many groups a move sets apart."""
    if move < ONE_JOKER:
        return 0
    return 1 if move < TWO_JOKERS else 2


@compiled
def joker_of(move: int, which: int) -> tuple[int, int, int]:
    """One of them: its symbol, how many dice it has, and the symbol it goes to."""
    if move < TWO_JOKERS:
        group = (move - ONE_JOKER) // 6
        return group // 3, group % 3 + 2, (move - ONE_JOKER) % 6
    pairs = move - TWO_JOKERS
    pair = pairs // ORDERED if which == 0 else pairs % ORDERED
    return first_of(pair), 2, second_of(pair)
