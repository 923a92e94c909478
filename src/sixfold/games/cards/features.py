"""Net inputs for the card game: integers computed from what one seat may know (docs/nets.md)."""

import numpy as np

from sixfold.games.cards import AREAS, LAST, rules
from sixfold.games.cards import GOAL as GOAL
from sixfold.games.cards.rules import CARD_OF, CARDS
from sixfold.games.contract import NetPlan
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.net_inputs import (
    BONUS,
    WORTH,
    clamp,
    expected_best,
    refine_order,
    sort_descending,
    sort_symbols,
)
from sixfold.games.shared.symbols import CHANCE, NONE, limit, limit_above, lowest

# Increase when the meaning of the inputs changes.
VERSION = 2
NET = "graph"
PLAN = NetPlan(width=12, depth=4, replies=4, prior_weight=8.0)
KINDS = len(CARDS)
HAND = rules.HAND


def face_up_inputs(players: int) -> int:
    """C4, C6, C18: the number of face-up cards per player among the inputs."""
    return 3 if players == 2 else 2


def _by_symbol(players: int) -> int:
    """Inputs per symbol: all chips; cards in hand, unseen and face up; all steps; and every player's face-up cards."""
    return players + 3 + players + players * face_up_inputs(players)


def input_count(players: int) -> int:
    """The number of inputs."""
    return 6 * _by_symbol(players) + len(_overall(players))


def scales(players: int) -> np.ndarray:
    """The divisor that scales each input to about 1."""
    symbol = [7] * players + [3, 12, 3] + [3] * players + [1] * (players * face_up_inputs(players))
    return np.array(symbol * 6 + _overall(players), dtype=np.float32)


def shape(players: int) -> tuple[int, int, int]:
    """The number of inputs per symbol, how many of them stand for one card each, and the number of global inputs."""
    return _by_symbol(players), players * face_up_inputs(players), len(_overall(players)) - 2 * KINDS


def _overall(players: int) -> list[int]:
    """The divisors of the global inputs; for their meaning see ``write_inputs``."""
    turn_and_phase = [1] * (players + 3) + [40, 40, 6, 6, 1]
    lows_and_sums = [7] * players + [42] * players
    gains = [100] * (HAND + 1) + [100] * (2 * (players - 1))
    return turn_and_phase + lows_and_sums + gains + [1] * KINDS + [4] * KINDS


# Layout of the scratch arrays. int8: matches of each symbol.
SCRATCH8_SIZE = 6
ROWS, ORDER, GAINS, COPIES, MINE, TABLE, HELD, PAIRS, GROUPS = 0, 114, 120, 135, 150, 156, 162, 177, 192
SCRATCH32_SIZE = 198


@compiled
def steps(chips: np.ndarray, symbol: int, matches: int) -> int:
    """C9, C10: the steps that a chip would advance if the other chips stayed in place."""
    before = int(chips[symbol])
    return max(0, min(before + matches, limit(chips, AREAS)) - before)


@compiled
def worth(chips: np.ndarray, low: int, symbol: int, matches: int) -> int:
    """C14: the worth of a symbol to a player who plays it now."""
    far = steps(chips, symbol, matches)
    value = WORTH[chips[symbol] - low, far]
    if far > 0 and chips[symbol] + far == LAST:
        value += BONUS
    return value


@compiled
def discarded_from_view(state: np.record, seat: int, player: int) -> int:
    """C11, C13: the number of a player's face-up cards that count as discarded to a seat.

    Another player's private choice is hidden: to the others that turn has already ended.
    """
    return int(state.phase == rules.CHOOSE and player == state.turn and player != seat)


@compiled
def count_open(state: np.record, seat: int, matches: np.ndarray) -> None:
    """C7: how many face-up cards show each symbol."""
    for symbol in range(6):
        matches[symbol] = 0
    for player in range(state.players):
        for at in range(discarded_from_view(state, seat, player), state.open_size[player]):
            card = state.open[player, at]
            matches[CARDS[card, 0]] += 1
            matches[CARDS[card, 1]] += 1


@compiled
def add_cards(state: np.record, seat: int, width: int, scratch8: np.ndarray, scratch32: np.ndarray) -> None:
    """C3, C5: add the chips, the seat's hand, the unseen cards and the face-up cards."""
    players = int(state.players)
    most = 3 if players == 2 else 2
    for kind in range(KINDS):
        scratch32[COPIES + kind] = state.pile[kind]
    for step in range(players):
        player = (seat + step) % players
        for symbol in range(6):
            row = symbol * width
            scratch32[row + step] = state.chip[player, symbol]
            scratch32[row + players + 3 + step] = steps(state.chip[player], symbol, int(scratch8[symbol]))
        for at in range(state.hand_size[player]):
            card = state.hand[player, at]
            if card != NONE and step > 0:
                scratch32[COPIES + card] += 1
            elif card != NONE:
                scratch32[HELD + card] += 1
                scratch32[CARDS[card, 0] * width + players] += 1
                scratch32[CARDS[card, 1] * width + players] += 1
        begin = discarded_from_view(state, seat, player)
        for at in range(min(most, state.open_size[player] - begin)):
            column = players + 3 + players + step * most + at
            card = state.open[player, begin + at]
            scratch32[CARDS[card, 0] * width + column] = 1
            scratch32[CARDS[card, 1] * width + column] = 1
    for kind in range(KINDS):
        scratch32[CARDS[kind, 0] * width + players + 1] += scratch32[COPIES + kind]
        scratch32[CARDS[kind, 1] * width + players + 1] += scratch32[COPIES + kind]
    for symbol in range(6):
        scratch32[symbol * width + players + 2] = scratch8[symbol]


