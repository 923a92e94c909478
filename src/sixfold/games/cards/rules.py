"""The card game for two to four players (docs/rules/cards.md)."""

import numpy as np

from sixfold.games.cards import AREAS, GOAL, LAST
from sixfold.games.cards import NAME as NAME
from sixfold.games.cards import OPTIONS as OPTIONS
from sixfold.games.cards import PLAYERS as PLAYERS
from sixfold.games.cards import ROUNDS as ROUNDS
from sixfold.games.cards import VERSION as VERSION
from sixfold.games.contract import Occasion
from sixfold.games.shared import bits
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    ORDERED,
    OVER,
    RACK,
    SYMBOLS,
    both_orders,
    copy_rows,
    first_of,
    index_of,
    insert,
    kind_at,
    layout,
    limit,
    list_moves,
    lowest,
    next_player,
    orders,
    remove,
    second_of,
    shows_lowest,
    symbols_of,
    two_symbols,
)

END_CLAUSE, RANKING_CLAUSE = "C15", "C16"
CHOICES = ("keep", "renew")
MAX_PLAYERS = PLAYERS[-1]
HAND = RACK
# C6: for a moment three face-up cards lie before a player, the two of C4 and the one just played.
OPEN = 3

PLAY = FIRST_DECISION
CHOOSE = FIRST_DECISION + 1

# Stages of the game: first the hands are dealt, then the face-up cards, then it is played.
DEALING, OPENING, PLAYING = range(3)

# C1: every one of the 15 pairs of different symbols four times.
CARDS = two_symbols(with_doubles=False)
CARD_OF = index_of(CARDS)
SHOWN = symbols_of(CARDS)
ORDERS = both_orders(CARDS)
COPIES = 4
ITEMS = [SYMBOLS[a] + SYMBOLS[b] for a, b in CARDS]
VALUES = SYMBOLS

# Playing a card is its two symbols in the order in which they are scored.
KEEP = ORDERED
RENEW = KEEP + 1
ACTIONS = RENEW + 1
MAX_LEGAL = 2 * HAND

# Chance supplies cards from the pile one at a time; every stage is an occasion.
POOL = "pile"
REFILL_CLAUSE = "C12"
OCCASIONS = (
    Occasion("deal", "C3", hidden=True),
    Occasion("open", "C4", as_they_lie=True),
    Occasion("draw", "C11", hidden=True),
)

STATE = layout(
    [
        ("pile", np.int8, len(CARDS)),
        ("pile_size", np.int8),
        ("discards", np.int8, len(CARDS)),
        ("discards_size", np.int8),
        ("hand", np.int8, (MAX_PLAYERS, HAND)),
        ("hand_size", np.int8, MAX_PLAYERS),
        ("open", np.int8, (MAX_PLAYERS, OPEN)),  # face-up cards, the one nearest the middle first
        ("open_size", np.int8, MAX_PLAYERS),
        ("chip", np.int8, (MAX_PLAYERS, 6)),
        ("phase", np.int8),
        ("stage", np.int8),
        ("turn", np.int8),
        ("bonus", np.int8),  # bonus turns still due
        ("players", np.int8),
    ]
)


def start(players: int) -> np.ndarray:
    """C2, C3: all chips in column 0, all cards in the pile; each player is to be dealt six cards."""
    begin = np.zeros(1, dtype=STATE)
    state = begin[0]
    state.pile[:] = COPIES
    state.pile_size = COPIES * len(CARDS)
    state.hand[:] = NONE
    state.open[:] = NONE
    state.players = players
    state.phase = CHANCE
    return begin


@compiled
def open_cards(state: np.record) -> int:
    """C4, C18: two players have two face-up cards each, more players one."""
    return 2 if state.players == 2 else 1


# Legal moves


@compiled
def plays(state: np.record) -> np.uint64:
    """C6, C8: every different card in hand, in both scoring orders, as a bit set."""
    return orders(state.hand[state.turn], ORDERS)


@compiled
def count(state: np.record) -> int:
    """The number of legal moves; C13: keep or renew."""
    if state.phase == PLAY:
        return bits.size(plays(state))
    if state.phase == CHOOSE:
        return 2
    return 0


@compiled
def nth(state: np.record, which: int) -> int:
    """The move at index ``which`` in the order of ``legal``."""
    if state.phase == CHOOSE:
        return KEEP + which
    return bits.member(plays(state), which)


legal = list_moves(count, nth)


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Whether a move is legal."""
    if state.phase == CHOOSE:
        return move == KEEP or move == RENEW
    if state.phase != PLAY or move < 0 or move >= KEEP:
        return False
    return bits.has(plays(state), move)


# Effects of moves


@compiled
def matches(state: np.record, symbol: int) -> int:
    """C7, C18: the number of face-up cards of all players that show a symbol."""
    number = 0
    for player in range(state.players):
        for at in range(OPEN):
            number += (SHOWN[state.open[player, at]] >> symbol) & 1
    return number


@compiled
def advance(state: np.record, symbol: int, steps: int) -> None:
    """C9, C10, C14: move a chip step by step as far as the areas allow; reaching column 10 gives a bonus turn."""
    chips = state.chip[state.turn]
    for _ in range(steps):
        if chips[symbol] == limit(chips, AREAS):
            return
        chips[symbol] += 1
        if chips[symbol] == LAST:
            state.bonus += 1


@compiled
def discard(state: np.record, card: int) -> None:
    """C5: put a card face down on the discard pile."""
    state.discards[card] += 1
    state.discards_size += 1


@compiled
def drop_nearest(state: np.record) -> None:
    """C11, C14: the player's face-up card nearest the middle is discarded, the others move up."""
    player = state.turn
    discard(state, state.open[player, 0])
    size = state.open_size[player] - 1
    for at in range(size):
        state.open[player, at] = state.open[player, at + 1]
    state.open[player, size] = NONE
    state.open_size[player] = size


