"""Text rendering of positions of the dice game."""

import numpy as np

from sixfold.games.dice.rules import ROLLS
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.text import values_text
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_score" if state.rolls == ROLLS else "decide_roll", language)
    return f"{say('roll_of', language, roll=state.rolls, rolls=ROLLS)}: {text}"


def lines(state: np.record, language: str) -> list[str]:
    rows = []
    for number in range(state.players):
        letters = [letter for symbol, letter in enumerate(SYMBOLS) for _ in range(state.dice[number, symbol])]
        player, label = say("player", language, number=number), say("dice", language)
        rows.append(f"  {player}   {values_text(state.marks[number])}   {label} {' '.join(letters)}".rstrip())
    return rows
