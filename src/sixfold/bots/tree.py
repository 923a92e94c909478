"""Information-set Monte Carlo tree search, compiled: PUCT with progressive widening over what one seat knows.

Every iteration is a determinisation: it deals anew what the seat cannot see and lets chance speak afresh, so a node
stands for a row of decisions and not for one position. Nodes are added one an iteration; below them a light hand plays
on.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sixfold.games.contract import Judgement
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked
from sixfold.games.shared.mathematics import exp
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, layout

NODE = layout(
    [
        ("visits", np.int32),
        ("total", np.float64),  # what the player who made the move got in all visits
        ("move", np.int32),
        ("child", np.int32),
        ("sibling", np.int32),
    ]
)
MOST_CANDIDATES = 64
DEEPEST = 8

# The path of an iteration: how many nodes it has, then the nodes; and who made the move to each.
LENGTH = 0


@compiled
def new_node(nodes: np.ndarray, at: int, move: int) -> None:
    """A node without visits and children."""
    nodes[at].visits = 0
    nodes[at].total = 0.0
    nodes[at].move = move
    nodes[at].child = NONE
    nodes[at].sibling = NONE


@compiled
def child_of(nodes: np.ndarray, parent: int, move: int) -> int:
    """The node behind a move, or NONE."""
    at = nodes[parent].child
    while at != NONE and nodes[at].move != move:
        at = nodes[at].sibling
    return at


@compiled
def most_promising(
    nodes: np.ndarray, parent: int, moves: np.ndarray, values: np.ndarray, size: int, plan: np.ndarray
) -> int:
    """The candidate to try next: what was good so far, what looks good, what was tried seldom."""
    visits = nodes[parent].visits
    average = 0.5 if visits == 0 else nodes[parent].total / visits
    shares = 0.0
    for at in range(size):
        shares += exp((values[at] - values[0]) / plan[0].trust)
    best = -1.0e9
    chosen = 0
    for at in range(size):
        share = exp((values[at] - values[0]) / plan[0].trust) / shares
        node = child_of(nodes, parent, moves[at])
        tried = 0 if node == NONE else nodes[node].visits
        so_far = average if tried == 0 else nodes[node].total / tried
        promise = so_far + plan[0].courage * share * np.sqrt(1.0 + visits) / (1.0 + tried)
        if promise > best:
            best = promise
            chosen = moves[at]
    return int(np.int64(chosen))


@compiled
def descend(
    nodes: np.ndarray, used: np.ndarray, parent: int, move: int, mover: int, path: np.ndarray, movers: np.ndarray
) -> int:
    """Go to the node behind a move; NONE where the tree ends: a new node is added there while there is room."""
    node = child_of(nodes, parent, move)
    new = node == NONE
    if new:
        if used[0] == nodes.size:
            return NONE
        node = used[0]
        used[0] += 1
        new_node(nodes, node, move)
        nodes[node].sibling = nodes[parent].child
        nodes[parent].child = node
    path[LENGTH] += 1
    path[path[LENGTH]] = node
    movers[path[LENGTH]] = mover
    return NONE if new else int(np.int64(node))


@compiled
def ahead(values: np.ndarray, one: int, other: int) -> int:
    """T20, C16: 1 if a player's ascending list is greater than another's, -1 if smaller, 0 if equal."""
    for at in range(6):
        if values[one, at] != values[other, at]:
            return 1 if values[one, at] > values[other, at] else -1
    return 0


@compiled
def sort_values(values: np.ndarray, players: int) -> None:
    """Every player's six values in ascending order."""
    for player in range(players):
        for end in range(1, 6):
            value = values[player, end]
            at = end
            while at > 0 and values[player, at - 1] > value:
                values[player, at] = values[player, at - 1]
                at -= 1
            values[player, at] = value


@compiled
def by_place(values: np.ndarray, players: int, rewards: np.ndarray) -> None:
    """The share of the others that each player is ahead of; a tie counts half."""
    sort_values(values, players)
    for one in range(players):
        rewards[one] = 0.0
        for other in range(players):
            if other != one:
                rewards[one] += 0.5 + 0.5 * ahead(values, one, other)
        rewards[one] /= players - 1


