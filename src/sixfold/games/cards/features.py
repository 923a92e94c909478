"""What a net is told of a position of the card game: whole numbers from what one seat may know (docs/nets.md)."""

import numpy as np

from sixfold.games.cards import AREAS, LAST, rules
from sixfold.games.cards import GOAL as GOAL
from sixfold.games.cards.rules import CARD_OF, CARDS
from sixfold.games.contract import NetPlan
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.describing import (
    BONUS,
    WORTH,
    capped,
    expected_best,
    ordered,
    put_in_falling_order,
    tell_apart,
)
from sixfold.games.shared.symbols import CHANCE, NONE, limit, limit_above, lowest

# A net knows only the numbers that it has learned with.
VERSION = 2
NET = "graph"
PLAN = NetPlan(width=12, depth=4, replies=4, prior=8.0)
KINDS = len(CARDS)
HAND = rules.HAND


def shown(players: int) -> int:
    """C4, C6, C18: how many face-up cards of a player a net is told of."""
    return 3 if players == 2 else 2


def _by_symbol(players: int) -> int:
    """Of each symbol: everybody's chip, cards in hand and unseen, face-up cards; steps, face-up cards of everybody."""
    return players + 3 + players + players * shown(players)


def inputs(players: int) -> int:
    """How many numbers a net is told."""
    return 6 * _by_symbol(players) + len(_overall(players))


def scales(players: int) -> np.ndarray:
    """What each number is divided by, so that all are about as great as 1."""
    symbol = [7] * players + [3, 12, 3] + [3] * players + [1] * (players * shown(players))
    return np.array(symbol * 6 + _overall(players), dtype=np.float32)


def shape(players: int) -> tuple[int, int, int]:
    """How many numbers a symbol has, how many of them mean a card each, and how many are of the whole."""
    return _by_symbol(players), players * shown(players), len(_overall(players)) - 2 * KINDS


def _overall(players: int) -> list[int]:
    """Of the whole: see ``describe``."""
    turn_and_phase = [1] * (players + 3) + [40, 40, 6, 6, 1]
    lows_and_sums = [7] * players + [42] * players
    gains = [100] * (HAND + 1) + [100] * (2 * (players - 1))
    return turn_and_phase + lows_and_sums + gains + [1] * KINDS + [4] * KINDS


# Room to think: matches of each symbol; and numbers.
SMALL = 6
MOST_WIDTH = 19
ROWS, ORDER, GAINS, COPIES, MINE, TABLE, HELD, PAIRS, GROUPS = 0, 114, 120, 135, 150, 156, 162, 177, 192
WORK = 198


@compiled
def steps(chips: np.ndarray, symbol: int, matches: int) -> int:
    """C9, C10: how far a chip would go, other chips staying where they are."""
    before = int(chips[symbol])
    return max(0, min(before + matches, limit(chips, AREAS)) - before)


@compiled
def worth(chips: np.ndarray, low: int, symbol: int, matches: int) -> int:
    """C14: what a symbol is worth to a player who plays it now."""
    far = steps(chips, symbol, matches)
    value = WORTH[chips[symbol] - low, far]
    if far > 0 and chips[symbol] + far == LAST:
        value += BONUS
    return value


@compiled
def gone(state: np.record, seat: int, player: int) -> int:
    """C11, C13: how many face-up cards of a player are as good as discarded.

    That another player has a choice is nobody else's business: to the others that turn is at its end.
    """
    return int(state.phase == rules.CHOOSE and player == state.turn and player != seat)


@compiled
def count_open(state: np.record, seat: int, matches: np.ndarray) -> None:
    """C7: how many face-up cards show each symbol."""
    for symbol in range(6):
        matches[symbol] = 0
    for player in range(state.players):
        for at in range(gone(state, seat, player), state.open_size[player]):
            card = state.open[player, at]
            matches[CARDS[card, 0]] += 1
            matches[CARDS[card, 1]] += 1


@compiled
def note_cards(state: np.record, seat: int, width: int, small: np.ndarray, work: np.ndarray) -> None:
    """C3, C5: chips, cards in hand, those that the seat has not seen, and those that lie open."""
    players = int(state.players)
    most = 3 if players == 2 else 2
    for kind in range(KINDS):
        work[COPIES + kind] = state.pile[kind]
    for step in range(players):
        player = (seat + step) % players
        for symbol in range(6):
            row = symbol * width
            work[row + step] = state.chip[player, symbol]
            work[row + players + 3 + step] = steps(state.chip[player], symbol, int(small[symbol]))
        for at in range(state.hand_size[player]):
            card = state.hand[player, at]
            if card != NONE and step > 0:
                work[COPIES + card] += 1
            elif card != NONE:
                work[HELD + card] += 1
                work[CARDS[card, 0] * width + players] += 1
                work[CARDS[card, 1] * width + players] += 1
        begin = gone(state, seat, player)
        for at in range(min(most, state.open_size[player] - begin)):
            column = players + 3 + players + step * most + at
            card = state.open[player, begin + at]
            work[CARDS[card, 0] * width + column] = 1
            work[CARDS[card, 1] * width + column] = 1
    for kind in range(KINDS):
        work[CARDS[kind, 0] * width + players + 1] += work[COPIES + kind]
        work[CARDS[kind, 1] * width + players + 1] += work[COPIES + kind]
    for symbol in range(6):
        work[symbol * width + players + 2] = small[symbol]


