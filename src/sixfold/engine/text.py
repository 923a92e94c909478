"""Positions as human-readable text in three languages."""

import numpy as np

from sixfold.games import packages
from sixfold.games.contract import Rules
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.language import say


def render_text(rules: Rules, state: np.record, language: str = "en") -> str:
    """Render a position as text, with ``??`` for hidden items."""
    lines = packages()[rules.NAME].text.lines(state, language)
    return "\n".join([_heading(rules, state, language), *lines])


def _heading(rules: Rules, state: np.record, language: str) -> str:
    game = say(f"game_{rules.NAME}", language)
    if state.phase == OVER:
        return f"{game}: {say('over', language)}"
    if state.phase == CHANCE:
        occasion, number = rules.pending_chance(state)
        return f"{game}: {rules.OCCASIONS[occasion].word} {state.turn}, {number}"
    decision = packages()[rules.NAME].text.decision(state, language)
    return f"{game}: {say('player', language, number=state.turn)}, {decision}"
