"""The dice bot with a net: expectimax over all rolls, with the net evaluating each way to score."""

from typing import Any, NamedTuple

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.dense import evaluate, reset
from sixfold.bots.dense import make_workspace as net_workspace
from sixfold.bots.greedy import state_array
from sixfold.bots.net import certain_log_odds, features_scratch, load, sigmoid
from sixfold.bots.selection import argmax
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.engine.steps import steps_of
from sixfold.games import packages
from sixfold.games.dice import features, rules, turns_needed
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import OVER

reward = steps_of(rules).reward


class Workspace(NamedTuple):
    """Scratch arrays of the evaluation."""

    after: np.ndarray  # the state after a way to score
    inputs: np.ndarray
    features: tuple[np.ndarray, ...]  # the scratch arrays of ``write_inputs``
    result: tuple[np.ndarray, ...]  # the values, places and rewards of a finished game
    layers: np.ndarray


@compiled
def chance_after(net: Any, state: np.record, move: int, workspace: Any) -> float:
    """The chance to be ahead after a way to score."""
    weights, sizes = net
    after = workspace.after
    after[0] = state
    rules.act(after[0], move)
    if after[0].phase == OVER:
        reward(after[0], *workspace.result)
        log_odds = certain_log_odds(workspace.result[2][state.turn])
    else:
        features.write_inputs(after[0], int(state.turn), workspace.inputs, *workspace.features)
        log_odds = evaluate(weights, sizes, workspace.inputs, workspace.layers)
    return sigmoid(log_odds)


@compiled
def best_score(net: Any, state: np.record, workspace: Any) -> float:
    """The chance to be ahead after the best way to score the current roll."""
    best_chance = 0.0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            best_chance = max(best_chance, chance_after(net, state, move, workspace))
    return best_chance


@compiled
def evaluate_moves(
    net: Any, states: np.ndarray, moves: np.ndarray, chances: np.ndarray, roll_table: Any, workspace: Any
) -> int:
    """D4: list every legal move with its chance to be ahead; returns the number of moves."""
    rolls, probabilities, losses, trial = roll_table
    state = states[0]
    count = rules.legal(state, moves)
    reset(workspace.layers)
    for at in range(count):
        if moves[at] != rules.REROLL:
            chances[at] = chance_after(net, state, moves[at], workspace)
            continue
        for roll in range(probabilities.size):
            trial[0] = state
            for symbol in range(6):
                trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
            losses[roll] = 1.0 - best_score(net, trial[0], workspace)
        chances[at] = 1.0 - turns_needed.best_of_rolls(losses, probabilities, rules.ROLLS - state.rolls)
    return count


def every_roll(players: int) -> tuple[np.ndarray, ...]:
    """Every roll and its probability, with scratch arrays to evaluate them."""
    rolls, probabilities = turns_needed.rolls(6 - players)
    return rolls, probabilities, np.zeros(len(probabilities)), np.zeros(1, dtype=rules.STATE)


def make_workspace(inputs: int, widest: int) -> Workspace:
    """A workspace for a net of this many inputs and this width."""
    players = max(rules.PLAYERS)
    return Workspace(
        after=np.zeros(1, dtype=rules.STATE),
        inputs=np.zeros(inputs, dtype=np.int8),
        features=features_scratch(features),
        result=(np.zeros((players, 6), dtype=np.int8), np.zeros(players, dtype=np.int8), np.zeros(players)),
        layers=net_workspace(max(inputs, widest)),
    )


class NetRolls:
    """Plays the better of scoring and rerolling, with every roll weighted by its probability."""

    WASM_MODULE = "sixfold.wasm.netrolls_exports"

    def __init__(self, game: str, players: int) -> None:
        self._net = load(packages()[game].net(players), game, players)
        self._roll_table = every_roll(players)
        self._moves = np.zeros(rules.MAX_LEGAL, dtype=np.int16)
        self._chances = np.zeros(rules.MAX_LEGAL)
        self._workspace = make_workspace(features.input_count(players), int(self._net[1].max()))

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        number = evaluate_moves(
            self._net, state_array(view), self._moves, self._chances, self._roll_table, self._workspace
        )
        return notation.write(view.rules, int(self._moves[argmax(self._chances[:number])]))
