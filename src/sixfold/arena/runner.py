"""Play a run from its start or where it stopped, and write the results."""

import hashlib
import json
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sixfold.arena import ray_backend, svg, workers
from sixfold.arena.journal import Journal
from sixfold.arena.match import Outcome
from sixfold.arena.results import summary, won
from sixfold.arena.schedule import Fixture, Settings
from sixfold.arena.workers import FIRST_MOVE
from sixfold.errors import SetupError
from sixfold.system import atomic_file, available_cores, machine

RESULTS_FILE = "results.json"
CHART_FILE = "ratings.svg"


@dataclass
class Progress:
    """The progress of a run: games done, total games, and each bot's wins."""

    total: int
    done: int = 0
    played: int = 0
    faults: int = 0
    began: float | None = None
    _wins: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))

    def count(self, outcome: Outcome) -> None:
        self.done += 1
        self.faults += outcome.fault is not None
        for bot in set(outcome.fixture.seats):
            self._wins[bot][0] += won(outcome, bot)
            self._wins[bot][1] += 1

    def add(self, outcome: Outcome) -> None:
        """Count a game of this session. The first one only starts the clock, since the bots warm up before it."""
        self.count(outcome)
        if self.began is None:
            self.began = time.monotonic()
        else:
            self.played += 1

    @property
    def speed(self) -> float | None:
        """Games per second in this session, or None until it is known."""
        return self.played / (time.monotonic() - self.began) if self.began is not None and self.played else None

    @property
    def seconds_left(self) -> float | None:
        return (self.total - self.done) / self.speed if self.speed else None

    @property
    def win_rates(self) -> dict[str, float]:
        return {bot: wins / games for bot, (wins, games) in sorted(self._wins.items())}


@dataclass(frozen=True)
class Backend:
    """Where a run is played: in worker processes on this machine, or on a Ray cluster."""

    workers: int
    ray: str | None = None
    first_move: float = FIRST_MOVE

    def connect(self) -> AbstractContextManager[None]:
        """Connect if necessary; refuses a backend that cannot play."""
        if self.workers < 1:
            raise SetupError(f"--workers has to be at least 1, not {self.workers}")
        return nullcontext() if self.ray is None else ray_backend.connected(self.ray)

    def outcomes(self, settings: Settings, fixtures: list[Fixture]) -> Generator[Outcome, None, None]:
        if self.ray is not None:
            return ray_backend.outcomes(settings, fixtures, self.first_move)
        return workers.outcomes(settings, fixtures, self.workers, self.first_move)

    def session(self) -> dict[str, Any]:
        """The date, machine and workers, for the journal."""
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        return {"date": now, **machine(), "cores": available_cores(), "workers": (self.ray and "ray") or self.workers}


@contextmanager
def interrupt_on_stop_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM as well as on Ctrl-C."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    # A shell starts background processes with SIGINT ignored, so that handler is set as well.
    previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def default_folder(settings: Settings) -> Path:
    """The default folder of a run, derived from its settings, so that repeating a command resumes its run."""
    digest = hashlib.sha256(json.dumps(settings.identity(), sort_keys=True).encode()).hexdigest()[:8]
    return Path("runs") / f"{settings.game}-{settings.players}-{digest}"


def run(settings: Settings, folder: Path, backend: Backend, on_progress: Callable[[Progress], None]) -> dict[str, Any]:
    """Play the remaining games, write the results and their chart, and return the results.

    A KeyboardInterrupt propagates; every finished game is in the journal by then.
    """
    with backend.connect(), closing(Journal(folder, settings)) as journal:
        progress = Progress(settings.total)
        for fixture in settings.fixtures():
            if fixture in journal.outcomes:
                progress.count(journal.outcomes[fixture])
        on_progress(progress)
        pending = [fixture for fixture in settings.fixtures() if fixture not in journal.outcomes]
        if pending:
            journal.begin(backend.session())
            with closing(backend.outcomes(settings, pending)) as outcomes:
                for outcome in outcomes:
                    if journal.add(outcome):
                        progress.add(outcome)
                        on_progress(progress)
        results = summary(settings, journal.outcomes, journal.sessions)
    with atomic_file(folder / RESULTS_FILE) as file:
        file.write(json.dumps(results, ensure_ascii=False, indent=1) + "\n")
    with atomic_file(folder / CHART_FILE) as file:
        file.write(svg.render(results))
    return results


def partial_results(settings: Settings, folder: Path) -> dict[str, Any]:
    """The results of an unfinished run."""
    with closing(Journal(folder, settings)) as journal:
        return summary(settings, journal.outcomes, journal.sessions)
