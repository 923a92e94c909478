"""A position as readable text, in three languages."""

from types import ModuleType

import numpy as np

from sixfold.games.cards import rules as cards
from sixfold.games.dice import rules as dice
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, SYMBOLS
from sixfold.games.travel import rules as travel
from sixfold.games.travel.board import EMPTY, LENGTHS, ROWS
from sixfold.language import say

_DECISIONS = {
    "travel": {travel.PLACE: "decide_place", travel.CHOOSE: "decide_swap"},
    "cards": {cards.PLAY: "decide_play", cards.CHOOSE: "decide_renew"},
    "dice": {dice.DECIDE: "decide_roll"},
}


def text(rules: ModuleType, state: np.record, language: str = "en") -> str:
    """The position as text, with ``??`` for what is hidden."""
    lines = {"travel": _travel, "cards": _cards, "dice": _dice}[rules.NAME](state, language)
    return "\n".join([_heading(rules, state, language), *lines])


def _heading(rules: ModuleType, state: np.record, language: str) -> str:
    game = say(f"game_{rules.NAME}", language)
    if state.phase == OVER:
        return f"{game}: {say('over', language)}"
    if state.phase == CHANCE:
        occasion, number = rules.owed(state)
        return f"{game}: {rules.OCCASIONS[occasion][0]} {state.turn}, {number}"
    decision = say(_DECISIONS[rules.NAME][int(state.phase)], language)
    if rules is dice:
        last = state.rolls == dice.ROLLS
        decision = say("decide_score", language) if last else decision
        decision = f"{say('roll_of', language, roll=state.rolls, rolls=dice.ROLLS)}: {decision}"
    elif state.bonus:
        decision += f" ({say('bonus_due', language, number=state.bonus)})"
    return f"{game}: {say('player', language, number=state.turn)}, {decision}"


def _values(row: np.ndarray) -> str:
    return " ".join(f"{letter}{value:<2}" for letter, value in zip(SYMBOLS, row, strict=True))


def _items(names: list[str], items: np.ndarray, size: int) -> str:
    return " ".join("??" if item == NONE else names[item] for item in items[:size])


def _travel(state: np.record, language: str) -> list[str]:
    lines = []
    cell = 0
    for row, length in zip(ROWS, LENGTHS, strict=True):
        symbols = state.board[cell : cell + length]
        shown = " ".join("." if symbol == EMPTY else SYMBOLS[symbol] for symbol in symbols)
        lines.append(f"  {row} {' ' * (11 - length)}{shown}")
        cell += length
    for number in range(2):
        rack = _items(travel.ITEMS, state.rack[number], int(state.rack_size[number]))
        who = say("player", language, number=number)
        lines.append(f"  {who}   {_values(state.score[number])}   {say('rack', language)} {rack}".rstrip())
    return [*lines, f"  {say('bag', language, number=travel.pool_size(state))}"]


def _cards(state: np.record, language: str) -> list[str]:
    lines = []
    for number in range(state.players):
        shown = _items(cards.ITEMS, state.open[number], int(state.open_size[number]))
        hand = _items(cards.ITEMS, state.hand[number], int(state.hand_size[number]))
        who, lie, held = say("player", language, number=number), say("open", language), say("hand", language)
        lines.append(f"  {who}   {_values(state.chip[number])}   {lie} {shown:8}   {held} {hand}".rstrip())
    return [*lines, f"  {say('piles', language, pile=state.pile_size, discards=state.discards_size)}"]


def _dice(state: np.record, language: str) -> list[str]:
    lines = []
    for number in range(state.players):
        shown = [letter for symbol, letter in enumerate(SYMBOLS) for _ in range(state.dice[number, symbol])]
        who, label = say("player", language, number=number), say("dice", language)
        lines.append(f"  {who}   {_values(state.marks[number])}   {label} {' '.join(shown)}".rstrip())
    return lines
