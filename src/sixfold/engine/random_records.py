"""Records of random games, played by compiled code that logs every event."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from sixfold.engine import record
from sixfold.engine.game import Game, chance_event
from sixfold.engine.notation import move_texts
from sixfold.engine.steps import steps_of
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import seed_word, stream
from sixfold.games.shared.symbols import CHANCE, OVER

_DECISION = -1


@cache
def _logged_playout(rules: Rules) -> Callable[..., int]:
    """A compiled function that plays a random game and logs its events; returns the log's length, or -1 if full."""
    steps = steps_of(rules)
    draw, random_move = steps.draw, steps.random_move

    @compiled
    def play(states: np.ndarray, generator: np.ndarray, log: np.ndarray) -> int:
        state = states[0]
        at = 0
        while state.phase != OVER:
            if at + 16 > log.size:
                return -1
            if state.phase == CHANCE:
                occasion, number = rules.pending_chance(state)
                log[at] = occasion
                log[at + 1] = state.turn
                log[at + 2] = number
                at += 3
                for _ in range(number):
                    log[at] = draw(state, generator)
                    at += 1
            else:
                choices = rules.count(state)
                move = random_move(state, generator)
                log[at] = _DECISION
                log[at + 1] = state.turn
                log[at + 2] = move
                log[at + 3] = choices
                at += 4
                rules.act(state, move)
        return at

    return play


def _events(rules: Rules, log: list[int]) -> tuple[list[str], list[int]]:
    """Convert a log to events in the notation, and the number of legal moves at each decision."""
    texts = move_texts(rules)
    events, move_counts = [], []
    at = 0
    while at < len(log):
        kind, player, number = log[at : at + 3]
        if kind == _DECISION:
            events.append(f"{player} {texts[number]}")
            move_counts.append(log[at + 3])
            at += 4
        else:
            at += 3
            events.append(chance_event(rules, rules.OCCASIONS[kind], player, log[at : at + number]))
            at += number
    return events, move_counts


def random_records(rules: Rules, begin: np.ndarray, seed: int, games: int) -> Iterator[dict[str, Any]]:
    """Records, including ``legal``, of the random games that ``playouts.play_games`` plays with this seed."""
    play = _logged_playout(rules)
    log = np.empty(4096, dtype=np.int16)
    for number in range(games):
        used = -1
        while used < 0:
            states = begin.copy()
            generator = np.array([stream(seed_word(seed), number)], dtype=np.uint64)
            used = play(states, generator, log)
            if used < 0:
                log = np.empty(2 * log.size, dtype=np.int16)
        events, move_counts = _events(rules, log[:used].tolist())
        yield record.of(Game(rules, states, events=events), legal=move_counts)
