"""The bots with nets, as functions over buffers; the weights are data, a file for each number of players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sixfold.bots import choosing
from sixfold.bots.net import LOOKS, desk, load, thinker
from sixfold.bots.netsearch import MOST_WORLDS, give_up, more_worlds, take_best, weigh
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games import Package
from sixfold.games.contract import Features, NetPlan
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.symbols import NONE
from sixfold.review.estimating import WIDTH

# Whose data it is, and the bots that play by it.
DATA = "net"
BOTS = ("net", "netsearch")
# Where they stand in the room to think.
MOVES, VALUES, FOUND = 10, 11, 14


def nets_of(package: Package) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """The weights of every net of a game and its layers' sizes, by the number of players."""
    paths = {players: package.net(players) for players in package.facts.PLAYERS}
    return {players: load(path, package.facts.NAME, players) for players, path in paths.items() if path.exists()}


def tables(package: Package) -> dict[str, dict[str, np.ndarray]]:
    """What stands in each data file."""
    return {f"{DATA}.{players}": {f"net_{players}": weights} for players, (weights, _) in nets_of(package).items()}


def buffers(package: Package) -> dict[str, Buffer]:
    """The weights and the layers' sizes of every net; next to nothing for a number of players without a net."""
    nets, found = nets_of(package), {}
    nothing = np.zeros(1, np.float32), np.zeros(1, np.int64)
    for players in package.facts.PLAYERS:
        weights, sizes = nets.get(players, nothing)
        name = f"net_{players}" if players in nets else f"_no_net_{players}"
        found[f"weights_{players}"] = Buffer(name, weights.dtype, weights.shape)
        found[f"sizes_{players}"] = Buffer(f"_net_sizes_{players}", sizes.dtype, sizes.shape, sizes.tobytes())
    return found


def found_buffer(package: Package) -> Buffer:
    """The chances of moves in worlds, for bots and reviews."""
    width = WIDTH + 1 if package.features is None else max(package.features.PLAN.width, WIDTH + 1)
    return Buffer("_found", np.dtype(np.float64), (MOST_WORLDS, width))


def _rooms(package: Package, features: Features) -> dict[str, Argument]:
    """What the bots think with: nets and slots by players, the room, and the moves that are tried."""
    all_players, given, plan = package.facts.PLAYERS, buffers(package), features.PLAN
    slots = np.array([features.slots(players) for players in all_players])
    told = max(features.inputs(players) for players in all_players)
    widest = max(int(sizes.max()) for _, sizes in nets_of(package).values())
    found = found_buffer(package)
    room = desk(features, told, widest, LOOKS, *found.shape)
    return {
        "weights": tuple(given[f"weights_{players}"] for players in all_players),
        "sizes": tuple(given[f"sizes_{players}"] for players in all_players),
        "slots": Buffer("_slots", slots.dtype, slots.shape, slots.tobytes()),
        "room": (*(Buffer(f"_mind_{at}", one.dtype, one.shape) for at, one in enumerate(room[:FOUND])), found),
        "tried": Buffer("_tried", np.dtype(np.int16), (plan.width,)),
        "alive": Buffer("_alive", np.dtype(np.bool_), (plan.width,)),
    }


def _looking(package: Package, features: Features) -> tuple[Any, Any]:
    """Compiled: thinking in some worlds, and looking at the moves of one position.

    To Numba a constant, or a smaller number, is another type: here all are the same, or everything would be compiled
    once more for each bot.
    """
    think, fewest = thinker(features), min(package.facts.PLAYERS)

    @compiled
    def run(
        states: Any, nets: Any, seat: int, tried: Any, alive: Any, span: Any, seed: Any, given: Any, room: Any
    ) -> int:
        weights, sizes, slots = nets
        depth, looks, blind = given
        a, b, c, d, e, f, g, h, i, first, moves, values, kinds, dice, found = room
        seen = (a, b, c, d, e, f, g, h, i, first[:looks], moves[:looks], values[:looks], kinds, dice, found)
        which = int(states[0].players) - fewest
        net = (weights[which], sizes[which])
        worlds = (np.int64(span[0]), np.int64(span[1]))
        how = (np.int64(depth), np.int64(slots[which]), np.int64(blind))
        return think(net, states, np.int64(seat), tried, alive, worlds, seed, how, seen)

    @compiled
    def look(states: Any, nets: Any, tried: Any, alive: Any, seed: Any, looks: int, blind: int, room: Any) -> int:
        tried[0] = NONE
        alive[0] = True
        seat, one, how = int(states[0].turn), (0, 1), (1, looks, blind)
        return run(states, nets, seat, tried[:1], alive[:1], one, seed, how, room)

    return run, look


