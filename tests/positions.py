"""Positions for tests, set up from readable text: a board in rows, racks, hands, chips, sheets and dice in words."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from sixfold import GAMES, Chance, Game
from sixfold.games.cards import rules as card_rules
from sixfold.games.dice import rules as dice_rules
from sixfold.games.shared.symbols import NONE, SYMBOLS
from sixfold.games.travel import rules as travel_rules
from sixfold.games.travel.board import CELL_INDEX, CELLS, CORNERS, EMPTY, PAIRS
from sixfold.games.travel.tiles import ALL_TILES

CORNER_CELLS = [CELLS[cell] for cell in CORNERS]


def numbers(text: str) -> list[int]:
    """Parse six numbers in the order R G B O Y P."""
    row = [int(word) for word in text.split()]
    assert len(row) == 6, text
    return row


def items(names: list[str], text: str) -> list[int]:
    """Parse tiles or cards to the numbers the rules use, in order."""
    return [names.index(word) for word in text.split()]


def words(names: list[str], numbered: np.ndarray) -> str:
    """The inverse of ``items``: the tiles or cards of a rack, a hand or a row of face-up cards."""
    return " ".join(names[item] for item in numbered if item != NONE)


def counted(names: list[str], counts: np.ndarray) -> Counter[str]:
    """How many items of each kind a bag or pile holds."""
    return Counter({name: int(number) for name, number in zip(names, counts, strict=True) if number})


# The travel edition


def crowded(free: str, symbol: str = "P") -> str:
    """Board rows in which every cell but the named ones and the corners carries a symbol."""
    shown = dict.fromkeys(CELLS, symbol)
    shown.update(zip(CORNER_CELLS, SYMBOLS, strict=True))
    shown.update(dict.fromkeys(free.split(), "."))
    rows = groupby(CELLS, key=lambda cell: cell[0])
    return "\n".join(f"{row} {' '.join(shown[cell] for cell in cells)}" for row, cells in rows)


def lay(state: np.record, board: str) -> None:
    """Lay symbols on the board; a row such as ``c . . R G . . . .`` names its letter and all of its cells."""
    for line in board.strip().splitlines():
        row, *symbols = line.split()
        for number, symbol in enumerate(symbols, start=1):
            state.board[CELL_INDEX[f"{row}{number}"]] = EMPTY if symbol == "." else SYMBOLS.index(symbol)
        assert f"{row}{len(symbols)}" in CELL_INDEX, line
        assert f"{row}{len(symbols) + 1}" not in CELL_INDEX, line
    for corner, letter in zip(CORNER_CELLS, SYMBOLS, strict=True):
        assert state.board[CELL_INDEX[corner]] == SYMBOLS.index(letter), f"{corner} is printed with {letter}"
    state.free[:] = 0
    for pair, (here, there) in enumerate(PAIRS):
        if state.board[here] == EMPTY and state.board[there] == EMPTY:
            state.free[pair // 64] |= np.uint64(1 << (pair % 64))


def travel(
    board: str = "",
    rack: str = "RG RB RO RY RP GB",
    other: str = "GO GY GP BO BY BP",
    scores: Sequence[str] = ("0 0 0 0 0 0", "0 0 0 0 0 0"),
    bag: str | None = None,
    chance: Chance | None = None,
    open_racks: bool = False,
) -> Game:
    """The travel edition in mid-play: player 0 is to place a tile from the rack, player 1 holds the other one.

    Without a bag all tiles that are in no rack are in it, less the two of the first round.
    """
    states = travel_rules.start(2, open_racks)
    state = states[0]
    lay(state, board)
    racks = [items(travel_rules.ITEMS, rack), items(travel_rules.ITEMS, other)]
    for player, tiles in enumerate(racks):
        state.rack[player, : len(tiles)] = sorted(tiles)
        state.rack_size[player] = len(tiles)
        state.score[player] = numbers(scores[player])
        if bag is None:
            np.subtract.at(state.bag, tiles, 1)
    if bag is None:
        np.subtract.at(state.bag, np.flatnonzero(state.bag)[:2], 1)
    else:
        state.bag[:] = np.bincount(items(travel_rules.ITEMS, bag), minlength=len(travel_rules.ITEMS))
    assert (state.bag >= 0).all()
    state.placed = ALL_TILES - len(racks[0]) - len(racks[1]) - state.bag.sum()
    travel_rules.near_corners(state)
    state.phase = travel_rules.PLACE
    return Game(GAMES["travel"], states, chance)


def rack(game: Game, player: int) -> str:
    return words(travel_rules.ITEMS, game.state.rack[player])


def in_bag(game: Game) -> Counter[str]:
    return counted(travel_rules.ITEMS, game.state.bag)


def symbol_on(game: Game, cell: str) -> str:
    symbol = game.state.board[CELL_INDEX[cell]]
    return "." if symbol == EMPTY else SYMBOLS[symbol]


def cells_of(moves: Sequence[str]) -> set[str]:
    """The pairs of cells of some placements."""
    return {move.split(" ", 2)[2] for move in moves}


# The card game


def cards(
    face_up: Sequence[str],
    hand: str = "RG RB RO RY RP GB",
    chips: Sequence[str] = (),
    pile: str | None = None,
    discards: str = "",
    chance: Chance | None = None,
) -> Game:
    """The card game in mid-play: player 0 is to play a card; ``face_up`` has a text for every player.

    The others hold the first cards that are left over; without a pile all the rest is in it.
    """
    players = len(face_up)
    states = card_rules.start(players)
    state = states[0]
    for player, shown in enumerate(face_up):
        row = items(card_rules.ITEMS, shown)
        state.open[player, : len(row)] = row
        state.open_size[player] = len(row)
        np.subtract.at(state.pile, row, 1)
    discarded_items = items(card_rules.ITEMS, discards)
    np.subtract.at(state.pile, discarded_items, 1)
    np.add.at(state.discards, discarded_items, 1)
    _deal_hand(state, 0, items(card_rules.ITEMS, hand))
    for player in range(1, players):
        left = [card for card, number in enumerate(state.pile) for _ in range(number)]
        _deal_hand(state, player, left[: card_rules.HAND])
    for player, columns in enumerate(chips):
        state.chip[player] = numbers(columns)
    if pile is not None:
        state.pile[:] = np.bincount(items(card_rules.ITEMS, pile), minlength=len(card_rules.ITEMS))
    assert (state.pile >= 0).all()
    state.pile_size = state.pile.sum()
    state.discards_size = len(discarded_items)
    state.stage = card_rules.PLAYING
    state.phase = card_rules.PLAY
    return Game(GAMES["cards"], states, chance)


def _deal_hand(state: np.record, player: int, hand: list[int]) -> None:
    state.hand[player, : len(hand)] = sorted(hand)
    state.hand_size[player] = len(hand)
    np.subtract.at(state.pile, hand, 1)


def hand(game: Game, player: int) -> str:
    return words(card_rules.ITEMS, game.state.hand[player])


def face_up(game: Game, player: int) -> str:
    return words(card_rules.ITEMS, game.state.open[player])


def in_pile(game: Game) -> Counter[str]:
    return counted(card_rules.ITEMS, game.state.pile)


def discarded(game: Game) -> Counter[str]:
    return counted(card_rules.ITEMS, game.state.discards)


# The dice game


def dice(
    shown: Sequence[str],
    sheets: Sequence[str] = (),
    rolls: int = 1,
    turn: int = 0,
    **options: bool,
) -> Game:
    """The dice game in mid-play: the player in turn has rolled; ``shown`` has a text for every player's dice."""
    states = dice_rules.start(len(shown), **options)
    state = states[0]
    for player, letters in enumerate(shown):
        for letter in letters.split():
            state.dice[player, SYMBOLS.index(letter)] += 1
    for player, sheet in enumerate(sheets):
        state.marks[player] = numbers(sheet)
    state.opening = 0
    state.turn = turn
    state.rolls = rolls
    state.phase = dice_rules.DECIDE
    return Game(GAMES["dice"], states)
