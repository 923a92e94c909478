"""Ranking: places by values, and rewards by places."""

import numpy as np

from sixfold.games.shared.compiler import compiled

# Above every value.
_NO_VALUE = 1 << 15


@compiled
def compare_values(values: np.ndarray, first: int, second: int) -> int:
    """T20, C16: compare two players by the lowest value, then the next lowest, and so on; 1 if the first is ahead, -1
    if behind, 0 if equal."""
    floor = -_NO_VALUE
    while floor < _NO_VALUE:
        lowest_first, lowest_second = _NO_VALUE, _NO_VALUE
        for at in range(values.shape[1]):
            value, other = int(values[first, at]), int(values[second, at])
            if value > floor:
                lowest_first = min(lowest_first, value)
            if other > floor:
                lowest_second = min(lowest_second, other)
        if lowest_first != lowest_second:
            return 1 if lowest_first > lowest_second else -1
        copies = 0
        for at in range(values.shape[1]):
            copies += int(values[second, at] == lowest_first) - int(values[first, at] == lowest_first)
        if copies != 0:
            return 1 if copies > 0 else -1
        floor = lowest_first
    return 0


@compiled
def rank_values(values: np.ndarray, players: int, places: np.ndarray) -> None:
    """Write each player's place by ascending values, from 1 for the first; ties share a place."""
    for player in range(players):
        places[player] = 1
        for opponent in range(players):
            if compare_values(values, opponent, player) > 0:
                places[player] += 1


@compiled
def lead(places: np.ndarray, players: int, player: int) -> int:
    """How many more opponents are behind a player than ahead."""
    difference = 0
    for opponent in range(players):
        difference += int(places[opponent] > places[player]) - int(places[opponent] < places[player])
    return difference


@compiled
def utility(places: np.ndarray, players: int, player: int) -> float:
    """From 1 for a player ahead of all opponents to -1 for one behind them all; utilities sum to zero."""
    return lead(places, players, player) / max(players - 1, 1)


@compiled
def place_rewards(places: np.ndarray, players: int, rewards: np.ndarray) -> None:
    """Reward each player with the share of opponents behind, a tie counting half; a single player gets one half."""
    opponents = max(players - 1, 1)
    for player in range(players):
        rewards[player] = 0.5 * (opponents + lead(places, players, player)) / opponents


@compiled
def margin(values: np.ndarray, players: int, player: int) -> int:
    """How far a player's lowest value is ahead of the best opponent's; of 0 if there is none."""
    own, best = _NO_VALUE, 0 if players == 1 else -_NO_VALUE
    for other in range(players):
        least = _NO_VALUE
        for at in range(values.shape[1]):
            least = min(least, int(values[other, at]))
        if other == player:
            own = least
        else:
            best = max(best, least)
    return own - best
