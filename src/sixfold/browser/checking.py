"""Comparing modules with the native rules, and measuring both, with Node to run the modules."""

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
from sixfold.bots.net import LOOKS, features_of
from sixfold.browser.expecting import RUN, Kind, expected, kinds
from sixfold.browser.functions import BATCH
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.engine.many import random_games
from sixfold.errors import SetupError
from sixfold.games import GAMES

# Where `make pages` puts them.
MODULES = Path(sixfold.__file__).parent / "server" / "pages" / "rules"
ITERATIONS = 1000


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise SetupError("this needs Node.js 20.19 or newer, to run the modules")
    return node


def node_version() -> str:
    """Which Node runs the modules."""
    return f"Node {subprocess.run([_node(), '--version'], capture_output=True, text=True).stdout.strip()}"


def ask_node(folder: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """Put questions to the modules in a folder."""
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


def check(folder: Path, games: int, tell: Callable[[Kind, int], None]) -> list[str]:
    """Where modules differ from the native rules in so many games of every kind; ``tell`` hears how many are done."""
    found: list[str] = []
    for kind in kinds():
        for first in range(0, games, RUN):
            number = min(RUN, games - first)
            (differences,) = ask_node(folder, [expected(kind, first, number, positions=first == 0)])
            found += differences
            tell(kind, number)
    return found


def _rate(work: Callable[[], int], seconds: float) -> float:
    done = 0
    begin = time.process_time()
    while (taken := time.process_time() - begin) < seconds:
        done += work()
    return done / taken


def _bots(view: View) -> dict[str, dict[str, int]]:
    """The bots to measure: for each the iterations of one decision, and how many units of work it is."""
    found = {"search": {"iterations": ITERATIONS, "units": ITERATIONS}}
    for bot in dict.fromkeys(level_of(view.name, view.players, number).bot for number in LEVELS):
        if bot == "net":
            found[bot] = {"iterations": 0, "units": min(LOOKS, view.choices())}
        elif bot == "netsearch":
            # All worlds before anything is given up.
            plan = features_of(view.name, view.players).PLAN
            iterations = plan.few * min(plan.width, view.choices())
            found[bot] = {"iterations": iterations, "units": iterations}
        elif bot != "greedy":
            found[bot] = {"iterations": 0, "units": 1}
    return found


def _native(view: View, bots: Mapping[str, Mapping[str, int]], seconds: float) -> dict[str, float]:
    """What ``measured`` in checking.ts measures, in seconds of processor time."""
    rules = view.rules
    begin, play = rules.start(view.players), random_games(rules)
    scratch, generator = begin.copy(), np.zeros(1, np.uint64)
    lengths, results = np.zeros(BATCH, np.int32), np.zeros((BATCH, max(rules.PLAYERS), 6), np.int8)
    first = 0

    def batch() -> int:
        nonlocal first
        first += BATCH
        play(begin, scratch, generator, np.uint64(1), first, 0, 1, lengths, results)
        return int(lengths.sum())

    batch()
    found = {"play": _rate(batch, seconds)}
    for name, work in bots.items():
        bot, budget = make(name, view.name, view.players), Budget(iterations=work["iterations"])

        def think(bot: Bot = bot, budget: Budget = budget, units: int = work["units"]) -> int:
            bot.choose(view, budget, Seeded(1))
            return units

        think()
        found[name] = _rate(think, seconds)
    return found


def bench(folder: Path, seconds: float, repeats: int, tell: Callable[[str, int], None]) -> list[dict[str, Any]]:
    """Native and WebAssembly by turns, so that both meet the same machine; each repeat gives one ratio."""
    rows = []
    for game, rules in GAMES.items():
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
            tell(game, players)
            for what in ("play", *bots):
                middle = sorted(runs, key=lambda run: run[1][what] / run[0][what])[repeats // 2]
                native_rate, module_rate = middle[0][what], middle[1][what]
                rows.append(
                    {
                        "game": game,
                        "players": players,
                        "what": what,
                        "native": native_rate,
                        "module": module_rate,
                        "ratio": module_rate / native_rate,
                    }
                )
    return rows
