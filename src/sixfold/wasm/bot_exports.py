"""The bots with nets, as exports over buffers; the weights are data, one file for each number of players."""

from dataclasses import dataclass
from typing import Any, NamedTuple

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
from sixfold.engine.wasm import Buffer, Export, buffers_like
from sixfold.games import Package
from sixfold.games.contract import Features
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.symbols import NONE

# The name of the data, and the bots that use it.
DATA = "net"
BOTS = ("net", "netsearch")


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


class NetBuffers(NamedTuple):
    """The arguments of all functions that run nets; weights, sizes and slots are by number of players."""

    states: Any
    weights: Any
    sizes: Any
    slots: Any  # the number of candidate moves
    workspace: Any  # a ``NetWorkspace``
    candidates: Any  # the moves that are rolled out, and which of them are still active
    active: Any


class SearchBuffers(NamedTuple):
    """The progress of a search with a net."""

    seed: Any
    order: Any
    progress: Any  # the number of candidates, and of worlds so far
    prior: Any
    chances: Any


def results_buffer(width: int) -> Buffer:
    """The buffer of chances by world and move."""
    return Buffer("_found", np.dtype(np.float64), (MAX_DETERMINIZATIONS, width))


def _net_buffers(package: Package, features: Features, state: Buffer) -> NetBuffers:
    all_players, net_buffers, plan = package.facts.PLAYERS, buffers(package), features.PLAN
    slots = np.array([features.candidate_count(players) for players in all_players])
    inputs = max(features.input_count(players) for players in all_players)
    width = max(int(sizes.max()) for _, sizes in nets_of(package).values())
    workspace = buffers_like("_mind", make_workspace(features, inputs, width, NET_CANDIDATES, 1, 1))
    return NetBuffers(
        states=state,
        weights=tuple(net_buffers[f"weights_{players}"] for players in all_players),
        sizes=tuple(net_buffers[f"sizes_{players}"] for players in all_players),
        slots=Buffer("_slots", slots.dtype, slots.shape, slots.tobytes()),
        workspace=workspace._replace(chances=results_buffer(plan.width)),
        candidates=Buffer("_tried", np.dtype(np.int16), (plan.width,)),
        active=Buffer("_alive", np.dtype(np.bool_), (plan.width,)),
    )


@dataclass(frozen=True)
class NetRunner:
    """The compiled functions that run a game's nets, for bots and reviews, and their buffers.

    ``run(buffers, seat, candidates, active, span, seed, options)`` plays on in a range of worlds, ``evaluate(buffers,
    seed, looks, blind)`` evaluates the moves of a position.
    """

    features: Features
    run: Any
    evaluate: Any
    buffers: NetBuffers


def net_runner(package: Package, state: Buffer) -> NetRunner | None:
    """The runner of a game's nets, or None if there are none."""
    features = package.features
    if features is None or not nets_of(package):
        return None
    roll_out, fewest = build_rollout(features), min(package.facts.PLAYERS)

    # To Numba constants and smaller integers are different types: all are converted to int64, or everything would be
    # compiled again for each bot.

    @compiled
    def run(nets: Any, seat: int, candidates: Any, active: Any, span: Any, seed: Any, options: Any) -> int:
        depth, looks, blind = options
        which = int(nets.states[0].players) - fewest
        net = (nets.weights[which], nets.sizes[which])
        worlds = (np.int64(span[0]), np.int64(span[1]))
        limits = (np.int64(depth), np.int64(looks), np.int64(nets.slots[which]), np.int64(blind))
        return roll_out(net, nets.states, np.int64(seat), candidates, active, worlds, seed, limits, nets.workspace)

    @compiled
    def evaluate(nets: Any, seed: Any, looks: int, blind: int) -> int:
        nets.candidates[0] = NONE
        nets.active[0] = True
        seat, options = int(nets.states[0].turn), (1, looks, blind)
        return run(nets, seat, nets.candidates[:1], nets.active[:1], (0, 1), seed, options)

    return NetRunner(features, run, evaluate, _net_buffers(package, features, state))


def net_exports(runner: NetRunner | None, generator: Buffer) -> list[Export]:
    """The exports of the bots with nets; none if there are no nets.

    ``net`` returns the move with the best value. ``net_root`` selects the candidates of a search, ``net_explore``
    continues it while there is time, and ``net_best`` chooses.
    """
    if runner is None:
        return []
    run, evaluate, plan = runner.run, runner.evaluate, runner.features.PLAN
    depth, batch_size, replies, drop_threshold = plan.depth, plan.batch_size, plan.replies, plan.drop_threshold
    prior_weight = plan.prior_weight

    @compiled
    def net(nets: Any, generator: Any, looks: int, blind: int) -> int:
        seed = np.uint64(below(generator, 2**32) if blind > 0 else 0)
        number = evaluate(nets, seed, min(looks, NET_CANDIDATES), blind)
        return int(np.int64(nets.workspace.moves[selection.argmax(nets.workspace.log_odds[:number])]))

    @compiled
    def net_root(nets: Any, search: Any, generator: Any) -> None:
        search.seed[0] = np.uint64(below(generator, 2**32))
        number = evaluate(nets, np.uint64(0), NET_CANDIDATES, 0)
        moves, log_odds, chances = nets.workspace.moves, nets.workspace.log_odds, nets.workspace.chances
        count = select_candidates(
            moves[:number], log_odds[:number], search.order, nets.candidates, search.prior, nets.active
        )
        search.progress[0] = count
        search.progress[1] = 0
        update_chances(chances, search.prior, prior_weight, nets.active[:count], 0, search.chances)

    @compiled
    def net_explore(nets: Any, search: Any, seat: int, left: int) -> int:
        number, worlds = search.progress[0], search.progress[1]
        active, sampled = nets.active[:number], nets.workspace.chances
        more = next_batch_size(batch_size, left, active, worlds)
        if more == 0:
            return 0
        span, options = (worlds, worlds + more), (depth, replies, 0)
        run(nets, seat, nets.candidates[:number], active, span, search.seed[0], options)
        worlds += more
        search.progress[1] = worlds
        update_chances(sampled, search.prior, prior_weight, active, worlds, search.chances)
        return more * prune_candidates(sampled, search.chances[:number], active, worlds, drop_threshold)

    @compiled
    def net_best(nets: Any, search: Any) -> int:
        return int(np.int64(nets.candidates[selection.argmax(search.chances[: search.progress[0]])]))

    nets = {"nets": runner.buffers}
    search = {
        "search": SearchBuffers(
            seed=Buffer("_net_seed", np.dtype(np.uint64)),
            order=Buffer("_net_order", np.dtype(np.int32), (NET_CANDIDATES,)),
            progress=Buffer("_net_going", np.dtype(np.int64), (2,)),
            prior=Buffer("_net_prior", np.dtype(np.float64), (plan.width,)),
            chances=Buffer("_net_chances", np.dtype(np.float64), (plan.width,)),
        )
    }
    return [
        Export("net", net, {**nets, "generator": generator, "looks": np.int64, "blind": np.int64}),
        Export("net_root", net_root, {**nets, **search, "generator": generator}),
        Export("net_explore", net_explore, {**nets, **search, "seat": np.int64, "left": np.int64}),
        Export("net_best", net_best, {**nets, **search}),
    ]
