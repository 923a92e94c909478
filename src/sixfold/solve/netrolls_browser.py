"""The dice game with a net, for a browser: it plays by the data of the bot ``net``."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.bots.choosing import best
from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games.dice import features, rules
from sixfold.games.shared.compiling import compiled
from sixfold.solve.play.netrolls import desk, every_roll, weigh

DATA = "net"
FEWEST, MOST = 3, 4


def tables() -> dict[str, np.ndarray]:
    """Nothing of its own."""
    return {}


def exports(state: Buffer, given: Mapping[str, Buffer]) -> list[Export]:
    """The move of the bot that reckons with every roll."""

    @compiled
    def netrolls(
        states: Any, weights: Any, sizes: Any, moves: Any, chances: Any, rolls: Any, likely: Any, missed: Any,
        trial: Any, room: Any,
    ) -> int:  # fmt: skip
        which = int(states[0].players) - FEWEST
        every = (rolls[which], likely[which], missed[: likely[which].size], trial)
        number = weigh((weights[which], sizes[which]), states, moves, chances, every, room)
        return int(np.int64(moves[best(chances[:number])]))

    all_players = range(FEWEST, MOST + 1)
    every = {players: every_roll(players) for players in all_players}
    _, _, missed, trial = every[FEWEST]
    widest = max(int(np.frombuffer(given[f"sizes_{players}"].content, np.int64).max()) for players in all_players)
    room = desk(features.inputs(MOST), widest)

    def known(what: int) -> tuple[Buffer, ...]:
        arrays = {players: every[players][what] for players in all_players}
        return tuple(
            Buffer(f"_rolls_{players}_{what}", array.dtype, array.shape, array.tobytes())
            for players, array in arrays.items()
        )

    arguments: dict[str, Argument] = {
        "states": state,
        "weights": tuple(given[f"weights_{players}"] for players in all_players),
        "sizes": tuple(given[f"sizes_{players}"] for players in all_players),
        "moves": Buffer("_ways", np.dtype(np.int16), (rules.MOST_LEGAL,)),
        "chances": Buffer("_ways_chances", np.dtype(np.float64), (rules.MOST_LEGAL,)),
        "rolls": known(0),
        "likely": known(1),
        "missed": Buffer("_missed", missed.dtype, missed.shape),
        "trial": Buffer("_roll_trial", trial.dtype, trial.shape),
        "room": tuple(Buffer(f"_rolls_room_{number}", array.dtype, array.shape) for number, array in enumerate(room)),
    }
    return [Export("netrolls", netrolls, arguments)]
