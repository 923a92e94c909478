"""Text rendering of positions of the travel edition."""

import numpy as np

from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.text import item_names, values_text
from sixfold.games.travel.board import EMPTY, LENGTHS, ROWS
from sixfold.games.travel.rules import ITEMS, PLACE, pool_size
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_place" if state.phase == PLACE else "decide_swap", language)
    return f"{text} ({say('bonus_due', language, number=state.bonus)})" if state.bonus else text


def lines(state: np.record, language: str) -> list[str]:
    rows = []
    cell = 0
    for row, length in zip(ROWS, LENGTHS, strict=True):
        symbols = state.board[cell : cell + length]
        letters = " ".join("." if symbol == EMPTY else SYMBOLS[symbol] for symbol in symbols)
        rows.append(f"  {row} {' ' * (max(LENGTHS) - length)}{letters}")
        cell += length
    for number in range(state.players):
        rack = " ".join(item_names(ITEMS, state.rack[number], int(state.rack_size[number])))
        player = say("player", language, number=number)
        rows.append(f"  {player}   {values_text(state.score[number])}   {say('rack', language)} {rack}".rstrip())
    return [*rows, f"  {say('bag', language, number=pool_size(state))}"]
