"""Measures the rules and bots as WebAssembly in Node against the native code."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from lab.commands.reporting import Row, median_rate
from sixfold.bots import Bot, Budget, make
from sixfold.bots.levels import LEVELS, level_of
from sixfold.bots.net import NET_CANDIDATES, features_of
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.engine.playouts import random_games
from sixfold.wasm.expectations import with_modules
from sixfold.wasm.rule_exports import BATCH
from sixfold.wasm.verification import ask_node

ITERATIONS = 1000


def bot_workloads(view: View) -> dict[str, dict[str, int]]:
    """The bots to measure, each with the iterations of one decision and the units of work that it counts as."""
    workloads = {"search": {"iterations": ITERATIONS, "units": ITERATIONS}}
    for bot in dict.fromkeys(level_of(view.name, view.players, number).bot for number in LEVELS):
        if bot == "net":
            workloads[bot] = {"iterations": 0, "units": min(NET_CANDIDATES, view.choices())}
        elif bot == "netsearch":
            # All worlds before the first move is eliminated.
            plan = features_of(view.name, view.players).PLAN
            iterations = plan.batch_size * min(plan.width, view.choices())
            workloads[bot] = {"iterations": iterations, "units": iterations}
        elif bot != "greedy":
            workloads[bot] = {"iterations": 0, "units": 1}
    return workloads


def _native(view: View, bots: Mapping[str, Mapping[str, int]], seconds: float) -> dict[str, float]:
    """Work per second of processor time, like ``measured`` in checking.ts."""
    rules = view.rules
    initial, play = rules.start(view.players), random_games(rules)
    scratch, generator = initial.copy(), np.zeros(1, np.uint64)
    lengths, results = np.zeros(BATCH, np.int32), np.zeros((BATCH, max(rules.PLAYERS), len(rules.VALUES)), np.int8)
    places = np.zeros((BATCH, max(rules.PLAYERS)), np.int8)
    first = 0

    def batch() -> int:
        nonlocal first
        first += BATCH
        play(initial, scratch, generator, np.uint64(1), first, 0, 1, lengths, results, places)
        return int(lengths.sum())

    batch()
    rates = {"play": median_rate(batch, seconds, 1, time.process_time)}
    for name, work in bots.items():
        bot, budget = make(name, view.name, view.players), Budget(iterations=work["iterations"])

        def think(bot: Bot = bot, budget: Budget = budget, units: int = work["units"]) -> int:
            bot.choose(view, budget, Seeded(1))
            return units

        think()
        rates[name] = median_rate(think, seconds, 1, time.process_time)
    return rates


def measure(folder: Path, seconds: float, repeats: int, advance: Callable[[], None]) -> list[Row]:
    """Benchmark native code and WebAssembly alternately, so that both run under the same load; each repeat gives a
    ratio."""
    rows = []
    for game, rules in with_modules():
        for players in rules.PLAYERS:
            position = start(game, players, chance=Seeded(1))
            view = position.view(position.turn)
            bots = bot_workloads(view)
            question = {"game": game, "players": players, "seconds": seconds, "bots": bots}
            runs = []
            for _ in range(repeats):
                native = _native(view, bots, seconds)
                (module,) = ask_node(folder, [question])
                runs.append((native, module))
            advance()
            for workload in ("play", *bots):
                median = sorted(runs, key=lambda run: run[1][workload] / run[0][workload])[repeats // 2]
                native_rate, module_rate = median[0][workload], median[1][workload]
                rates = {"native": native_rate, "module": module_rate, "ratio": module_rate / native_rate}
                rows.append({"game": game, "players": players, "what": workload, **rates})
    return rows
