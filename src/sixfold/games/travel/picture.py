"""A position of the travel edition as text."""

import numpy as np

from sixfold.games.shared.picture import item_names, values_text
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.travel.board import EMPTY, LENGTHS, ROWS
from sixfold.games.travel.rules import ITEMS, PLACE, pool_size
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_place" if state.phase == PLACE else "decide_swap", language)
    return f"{text} ({say('bonus_due', language, number=state.bonus)})" if state.bonus else text


def lines(state: np.record, language: str) -> list[str]:
    made = []
    cell = 0
    for row, length in zip(ROWS, LENGTHS, strict=True):
        symbols = state.board[cell : cell + length]
        shown = " ".join("." if symbol == EMPTY else SYMBOLS[symbol] for symbol in symbols)
        made.append(f"  {row} {' ' * (max(LENGTHS) - length)}{shown}")
        cell += length
    for number in range(state.players):
        rack = " ".join(item_names(ITEMS, state.rack[number], int(state.rack_size[number])))
        who = say("player", language, number=number)
        made.append(f"  {who}   {values_text(state.score[number])}   {say('rack', language)} {rack}".rstrip())
    return [*made, f"  {say('bag', language, number=pool_size(state))}"]
