"""The arena with NumPy and Numba alone: ``python -m sixfold.arena dice random greedy``, or ``… strength``."""

import argparse
import sys
import time
from pathlib import Path

from sixfold.arena import strength, text
from sixfold.arena.run import Place, Progress, run, stoppable, usual_folder
from sixfold.arena.schedule import Settings, read_budget
from sixfold.arena.workers import WorkersFail
from sixfold.errors import SetupError
from sixfold.system import all_cores

EVERY = 5.0


def main(words: list[str]) -> int:
    """Run a command; what a user did wrong ends in one clear line and exit code 2."""
    try:
        with stoppable():
            return _strength(words[1:]) if words[:1] == ["strength"] else _arena(words)
    except (SetupError, OSError) as error:
        print(f"sixfold.arena: {error}", file=sys.stderr)
        return 2
    except WorkersFail as error:
        print(f"sixfold.arena: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; every finished game is kept, and the same command goes on", file=sys.stderr)
        return 130


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--games", type=int, default=100, help="at least so many games of every pairing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=all_cores(), help="games at once")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster")
    return parser


def _arena(words: list[str]) -> int:
    parser = _parser("python -m sixfold.arena")
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--budget", help="100ms or 500it")
    parser.add_argument("--move-limit", type=float, help="seconds after which a bot has lost")
    parser.add_argument("--out", type=Path, help="the folder of the run")
    given = parser.parse_args(words)
    settings = Settings(
        given.game,
        tuple(given.bots),
        given.players,
        given.games,
        budget=read_budget(given.budget),
        seed=given.seed,
        move_limit=given.move_limit,
    ).checked()
    _run(settings, given.out or usual_folder(settings), Place(given.workers, given.ray))
    return 0


def _strength(words: list[str]) -> int:
    parser = _parser("python -m sixfold.arena strength")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(strength.TABLES))
    parser.add_argument("--runs", type=Path, default=Path("runs/strength"))
    given = parser.parse_args(words)
    for table in strength.tables(given.tables):
        settings = strength.settings(table, given.games, given.seed)
        _run(settings, given.runs / table, Place(given.workers, given.ray))
    return 0


def _run(settings: Settings, folder: Path, place: Place) -> None:
    """Play with a line of progress now and then, and print the results."""
    told = 0.0

    def tell(progress: Progress) -> None:
        nonlocal told
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            print(text.progress(progress), file=sys.stderr, flush=True)

    results = run(settings, folder, place, tell)
    print(text.title(results))
    for table in (text.bots_table(results), text.pairs_table(results)):
        print("", *text.lines(table), sep="\n")
    print("", *text.faults(results), f"in {folder}", sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
