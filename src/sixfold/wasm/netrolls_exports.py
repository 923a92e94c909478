"""WebAssembly exports for the dice bot with a net; it uses the data of the bot ``net``."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.bots.selection import argmax
from sixfold.engine.wasm import Argument, Buffer, Export, buffers_like
from sixfold.games.dice import features, rules
from sixfold.games.shared.compiler import compiled
from sixfold.solve.play.netrolls import evaluate_moves, every_roll, make_workspace

DATA = "net"
MIN_PLAYERS, MAX_PLAYERS = 3, 4


def tables() -> dict[str, np.ndarray]:
    """No data of its own."""
    return {}


def exports(state: Buffer, buffers: Mapping[str, Buffer]) -> list[Export]:
    """Export the move of the bot that considers every roll."""

    @compiled
    def netrolls(
        states: Any, weights: Any, sizes: Any, moves: Any, chances: Any, rolls: Any, probabilities: Any, losses: Any,
        trial: Any, workspace: Any,
    ) -> int:  # fmt: skip
        which = int(states[0].players) - MIN_PLAYERS
        roll_table = (rolls[which], probabilities[which], losses[: probabilities[which].size], trial)
        count = evaluate_moves((weights[which], sizes[which]), states, moves, chances, roll_table, workspace)
        return int(np.int64(moves[argmax(chances[:count])]))

    all_players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    roll_tables = {players: every_roll(players) for players in all_players}
    _, _, losses, trial = roll_tables[MIN_PLAYERS]
    widest = max(int(np.frombuffer(buffers[f"sizes_{players}"].content, np.int64).max()) for players in all_players)
    workspace = make_workspace(features.input_count(MAX_PLAYERS), widest)

    def roll_buffers(part: int) -> tuple[Buffer, ...]:
        arrays = {players: roll_tables[players][part] for players in all_players}
        return tuple(
            Buffer(f"_rolls_{players}_{part}", array.dtype, array.shape, array.tobytes())
            for players, array in arrays.items()
        )

    arguments: dict[str, Argument] = {
        "states": state,
        "weights": tuple(buffers[f"weights_{players}"] for players in all_players),
        "sizes": tuple(buffers[f"sizes_{players}"] for players in all_players),
        "moves": Buffer("_ways", np.dtype(np.int16), (rules.MAX_LEGAL,)),
        "chances": Buffer("_ways_chances", np.dtype(np.float64), (rules.MAX_LEGAL,)),
        "rolls": roll_buffers(0),
        "probabilities": roll_buffers(1),
        "losses": Buffer("_missed", losses.dtype, losses.shape),
        "trial": Buffer("_roll_trial", trial.dtype, trial.shape),
        "workspace": buffers_like("_rolls_room", workspace),
    }
    return [Export("netrolls", netrolls, arguments)]