@compiled
def may_renew(state: np.record) -> bool:
    """C13: no card in hand shows the symbol of a lowest chip."""
    return not shows_lowest(state.hand[state.turn], state.chip[state.turn], SHOWN)


@compiled
def end_turn(state: np.record) -> None:
    """C11: discard the nearest face-up card, then draw."""
    drop_nearest(state)
    state.phase = CHANCE


@compiled
def lay(state: np.record, card: int) -> None:
    """C6: move a card from the hand face up below the player's own cards."""
    player = state.turn
    remove(state.hand[player], card)
    state.hand_size[player] -= 1
    state.open[player, state.open_size[player]] = card
    state.open_size[player] += 1


@compiled
def score(state: np.record, first: int, second: int) -> None:
    """C7, C8: score both symbols, one after the other, against the cards that were face up before."""
    first_steps = matches(state, first)
    second_steps = matches(state, second)
    advance(state, first, first_steps)
    advance(state, second, second_steps)


@compiled
def finish_move(state: np.record) -> None:
    """C11, C13 to C15: the end of the game, a bonus turn, the choice of new cards, or the end of the turn."""
    if lowest(state.chip[state.turn]) >= GOAL:
        state.phase = OVER
    elif state.bonus > 0:
        state.bonus -= 1
        drop_nearest(state)
    elif may_renew(state):
        state.phase = CHOOSE
    else:
        end_turn(state)


@compiled
def renew(state: np.record) -> None:
    """C13: the whole hand is shown and discarded before drawing."""
    player = state.turn
    for at in range(state.hand_size[player]):
        discard(state, state.hand[player, at])
        state.hand[player, at] = NONE
    state.hand_size[player] = 0


@compiled
def act(state: np.record, move: int) -> None:
    """Apply a legal move: score and lay a card, or make the choice at the end of the turn."""
    if move < KEEP:
        score(state, first_of(move), second_of(move))
        lay(state, CARD_OF[first_of(move), second_of(move)])
        finish_move(state)
        return
    if move == RENEW:
        renew(state)
    end_turn(state)


# Chance


@compiled
def pending_chance(state: np.record) -> tuple[int, int]:
    """C3, C4, C11: the pending occasion, which is the stage, and the number of cards the player still has to get."""
    if state.stage == OPENING:
        return OPENING, open_cards(state) - state.open_size[state.turn]
    return state.stage, HAND - state.hand_size[state.turn]


@compiled
def item_at(state: np.record, which: int) -> int:
    """The card at index ``which`` of the sorted pile."""
    return kind_at(state.pile, which)


@compiled
def pool_size(state: np.record) -> int:
    """The number of cards in the draw pile."""
    return int(state.pile_size)


@compiled
def take_from_pile(state: np.record, card: int) -> None:
    """C12: when the last card of the pile is taken, the discards become the new pile at once."""
    state.pile[card] -= 1
    state.pile_size -= 1
    if state.pile_size == 0:
        for kind in range(state.pile.size):
            state.pile[kind] = state.discards[kind]
            state.discards[kind] = 0
        state.pile_size = state.discards_size
        state.discards_size = 0


@compiled
def receive(state: np.record, card: int) -> None:
    """C3, C4, C11: a card is dealt, laid open at the start, or drawn at the end of a turn."""
    player = state.turn
    take_from_pile(state, card)
    if state.stage == OPENING:
        state.open[player, state.open_size[player]] = card
        state.open_size[player] += 1
        if state.open_size[player] < open_cards(state):
            return
    else:
        insert(state.hand[player], card)
        state.hand_size[player] += 1
        if state.hand_size[player] < HAND:
            return
    state.turn = next_player(state)
    if state.turn == 0:
        state.stage = min(state.stage + 1, PLAYING)
    if state.stage == PLAYING:
        state.phase = PLAY


# Hidden information


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """C3: a seat sees only its own hand."""
    return player == seat


@compiled
def hide(state: np.record, seat: int) -> None:
    """C3, C13: hide what a seat may not know: the others' hands return to the pile of unseen cards, and another
    player's choice of renewing looks as if it had not come up."""
    if state.phase == CHOOSE and state.turn != seat:
        end_turn(state)
    for player in range(state.players):
        if sees(state, seat, player):
            continue
        for at in range(state.hand_size[player]):
            state.pile[state.hand[player, at]] += 1
            state.hand[player, at] = NONE


@compiled
def unknown(state: np.record, seat: int) -> int:
    """The first player whose cards a view hides, or NONE."""
    for player in range(state.players):
        size = state.hand_size[player]
        if player != seat and size > 0 and state.hand[player, size - 1] == NONE:
            return player
    return NONE


@compiled
def fill(state: np.record, player: int, card: int) -> None:
    """Replace one hidden card of a player by a guess."""
    insert(state.hand[player], card)
    state.pile[card] -= 1


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """C5: a hidden card can be any but the seat's own, the face-up and the discarded ones."""
    for card in range(len(CARDS)):
        weights[card] = state.pile[card]


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """C16: the columns of each player's six chips."""
    copy_rows(state.chip, int(state.players), result)


@compiled
def points(state: np.record, player: int) -> int:
    """C17: in a series, a player scores the lowest value."""
    return lowest(state.chip[player])
