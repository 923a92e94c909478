"""The rules of orchard."""

import numpy as np

from sixfold.games.contract import Occasion
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER, kind_at, layout, next_player
from tests.orchard import NAME as NAME
from tests.orchard import OPTIONS as OPTIONS
from tests.orchard import PLAYERS as PLAYERS
from tests.orchard import ROUNDS as ROUNDS
from tests.orchard import VERSION as VERSION

END_CLAUSE, RANKING_CLAUSE = "O7", "O8"
CHOICES = ("hold", "trade")
LAY, CHOOSE = FIRST_DECISION, FIRST_DECISION + 1
MAX_PLAYERS = PLAYERS[-1]
HAND = 3
COPIES = 5

ITEMS = ("apple", "berry", "cherry", "damson", "elder")
VALUES = ("harvest", "spoilt")
HARVEST, SPOILT = range(2)
POOL = "stock"
REFILL_CLAUSE = None
OCCASIONS = (Occasion("take", "O2", hidden=True), Occasion("take", "O6", hidden=True))

# A move is the kind of the fruit that is laid, or a choice.
HOLD = len(ITEMS)
TRADE = HOLD + 1
ACTIONS = TRADE + 1
MAX_LEGAL = HAND

STATE = layout(
    [
        ("stock", np.int8, len(ITEMS)),  # fruits of each kind that can be taken; in a view the hidden ones too
        ("stock_size", np.int8),
        ("hand", np.int8, (MAX_PLAYERS, HAND)),  # sorted, and padded with NONE
        ("held", np.int8, MAX_PLAYERS),
        ("top", np.int8, (MAX_PLAYERS, 1)),
        ("topped", np.int8, MAX_PLAYERS),  # 1 once a player has laid a fruit
        ("value", np.int8, (MAX_PLAYERS, len(VALUES))),
        ("phase", np.int8),
        ("turn", np.int8),
        ("players", np.int8),
    ]
)


def start(players: int) -> np.ndarray:
    """O1, O2: all fruits in the stock."""
    begin = np.zeros(1, dtype=STATE)
    state = begin[0]
    state.stock[:] = COPIES
    state.stock_size = COPIES * len(ITEMS)
    state.hand[:] = state.top[:] = NONE
    state.players = players
    state.phase = CHANCE
    return begin


@compiled
def holds(state: np.record, kind: int) -> bool:
    """Whether the player in turn has a fruit of a kind."""
    number = 0
    for at in range(HAND):
        number += state.hand[state.turn, at] == kind
    return number > 0


@compiled
def count(state: np.record) -> int:
    """O3, O5: one move for every kind of fruit in the hand, or the two choices."""
    if state.phase == CHOOSE:
        return 2
    number = 0
    if state.phase == LAY:
        for kind in range(len(ITEMS)):
            number += holds(state, kind)
    return number


@compiled
def nth(state: np.record, which: int) -> int:
    if state.phase == CHOOSE:
        return HOLD + which
    for kind in range(len(ITEMS)):
        which -= holds(state, kind)
        if which < 0:
            return kind
    return NONE


@compiled
def legal(state: np.record, moves: np.ndarray) -> int:
    number = count(state)
    for which in range(number):
        moves[which] = nth(state, which)
    return number


@compiled
def allowed(state: np.record, move: int) -> bool:
    if state.phase == CHOOSE:
        return HOLD <= move <= TRADE
    return state.phase == LAY and 0 <= move < HOLD and holds(state, move)


@compiled
def partners(state: np.record, player: int, other: int) -> bool:
    """O1: whether two of four players sit opposite each other, or are the same."""
    return player == other or (state.players == MAX_PLAYERS and (player - other) % 2 == 0)


@compiled
def gain(state: np.record, kind: int, value: int) -> int:
    """O4: what laying a fruit adds to the harvest, or to what is spoilt."""
    number = 1 if value == HARVEST else 0
    for other in range(state.players):
        same = other != state.turn and state.top[other, 0] == kind
        number += same and partners(state, state.turn, other) == (value == HARVEST)
    return number


@compiled
def put(hand: np.ndarray, fruit: int) -> None:
    """Insert a fruit into a hand."""
    at = HAND - 1
    while at > 0 and (hand[at - 1] == NONE or hand[at - 1] > fruit):
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = fruit


