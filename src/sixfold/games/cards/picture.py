"""A position of the card game as text."""

import numpy as np

from sixfold.games.cards.rules import ITEMS, PLAY
from sixfold.games.shared.picture import item_names, values_text
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_play" if state.phase == PLAY else "decide_renew", language)
    return f"{text} ({say('bonus_due', language, number=state.bonus)})" if state.bonus else text


def lines(state: np.record, language: str) -> list[str]:
    made = []
    for number in range(state.players):
        shown = " ".join(item_names(ITEMS, state.open[number], int(state.open_size[number])))
        hand = " ".join(item_names(ITEMS, state.hand[number], int(state.hand_size[number])))
        who, lie, held = say("player", language, number=number), say("open", language), say("hand", language)
        made.append(f"  {who}   {values_text(state.chip[number])}   {lie} {shown:8}   {held} {hand}".rstrip())
    made.append(f"  {say('piles', language, pile=state.pile_size, discards=state.discards_size)}")
    # C5: which cards lie there, everybody may know.
    counted = [(item, number) for item, number in zip(ITEMS, state.discards.tolist(), strict=True) if number]
    lies = [f"{item}×{number}" if number > 1 else item for item, number in counted]
    return [*made, f"    {' '.join(lies)}"] if lies else made