@compiled
def write_inputs(
    state: np.record, seat: int, out: np.ndarray, scratch8: np.ndarray, scratch32: np.ndarray, keys: np.ndarray
) -> None:
    """Write the net inputs of a position for a seat, without using anything hidden from it."""
    players = int(state.players)
    width = players + 3 + players + players * (3 if players == 2 else 2)
    for at in range(SCRATCH32_SIZE):
        scratch32[at] = 0
    count_open(state, seat, scratch8)
    add_cards(state, seat, width, scratch8, scratch32)
    for kind in range(KINDS):
        scratch32[PAIRS + kind] = scratch32[HELD + kind] * 8 + scratch32[COPIES + kind]
    order = scratch32[ORDER : ORDER + 6]
    sort_symbols(scratch32, width, order, keys)
    refine_order(order, keys, scratch32[PAIRS : PAIRS + KINDS], CARD_OF, scratch32[GROUPS:])
    for rank in range(6):
        row = order[rank] * width
        for at in range(width):
            out[rank * width + at] = clamp(scratch32[row + at])
    at = 6 * width
    turn = (int(state.turn) - seat + players) % players
    for step in range(players):
        out[at + step] = step == turn
    at += players
    out[at] = state.phase == rules.PLAY
    ending = discarded_from_view(state, seat, int(state.turn))
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
    write_gains(state, seat, out, at + 2 * players, scratch8, scratch32)
    at += 2 * players + HAND + 1 + 2 * (players - 1)
    for a in range(6):
        for b in range(a + 1, 6):
            card = CARD_OF[order[a], order[b]]
            out[at] = scratch32[HELD + card]
            out[at + KINDS] = scratch32[COPIES + card]
            at += 1


@compiled
def write_gains(
    state: np.record, seat: int, out: np.ndarray, at: int, scratch8: np.ndarray, scratch32: np.ndarray
) -> None:
    """Write the gains of the seat's cards in descending order, and each player's maximum and expected gains."""
    players = int(state.players)
    for step in range(players):
        player = (seat + step) % players
        low = lowest(state.chip[player])
        for symbol in range(6):
            scratch32[TABLE + symbol] = worth(state.chip[player], low, symbol, int(scratch8[symbol]))
        most = 0
        for kind in range(KINDS):
            scratch32[GAINS + kind] = scratch32[TABLE + CARDS[kind, 0]] + scratch32[TABLE + CARDS[kind, 1]]
            if scratch32[COPIES + kind] > 0:
                most = max(most, scratch32[GAINS + kind])
        if step == 0:
            for card in range(state.hand_size[seat]):
                if state.hand[seat, card] != NONE:
                    scratch32[MINE + card] = scratch32[GAINS + state.hand[seat, card]]
            sort_descending(scratch32, MINE, HAND)
            for card in range(HAND):
                out[at + card] = clamp(scratch32[MINE + card] // 2)
            at += HAND
        else:
            out[at] = clamp(most // 2)
            at += 1
        out[at] = clamp(expected_best(scratch32, GAINS, scratch32[COPIES:], KINDS, HAND) // 2)
        at += 1


# Candidate moves: every card once, or twice if the order of its symbols matters


# The worth of every symbol, and how many cards it matches.
BOARD_FEATURES_SIZE = 12


def candidate_count(players: int) -> int:
    """The number of candidate indexes."""
    return rules.MAX_LEGAL


def training_candidates(players: int) -> int:
    """The maximum number of candidates that a net evaluates in training."""
    return rules.MAX_LEGAL


@compiled
def prepare(state: np.record, board_features: np.ndarray) -> None:
    """Compute the worth of every symbol to the player in turn, and its matches before the limit of C10."""
    matches = board_features[6:]
    count_open(state, int(state.turn), matches)
    chips = state.chip[state.turn]
    low = lowest(chips)
    for symbol in range(6):
        board_features[symbol] = clamp(worth(chips, low, symbol, int(matches[symbol])) // 2)


@compiled
def reached(chip: int, other: int, least: int, matches: int) -> int:
    """C9, C10: where a chip arrives if the card's other chip and the lowest of the rest stay in place."""
    for _ in range(matches):
        if chip == limit_above(min(chip, other, least), AREAS):
            break
        chip += 1
    return chip


@compiled
def order_matters(state: np.record, board_features: np.ndarray, a: int, b: int) -> bool:
    """C8: whether it matters which of a card's symbols is scored first."""
    chips = state.chip[state.turn]
    least = LAST
    for symbol in range(6):
        if symbol != a and symbol != b:
            least = min(least, int(chips[symbol]))
    before_a, before_b, far_a, far_b = (
        int(chips[a]),
        int(chips[b]),
        int(board_features[6 + a]),
        int(board_features[6 + b]),
    )
    first_a = reached(before_a, before_b, least, far_a)
    first_b = reached(before_b, before_a, least, far_b)
    return first_a != reached(before_a, first_b, least, far_a) or first_b != reached(before_b, first_a, least, far_b)


@compiled
def candidate(state: np.record, board_features: np.ndarray, which: int) -> tuple[int, float]:
    """The candidate at an index, or NONE, with an estimate of its value; C8: the lower chip first."""
    if which >= rules.count(state):
        return NONE, 0.0
    move = int(rules.nth(state, which))
    if move >= rules.KEEP:
        return move, 1.0 if move == rules.RENEW else 0.0
    a, b = move // 6, move % 6
    if a > b and not order_matters(state, board_features, a, b):
        return NONE, 0.0
    chips = state.chip[state.turn]
    ordered_well = 0.1 if chips[a] <= chips[b] else 0.0
    return move, board_features[a] + board_features[b] + ordered_well
