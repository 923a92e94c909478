"""``sixfold review``: evaluate the decisions and the luck of recorded games."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress, TaskID

from sixfold.commands.cli_support import progress_bar, require_positive, throttled_printer

if TYPE_CHECKING:
    from sixfold.review.model import Step

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
    from sixfold.review import review as review_record
    from sixfold.review.report import ITERATIONS
    from sixfold.review.solution import values_of
    from sixfold.review.text import lines
    from sixfold.system import available_cores

    max_iterations = ITERATIONS if iterations is None else iterations
    require_positive(max_iterations, "--iterations")
    for number, record, _ in read_lines(file):
        try:
            if isinstance(record, RecordError):
                raise record
            with progress_bar() as bar:
                report = progress_callback(bar, bar.add_task("reviewing", total=None))
                result = review_record(
                    record, max_iterations, seed, available_cores(), values_of(record, values), report
                )
        except RecordError as error:
            raise RecordError(f"{file} line {number}: {error}") from None
        if as_json:
            print(msgspec.json.encode(result).decode())
        else:
            print("\n".join(lines(result)))


def progress_callback(bar: Progress, task: TaskID) -> Callable[[int, int, "Step"], None]:
    """A callback that shows the progress of a review on a bar, or as lines without a terminal."""
    print_line = throttled_printer()

    def report_step(done: int, total: int, step: "Step") -> None:
        bar.update(task, completed=done, total=total)
        if bar.disable:
            print_line(lambda: f"reviewed: {done} of {total} events")

    return report_step
