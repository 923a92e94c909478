"""A position as readable text."""

from types import ModuleType

import numpy as np

from sixfold.rules import cards, dice, travel
from sixfold.rules.board import EMPTY, LENGTHS, ROWS
from sixfold.rules.shared import CHANCE, NONE, OVER, SYMBOLS


def text(rules: ModuleType, state: np.record) -> str:
    """The position as text, with ``??`` for what is hidden."""
    lines = {"travel": _travel, "cards": _cards, "dice": _dice}[rules.NAME](state)
    return "\n".join([_heading(rules, state), *lines])


def _heading(rules: ModuleType, state: np.record) -> str:
    if state.phase == OVER:
        return f"{rules.NAME}: the game is over"
    player = int(state.turn)
    if state.phase == CHANCE:
        occasion, number = rules.owed(state)
        return f"{rules.NAME}: {rules.OCCASIONS[occasion][0]} {player}, {number} to come"
    decision = {
        "travel": {travel.PLACE: "place", travel.CHOOSE: "keep or swap"},
        "cards": {cards.PLAY: "play", cards.CHOOSE: "keep or renew"},
        "dice": {dice.DECIDE: "reroll or score"},
    }[rules.NAME][int(state.phase)]
    if rules is dice:
        decision = f"roll {state.rolls} of {dice.ROLLS}: " + ("score" if state.rolls == dice.ROLLS else decision)
    elif state.bonus:
        decision += f" (bonus turns after this: {state.bonus})"
    return f"{rules.NAME}: player {player}, {decision}"


def _values(row: np.ndarray) -> str:
    return " ".join(f"{letter}{value:<2}" for letter, value in zip(SYMBOLS, row, strict=True))


def _items(names: list[str], items: np.ndarray, size: int) -> str:
    return " ".join("??" if item == NONE else names[item] for item in items[:size])


def _travel(state: np.record) -> list[str]:
    lines = []
    cell = 0
    for row, length in zip(ROWS, LENGTHS, strict=True):
        symbols = state.board[cell : cell + length]
        shown = " ".join("." if symbol == EMPTY else SYMBOLS[symbol] for symbol in symbols)
        lines.append(f"  {row} {' ' * (11 - length)}{shown}")
        cell += length
    for player in range(2):
        rack = _items(travel.ITEMS, state.rack[player], int(state.rack_size[player]))
        lines.append(f"  player {player}   {_values(state.score[player])}   rack {rack}")
    return [*lines, f"  bag {travel.pool_size(state)}"]


def _cards(state: np.record) -> list[str]:
    lines = []
    for player in range(state.players):
        shown = _items(cards.ITEMS, state.open[player], int(state.open_size[player]))
        hand = _items(cards.ITEMS, state.hand[player], int(state.hand_size[player]))
        lines.append(f"  player {player}   {_values(state.chip[player])}   open {shown:8}   hand {hand}")
    return [*lines, f"  pile {state.pile_size}, discards {state.discards_size}"]


def _dice(state: np.record) -> list[str]:
    lines = []
    for player in range(state.players):
        shown = [letter for symbol, letter in enumerate(SYMBOLS) for _ in range(state.dice[player, symbol])]
        lines.append(f"  player {player}   {_values(state.marks[player])}   dice {' '.join(shown)}".rstrip())
    return lines
