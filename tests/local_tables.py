"""Does a table in a browser show what a table on a server would? Played games come in as JSON, differences go out.

Run by web/tests/local.spec.ts: ``python -m tests.local_tables``.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from sixfold.engine import record, shuffle
from sixfold.table import Table, events, heard, seen


def differences(played: dict[str, Any]) -> Iterator[str]:
    """``events`` as they were kept, ``told`` after each of them by seat: the view and the event as it was heard."""
    table = Table()
    for event, told in zip(events.read(json.dumps(event) for event in played["events"]), played["told"], strict=True):
        table.take(event)
        for seat, shown in told.items():
            what = f"{played['name']}, event {table.version} for seat {seat}"
            yield from _differ(what, seen(table, int(seat)), shown["view"])
            yield from _differ(f"{what} as heard", heard(table, table.version, int(seat)), shown["event"])
    yield from _differ(f"{played['name']}: the records", table.records, played["records"])
    for one in played["records"]:
        record.replay(one)
        if not shuffle.verify(one):
            yield f"{played['name']}: a record without a shuffle"


def _differ(what: str, ours: Any, theirs: Any) -> Iterator[str]:
    ours = json.loads(json.dumps(ours))
    if ours == theirs:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted({*ours, *theirs}):
            if ours.get(name) != theirs.get(name):
                yield f"{what}: {name} is {theirs.get(name)}, not {ours.get(name)}"
    else:
        yield f"{what}: {theirs}, not {ours}"


if __name__ == "__main__":
    found = [line for played in json.load(sys.stdin) for line in differences(played)]
    print(json.dumps(found[:20]))
