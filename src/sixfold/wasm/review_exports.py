"""Reviews by determinization, as exports over buffers: like ``review.determinization``, with the same compiled parts.

For each evaluator, ``net`` or ``playouts``: ``<evaluator>_moves`` selects the candidate moves, ``<evaluator>_race``
runs the next stage of sequential halving, ``<evaluator>_margin`` estimates the margin of the lowest symbol after a
move, and ``<evaluator>_sample`` evaluates a position in a number of worlds. ``race_rank`` orders the moves;
``sample_mean`` and ``sample_error`` summarise the results.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.bots.greedy import build_one_ply
from sixfold.bots.net import NET_CANDIDATES
from sixfold.bots.selection import argsort_descending
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games import Package
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import NONE
from sixfold.review import sequential_halving as halving
from sixfold.review import solution_exports
from sixfold.review.determinization import MARGIN_WORLDS, net_margin, playout_workspace, playouts
from sixfold.review.evaluator import WIDTH
from sixfold.review.solution import solves
from sixfold.wasm.bot_exports import DATA, MOVES, RESULTS, VALUES, NetRunner, nets_of, results_buffer
from sixfold.wasm.rule_exports import Buffers, buffer

INT, SEED = np.int64, np.uint64


def judges(package: Package) -> dict[int, dict[str, str | None]]:
    """The evaluator of a game and its data, for each number of players: the one that ``review.report.evaluator_for``
    chooses without a value file."""
    with_nets = nets_of(package)

    def evaluator_of(players: int) -> dict[str, str | None]:
        if solves(package.facts.NAME, players):
            return {"by": "approximation", "data": solution_exports.DATA}
        if players in with_nets:
            return {"by": "net", "data": f"{DATA}.{players}"}
        return {"by": "playouts", "data": None}

    return {players: evaluator_of(players) for players in package.facts.PLAYERS}


def _candidate_buffers() -> dict[str, Buffer]:
    """The buffers of sequential halving, see ``review.sequential_halving``."""
    return {
        "candidates": buffer("raced", np.int16, WIDTH + 1),
        "stats": buffer("going", np.int32, halving.STATS_SIZE),
        "active": buffer("_racing", np.bool_, WIDTH + 1),
        "chances": buffer("chances", np.float64, WIDTH + 1),
        "errors": buffer("errors", np.float64, WIDTH + 1),
    }


def _trial_buffers(package: Package) -> dict[str, Buffer]:
    size = package.rules.STATE.itemsize
    return {
        "trials": buffer("_race_trials", package.rules.STATE, WIDTH + 1),
        "raw": buffer("_race_trials", np.uint8, WIDTH + 1, size),
    }


def review_exports(
    package: Package, buffers: Buffers, runner: NetRunner | None, tables: Mapping[str, Buffer]
) -> list[Export]:
    """The exports of all evaluators that a game needs."""
    evaluators = {evaluator["by"] for evaluator in judges(package).values()}
    exports = _sample_exports(package)
    if "net" in evaluators and runner is not None:
        exports += _net_exports(package, runner)
    if "playouts" in evaluators:
        exports += _playout_exports(package, buffers)
    if "approximation" in evaluators:
        exports += solution_exports.exports(buffers.state, tables)
    return exports


def _sample_exports(package: Package) -> list[Export]:
    @compiled
    def copy_column(results: Any, worlds: int, column: int) -> None:
        for world in range(worlds):
            results[world, column] = results[world, 0]

    @compiled
    def fill(results: Any, worlds: int, chance: float) -> None:
        for world in range(worlds):
            results[world, 0] = chance

    candidates = _candidate_buffers()
    order = buffer("ranked", np.int32, WIDTH + 1)
    sample: dict[str, Argument] = {"results": results_buffer(package), "worlds": INT}
    return [
        Export(
            "race_rank", halving.rank, {"stats": candidates["stats"], "chances": candidates["chances"], "order": order}
        ),
        Export("sample_fill", fill, {**sample, "chance": np.float64}),
        Export("sample_keep", copy_column, {**sample, "column": INT}),
        Export("sample_mean", halving.mean, {**sample, "column": INT}),
        Export("sample_error", halving.error, {**sample, "one": INT, "other": INT}),
    ]


def _net_exports(package: Package, runner: NetRunner) -> list[Export]:
    features, run, evaluate, fewest = runner.features, runner.run, runner.evaluate, min(package.facts.PLAYERS)
    select, margin_of = halving.candidate_selector(package.rules), net_margin(features)
    depth, replies = features.PLAN.depth, features.PLAN.replies

    @compiled
    def net_moves(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, one_move: Any, one_active: Any, order: Any,
        ordered: Any, trials: Any, raw: Any, candidates: Any, stats: Any, active: Any, chances: Any, errors: Any,
        played: int,
    ) -> None:  # fmt: skip
        number = evaluate(
            states, (weights, sizes, slots), one_move, one_active, np.uint64(0), NET_CANDIDATES, 0, workspace
        )
        argsort_descending(workspace[VALUES][:number], order)
        for at in range(number):
            ordered[at] = workspace[MOVES][order[at]]
        select(states, ordered[:number], played, trials, raw, candidates, stats)
        halving.reset(stats, active, chances, errors)

    @compiled
    def net_race(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, candidates: Any, stats: Any, active: Any,
        chances: Any, errors: Any, seat: int, iterations: int, seed: Any,
    ) -> int:  # fmt: skip
        more = halving.next_batch_size(stats, active, chances, errors, iterations, workspace[RESULTS].shape[0])
        if more > 0:
            number, worlds = int(stats[halving.NUMBER]), int(stats[halving.WORLDS])
            span, limits = (worlds, worlds + more), (depth, replies, 0)
            run(
                states,
                (weights, sizes, slots),
                seat,
                candidates[:number],
                active[:number],
                span,
                seed,
                limits,
                workspace,
            )
            halving.update(stats, active, chances, errors, workspace[RESULTS], more)
        return more

    @compiled
    def net_sample(
        states: Any, weights: Any, sizes: Any, slots: Any, workspace: Any, one_move: Any, one_active: Any, seat: int,
        worlds: int, seed: Any,
    ) -> None:  # fmt: skip
        one_move[0] = NONE
        one_active[0] = True
        limits = (1, replies, 0)
        run(states, (weights, sizes, slots), seat, one_move[:1], one_active[:1], (0, worlds), seed, limits, workspace)

    @compiled
    def net_margin_of(states: Any, weights: Any, sizes: Any, workspace: Any, seat: int, move: int) -> float:
        which = int(states[0].players) - fewest
        return margin_of((weights[which], sizes[which]), states, seat, move, workspace)

    arguments = runner.arguments
    search_arguments: dict[str, Argument] = {
        name: arguments[name] for name in ("states", "weights", "sizes", "slots", "workspace")
    }
    one_candidate = {"one_move": arguments["candidates"], "one_active": arguments["active"]}
    order_buffers = {
        "order": Buffer("_net_order", np.dtype(np.int32), (NET_CANDIDATES,)),
        "ordered": Buffer("_net_ordered", np.dtype(np.int16), (NET_CANDIDATES,)),
    }
    candidate_buffers = _candidate_buffers()
    net_arguments = {name: arguments[name] for name in ("states", "weights", "sizes", "workspace")}
    return [
        Export(
            "net_moves",
            net_moves,
            {
                **search_arguments,
                **one_candidate,
                **order_buffers,
                **_trial_buffers(package),
                **candidate_buffers,
                "played": INT,
            },
        ),
        Export(
            "net_race",
            net_race,
            {**search_arguments, **candidate_buffers, "seat": INT, "iterations": INT, "seed": SEED},
        ),
        Export(
            "net_sample", net_sample, {**search_arguments, **one_candidate, "seat": INT, "worlds": INT, "seed": SEED}
        ),
        Export("net_margin", net_margin_of, {**net_arguments, "seat": INT, "move": INT}),
    ]


def _playout_exports(package: Package, buffers: Buffers) -> list[Export]:
    rules, heuristics = package.rules, package.heuristics
    select, play, evaluate_moves = halving.candidate_selector(rules), playouts(heuristics), build_one_ply(heuristics)

    @compiled_with_arrays
    def playouts_moves(
        states: Any, moves: Any, worth: Any, weights: Any, after: Any, order: Any, ordered: Any, trials: Any, raw: Any,
        candidates: Any, stats: Any, active: Any, chances: Any, errors: Any, played: int,
    ) -> None:  # fmt: skip
        number = evaluate_moves(states, moves, worth, weights, after)
        argsort_descending(worth[:number], order)
        for at in range(number):
            ordered[at] = moves[order[at]]
        select(states, ordered[:number], played, trials, raw, candidates, stats)
        halving.reset(stats, active, chances, errors)

    @compiled
    def playouts_race(
        states: Any, workspace: Any, candidates: Any, stats: Any, active: Any, chances: Any, errors: Any, seat: int,
        iterations: int, seed: Any,
    ) -> int:  # fmt: skip
        results = workspace[7]
        more = halving.next_batch_size(stats, active, chances, errors, iterations, results.shape[0])
        if more > 0:
            number, worlds = int(stats[halving.NUMBER]), int(stats[halving.WORLDS])
            play(states, seat, candidates[:number], active[:number], (worlds, worlds + more), seed, workspace)
            halving.update(stats, active, chances, errors, results, more)
        return more

    @compiled
    def playouts_sample(
        states: Any, workspace: Any, candidates: Any, active: Any, seat: int, worlds: int, seed: Any
    ) -> None:
        candidates[0] = NONE
        active[0] = True
        play(states, seat, candidates[:1], active[:1], (0, worlds), seed, workspace)

    @compiled
    def playouts_margin(states: Any, workspace: Any, one_move: Any, active: Any, seat: int, move: int) -> float:
        one_move[0] = move
        active[0] = True
        play(states, seat, one_move[:1], active[:1], (0, MARGIN_WORLDS), np.uint64(0), workspace)
        return halving.mean(workspace[8], MARGIN_WORLDS, 0)

    results = results_buffer(package)
    arrays = playout_workspace(heuristics, *results.shape)
    workspace_buffers = [buffer(f"_playout_{number}", array.dtype, *array.shape) for number, array in enumerate(arrays)]
    workspace_buffers[7] = results
    workspace = tuple(workspace_buffers)
    weights = buffer(
        "_foresight", np.float64, len(heuristics.SEARCH_WEIGHTS), content=np.array(heuristics.SEARCH_WEIGHTS)
    )
    evaluation = {
        "moves": buffers.moves,
        "worth": buffers.worth,
        "weights": weights,
        "after": buffers.scratch,
        "order": buffers.order,
    }
    ordered = {"ordered": buffer("_ordered", np.int16, rules.MAX_LEGAL)}
    one_candidate = {"one_move": buffer("_one_tried", np.int16), "active": buffer("_one_alive", np.bool_)}
    candidate_buffers, state = _candidate_buffers(), {"states": buffers.state}
    playout_arguments: Mapping[str, Argument] = {**state, "workspace": workspace}
    numbers: Mapping[str, Argument] = {"seat": INT, "worlds": INT, "seed": SEED}
    moves: dict[str, Argument] = {
        **state,
        **evaluation,
        **ordered,
        **_trial_buffers(package),
        **candidate_buffers,
        "played": INT,
    }
    return [
        Export("playouts_moves", playouts_moves, moves),
        Export(
            "playouts_race",
            playouts_race,
            {**playout_arguments, **candidate_buffers, "seat": INT, "iterations": INT, "seed": SEED},
        ),
        Export(
            "playouts_sample",
            playouts_sample,
            {
                **playout_arguments,
                "candidates": one_candidate["one_move"],
                "active": one_candidate["active"],
                **numbers,
            },
        ),
        Export("playouts_margin", playouts_margin, {**playout_arguments, **one_candidate, "seat": INT, "move": INT}),
    ]
