"""Digests of random games: a hash over every state after every event, which is equal only if the games are equal."""

from collections.abc import Callable
from functools import cache

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import mixed, stream
from sixfold.games.shared.symbols import OVER


def words_of(rules: Rules) -> int:
    """The number of eight-byte words of a state, the last one padded with zeros."""
    return -(-rules.STATE.itemsize // 8)


@cache
def digested_games(rules: Rules) -> Callable[..., int]:
    """Compile the play of ``games`` games of a seed from number ``first`` on; returns the number of decisions."""
    step = steps_of(rules).step

    @compiled
    def play(
        begin: np.ndarray,
        states: np.ndarray,
        words: np.ndarray,
        generator: np.ndarray,
        digest: np.ndarray,
        seed: np.uint64,
        first: int,
        games: int,
    ) -> int:
        decisions = 0
        for number in range(first, first + games):
            states[0] = begin[0]
            generator[0] = stream(seed, number)
            state = states[0]
            while state.phase != OVER:
                decisions += step(state, generator)
                for at in range(words.size):
                    digest[0] = mixed(digest[0] ^ words[at]) + np.uint64(at)
        return decisions

    return play


def digest_of(rules: Rules, begin: np.ndarray, seed: int, first: int, games: int) -> tuple[str, int]:
    """The digest of random games in hexadecimal, and their number of decisions."""
    words = np.zeros(words_of(rules), dtype=np.uint64)
    states = words.view(np.uint8)[: rules.STATE.itemsize].view(rules.STATE)
    digest = np.zeros(1, dtype=np.uint64)
    generator = np.zeros(1, dtype=np.uint64)
    play = digested_games(rules)
    decisions = play(begin, states, words, generator, digest, np.uint64(seed), first, games)
    return f"{int(digest[0]):016x}", int(decisions)
