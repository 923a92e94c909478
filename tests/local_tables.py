"""Drives the server's table with actions taken at tables in a browser: reads them as JSON, prints the differences.

Run by web/src/local/differential.test.ts: ``python -m tests.local_tables``.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from sixfold.engine import record, shuffle
from sixfold.engine.notation import Refused
from sixfold.table import Actor, Step, Table, TableRefused, decide, event_view, events, table_view, tick


def differences(played: dict[str, Any]) -> Iterator[str]:
    """Take every action again, and compare its events or its refusal, and what each seat is shown of them."""
    table, secret = Table(events.read([json.dumps(played["make"])])), bytes.fromhex(played["secret"])
    for outcome in played["outcomes"]:
        context = f"{played['name']}, version {table.version}, {json.dumps(outcome['action'])}"
        steps, refusal = _decide(table, outcome, secret)
        yield from _compare(f"{context}: the refusal", refusal, outcome["refusal"])
        stored = [json.loads(events.write(step.event)) for step in steps]
        yield from _compare(f"{context}: the events", stored, outcome["events"])
        if stored != outcome["events"]:
            return
        for step, by_seat in zip(steps, outcome["shown"], strict=True):
            table.apply(step.event, step.game)
            for seat, shown in by_seat.items():
                event = event_view(table, table.version, int(seat))
                yield from _compare(f"{context}: the view of seat {seat}", table_view(table, int(seat)), shown["view"])
                yield from _compare(f"{context}: the event for seat {seat}", event, shown["event"])
    yield from _compare(f"{played['name']}: the records", table.records, played["records"])
    for finished in played["records"]:
        record.replay(finished)
        if not shuffle.verify(finished):
            yield f"{played['name']}: a record without a shuffle"


def _decide(table: Table, outcome: dict[str, Any], secret: bytes) -> tuple[list[Step], dict[str, Any] | None]:
    """The steps of an action, or of the time that passed, and the refusal in their place."""
    if outcome["action"] is None:
        return tick(table, outcome["at"], secret), None
    try:
        return decide(table, Actor(bot_seat=outcome["bot"]), outcome["action"], outcome["at"], secret), None
    except (Refused, TableRefused) as refused:
        refusal = refused.refusal
        words = {name: str(word) for name, word in refusal.words.items()}
        return [], {"key": refusal.key, "words": words, "clause": refusal.clause}


def _compare(context: str, ours: Any, theirs: Any) -> Iterator[str]:
    ours = json.loads(json.dumps(ours))
    if ours == theirs:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted({*ours, *theirs}):
            if ours.get(name) != theirs.get(name):
                yield f"{context}: {name} is {theirs.get(name)}, not {ours.get(name)}"
    else:
        yield f"{context}: {theirs}, not {ours}"


if __name__ == "__main__":
    lines = [line for played in json.load(sys.stdin) for line in differences(played)]
    print(json.dumps(lines[:20]))
