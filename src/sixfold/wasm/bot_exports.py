"""The bots with nets, as exports over buffers; the weights are data, one file for each number of players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sixfold.bots import selection
from sixfold.bots.net import NET_CANDIDATES, build_rollout, load, make_workspace
from sixfold.bots.netsearch import (
    MAX_DETERMINIZATIONS,
    next_batch_size,
    prune_candidates,
    select_candidates,
    update_chances,
)
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games import Package
from sixfold.games.contract import Features, NetPlan
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.symbols import NONE
from sixfold.review.evaluator import WIDTH

# The name of the data, and the bots that use it.
DATA = "net"
BOTS = ("net", "netsearch")
# Indices into the workspace.
MOVES, VALUES, RESULTS = 10, 11, 14


def nets_of(package: Package) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """The weights and layer sizes of every net of a game, by the number of players."""
    paths = {players: package.net(players) for players in package.facts.PLAYERS}
    return {players: load(path, package.facts.NAME, players) for players, path in paths.items() if path.exists()}


def tables(package: Package) -> dict[str, dict[str, np.ndarray]]:
    """The contents of each data file."""
    return {f"{DATA}.{players}": {f"net_{players}": weights} for players, (weights, _) in nets_of(package).items()}


def buffers(package: Package) -> dict[str, Buffer]:
    """The buffers of every net's weights and layer sizes; dummies for a number of players without a net."""
    nets, result = nets_of(package), {}
    empty = np.zeros(1, np.float32), np.zeros(1, np.int64)
    for players in package.facts.PLAYERS:
        weights, sizes = nets.get(players, empty)
        name = f"net_{players}" if players in nets else f"_no_net_{players}"
        result[f"weights_{players}"] = Buffer(name, weights.dtype, weights.shape)
        result[f"sizes_{players}"] = Buffer(f"_net_sizes_{players}", sizes.dtype, sizes.shape, sizes.tobytes())
    return result


def results_buffer(package: Package) -> Buffer:
    """The buffer of chances by world and move, for bots and reviews."""
    width = WIDTH + 1 if package.features is None else max(package.features.PLAN.width, WIDTH + 1)
    return Buffer("_found", np.dtype(np.float64), (MAX_DETERMINIZATIONS, width))


def _arguments(package: Package, features: Features) -> dict[str, Argument]:
    """The arguments of the bots: nets and candidate limits by players, the workspace, and the candidate moves."""
    all_players, net_buffers, plan = package.facts.PLAYERS, buffers(package), features.PLAN
    slots = np.array([features.candidate_count(players) for players in all_players])
    inputs = max(features.input_count(players) for players in all_players)
    width = max(int(sizes.max()) for _, sizes in nets_of(package).values())
    results = results_buffer(package)
    workspace = make_workspace(features, inputs, width, NET_CANDIDATES, *results.shape)
    return {
        "weights": tuple(net_buffers[f"weights_{players}"] for players in all_players),
        "sizes": tuple(net_buffers[f"sizes_{players}"] for players in all_players),
        "slots": Buffer("_slots", slots.dtype, slots.shape, slots.tobytes()),
        "workspace": (
            *(Buffer(f"_mind_{number}", array.dtype, array.shape) for number, array in enumerate(workspace[:RESULTS])),
            results,
        ),
        "candidates": Buffer("_tried", np.dtype(np.int16), (plan.width,)),
        "active": Buffer("_alive", np.dtype(np.bool_), (plan.width,)),
    }


def _compile_runner(package: Package, features: Features) -> tuple[Any, Any]:
    """Compile the search in a range of worlds, and the evaluation of the moves of one position.

    To Numba constants and smaller integers are different types: all are converted to int64, or everything would be
    compiled again for each bot.
    """
    think, fewest = build_rollout(features), min(package.facts.PLAYERS)

    @compiled
    def run(
        states: Any,
        nets: Any,
        seat: int,
        candidates: Any,
        active: Any,
        span: Any,
        seed: Any,
        options: Any,
        workspace: Any,
    ) -> int:
        weights, sizes, slots = nets
        depth, looks, blind = options
        a, b, c, d, e, f, g, h, i, first, moves, values, kinds, dice, results = workspace
        trimmed = (a, b, c, d, e, f, g, h, i, first[:looks], moves[:looks], values[:looks], kinds, dice, results)
        which = int(states[0].players) - fewest
        net = (weights[which], sizes[which])
        worlds = (np.int64(span[0]), np.int64(span[1]))
        limits = (np.int64(depth), np.int64(slots[which]), np.int64(blind))
        return think(net, states, np.int64(seat), candidates, active, worlds, seed, limits, trimmed)

    @compiled
    def evaluate(
        states: Any, nets: Any, candidates: Any, active: Any, seed: Any, looks: int, blind: int, workspace: Any
    ) -> int:
        candidates[0] = NONE
        active[0] = True
        seat, span, limits = int(states[0].turn), (0, 1), (1, looks, blind)
        return run(states, nets, seat, candidates[:1], active[:1], span, seed, limits, workspace)

    return run, evaluate


