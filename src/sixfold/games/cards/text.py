"""Text rendering of positions of the card game."""

import numpy as np

from sixfold.games.cards.rules import ITEMS, PLAY
from sixfold.games.shared.text import item_names, values_text
from sixfold.language import say


def decision(state: np.record, language: str) -> str:
    text = say("decide_play" if state.phase == PLAY else "decide_renew", language)
    return f"{text} ({say('bonus_due', language, number=state.bonus)})" if state.bonus else text


def lines(state: np.record, language: str) -> list[str]:
    rows = []
    for number in range(state.players):
        face_up = " ".join(item_names(ITEMS, state.open[number], int(state.open_size[number])))
        hand = " ".join(item_names(ITEMS, state.hand[number], int(state.hand_size[number])))
        player, open_label, hand_label = (
            say("player", language, number=number),
            say("open", language),
            say("hand", language),
        )
        rows.append(
            f"  {player}   {values_text(state.chip[number])}   {open_label} {face_up:8}   {hand_label} {hand}".rstrip()
        )
    rows.append(f"  {say('piles', language, pile=state.pile_size, discards=state.discards_size)}")
    # C5: everybody may know the discarded cards.
    counted = [(item, number) for item, number in zip(ITEMS, state.discards.tolist(), strict=True) if number]
    discards = [f"{item}×{number}" if number > 1 else item for item, number in counted]
    return [*rows, f"    {' '.join(discards)}"] if discards else rows
