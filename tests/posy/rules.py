"""The rules of posy."""

import numpy as np

from sixfold.games.contract import Occasion
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    OVER,
    SYMBOLS,
    kind_at,
    layout,
    lowest,
    next_player,
)
from tests.posy import GOAL, LAST
from tests.posy import NAME as NAME
from tests.posy import OPTIONS as OPTIONS
from tests.posy import PLAYERS as PLAYERS
from tests.posy import ROUNDS as ROUNDS
from tests.posy import VERSION as VERSION

END_CLAUSE, RANKING_CLAUSE = "P7", "P8"
CHOICES = ()
LAY = FIRST_DECISION
CHOOSE = NONE
HAND = 4
MAX_PLAYERS = PLAYERS[-1]
COPIES = {"small": 6, "large": 8}

ITEMS = list(SYMBOLS)
VALUES = SYMBOLS
POOL = "rest"
REFILL_CLAUSE = None
OCCASIONS = (Occasion("deal", "P2", hidden=True), Occasion("draw", "P6", hidden=True))
# A move is the symbol of the flower that is laid.
ACTIONS = MAX_LEGAL = 6

STATE = layout(
    [
        ("rest", np.int8, 6),  # undealt flowers of each kind; in a view the hidden ones too
        ("rest_size", np.int8),
        ("hand", np.int8, (MAX_PLAYERS, 6)),
        ("held", np.int8, MAX_PLAYERS),  # how many flowers a player has, seen or not
        ("top", np.int8, MAX_PLAYERS),
        ("value", np.int8, (MAX_PLAYERS, 6)),
        ("dealing", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),
        ("players", np.int8),
        ("pack", np.int8),
        ("open_hands", np.int8),
    ]
)


def start(players: int, pack: str = "small", open_hands: bool = False) -> np.ndarray:
    """P1, P2: the whole pack, and four flowers owed to everybody."""
    begin = np.zeros(1, dtype=STATE)
    state = begin[0]
    state.rest[:] = COPIES[pack]
    state.rest_size = 6 * COPIES[pack]
    state.top[:] = NONE
    state.dealing = 1
    state.players = players
    state.pack = list(COPIES).index(pack)
    state.open_hands = open_hands
    state.phase = CHANCE
    return begin


@compiled
def count(state: np.record) -> int:
    """P3: one move for every kind of flower in the hand."""
    number = 0
    if state.phase == LAY:
        for symbol in range(6):
            number += state.hand[state.turn, symbol] > 0
    return number


@compiled
def nth(state: np.record, which: int) -> int:
    for symbol in range(6):
        which -= state.hand[state.turn, symbol] > 0
        if which < 0:
            return symbol
    return NONE


@compiled
def legal(state: np.record, moves: np.ndarray) -> int:
    number = count(state)
    for which in range(number):
        moves[which] = nth(state, which)
    return number


@compiled
def allowed(state: np.record, move: int) -> bool:
    return state.phase == LAY and 0 <= move < 6 and state.hand[state.turn, move] > 0


@compiled
def rise(state: np.record, symbol: int) -> int:
    """P4: by how much a value rises."""
    number = 1
    for player in range(state.players):
        number += player != state.turn and state.top[player] == symbol
    return number


@compiled
def complete(state: np.record) -> bool:
    """P7: has the player in turn all six values at 2 or more?"""
    return lowest(state.value[state.turn]) >= GOAL


@compiled
def act(state: np.record, move: int) -> None:
    """P3 to P7: lay a flower, score it, and what follows."""
    player = state.turn
    state.value[player, move] = min(LAST, int(state.value[player, move]) + rise(state, move))
    state.hand[player, move] -= 1
    state.held[player] -= 1
    state.top[player] = move
    if complete(state):
        state.phase = OVER
    elif state.rest_size > 0:
        state.phase = CHANCE
    else:
        pass_on(state)


@compiled
def pass_on(state: np.record) -> None:
    """P7: the next player with a flower; without any the game is over."""
    state.phase = LAY
    for _ in range(state.players):
        state.turn = next_player(state)
        if state.held[state.turn] > 0:
            return
    state.phase = OVER


@compiled
def pending_chance(state: np.record) -> tuple[int, int]:
    """P2, P6: the deal, or one flower."""
    return (0, HAND - state.held[state.turn]) if state.dealing else (1, 1)


@compiled
def item_at(state: np.record, which: int) -> int:
    return kind_at(state.rest, which)


@compiled
def pool_size(state: np.record) -> int:
    return int(state.rest_size)


@compiled
def receive(state: np.record, item: int) -> None:
    """P2, P6: a flower comes to the player's hand."""
    state.rest[item] -= 1
    state.rest_size -= 1
    state.hand[state.turn, item] += 1
    state.held[state.turn] += 1
    if not state.dealing:
        pass_on(state)
    elif state.held[state.turn] == HAND:
        state.turn = next_player(state)
        if state.turn == 0:
            state.dealing = 0
            state.phase = LAY


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """P2: the own hand, and with open hands every one."""
    return player == seat or state.open_hands != 0


@compiled
def hide(state: np.record, seat: int) -> None:
    """P2: flowers that a seat cannot see go among the undealt ones."""
    for player in range(state.players):
        if not sees(state, seat, player):
            for symbol in range(6):
                state.rest[symbol] += state.hand[player, symbol]
                state.hand[player, symbol] = 0


@compiled
def hidden(state: np.record, player: int) -> int:
    """How many flowers of a player a view hides."""
    number = int(state.held[player])
    for symbol in range(6):
        number -= int(state.hand[player, symbol])
    return number


@compiled
def unknown(state: np.record, seat: int) -> int:
    for player in range(state.players):
        if hidden(state, player) > 0:
            return player
    return NONE


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    for symbol in range(6):
        weights[symbol] = state.rest[symbol]


@compiled
def fill(state: np.record, player: int, item: int) -> None:
    state.hand[player, item] += 1
    state.rest[item] -= 1


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """P8: six values for each player."""
    for player in range(state.players):
        for symbol in range(6):
            result[player, symbol] = state.value[player, symbol]


@compiled
def points(state: np.record, player: int) -> int:
    """P8: in a series, a player scores the lowest value."""
    return lowest(state.value[player])