@dataclass(frozen=True)
class NetRunner:
    """The compiled functions that run a game's nets, for bots and reviews, and their arguments."""

    features: Features
    players: set[int]
    run: Any
    evaluate: Any
    arguments: Mapping[str, Argument]


def net_runner(package: Package, state: Buffer) -> NetRunner | None:
    """The runner of a game's nets, or None if there are none."""
    features, players = package.features, set(nets_of(package))
    if features is None or not players:
        return None
    return NetRunner(
        features, players, *_compile_runner(package, features), {"states": state, **_arguments(package, features)}
    )


def net_exports(runner: NetRunner | None, generator: Buffer) -> list[Export]:
    """The exports of the bots with nets; none if there are no nets."""
    if runner is None:
        return []
    return [
        _net_export(runner.evaluate, runner.arguments, generator),
        *_search_exports(runner.features.PLAN, runner.run, runner.evaluate, runner.arguments, generator),
    ]


def _net_export(evaluate: Any, arguments: Mapping[str, Argument], generator: Buffer) -> Export:
    """``net`` returns the move with the best value."""

    @compiled
    def net(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, candidates: Any, active: Any, generator: Any,
        looks: int, blind: int,
    ) -> int:  # fmt: skip
        seed = np.uint64(below(generator, 2**32) if blind > 0 else 0)
        number = evaluate(
            states, (weights, sizes, slots), candidates, active, seed, min(looks, NET_CANDIDATES), blind, workspace
        )
        return int(np.int64(workspace[MOVES][selection.argmax(workspace[VALUES][:number])]))

    return Export("net", net, {**arguments, "generator": generator, "looks": np.int64, "blind": np.int64})


def _search_exports(
    plan: NetPlan, run: Any, evaluate: Any, arguments: Mapping[str, Argument], generator: Buffer
) -> list[Export]:
    """``net_root`` selects the candidates, ``net_explore`` continues while there is time, ``net_best`` chooses."""
    width, depth, few, replies, patience = plan.width, plan.depth, plan.batch_size, plan.replies, plan.drop_threshold
    weight = plan.prior_weight

    @compiled
    def net_root(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, candidates: Any, active: Any, generator: Any,
        seed: Any, order: Any, progress: Any, prior: Any, chances: Any,
    ) -> None:  # fmt: skip
        seed[0] = np.uint64(below(generator, 2**32))
        number = evaluate(
            states, (weights, sizes, slots), candidates, active, np.uint64(0), NET_CANDIDATES, 0, workspace
        )
        progress[0] = select_candidates(
            workspace[MOVES][:number], workspace[VALUES][:number], order, candidates, prior, active
        )
        progress[1] = 0
        update_chances(workspace[RESULTS], prior, weight, active[: progress[0]], 0, chances)

    @compiled
    def net_explore(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, candidates: Any, active: Any, seed: Any,
        progress: Any, prior: Any, chances: Any, seat: int, left: int,
    ) -> int:  # fmt: skip
        number, worlds = progress[0], progress[1]
        more = next_batch_size(few, left, active[:number], worlds)
        if more == 0:
            return 0
        span, limits, nets = (worlds, worlds + more), (depth, replies, 0), (weights, sizes, slots)
        run(states, nets, seat, candidates[:number], active[:number], span, seed[0], limits, workspace)
        progress[1] = worlds + more
        update_chances(workspace[RESULTS], prior, weight, active[:number], progress[1], chances)
        return more * prune_candidates(workspace[RESULTS], chances[:number], active[:number], progress[1], patience)

    @compiled
    def net_best(candidates: Any, progress: Any, chances: Any) -> int:
        return int(np.int64(candidates[selection.argmax(chances[: progress[0]])]))

    seed = {"seed": Buffer("_net_seed", np.dtype(np.uint64))}
    order = {"order": Buffer("_net_order", np.dtype(np.int32), (NET_CANDIDATES,))}
    # The number of candidates, and of worlds so far.
    progress = {"progress": Buffer("_net_going", np.dtype(np.int64), (2,))}
    prior = {"prior": Buffer("_net_prior", np.dtype(np.float64), (width,))}
    chances = {"chances": Buffer("_net_chances", np.dtype(np.float64), (width,))}
    evaluation = {**progress, **prior, **chances}
    root = {**arguments, "generator": generator, **seed, **order, **evaluation}
    return [
        Export("net_root", net_root, root),
        Export("net_explore", net_explore, {**arguments, **seed, **evaluation, "seat": np.int64, "left": np.int64}),
        Export("net_best", net_best, {"candidates": arguments["candidates"], **progress, **chances}),
    ]
