"""Compares tables played in a browser with the server's table logic: reads played games as JSON, prints differences.

Run by web/tests/local.spec.ts: ``python -m tests.local_tables``.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from sixfold.engine import record, shuffle
from sixfold.table import Table, event_view, events, table_view


def differences(played: dict[str, Any]) -> Iterator[str]:
    """Replay ``events`` and compare, per event and seat, with the browser's view and masked event (``told``)."""
    table = Table()
    for event, by_seat in zip(
        events.read(json.dumps(event) for event in played["events"]), played["told"], strict=True
    ):
        table.take(event)
        for seat, shown in by_seat.items():
            context = f"{played['name']}, event {table.version} for seat {seat}"
            yield from _compare(context, table_view(table, int(seat)), shown["view"])
            yield from _compare(f"{context} as heard", event_view(table, table.version, int(seat)), shown["event"])
    yield from _compare(f"{played['name']}: the records", table.records, played["records"])
    for finished in played["records"]:
        record.replay(finished)
        if not shuffle.verify(finished):
            yield f"{played['name']}: a record without a shuffle"


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