@compiled
def drop(hand: np.ndarray, fruit: int) -> None:
    """Remove a fruit from a hand."""
    found = False
    for at in range(HAND - 1):
        found = found or hand[at] == fruit
        if found:
            hand[at] = hand[at + 1]
    hand[HAND - 1] = NONE


@compiled
def may_trade(state: np.record) -> bool:
    """O5: fruits are left in the hand, all the same, and there are others to take."""
    hand, held = state.hand[state.turn], state.held[state.turn]
    return bool(state.stock_size > 0 and held > 0 and hand[0] == hand[held - 1])


@compiled
def act(state: np.record, move: int) -> None:
    """O3 to O6: lay a fruit, or choose, and what follows."""
    player = state.turn
    if move < HOLD:
        for value in range(len(VALUES)):
            state.value[player, value] += gain(state, move, value)
        drop(state.hand[player], move)
        state.held[player] -= 1
        state.top[player, 0] = move
        state.topped[player] = 1
        if may_trade(state):
            state.phase = CHOOSE
            return
    elif move == TRADE:
        for at in range(HAND):
            state.hand[player, at] = NONE
        state.held[player] = 0
    if state.stock_size > 0:
        state.phase = CHANCE
    else:
        pass_on(state)


@compiled
def pass_on(state: np.record) -> None:
    """O7: the next player with a fruit; without any the game is over."""
    state.phase = LAY
    for _ in range(state.players):
        state.turn = next_player(state)
        if state.held[state.turn] > 0:
            return
    state.phase = OVER


@compiled
def dealing(state: np.record) -> bool:
    """O2: whether nobody has laid a fruit yet."""
    laid = 0
    for player in range(state.players):
        laid += state.topped[player]
    return laid == 0


@compiled
def pending_chance(state: np.record) -> tuple[int, int]:
    """O2, O6: up to three fruits."""
    return (0 if dealing(state) else 1), min(HAND - int(state.held[state.turn]), int(state.stock_size))


@compiled
def item_at(state: np.record, which: int) -> int:
    return kind_at(state.stock, which)


@compiled
def pool_size(state: np.record) -> int:
    return int(state.stock_size)


@compiled
def receive(state: np.record, fruit: int) -> None:
    """O2, O6: a fruit comes to the player's hand."""
    state.stock[fruit] -= 1
    state.stock_size -= 1
    put(state.hand[state.turn], fruit)
    state.held[state.turn] += 1
    if state.held[state.turn] < HAND and pool_size(state) > 0:
        return
    if not dealing(state):
        pass_on(state)
        return
    state.turn = next_player(state)
    if state.turn == 0:
        state.phase = LAY


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """O2: the own hand, not even the partner's."""
    return player == seat


@compiled
def hide(state: np.record, seat: int) -> None:
    """O2, O5: the others' fruits go among those in the stock, and their choice looks as if it had not come up."""
    if state.phase == CHOOSE and state.turn != seat:
        state.phase = CHANCE
    for player in range(state.players):
        if player != seat:
            for at in range(state.held[player]):
                state.stock[state.hand[player, at]] += 1
                state.hand[player, at] = NONE


@compiled
def unknown(state: np.record, seat: int) -> int:
    for player in range(state.players):
        if state.held[player] > 0 and state.hand[player, state.held[player] - 1] == NONE:
            return player
    return NONE


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    for kind in range(len(ITEMS)):
        weights[kind] = state.stock[kind]


@compiled
def fill(state: np.record, player: int, fruit: int) -> None:
    put(state.hand[player], fruit)
    state.stock[fruit] -= 1


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    for player in range(state.players):
        for value in range(len(VALUES)):
            result[player, value] = state.value[player, value]


@compiled
def score(state: np.record, player: int) -> int:
    """O8: the harvest of a player and the partner, less what they spoilt."""
    total = 0
    for other in range(state.players):
        if partners(state, player, other):
            total += int(state.value[other, HARVEST]) - int(state.value[other, SPOILT])
    return total


@compiled
def rank(state: np.record, places: np.ndarray) -> None:
    """O8: a place for everybody, which partners share."""
    for player in range(state.players):
        places[player] = 1
        for other in range(state.players):
            places[player] += score(state, other) > score(state, player)
