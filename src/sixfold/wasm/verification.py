"""Verifies modules against the native rules, and benchmarks both; the modules run in Node."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import sixfold
from sixfold.bots import Bot, Budget, make
from sixfold.bots.levels import LEVELS, level_of
from sixfold.bots.net import NET_CANDIDATES, features_of
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.engine.playouts import random_games
from sixfold.errors import SetupError
from sixfold.wasm.expectations import RUN, Kind, expected, kinds, with_modules
from sixfold.wasm.rule_exports import BATCH

# The folder that `make pages` writes them to.
MODULES = Path(sixfold.__file__).parent / "server" / "pages" / "rules"
ITERATIONS = 1000


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise SetupError("this needs Node.js 20.19 or newer, to run the modules")
    return node


def node_version() -> str:
    """The version of Node that runs the modules."""
    return f"Node {subprocess.run([_node(), '--version'], capture_output=True, text=True).stdout.strip()}"


def ask_node(folder: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """Run queries against the modules in a folder."""
    node = _node()
    if not (folder / "rules.js").exists():
        raise SetupError(f"there are no modules in {folder}; in a checkout `make pages` builds them")
    script = Path(__file__).with_name("node.mjs")
    command = [node, str(script), str(folder.resolve())]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SetupError(f"the modules in {folder} do not run: {done.stderr.strip()[-2000:]}")
    answers: list[Any] = json.loads(done.stdout)
    return answers


def check(folder: Path, games: int, report: Callable[[Kind, int], None]) -> list[str]:
    """Compare modules with the native rules over this many games of every kind; ``report`` receives the progress.

    Returns the differences.
    """
    all_differences: list[str] = []
    for kind in kinds():
        for first in range(0, games, RUN):
            number = min(RUN, games - first)
            (differences,) = ask_node(folder, [expected(kind, first, number, positions=first == 0)])
            all_differences += differences
            report(kind, number)
    return all_differences


def _rate(work: Callable[[], int], seconds: float) -> float:
    done = 0
    start_time = time.process_time()
    while (elapsed := time.process_time() - start_time) < seconds:
        done += work()
    return done / elapsed


def _bots(view: View) -> dict[str, dict[str, int]]:
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
    rates = {"play": _rate(batch, seconds)}
    for name, work in bots.items():
        bot, budget = make(name, view.name, view.players), Budget(iterations=work["iterations"])

        def think(bot: Bot = bot, budget: Budget = budget, units: int = work["units"]) -> int:
            bot.choose(view, budget, Seeded(1))
            return units

        think()
        rates[name] = _rate(think, seconds)
    return rates


def bench(folder: Path, seconds: float, repeats: int, report: Callable[[str, int], None]) -> list[dict[str, Any]]:
    """Benchmark native code and WebAssembly alternately, so that both run under the same load; each repeat gives a
    ratio."""
    rows = []
    for game, rules in with_modules():
        for players in rules.PLAYERS:
            position = start(game, players, chance=Seeded(1))
            view = position.view(position.turn)
            bots = _bots(view)
            question = {"game": game, "players": players, "seconds": seconds, "bots": bots}
            runs = []
            for _ in range(repeats):
                native = _native(view, bots, seconds)
                (module,) = ask_node(folder, [question])
                runs.append((native, module))
            report(game, players)
            for workload in ("play", *bots):
                median = sorted(runs, key=lambda run: run[1][workload] / run[0][workload])[repeats // 2]
                native_rate, module_rate = median[0][workload], median[1][workload]
                rows.append(
                    {
                        "game": game,
                        "players": players,
                        "what": workload,
                        "native": native_rate,
                        "module": module_rate,
                        "ratio": module_rate / native_rate,
                    }
                )
    return rows
