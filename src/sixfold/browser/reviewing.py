"""Reviewing by worlds, as functions over buffers: what ``review.worlds`` does, with the same compiled parts.

For each judge, ``net`` or ``playouts``: ``<judge>_moves`` finds the moves to weigh, ``<judge>_race`` goes on while
something is open, ``<judge>_margin`` says what a move promises for the lowest symbol, and ``<judge>_sample`` tries a
position in some worlds. ``race_rank`` orders the moves; ``sample_mean`` and ``sample_error`` sum up what was found.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.bots.choosing import best_first
from sixfold.bots.greedy import judged
from sixfold.bots.net import LOOKS
from sixfold.browser.functions import Buffers, buffer
from sixfold.browser.nets import DATA, FOUND, MOVES, VALUES, Thinking, found_buffer, nets_of
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games import Package
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import NONE
from sixfold.review import racing, solution_exports
from sixfold.review.estimating import WIDTH
from sixfold.review.solution import solves
from sixfold.review.worlds import MARGIN_WORLDS, net_margin, playout_desk, playouts

INT, SEED = np.int64, np.uint64


def judges(package: Package) -> dict[int, dict[str, str | None]]:
    """Who judges a game and by which data, for each number of players: whom ``review.reviewing.estimator`` takes where
    there is no value file."""
    with_nets = nets_of(package)

    def judge(players: int) -> dict[str, str | None]:
        if solves(package.facts.NAME, players):
            return {"by": "approximation", "data": solution_exports.DATA}
        if players in with_nets:
            return {"by": "net", "data": f"{DATA}.{players}"}
        return {"by": "playouts", "data": None}

    return {players: judge(players) for players in package.facts.PLAYERS}


def _race_buffers() -> dict[str, Buffer]:
    """How a race of moves goes, see ``review.racing``."""
    return {
        "taken": buffer("raced", np.int16, WIDTH + 1),
        "going": buffer("going", np.int32, racing.GOING),
        "alive": buffer("_racing", np.bool_, WIDTH + 1),
        "chances": buffer("chances", np.float64, WIDTH + 1),
        "errors": buffer("errors", np.float64, WIDTH + 1),
    }


def _trial_buffers(package: Package) -> dict[str, Buffer]:
    size = package.rules.STATE.itemsize
    return {
        "trials": buffer("_race_trials", package.rules.STATE, WIDTH + 1),
        "plain": buffer("_race_trials", np.uint8, WIDTH + 1, size),
    }


def review_exports(
    package: Package, use: Buffers, thinking: Thinking | None, tables: Mapping[str, Buffer]
) -> list[Export]:
    """Everything for the judges that a game needs."""
    needed = {judge["by"] for judge in judges(package).values()}
    exports = _summing_up(package)
    if "net" in needed and thinking is not None:
        exports += _by_net(package, thinking)
    if "playouts" in needed:
        exports += _by_playouts(package, use)
    if "approximation" in needed:
        exports += solution_exports.exports(use.state, tables)
    return exports


def _summing_up(package: Package) -> list[Export]:
    @compiled
    def keep(found: Any, worlds: int, column: int) -> None:
        for world in range(worlds):
            found[world, column] = found[world, 0]

    @compiled
    def fill(found: Any, worlds: int, chance: float) -> None:
        for world in range(worlds):
            found[world, 0] = chance

    race = _race_buffers()
    order = buffer("ranked", np.int32, WIDTH + 1)
    given: dict[str, Argument] = {"found": found_buffer(package), "worlds": INT}
    return [
        Export("race_rank", racing.rank, {"going": race["going"], "chances": race["chances"], "order": order}),
        Export("sample_fill", fill, {**given, "chance": np.float64}),
        Export("sample_keep", keep, {**given, "column": INT}),
        Export("sample_mean", racing.mean, {**given, "column": INT}),
        Export("sample_error", racing.error, {**given, "one": INT, "other": INT}),
    ]


def _by_net(package: Package, thinking: Thinking) -> list[Export]:
    features, run, look, fewest = thinking.features, thinking.run, thinking.look, min(package.facts.PLAYERS)
    gather, margin_of = racing.gatherer(package.rules), net_margin(features)
    depth, replies = features.PLAN.depth, features.PLAN.replies

    @compiled
    def net_moves(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, tried: Any, once: Any, order: Any, ordered: Any,
        trials: Any, plain: Any, taken: Any, going: Any, alive: Any, chances: Any, errors: Any, played: int,
    ) -> None:  # fmt: skip
        number = look(states, (weights, sizes, slots), tried, once, np.uint64(0), LOOKS, 0, room)
        best_first(room[VALUES][:number], order)
        for at in range(number):
            ordered[at] = room[MOVES][order[at]]
        gather(states, ordered[:number], played, trials, plain, taken, going)
        racing.line_up(going, alive, chances, errors)

    @compiled
    def net_race(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, taken: Any, going: Any, alive: Any, chances: Any,
        errors: Any, seat: int, iterations: int, seed: Any,
    ) -> int:  # fmt: skip
        more = racing.more_worlds(going, alive, chances, errors, iterations, room[FOUND].shape[0])
        if more > 0:
            number, worlds = int(going[racing.NUMBER]), int(going[racing.WORLDS])
            span, how = (worlds, worlds + more), (depth, replies, 0)
            run(states, (weights, sizes, slots), seat, taken[:number], alive[:number], span, seed, how, room)
            racing.count(going, alive, chances, errors, room[FOUND], more)
        return more

    @compiled
    def net_sample(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, tried: Any, once: Any, seat: int, worlds: int,
        seed: Any,
    ) -> None:  # fmt: skip
        tried[0] = NONE
        once[0] = True
        how = (1, replies, 0)
        run(states, (weights, sizes, slots), seat, tried[:1], once[:1], (0, worlds), seed, how, room)

    @compiled
    def net_margin_of(states: Any, weights: Any, sizes: Any, room: Any, seat: int, move: int) -> float:
        which = int(states[0].players) - fewest
        return margin_of((weights[which], sizes[which]), states, seat, move, room)

    given = thinking.given
    nets: dict[str, Argument] = {name: given[name] for name in ("states", "weights", "sizes", "slots", "room")}
    once = {"tried": given["tried"], "once": given["alive"]}
    sorting = {
        "order": Buffer("_net_order", np.dtype(np.int32), (LOOKS,)),
        "ordered": Buffer("_net_ordered", np.dtype(np.int16), (LOOKS,)),
    }
    race = _race_buffers()
    plain_nets = {name: given[name] for name in ("states", "weights", "sizes", "room")}
    return [
        Export("net_moves", net_moves, {**nets, **once, **sorting, **_trial_buffers(package), **race, "played": INT}),
        Export("net_race", net_race, {**nets, **race, "seat": INT, "iterations": INT, "seed": SEED}),
        Export("net_sample", net_sample, {**nets, **once, "seat": INT, "worlds": INT, "seed": SEED}),
        Export("net_margin", net_margin_of, {**plain_nets, "seat": INT, "move": INT}),
    ]


def _by_playouts(package: Package, use: Buffers) -> list[Export]:
    rules, judgement = package.rules, package.judgement
    gather, play, judge_all = racing.gatherer(rules), playouts(judgement), judged(judgement)

    @compiled_with_arrays
    def playouts_moves(
        states: Any, moves: Any, worth: Any, weights: Any, after: Any, order: Any, ordered: Any, trials: Any,
        plain: Any, taken: Any, going: Any, alive: Any, chances: Any, errors: Any, played: int,
    ) -> None:  # fmt: skip
        number = judge_all(states, moves, worth, weights, after)
        best_first(worth[:number], order)
        for at in range(number):
            ordered[at] = moves[order[at]]
        gather(states, ordered[:number], played, trials, plain, taken, going)
        racing.line_up(going, alive, chances, errors)

    @compiled
    def playouts_race(
        states: Any, room: Any, taken: Any, going: Any, alive: Any, chances: Any, errors: Any, seat: int,
        iterations: int, seed: Any,
    ) -> int:  # fmt: skip
        found = room[7]
        more = racing.more_worlds(going, alive, chances, errors, iterations, found.shape[0])
        if more > 0:
            number, worlds = int(going[racing.NUMBER]), int(going[racing.WORLDS])
            play(states, seat, taken[:number], alive[:number], (worlds, worlds + more), seed, room)
            racing.count(going, alive, chances, errors, found, more)
        return more

    @compiled
    def playouts_sample(states: Any, room: Any, taken: Any, alive: Any, seat: int, worlds: int, seed: Any) -> None:
        taken[0] = NONE
        alive[0] = True
        play(states, seat, taken[:1], alive[:1], (0, worlds), seed, room)

    @compiled
    def playouts_margin(states: Any, room: Any, tried: Any, alive: Any, seat: int, move: int) -> float:
        tried[0] = move
        alive[0] = True
        play(states, seat, tried[:1], alive[:1], (0, MARGIN_WORLDS), np.uint64(0), room)
        return racing.mean(room[8], MARGIN_WORLDS, 0)

    found = found_buffer(package)
    desk = playout_desk(judgement, *found.shape)
    made = [buffer(f"_playout_{number}", array.dtype, *array.shape) for number, array in enumerate(desk)]
    made[7] = found
    room = tuple(made)
    weights = buffer("_foresight", np.float64, len(judgement.FORESIGHT), content=np.array(judgement.FORESIGHT))
    looking = {"moves": use.moves, "worth": use.worth, "weights": weights, "after": use.scratch, "order": use.order}
    ordered = {"ordered": buffer("_ordered", np.int16, rules.MOST_LEGAL)}
    one = {"tried": buffer("_one_tried", np.int16), "alive": buffer("_one_alive", np.bool_)}
    race, state = _race_buffers(), {"states": use.state}
    on: Mapping[str, Argument] = {**state, "room": room}
    numbers: Mapping[str, Argument] = {"seat": INT, "worlds": INT, "seed": SEED}
    moves: dict[str, Argument] = {**state, **looking, **ordered, **_trial_buffers(package), **race, "played": INT}
    return [
        Export("playouts_moves", playouts_moves, moves),
        Export("playouts_race", playouts_race, {**on, **race, "seat": INT, "iterations": INT, "seed": SEED}),
        Export("playouts_sample", playouts_sample, {**on, "taken": one["tried"], "alive": one["alive"], **numbers}),
        Export("playouts_margin", playouts_margin, {**on, **one, "seat": INT, "move": INT}),
    ]