@compiled
def describe(
    state: np.record, seat: int, out: np.ndarray, small: np.ndarray, work: np.ndarray, keys: np.ndarray
) -> None:
    """Tell a net what a seat knows of a position; nothing hidden from the seat is looked at."""
    players = int(state.players)
    width = players + 3 + players + players * (3 if players == 2 else 2)
    for at in range(WORK):
        work[at] = 0
    count_open(state, seat, small)
    note_cards(state, seat, width, small, work)
    for kind in range(KINDS):
        work[PAIRS + kind] = work[HELD + kind] * 8 + work[COPIES + kind]
    order = work[ORDER : ORDER + 6]
    ordered(work, width, order, keys)
    tell_apart(order, keys, work[PAIRS : PAIRS + KINDS], CARD_OF, work[GROUPS:])
    for rank in range(6):
        row = order[rank] * width
        for at in range(width):
            out[rank * width + at] = capped(work[row + at])
    at = 6 * width
    turn = (int(state.turn) - seat + players) % players
    for step in range(players):
        out[at + step] = step == turn
    at += players
    out[at] = state.phase == rules.PLAY
    ending = gone(state, seat, int(state.turn))
    out[at + 1] = state.phase == rules.CHOOSE and ending == 0
    out[at + 2] = state.phase == CHANCE or ending == 1
    out[at + 3] = state.pile_size
    out[at + 4] = state.discards_size + ending
    out[at + 5] = state.hand_size[seat]
    out[at + 6] = state.hand_size[state.turn]
    out[at + 7] = state.bonus
    at += 8
    for step in range(players):
        player = (seat + step) % players
        total = 0
        for symbol in range(6):
            total += state.chip[player, symbol]
        out[at + step] = lowest(state.chip[player])
        out[at + players + step] = total
    tell_gains(state, seat, out, at + 2 * players, small, work)
    at += 2 * players + HAND + 1 + 2 * (players - 1)
    for a in range(6):
        for b in range(a + 1, 6):
            card = CARD_OF[order[a], order[b]]
            out[at] = work[HELD + card]
            out[at + KINDS] = work[COPIES + card]
            at += 1


@compiled
def tell_gains(state: np.record, seat: int, out: np.ndarray, at: int, small: np.ndarray, work: np.ndarray) -> None:
    """What the own cards gain, one by one; what an unseen hand does at most and may be expected to, for everybody."""
    players = int(state.players)
    for step in range(players):
        player = (seat + step) % players
        low = lowest(state.chip[player])
        for symbol in range(6):
            work[TABLE + symbol] = worth(state.chip[player], low, symbol, int(small[symbol]))
        most = 0
        for kind in range(KINDS):
            work[GAINS + kind] = work[TABLE + CARDS[kind, 0]] + work[TABLE + CARDS[kind, 1]]
            if work[COPIES + kind] > 0:
                most = max(most, work[GAINS + kind])
        if step == 0:
            for card in range(state.hand_size[seat]):
                if state.hand[seat, card] != NONE:
                    work[MINE + card] = work[GAINS + state.hand[seat, card]]
            put_in_falling_order(work, MINE, HAND)
            for card in range(HAND):
                out[at + card] = capped(work[MINE + card] // 2)
            at += HAND
        else:
            out[at] = capped(most // 2)
            at += 1
        out[at] = capped(expected_best(work, GAINS, work[COPIES:], KINDS, HAND) // 2)
        at += 1


# The moves that are judged: every card once, and twice where the order of its symbols changes what comes of it


# What every symbol is worth, and how many cards it matches.
SIGHT = 12


def slots(players: int) -> int:
    """How many moves there can be."""
    return rules.MOST_LEGAL


def judged(players: int) -> int:
    """How many of them are judged by a net."""
    return rules.MOST_LEGAL


@compiled
def glance(state: np.record, sight: np.ndarray) -> None:
    """See what every symbol is worth to the player in turn, and how far it would go but for C10."""
    matches = sight[6:]
    count_open(state, int(state.turn), matches)
    chips = state.chip[state.turn]
    low = lowest(chips)
    for symbol in range(6):
        sight[symbol] = capped(worth(chips, low, symbol, int(matches[symbol])) // 2)


@compiled
def reached(chip: int, other: int, least: int, matches: int) -> int:
    """C9, C10: where a chip comes to, the other one of its card and the least of the rest staying where they are."""
    for _ in range(matches):
        if chip == limit_above(min(chip, other, least), AREAS):
            break
        chip += 1
    return chip


@compiled
def order_matters(state: np.record, sight: np.ndarray, a: int, b: int) -> bool:
    """C8: does it matter which of a card's symbols is scored first?"""
    chips = state.chip[state.turn]
    least = LAST
    for symbol in range(6):
        if symbol != a and symbol != b:
            least = min(least, int(chips[symbol]))
    before_a, before_b, far_a, far_b = int(chips[a]), int(chips[b]), int(sight[6 + a]), int(sight[6 + b])
    first_a = reached(before_a, before_b, least, far_a)
    first_b = reached(before_b, before_a, least, far_b)
    return first_a != reached(before_a, first_b, least, far_a) or first_b != reached(before_b, first_a, least, far_b)


@compiled
def slot(state: np.record, sight: np.ndarray, which: int) -> tuple[int, float]:
    """A move by its number, or NONE, and what it looks like at first sight; C8: the lower chip first."""
    if which >= rules.count(state):
        return NONE, 0.0
    move = int(rules.nth(state, which))
    if move >= rules.KEEP:
        return move, 1.0 if move == rules.RENEW else 0.0
    a, b = move // 6, move % 6
    if a > b and not order_matters(state, sight, a, b):
        return NONE, 0.0
    chips = state.chip[state.turn]
    ordered_well = 0.1 if chips[a] <= chips[b] else 0.0
    return move, sight[a] + sight[b] + ordered_well
