"""The card game for two to four players (docs/rules/cards.md)."""

import numpy as np

from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    OVER,
    RACK,
    SYMBOLS,
    Refusal,
    both_orders,
    index_of,
    insert,
    item_at,
    layout,
    limit,
    lowest,
    lowest_symbols,
    orders,
    remove,
    shows_lowest,
    symbols_of,
    two_symbols,
)

NAME = "cards"
VERSION = 1
SERIES = True
END, PLACES = "C15", "C16"
CHOICES = ("keep", "renew")
PLAYERS = (2, 3, 4)
OPTIONS: dict[str, bool] = {}
LAST_COLUMN = 10
GOAL = 7
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

# Playing a card is symbol scored first * 6 + symbol scored second.
KEEP = 36
RENEW = 37
ACTIONS = 38
MOST_LEGAL = 12

# What chance supplies, one card at a time, is in the pile; the stages have a word in the record and a clause.
POOL = "pile"
OCCASIONS = (("deal", "C3"), ("open", "C4"), ("draw", "C11"))

STATE = layout(
    [
        ("pile", np.int8, len(CARDS)),
        ("pile_size", np.int8),
        ("discards", np.int8, len(CARDS)),
        ("discards_size", np.int8),
        ("hand", np.int8, (4, HAND)),
        ("hand_size", np.int8, 4),
        ("open", np.int8, (4, OPEN)),  # face-up cards, the one nearest the middle first
        ("open_size", np.int8, 4),
        ("chip", np.int8, (4, 6)),
        ("phase", np.int8),
        ("stage", np.int8),
        ("turn", np.int8),
        ("bonus", np.int8),  # bonus turns still due
        ("players", np.int8),
    ]
)


def start(players: int) -> np.ndarray:
    """C2, C3: all chips in column 0, all cards in the pile, six hand cards owed to everybody."""
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


# What may be done


@compiled
def plays(state: np.record) -> np.uint64:
    """C6, C8: every different card in hand, in both scoring orders, as bits."""
    return orders(state.hand[state.turn], ORDERS)


@compiled
def count(state: np.record) -> int:
    """How many different moves the player has; C13: keep or renew."""
    if state.phase == PLAY:
        return bits.size(plays(state))
    if state.phase == CHOOSE:
        return 2
    return 0


@compiled
def nth(state: np.record, which: int) -> int:
    """The move that is number ``which`` in the order of ``legal``."""
    if state.phase == CHOOSE:
        return KEEP + which
    return bits.member(plays(state), which)


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
    if state.phase == CHOOSE:
        return move == KEEP or move == RENEW
    if state.phase != PLAY or move < 0 or move >= KEEP:
        return False
    return bool((plays(state) >> np.uint64(move)) & np.uint64(1))


# Doing it


@compiled
def matches(state: np.record, symbol: int) -> int:
    """C7, C18: how many face-up cards of all players show a symbol."""
    number = 0
    for player in range(state.players):
        for at in range(OPEN):
            number += (SHOWN[state.open[player, at]] >> symbol) & 1
    return number


@compiled
def advance(state: np.record, symbol: int, steps: int) -> None:
    """C9, C10, C14: move a chip step by step as far as the areas allow; arriving in column 10 gives a bonus turn."""
    chips = state.chip[state.turn]
    for _ in range(steps):
        if chips[symbol] == limit(chips, LAST_COLUMN):
            return
        chips[symbol] += 1
        if chips[symbol] == LAST_COLUMN:
            state.bonus += 1


@compiled
def discard(state: np.record, card: int) -> None:
    """C5: a card goes face down to the discard pile."""
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
def play(state: np.record, first: int, second: int) -> None:
    """C6 to C8, C14, C15: play a card and score both symbols; then the end, a bonus turn, or the end of the turn."""
    player = state.turn
    card = CARD_OF[first, second]
    remove(state.hand[player], card)
    state.hand_size[player] -= 1
    first_steps = matches(state, first)
    second_steps = matches(state, second)
    advance(state, first, first_steps)
    advance(state, second, second_steps)
    state.open[player, state.open_size[player]] = card
    state.open_size[player] += 1
    if lowest(state.chip[player]) >= GOAL:
        state.phase = OVER
    elif state.bonus > 0:
        state.bonus -= 1
        drop_nearest(state)
    elif may_renew(state):
        state.phase = CHOOSE
    else:
        end_turn(state)


@compiled
def act(state: np.record, move: int) -> None:
    """Do a legal move."""
    if move < KEEP:
        play(state, move // 6, move % 6)
        return
    if move == RENEW:
        # C13: the whole hand is discarded before drawing.
        player = state.turn
        for at in range(state.hand_size[player]):
            discard(state, state.hand[player, at])
            state.hand[player, at] = NONE
        state.hand_size[player] = 0
    end_turn(state)


# Chance


@compiled
def owed(state: np.record) -> tuple[int, int]:
    """C3, C4, C11: what chance owes the player in turn: the occasion, which is the stage, and the number of cards."""
    if state.stage == OPENING:
        return OPENING, open_cards(state) - state.open_size[state.turn]
    return state.stage, HAND - state.hand_size[state.turn]


@compiled
def drawn(state: np.record, which: int) -> int:
    """The card that is number ``which`` when the pile lies in order."""
    return item_at(state.pile, which)


@compiled
def pool_size(state: np.record) -> int:
    """How many cards are in the draw pile."""
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
    state.turn += 1
    if state.turn == state.players:
        state.turn = 0
        state.stage = min(state.stage + 1, PLAYING)
    if state.stage == PLAYING:
        state.phase = PLAY


# What a seat sees


@compiled
def hide(state: np.record, seat: int) -> None:
    """C3: turn a state into what a seat knows: the others' hands go among the unseen cards of the pile."""
    for player in range(state.players):
        if player == seat:
            continue
        for at in range(state.hand_size[player]):
            state.pile[state.hand[player, at]] += 1
            state.hand[player, at] = NONE


@compiled
def unknown(state: np.record, seat: int) -> int:
    """The first player whose cards a view hides, or NONE."""
    # Who is asked keep or renew comes first, because fewer cards can be in that hand.
    if state.phase == CHOOSE and state.turn != seat:
        size = state.hand_size[state.turn]
        if size > 0 and state.hand[state.turn, size - 1] == NONE:
            return int(state.turn)
    for player in range(state.players):
        size = state.hand_size[player]
        if player != seat and size > 0 and state.hand[player, size - 1] == NONE:
            return player
    return NONE


@compiled
def fill(state: np.record, player: int, card: int) -> None:
    """Guess one hidden card of a player."""
    insert(state.hand[player], card)
    state.pile[card] -= 1


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """What a hidden card may be. C13: who is asked keep or renew has no card with a lowest chip's symbol."""
    asked = state.phase == CHOOSE and state.turn == player
    barred = lowest_symbols(state.chip[player]) if asked else 0
    for card in range(len(CARDS)):
        weights[card] = 0 if SHOWN[card] & barred else state.pile[card]


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """C16: the columns of each player's six chips."""
    for player in range(state.players):
        for symbol in range(6):
            result[player, symbol] = state.chip[player, symbol]


# Why not


def refusal(state: np.record, move: int) -> Refusal:
    """The reason why a move is not allowed, with its clause."""
    if move in (KEEP, RENEW):
        return Refusal("no_renew", "C13")
    if state.phase == CHOOSE:
        return Refusal("choose_first", "C13", {"choices": ", ".join(CHOICES)})
    return Refusal("not_in_hand", "C6", {"card": ITEMS[CARD_OF[move // 6, move % 6]]})
