"""An append-only journal of finished games, from which an interrupted run resumes."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from sixfold.arena.match import Outcome
from sixfold.arena.schedule import Fixture, Settings
from sixfold.errors import SetupError

if sys.platform != "win32":
    import fcntl

FORMAT = "sixfold-arena/1"
NAME = "games.jsonl"


class Journal:
    """The finished games of one run, each recorded once; the first line identifies the run."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / NAME
        self.outcomes: dict[Fixture, Outcome] = {}
        self.sessions: list[dict[str, Any]] = []
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            self._lock()
            self._load(settings)
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        """Lock the file: two runs writing the same journal would play every game twice."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError(f"{self.path} is being written by another run") from None

    def _load(self, settings: Settings) -> None:
        content = self.path.read_bytes()
        complete = content[: content.rfind(b"\n") + 1]
        if complete != content:
            # The last line was cut off when the run was interrupted: that game is played again.
            os.ftruncate(self._file, len(complete))
        header = {"format": FORMAT, **settings.identity()}
        if not complete:
            self._write(header)
            return
        lines = [self._parsed(number, line) for number, line in enumerate(complete.splitlines(), start=1)]
        check_same(self.path, lines[0], header)
        for number, line in enumerate(lines[1:], start=2):
            if "session" in line:
                self.sessions.append(line["session"])
                continue
            try:
                outcome = Outcome.of_json(line)
            except (KeyError, TypeError) as error:
                raise SetupError(f"{self.path} line {number} is damaged: {error!r}") from None
            self.outcomes.setdefault(outcome.fixture, outcome)

    def _parsed(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            parsed = json.loads(line)
        except ValueError as error:
            raise SetupError(f"{self.path} line {number} is damaged: {error}") from None
        if not isinstance(parsed, dict):
            raise SetupError(f"{self.path} line {number} is damaged: it is no JSON object")
        return parsed

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def begin(self, session: dict[str, Any]) -> None:
        """Record when and where the following games are played."""
        self.sessions.append(session)
        self._write({"session": session})

    def add(self, outcome: Outcome) -> bool:
        """Record a finished game; False if it is already there."""
        if outcome.fixture in self.outcomes:
            return False
        self.outcomes[outcome.fixture] = outcome
        self._write(outcome.as_json())
        return True

    def close(self) -> None:
        os.close(self._file)


def check_same(path: Path, header: dict[str, Any], expected: dict[str, Any]) -> None:
    """Refuse another run's journal, naming what differs."""
    if header.get("format") != FORMAT:
        raise SetupError(f"{path} is no journal of the arena")
    for key, value in expected.items():
        if header.get(key) != value:
            label = key.replace("_", " ")
            old, new = map(json.dumps, _differing(header.get(key), value))
            raise SetupError(f"{path} belongs to a run with {label} {old}, not {new}; give another --out to begin anew")


def _differing(old: Any, new: Any) -> tuple[Any, Any]:
    """The entries in which two dictionaries differ; other values as they are."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return old, new
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return {name: old.get(name) for name in names}, {name: new.get(name) for name in names}
