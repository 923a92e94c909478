"""``sixfold review``: look back at games."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress, TaskID

from sixfold.commands.common import at_least_one, now_and_then, progress_bar

if TYPE_CHECKING:
    from sixfold.review.shapes import Step

ValueFile = Annotated[
    Path | None,
    typer.Option("--values", help="the dice game's value file, if it is not where `sixfold solve` puts it"),
]


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file of records, .sixfold.jsonl")],
    as_json: Annotated[bool, typer.Option("--json", help="the same for programs, one line a record")] = False,
    iterations: Annotated[
        int | None, typer.Option(help="how long to think: so many times a decision is played on at most")
    ] = None,
    seed: Annotated[int, typer.Option(help="the same seed and iterations give the same review")] = 1,
    values: ValueFile = None,
) -> None:
    """What every decision cost and how lucky every draw and roll was, judged from what each player could know."""
    import msgspec

    from sixfold.engine.record import RecordError, read_lines
    from sixfold.review import review as judge
    from sixfold.review.reviewing import ITERATIONS
    from sixfold.review.solution import values_of
    from sixfold.review.text import lines
    from sixfold.system import all_cores

    thinking = ITERATIONS if iterations is None else iterations
    at_least_one(thinking, "--iterations")
    for number, record, _ in read_lines(file):
        try:
            if isinstance(record, RecordError):
                raise record
            with progress_bar() as bar:
                tell = told(bar, bar.add_task("reviewing", total=None))
                found = judge(record, thinking, seed, all_cores(), values_of(record, values), tell)
        except RecordError as error:
            raise RecordError(f"{file} line {number}: {error}") from None
        if as_json:
            print(msgspec.json.encode(found).decode())
        else:
            print("\n".join(lines(found)))


def told(bar: Progress, task: TaskID) -> Callable[[int, int, "Step"], None]:
    """Progress of a review: on a bar, or in lines where there is no terminal."""
    say = now_and_then()

    def tell(done: int, total: int, step: "Step") -> None:
        bar.update(task, completed=done, total=total)
        if bar.disable:
            say(lambda: f"reviewed: {done} of {total} events")

    return tell
