"""What was played so far, in an append-only file: an interrupted run goes on where it stopped."""

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
    """The finished games of one run, each once; the first line says which run it is."""

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
        """Two runs that write the same journal would play every game twice."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError(f"{self.path} is being written by another run") from None

    def _load(self, settings: Settings) -> None:
        whole = self.path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        if kept != whole:
            # The last line was cut off when the run was interrupted: that game is played again.
            os.ftruncate(self._file, len(kept))
        header = {"format": FORMAT, **settings.identity()}
        if not kept:
            self._write(header)
            return
        lines = [self._parsed(number, line) for number, line in enumerate(kept.splitlines(), start=1)]
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
        """Note when and where games are played from here on."""
        self.sessions.append(session)
        self._write({"session": session})

    def add(self, outcome: Outcome) -> bool:
        """Note a finished game; False if it is there already."""
        if outcome.fixture in self.outcomes:
            return False
        self.outcomes[outcome.fixture] = outcome
        self._write(outcome.as_json())
        return True

    def close(self) -> None:
        os.close(self._file)


def check_same(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse a journal of another run, and say what differs."""
    if found.get("format") != FORMAT:
        raise SetupError(f"{path} is no journal of the arena")
    for key, value in wanted.items():
        if found.get(key) != value:
            what = key.replace("_", " ")
            was, now = map(json.dumps, _differing(found.get(key), value))
            raise SetupError(f"{path} belongs to a run with {what} {was}, not {now}; give another --out to begin anew")


def _differing(was: Any, now: Any) -> tuple[Any, Any]:
    """Of two dictionaries only what is not the same in both."""
    if not isinstance(was, dict) or not isinstance(now, dict):
        return was, now
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return {name: was.get(name) for name in names}, {name: now.get(name) for name in names}
