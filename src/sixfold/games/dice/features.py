"""Net inputs for the dice game: integers; nothing is hidden (docs/nets.md)."""

import numpy as np

from sixfold.games.contract import NetPlan
from sixfold.games.dice import AREAS, rules
from sixfold.games.dice import GOAL as GOAL
from sixfold.games.dice import turns_needed as turns
from sixfold.games.dice.race import turns_of
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.net_inputs import clamp, sort_symbols
from sixfold.games.shared.symbols import CHANCE, NONE, limit, lowest

# Increase when the meaning of the inputs changes.
VERSION = 1
NET = "dense"
PLAN = NetPlan(width=8, depth=4, replies=8, prior_weight=16.0)


def input_count(players: int) -> int:
    """The number of inputs."""
    return len(scales(players))


def scales(players: int) -> np.ndarray:
    """The divisor that scales each input to about 1.

    Inputs per symbol: every player's marks and dice, and whether D11 closes the row now. For the global inputs see
    ``write_inputs``.
    """
    symbol = [7] * players + [2] * players + [1] * players
    return np.array(symbol * 6 + [1] * players + [1, 3] + [7] * players + [42] * players + [40] * players, np.float32)


SCRATCH8_SIZE = 1
ROWS, ORDER = 0, 72
SCRATCH32_SIZE = 78


@compiled
def write_inputs(
    state: np.record, seat: int, out: np.ndarray, scratch8: np.ndarray, scratch32: np.ndarray, keys: np.ndarray
) -> None:
    """Write the net inputs of a position for a seat."""
    players = int(state.players)
    width = 3 * players
    for step in range(players):
        player = (seat + step) % players
        end = limit(state.marks[player], AREAS)
        for symbol in range(6):
            scratch32[symbol * width + step] = state.marks[player, symbol]
            scratch32[symbol * width + players + step] = state.dice[player, symbol]
            scratch32[symbol * width + 2 * players + step] = state.marks[player, symbol] >= end
    sort_symbols(scratch32, width, scratch32[ORDER:], keys)
    for rank in range(6):
        row = scratch32[ORDER + rank] * width
        for at in range(width):
            out[rank * width + at] = scratch32[row + at]
    at = 6 * width
    turn = (int(state.turn) - seat + players) % players
    for step in range(players):
        player = (seat + step) % players
        total = 0
        for symbol in range(6):
            total += state.marks[player, symbol]
        out[at + step] = step == turn
        out[at + players + 2 + step] = lowest(state.marks[player])
        out[at + 2 * players + 2 + step] = total
        needed = turns_of(turns.word_of(state.marks[player]), players)
        out[at + 3 * players + 2 + step] = clamp(int(needed * 4.0 + 0.5))
    out[at + players] = state.phase == CHANCE
    out[at + players + 1] = state.rolls


# Candidate moves: all legal moves


BOARD_FEATURES_SIZE = 1


def candidate_count(players: int) -> int:
    """The number of candidate indexes; two or three dice have at most one group, a joker for one of six symbols."""
    return rules.MAX_LEGAL if players == 2 else 8


def training_candidates(players: int) -> int:
    """The maximum number of candidates that a net evaluates in training."""
    return candidate_count(players)


@compiled
def prepare(state: np.record, board_features: np.ndarray) -> None:
    """There are no board features."""


@compiled
def candidate(state: np.record, board_features: np.ndarray, which: int) -> tuple[int, float]:
    """The candidate at an index, or NONE; all have the same estimate."""
    if which >= rules.count(state):
        return NONE, 0.0
    return int(rules.nth(state, which)), 0.0