@dataclass(frozen=True)
class Thinking:
    """How a game's nets think, for bots and reviews: compiled, with what it works on."""

    features: Features
    players: set[int]
    run: Any
    look: Any
    given: Mapping[str, Argument]


def thinking_of(package: Package, state: Buffer) -> Thinking | None:
    """None where there are no nets."""
    features, players = package.features, set(nets_of(package))
    if features is None or not players:
        return None
    return Thinking(features, players, *_looking(package, features), {"states": state, **_rooms(package, features)})


def net_exports(thinking: Thinking | None, generator: Buffer) -> list[Export]:
    """What the bots with nets do; nothing where there are no nets."""
    if thinking is None:
        return []
    return [
        _one_look(thinking.look, thinking.given, generator),
        *_search(thinking.features.PLAN, thinking.run, thinking.look, thinking.given, generator),
    ]


def _one_look(look: Any, thinking: Mapping[str, Argument], generator: Buffer) -> Export:
    """``net`` gives the move that a net likes best."""

    @compiled
    def net(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, tried: Any, alive: Any, generator: Any,
        looks: int, blind: int,
    ) -> int:  # fmt: skip
        seed = np.uint64(below(generator, 2**32) if blind > 0 else 0)
        number = look(states, (weights, sizes, slots), tried, alive, seed, min(looks, LOOKS), blind, room)
        return int(np.int64(room[MOVES][choosing.best(room[VALUES][:number])]))

    return Export("net", net, {**thinking, "generator": generator, "looks": np.int64, "blind": np.int64})


def _search(plan: NetPlan, run: Any, look: Any, thinking: Mapping[str, Argument], generator: Buffer) -> list[Export]:
    """``net_root`` finds the moves to try, ``net_explore`` goes on while there is time, ``net_best`` chooses."""
    width, depth, few, replies, patience = plan.width, plan.depth, plan.few, plan.replies, plan.patience
    weight = plan.prior

    @compiled
    def net_root(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, tried: Any, alive: Any, generator: Any,
        seed: Any, order: Any, going: Any, prior: Any, chances: Any,
    ) -> None:  # fmt: skip
        seed[0] = np.uint64(below(generator, 2**32))
        number = look(states, (weights, sizes, slots), tried, alive, np.uint64(0), LOOKS, 0, room)
        going[0] = take_best(room[MOVES][:number], room[VALUES][:number], order, tried, prior, alive)
        going[1] = 0
        weigh(room[FOUND], prior, weight, alive[: going[0]], 0, chances)

    @compiled
    def net_explore(
        states: Any, weights: Any, sizes: Any, slots: Any, room: Any, tried: Any, alive: Any, seed: Any, going: Any,
        prior: Any, chances: Any, seat: int, left: int,
    ) -> int:  # fmt: skip
        number, worlds = going[0], going[1]
        more = more_worlds(few, left, alive[:number], worlds)
        if more == 0:
            return 0
        span, how, nets = (worlds, worlds + more), (depth, replies, 0), (weights, sizes, slots)
        run(states, nets, seat, tried[:number], alive[:number], span, seed[0], how, room)
        going[1] = worlds + more
        weigh(room[FOUND], prior, weight, alive[:number], going[1], chances)
        return more * give_up(room[FOUND], chances[:number], alive[:number], going[1], patience)

    @compiled
    def net_best(tried: Any, going: Any, chances: Any) -> int:
        return int(np.int64(tried[choosing.best(chances[: going[0]])]))

    seed = {"seed": Buffer("_net_seed", np.dtype(np.uint64))}
    order = {"order": Buffer("_net_order", np.dtype(np.int32), (LOOKS,))}
    # How many moves are tried, and in how many worlds so far.
    going = {"going": Buffer("_net_going", np.dtype(np.int64), (2,))}
    prior = {"prior": Buffer("_net_prior", np.dtype(np.float64), (width,))}
    chances = {"chances": Buffer("_net_chances", np.dtype(np.float64), (width,))}
    judged = {**going, **prior, **chances}
    root = {**thinking, "generator": generator, **seed, **order, **judged}
    return [
        Export("net_root", net_root, root),
        Export("net_explore", net_explore, {**thinking, **seed, **judged, "seat": np.int64, "left": np.int64}),
        Export("net_best", net_best, {"tried": thinking["tried"], **going, **chances}),
    ]
