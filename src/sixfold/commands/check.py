"""``sixfold check``: verify records against the rules."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.cli_support import progress_bar


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="files of records, .sixfold.jsonl")],
) -> None:
    """Replay records against the rules; say how many hold, and why the others do not."""
    from sixfold.engine.record import RecordError, read_lines, replay
    from sixfold.engine.shuffle import verify

    valid = shuffles = 0
    faults: list[str] = []
    sizes = [path.stat().st_size for path in files]
    with progress_bar() as bar:
        task = bar.add_task("checking", total=sum(sizes))
        for path in files:
            for number, line, size in read_lines(path):
                try:
                    if isinstance(line, RecordError):
                        raise line
                    replay(line)
                    assert isinstance(line, dict)
                    shuffles += verify(line)
                    valid += 1
                except RecordError as error:
                    faults.append(f"{path} line {number}: {error}")
                bar.advance(task, size)
    for fault in faults:
        print(fault)
    records = valid + len(faults)
    print(f"{valid} of {records} record{'s' if records != 1 else ''} hold{'s' if 1 in (valid, records) else ''}")
    if shuffles:
        print(f"in {shuffles} of them every draw and roll follows from the key that was committed to before the deal")
    if faults:
        raise typer.Exit(1)