@compiled
def by_standing(standings: np.ndarray, players: int, reach: float, weight: float, rewards: np.ndarray) -> None:
    """The same, guessed from how well everybody stands, mixed into what the rewards hold by a weight."""
    for one in range(players):
        likely = 0.0
        for other in range(players):
            if other != one:
                likely += 1.0 / (1.0 + exp((standings[other] - standings[one]) / reach))
        rewards[one] = (1.0 - weight) * rewards[one] + weight * likely / (players - 1)


@compiled
def note(nodes: np.ndarray, path: np.ndarray, movers: np.ndarray, rewards: np.ndarray) -> None:
    """Tell every node on the path how the iteration ended."""
    nodes[0].visits += 1
    for at in range(1, path[LENGTH] + 1):
        nodes[path[at]].visits += 1
        nodes[path[at]].total += rewards[movers[at]]


def desk(judgement: Judgement) -> tuple[np.ndarray, ...]:
    """Room to think: a state, two sights, work, kinds, moves and values, path and movers, results and rewards."""
    players = max(judgement.rules.PLAYERS)
    return (
        np.zeros(1, dtype=judgement.rules.STATE),
        np.empty(judgement.SIGHT, dtype=np.int8),
        np.empty(judgement.SIGHT, dtype=np.int8),
        np.zeros(judgement.WORK),
        np.zeros(len(judgement.rules.ITEMS), dtype=np.int8),
        np.zeros(MOST_CANDIDATES, dtype=np.int16),
        np.zeros(MOST_CANDIDATES),
        np.zeros(DEEPEST, dtype=np.int32),
        np.zeros(DEEPEST, dtype=np.int32),
        np.zeros((players, 6), dtype=np.int8),
        np.zeros(players),
        np.zeros(players),
    )


@cache
def explorer(judgement: Judgement) -> Callable[..., int]:
    """Compiled: search on for some iterations; returns how many decisions were played out below the tree."""
    rules = judgement.rules

    @compiled
    def explore(root: Any, nodes: Any, used: Any, room: Any, generator: Any, plan: Any, iterations: int) -> int:
        view, seat, roots, root_values = root
        scratch, seen, sight, work, kinds, moves, values, path, movers, results, standings, rewards = room
        judgement.look(view[0], seen)
        played = 0
        for _ in range(iterations):
            scratch[0] = view[0]
            state = scratch[0]
            player = rules.unknown(state, seat)
            while player != NONE:
                rules.possible(state, player, kinds)
                rules.fill(state, player, picked(generator, kinds))
                player = rules.unknown(state, seat)
            judgement.copy_sight(seen, sight)
            node = 0
            path[LENGTH] = 0
            plies = 0
            while state.phase != OVER and plies < plan[0].cut:
                if state.phase == CHANCE:
                    rules.receive(state, rules.drawn(state, below(generator, rules.pool_size(state))))
                elif node == NONE or path[LENGTH] == plan[0].depth:
                    judgement.act(state, sight, judgement.light(state, sight, work, generator))
                    plies += 1
                else:
                    more = int(plan[0].growth * np.sqrt(nodes[node].visits))
                    if node == 0 and roots.size > 0:
                        size = min(roots.size, plan[0].width + more)
                        move = most_promising(nodes, node, roots, root_values, size, plan)
                    else:
                        most = min(MOST_CANDIDATES, plan[0].reply + more)
                        size = judgement.candidates(state, sight, work, moves, values, most)
                        move = most_promising(nodes, node, moves, values, size, plan)
                    node = descend(nodes, used, node, move, state.turn, path, movers)
                    judgement.act(state, sight, move)
            played += plies
            weight = 1.0
            if state.phase == OVER:
                rules.values(state, results)
                by_place(results, state.players, rewards)
                weight = plan[0].margin
            for player in range(state.players):
                standings[player] = judgement.standing(state, player)
            reach = judgement.REACH[0] + (judgement.REACH[1] - judgement.REACH[0]) * judgement.progress(state)
            by_standing(standings, state.players, reach, weight, rewards)
            note(nodes, path, movers, rewards)
        return played

    return explore
