"""Records of random games, played in compiled code that notes what happened."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from sixfold.engine import record
from sixfold.engine.game import Game, chance_event
from sixfold.engine.notation import spellings
from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, seed_word, stream
from sixfold.games.shared.symbols import CHANCE, OVER

_DECISION = -1


@cache
def _noted_game(rules: Rules) -> Callable[..., int]:
    """Compiled: play one random game and note every event as numbers; NONE if the notes do not fit."""

    @compiled
    def play(states: np.ndarray, generator: np.ndarray, notes: np.ndarray) -> int:
        state = states[0]
        at = 0
        while state.phase != OVER:
            if at + 16 > notes.size:
                return -1
            if state.phase == CHANCE:
                occasion, number = rules.owed(state)
                notes[at] = occasion
                notes[at + 1] = state.turn
                notes[at + 2] = number
                at += 3
                for _ in range(number):
                    item = rules.drawn(state, below(generator, rules.pool_size(state)))
                    rules.receive(state, item)
                    notes[at] = item
                    at += 1
            else:
                choices = rules.count(state)
                move = rules.nth(state, below(generator, choices))
                notes[at] = _DECISION
                notes[at + 1] = state.turn
                notes[at + 2] = move
                notes[at + 3] = choices
                at += 4
                rules.act(state, move)
        return at

    return play


def _events(rules: Rules, notes: list[int]) -> tuple[list[str], list[int]]:
    """The notes as events in the notation, and the number of choices at each decision."""
    spelled = spellings(rules)
    events, legal = [], []
    at = 0
    while at < len(notes):
        kind, player, number = notes[at : at + 3]
        if kind == _DECISION:
            events.append(f"{player} {spelled[number]}")
            legal.append(notes[at + 3])
            at += 4
        else:
            at += 3
            events.append(chance_event(rules, rules.OCCASIONS[kind], player, notes[at : at + number]))
            at += number
    return events, legal


def random_records(rules: Rules, begin: np.ndarray, seed: int, games: int) -> Iterator[dict[str, Any]]:
    """Records, with ``legal``, of the random games that ``playout.play_games`` plays for the same seed."""
    play = _noted_game(rules)
    notes = np.empty(4096, dtype=np.int16)
    for number in range(games):
        used = -1
        while used < 0:
            states = begin.copy()
            generator = np.array([stream(seed_word(seed), number)], dtype=np.uint64)
            used = play(states, generator, notes)
            if used < 0:
                notes = np.empty(2 * notes.size, dtype=np.int16)
        events, legal = _events(rules, notes[:used].tolist())
        yield record.of(Game(rules, states, events=events), legal=legal)
