"""Reviews by determinization, as exports over buffers: like ``review.determinization``, with the same compiled parts.

For each evaluator, ``net`` or ``playouts``: ``<evaluator>_moves`` selects the candidate moves, ``<evaluator>_race``
runs the next stage of sequential halving, ``<evaluator>_margin`` estimates the margin of the lowest symbol after a
move, and ``<evaluator>_sample`` evaluates a position in a number of worlds. ``race_rank`` orders the moves;
``sample_mean`` and ``sample_error`` summarise the results.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from sixfold.bots.greedy import build_one_ply
from sixfold.bots.net import NET_CANDIDATES
from sixfold.bots.selection import argsort_descending
from sixfold.engine.wasm import Argument, Buffer, Export, buffers_like
from sixfold.games import Package
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import NONE
from sixfold.review import sequential_halving as halving
from sixfold.review.determinization import MARGIN_WORLDS, net_margin, playout_workspace, playouts
from sixfold.review.evaluator import WIDTH
from sixfold.review.solution import solves
from sixfold.wasm import solution_exports
from sixfold.wasm.bot_exports import DATA, NetRunner, nets_of, results_buffer
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


class RaceBuffers(NamedTuple):
    """The buffers of sequential halving: the moves, and their statistics."""

    moves: Any
    state: Any  # a ``Race``


class SelectionBuffers(NamedTuple):
    """Scratch for the selection of candidates: the moves, best first, and the positions after them."""

    order: Any
    ordered: Any
    trials: Any
    raw: Any  # the memory of the trials, as bytes


RACE = RaceBuffers(
    moves=buffer("raced", np.int16, WIDTH + 1),
    state=cast(Any, halving.Race)(
        stats=buffer("going", np.int32, halving.STATS_SIZE),
        active=buffer("_racing", np.bool_, WIDTH + 1),
        chances=buffer("chances", np.float64, WIDTH + 1),
        errors=buffer("errors", np.float64, WIDTH + 1),
    ),
)


def _selection_buffers(rules: Rules, name: str, size: int) -> SelectionBuffers:
    return SelectionBuffers(
        order=buffer(f"{name}_order", np.int32, size),
        ordered=buffer(f"{name}_ordered", np.int16, size),
        trials=buffer("_race_trials", rules.STATE, WIDTH + 1),
        raw=buffer("_race_trials", np.uint8, WIDTH + 1, rules.STATE.itemsize),
    )


def _start(rules: Rules) -> Any:
    """Compile the start of a race between the best of some evaluated moves and the played one."""
    select = halving.candidate_selector(rules)

    @compiled
    def start(states: Any, moves: Any, values: Any, selection: Any, race: Any, played: int) -> None:
        argsort_descending(values, selection.order)
        for at in range(values.size):
            selection.ordered[at] = moves[selection.order[at]]
        ordered = selection.ordered[: values.size]
        select(states, ordered, played, selection.trials, selection.raw, race.moves, race.state.stats)
        halving.reset(race.state)

    return start


def _results_buffer(package: Package) -> Buffer:
    return results_buffer(WIDTH + 1 if package.features is None else max(package.features.PLAN.width, WIDTH + 1))


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
        exports += solution_exports.review_exports(buffers.state, tables)
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

    sample: dict[str, Argument] = {"results": _results_buffer(package), "worlds": INT}
    return [
        Export("race_rank", halving.rank, {"race": RACE.state, "order": buffer("ranked", np.int32, WIDTH + 1)}),
        Export("sample_fill", fill, {**sample, "chance": np.float64}),
        Export("sample_keep", copy_column, {**sample, "column": INT}),
        Export("sample_mean", halving.mean, {**sample, "column": INT}),
        Export("sample_error", halving.error, {**sample, "one": INT, "other": INT}),
    ]


def _net_exports(package: Package, runner: NetRunner) -> list[Export]:
    features, run, evaluate, fewest = runner.features, runner.run, runner.evaluate, min(package.facts.PLAYERS)
    start, margin_of = _start(package.rules), net_margin(features)
    depth, replies = features.PLAN.depth, features.PLAN.replies

    @compiled
    def net_moves(nets: Any, selection: Any, race: Any, played: int) -> None:
        number = evaluate(nets, np.uint64(0), NET_CANDIDATES, 0)
        moves, log_odds = nets.workspace.moves[:number], nets.workspace.log_odds[:number]
        start(nets.states, moves, log_odds, selection, race, played)

    @compiled
    def net_race(nets: Any, race: Any, seat: int, iterations: int, seed: Any) -> int:
        results = nets.workspace.chances
        stats, active = race.state.stats, race.state.active
        more = halving.next_batch_size(race.state, iterations, results.shape[0])
        if more > 0:
            number, worlds = int(stats[halving.NUMBER]), int(stats[halving.WORLDS])
            span, options = (worlds, worlds + more), (depth, replies, 0)
            run(nets, seat, race.moves[:number], active[:number], span, seed, options)
            halving.update(race.state, results, more)
        return more

    @compiled
    def net_sample(nets: Any, seat: int, worlds: int, seed: Any) -> None:
        nets.candidates[0] = NONE
        nets.active[0] = True
        run(nets, seat, nets.candidates[:1], nets.active[:1], (0, worlds), seed, (1, replies, 0))

    @compiled
    def net_margin_of(nets: Any, seat: int, move: int) -> float:
        which = int(nets.states[0].players) - fewest
        return margin_of((nets.weights[which], nets.sizes[which]), nets.states, seat, move, nets.workspace)

    workspace = runner.buffers.workspace._replace(chances=_results_buffer(package))
    nets: dict[str, Argument] = {"nets": runner.buffers._replace(workspace=workspace)}
    selection = _selection_buffers(package.rules, "_net", NET_CANDIDATES)
    return [
        Export("net_moves", net_moves, {**nets, "selection": selection, "race": RACE, "played": INT}),
        Export("net_race", net_race, {**nets, "race": RACE, "seat": INT, "iterations": INT, "seed": SEED}),
        Export("net_sample", net_sample, {**nets, "seat": INT, "worlds": INT, "seed": SEED}),
        Export("net_margin", net_margin_of, {**nets, "seat": INT, "move": INT}),
    ]


def _playout_exports(package: Package, buffers: Buffers) -> list[Export]:
    rules, heuristics = package.rules, package.heuristics
    start, play, evaluate_moves = _start(rules), playouts(heuristics), build_one_ply(heuristics)

    @compiled_with_arrays
    def playouts_moves(states: Any, one_ply: Any, selection: Any, race: Any, played: int) -> None:
        moves, worth, _, _ = one_ply
        number = evaluate_moves(states, *one_ply)
        start(states, moves[:number], worth[:number], selection, race, played)

    @compiled
    def playouts_race(states: Any, workspace: Any, race: Any, seat: int, iterations: int, seed: Any) -> int:
        stats, active = race.state.stats, race.state.active
        more = halving.next_batch_size(race.state, iterations, workspace.chances.shape[0])
        if more > 0:
            number, worlds = int(stats[halving.NUMBER]), int(stats[halving.WORLDS])
            play(states, seat, race.moves[:number], active[:number], (worlds, worlds + more), seed, workspace)
            halving.update(race.state, workspace.chances, more)
        return more

    @compiled
    def playouts_sample(states: Any, workspace: Any, one: Any, seat: int, worlds: int, seed: Any) -> None:
        move, active = one
        move[0] = NONE
        active[0] = True
        play(states, seat, move, active, (0, worlds), seed, workspace)

    @compiled
    def playouts_margin(states: Any, workspace: Any, one: Any, seat: int, move: int) -> float:
        one_move, active = one
        one_move[0] = move
        active[0] = True
        play(states, seat, one_move, active, (0, MARGIN_WORLDS), np.uint64(0), workspace)
        return halving.mean(workspace.margins, MARGIN_WORLDS, 0)

    results, search_weights = _results_buffer(package), np.array(heuristics.SEARCH_WEIGHTS)
    workspace = buffers_like("_playout", playout_workspace(heuristics, 1, 1))
    workspace = workspace._replace(chances=results, margins=buffer("_playout_margins", np.float64, *results.shape))
    weights = buffer("_foresight", np.float64, len(search_weights), content=search_weights)
    state: dict[str, Argument] = {"states": buffers.state}
    selection: dict[str, Argument] = {
        "one_ply": (buffers.moves, buffers.worth, weights, buffers.scratch),
        "selection": _selection_buffers(rules, "", rules.MAX_LEGAL),
    }
    playing = {**state, "workspace": workspace}
    one = {"one": (buffer("_one_tried", np.int16), buffer("_one_alive", np.bool_))}
    return [
        Export("playouts_moves", playouts_moves, {**state, **selection, "race": RACE, "played": INT}),
        Export("playouts_race", playouts_race, {**playing, "race": RACE, "seat": INT, "iterations": INT, "seed": SEED}),
        Export("playouts_sample", playouts_sample, {**playing, **one, "seat": INT, "worlds": INT, "seed": SEED}),
        Export("playouts_margin", playouts_margin, {**playing, **one, "seat": INT, "move": INT}),
    ]
