"""Information-set Monte Carlo tree search, compiled: PUCT with progressive widening over what one seat knows.

Every iteration is a determinization: it samples what the seat cannot see and all chance events, so a node stands for a
sequence of decisions rather than for one position. Each iteration adds at most one node; below it a fast playout policy
continues.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games.contract import Heuristics
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.mathematics import exp
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, layout

NODE = layout(
    [
        ("visits", np.int32),
        ("total", np.float64),  # the sum of rewards over all visits, for the player who made the move
        ("move", np.int32),
        ("child", np.int32),
        ("sibling", np.int32),
    ]
)
MAX_CANDIDATES = 64
MAX_PATH = 8

# The path of an iteration: its length, then its nodes; ``movers`` holds the player who moved to each.
LENGTH = 0


@compiled
def init_node(nodes: np.ndarray, at: int, move: int) -> None:
    """Initialize a node without visits and children."""
    nodes[at].visits = 0
    nodes[at].total = 0.0
    nodes[at].move = move
    nodes[at].child = NONE
    nodes[at].sibling = NONE


@compiled
def child_of(nodes: np.ndarray, parent: int, move: int) -> int:
    """The child node of a move, or NONE."""
    at = nodes[parent].child
    while at != NONE and nodes[at].move != move:
        at = nodes[at].sibling
    return at


@compiled
def select_puct(
    nodes: np.ndarray, parent: int, moves: np.ndarray, values: np.ndarray, size: int, plan: np.ndarray
) -> int:
    """The candidate with the highest PUCT score; priors are a softmax of the heuristic values."""
    visits = nodes[parent].visits
    average = 0.5 if visits == 0 else nodes[parent].total / visits
    prior_sum = 0.0
    for at in range(size):
        prior_sum += exp((values[at] - values[0]) / plan[0].prior_temperature)
    best_score = -1.0e9
    chosen = 0
    for at in range(size):
        prior = exp((values[at] - values[0]) / plan[0].prior_temperature) / prior_sum
        node = child_of(nodes, parent, moves[at])
        child_visits = 0 if node == NONE else nodes[node].visits
        mean_value = average if child_visits == 0 else nodes[node].total / child_visits
        score = mean_value + plan[0].c_puct * prior * np.sqrt(1.0 + visits) / (1.0 + child_visits)
        if score > best_score:
            best_score = score
            chosen = moves[at]
    return int(np.int64(chosen))


@compiled
def descend(
    nodes: np.ndarray, used: np.ndarray, parent: int, move: int, mover: int, path: np.ndarray, movers: np.ndarray
) -> int:
    """Follow a move to its child node and extend the path; at a leaf, add a node if there is space and return NONE."""
    node = child_of(nodes, parent, move)
    new = node == NONE
    if new:
        if used[0] == nodes.size:
            return NONE
        node = used[0]
        used[0] += 1
        init_node(nodes, node, move)
        nodes[node].sibling = nodes[parent].child
        nodes[parent].child = node
    path[LENGTH] += 1
    path[path[LENGTH]] = node
    movers[path[LENGTH]] = mover
    return NONE if new else int(np.int64(node))


@compiled
def blend_standings(standings: np.ndarray, players: int, scale: float, weight: float, rewards: np.ndarray) -> None:
    """Blend rewards estimated from heuristic standings into ``rewards``, with the given weight.

    A single player's standing is compared with 0.
    """
    for player in range(players):
        expected = 1.0 / (1.0 + exp(-standings[player] / scale)) if players == 1 else 0.0
        for opponent in range(players):
            if opponent != player:
                expected += 1.0 / (1.0 + exp((standings[opponent] - standings[player]) / scale))
        rewards[player] = (1.0 - weight) * rewards[player] + weight * expected / max(players - 1, 1)


@compiled
def backpropagate(nodes: np.ndarray, path: np.ndarray, movers: np.ndarray, rewards: np.ndarray) -> None:
    """Add the rewards of an iteration to every node on its path."""
    nodes[0].visits += 1
    for at in range(1, path[LENGTH] + 1):
        nodes[path[at]].visits += 1
        nodes[path[at]].total += rewards[movers[at]]


class SearchWorkspace(NamedTuple):
    """Scratch arrays of ``explore``."""

    state: np.ndarray  # of the current iteration
    root_features: np.ndarray
    board_features: np.ndarray
    heuristics: np.ndarray
    weights: np.ndarray  # by item, to deal what is hidden
    moves: np.ndarray  # the candidates at a node, and their heuristic values
    move_values: np.ndarray
    path: np.ndarray
    movers: np.ndarray
    standings: np.ndarray  # by player, as the result below
    values: np.ndarray
    places: np.ndarray
    rewards: np.ndarray


def make_workspace(heuristics: Heuristics) -> SearchWorkspace:
    """Scratch arrays for a game."""
    players = max(heuristics.rules.PLAYERS)
    return SearchWorkspace(
        state=np.zeros(1, dtype=heuristics.rules.STATE),
        root_features=np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8),
        board_features=np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8),
        heuristics=np.zeros(heuristics.WORKSPACE_SHAPE),
        weights=np.zeros(len(heuristics.rules.ITEMS), dtype=np.int8),
        moves=np.zeros(MAX_CANDIDATES, dtype=np.int16),
        move_values=np.zeros(MAX_CANDIDATES),
        path=np.zeros(MAX_PATH, dtype=np.int32),
        movers=np.zeros(MAX_PATH, dtype=np.int32),
        standings=np.zeros(players),
        values=np.zeros((players, len(heuristics.rules.VALUES)), dtype=np.int8),
        places=np.zeros(players, dtype=np.int8),
        rewards=np.zeros(players),
    )


@cache
def build_search(heuristics: Heuristics) -> Callable[..., int]:
    """Compile a function that runs some search iterations and returns the number of plies played out below the tree."""
    rules = heuristics.rules
    steps = steps_of(rules)
    deal_hidden, draw, reward = steps.deal_hidden, steps.draw, steps.reward

    @compiled
    def explore(root: Any, nodes: Any, used: Any, workspace: Any, generator: Any, plan: Any, iterations: int) -> int:
        view, seat, root_moves, root_values = root
        root_features, board_features, work = workspace.root_features, workspace.board_features, workspace.heuristics
        moves, values, path, movers = workspace.moves, workspace.move_values, workspace.path, workspace.movers
        standings, rewards, scratch = workspace.standings, workspace.rewards, workspace.state
        heuristics.compute_board_features(view[0], root_features)
        plies_played = 0
        for _ in range(iterations):
            scratch[0] = view[0]
            state = scratch[0]
            deal_hidden(state, seat, workspace.weights, generator)
            heuristics.copy_board_features(root_features, board_features)
            node = 0
            path[LENGTH] = 0
            plies = 0
            while state.phase != OVER and plies < plan[0].playout_limit:
                if state.phase == CHANCE:
                    draw(state, generator)
                elif node == NONE or path[LENGTH] == plan[0].depth:
                    heuristics.act(
                        state, board_features, heuristics.playout_move(state, board_features, work, generator)
                    )
                    plies += 1
                else:
                    widening = int(plan[0].widening * np.sqrt(nodes[node].visits))
                    if node == 0 and root_moves.size > 0:
                        size = min(root_moves.size, plan[0].width + widening)
                        move = select_puct(nodes, node, root_moves, root_values, size, plan)
                    else:
                        limit = min(MAX_CANDIDATES, plan[0].reply_width + widening)
                        size = heuristics.candidates(state, board_features, work, moves, values, limit)
                        move = select_puct(nodes, node, moves, values, size, plan)
                    node = descend(nodes, used, node, move, state.turn, path, movers)
                    heuristics.act(state, board_features, move)
            plies_played += plies
            weight = 1.0
            if state.phase == OVER:
                reward(state, workspace.values, workspace.places, rewards)
                weight = plan[0].margin_weight
            for player in range(state.players):
                standings[player] = heuristics.evaluate(state, player)
            scale = heuristics.DECISIVE_LEAD[0] + (
                heuristics.DECISIVE_LEAD[1] - heuristics.DECISIVE_LEAD[0]
            ) * heuristics.progress(state)
            blend_standings(standings, state.players, scale, weight, rewards)
            backpropagate(nodes, path, movers, rewards)
        return plies_played

    return explore
