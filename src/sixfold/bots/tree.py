"""Information-set Monte Carlo tree search, compiled: PUCT with progressive widening over what one seat knows.

Every iteration is a determinization: it samples what the seat cannot see and all chance events, so a node stands for a
sequence of decisions rather than for one position. Each iteration adds at most one node; below it a fast playout policy
continues.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sixfold.games.contract import Heuristics
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below, picked
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
def compare_values(values: np.ndarray, first: int, second: int) -> int:
    """T20, C16: compare two players' ascending values; 1 if the first is ahead, -1 if behind, 0 if equal."""
    for at in range(6):
        if values[first, at] != values[second, at]:
            return 1 if values[first, at] > values[second, at] else -1
    return 0


@compiled
def sort_values(values: np.ndarray, players: int) -> None:
    """Sort every player's six values in ascending order."""
    for player in range(players):
        for end in range(1, 6):
            value = values[player, end]
            at = end
            while at > 0 and values[player, at - 1] > value:
                values[player, at] = values[player, at - 1]
                at -= 1
            values[player, at] = value


@compiled
def place_rewards(values: np.ndarray, players: int, rewards: np.ndarray) -> None:
    """Reward each player with the share of opponents finished behind; a tie counts half."""
    sort_values(values, players)
    for player in range(players):
        rewards[player] = 0.0
        for opponent in range(players):
            if opponent != player:
                rewards[player] += 0.5 + 0.5 * compare_values(values, player, opponent)
        rewards[player] /= players - 1


@compiled
def blend_standings(standings: np.ndarray, players: int, scale: float, weight: float, rewards: np.ndarray) -> None:
    """Blend rewards estimated from heuristic standings into ``rewards``, with the given weight."""
    for player in range(players):
        expected = 0.0
        for opponent in range(players):
            if opponent != player:
                expected += 1.0 / (1.0 + exp((standings[opponent] - standings[player]) / scale))
        rewards[player] = (1.0 - weight) * rewards[player] + weight * expected / (players - 1)


@compiled
def backpropagate(nodes: np.ndarray, path: np.ndarray, movers: np.ndarray, rewards: np.ndarray) -> None:
    """Add the rewards of an iteration to every node on its path."""
    nodes[0].visits += 1
    for at in range(1, path[LENGTH] + 1):
        nodes[path[at]].visits += 1
        nodes[path[at]].total += rewards[movers[at]]


def make_workspace(heuristics: Heuristics) -> tuple[np.ndarray, ...]:
    """Scratch arrays for ``explore``, in the order in which it unpacks them."""
    players = max(heuristics.rules.PLAYERS)
    return (
        np.zeros(1, dtype=heuristics.rules.STATE),
        np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8),
        np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8),
        np.zeros(heuristics.WORKSPACE_SHAPE),
        np.zeros(len(heuristics.rules.ITEMS), dtype=np.int8),
        np.zeros(MAX_CANDIDATES, dtype=np.int16),
        np.zeros(MAX_CANDIDATES),
        np.zeros(MAX_PATH, dtype=np.int32),
        np.zeros(MAX_PATH, dtype=np.int32),
        np.zeros((players, 6), dtype=np.int8),
        np.zeros(players),
        np.zeros(players),
    )


@cache
def build_search(heuristics: Heuristics) -> Callable[..., int]:
    """Compile a function that runs some search iterations and returns the number of plies played out below the tree."""
    rules = heuristics.rules

    @compiled
    def explore(root: Any, nodes: Any, used: Any, workspace: Any, generator: Any, plan: Any, iterations: int) -> int:
        view, seat, root_moves, root_values = root
        (
            scratch,
            root_features,
            board_features,
            work,
            item_counts,
            moves,
            values,
            path,
            movers,
            results,
            standings,
            rewards,
        ) = workspace
        heuristics.compute_board_features(view[0], root_features)
        plies_played = 0
        for _ in range(iterations):
            scratch[0] = view[0]
            state = scratch[0]
            player = rules.unknown(state, seat)
            while player != NONE:
                rules.possible(state, player, item_counts)
                rules.fill(state, player, picked(generator, item_counts))
                player = rules.unknown(state, seat)
            heuristics.copy_board_features(root_features, board_features)
            node = 0
            path[LENGTH] = 0
            plies = 0
            while state.phase != OVER and plies < plan[0].playout_limit:
                if state.phase == CHANCE:
                    rules.receive(state, rules.item_at(state, below(generator, rules.pool_size(state))))
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
                rules.values(state, results)
                place_rewards(results, state.players, rewards)
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
