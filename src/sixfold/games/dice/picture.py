"""A position of the dice game as text."""

import numpy as np

from sixfold.games.dice.rules import ROLLS
from sixfold.games.shared.picture import values_text
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_score" if state.rolls == ROLLS else "decide_roll", language)
    return f"{say('roll_of', language, roll=state.rolls, rolls=ROLLS)}: {text}"


def lines(state: np.record, language: str) -> list[str]:
    made = []
    for number in range(state.players):
        shown = [letter for symbol, letter in enumerate(SYMBOLS) for _ in range(state.dice[number, symbol])]
        who, label = say("player", language, number=number), say("dice", language)
        made.append(f"  {who}   {values_text(state.marks[number])}   {label} {' '.join(shown)}".rstrip())
    return made
