"""``sixfold solve``: the exact solution of the two-player dice game, and its verification."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import TaskID

from sixfold.commands.cli_support import Options, progress_bar, read_options, throttled_printer

if TYPE_CHECKING:
    from sixfold.solve.values.solver import ProgressCallback

app = typer.Typer(help="Solve the two-player dice game exactly; check and teach.", no_args_is_help=True)

STAGES = {
    "turns": "what turns can bring",
    "pairs": "solving pairs of sheets",
    "file": "checking the file",
    "write": "writing the file",
    "residual": "the optimality equation",
    "marks": "does a mark ever hurt?",
    "perfect": "perfect play against itself",
}

ValueFile = Annotated[Path, typer.Argument(metavar="FILE", help="a value file")]


@contextmanager
def progress_by_stage() -> Iterator["ProgressCallback"]:
    """A progress bar for each stage of the work; plain lines without a terminal."""
    with progress_bar() as bar:
        tasks: dict[str, TaskID] = {}
        print_line = throttled_printer()

        def report_stage(stage: str, done: int, number: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(STAGES.get(stage, stage), total=number)
            bar.update(tasks[stage], completed=done, total=number)
            if bar.disable:
                print_line(lambda: f"{STAGES.get(stage, stage)}: {done:,} of {number:,}")

        yield report_stage


@app.command()
def dice(
    option: Options = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for an NVIDIA GPU")] = "cpu",
    out: Annotated[Path | None, typer.Option(help="the value file; by default where `sixfold odds` looks")] = None,
) -> None:
    """The winning chance of every position of the dice game with two players; goes on after an interruption."""
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError
    from sixfold.solve.positions.sheets import Variant
    from sixfold.solve.values.file import Values, default_path
    from sixfold.solve.values.solver import solve

    options = full_options(rules_of("dice"), read_options(option))
    if options["hidden_start"]:
        raise SetupError("hidden_start needs no values of its own: it differs only in the first turn; leave it off")
    if device not in ("cpu", "cuda"):
        raise SetupError(f"--device is cpu or cuda, not {device!r}")
    path = out or default_path(options["split_jokers"] is True)
    if path.exists():
        raise SetupError(f"{path} is there already; `sixfold solve check` checks it")
    with progress_by_stage() as report:
        solve(Variant(options["split_jokers"] is True), path, device, report)
    first_turn = Values(path).first_turn()
    Console().print(f"{path}: the start player wins with {first_turn:.4%}", highlight=False, soft_wrap=True)


@app.command()
def check(
    file: ValueFile,
    against: Annotated[Path | None, typer.Option(help="also say how far another value file differs")] = None,
) -> None:
    """Check a value file: its digests, and the optimality equation at every position."""
    from sixfold.solve.positions.state_space import build_state_space
    from sixfold.solve.values.file import Values
    from sixfold.solve.values.proof import difference, residual

    values = Values(file)
    console = Console()
    with progress_by_stage() as report:
        values.load_all(lambda done, number: report("file", done, number))
        if against is not None:
            other_values = Values(against)
            other_values.load_all()
            console.print(f"largest difference from {against}: {difference(values, other_values):.3g}", highlight=False)
        space = build_state_space(values.variant, lambda done, number: report("turns", done, number))
        result = residual(space, values.unpack(), lambda done, number: report("residual", done, number))
    console.print(
        f"{result.values:,} values, largest residual {result.largest:.3g}, mean {result.mean:.3g}", highlight=False
    )


@app.command()
def teach(
    file: ValueFile,
    out: Annotated[Path, typer.Option(help="the approximation")],
) -> None:
    """Teach the approximation that comes with the package from a value file."""
    from sixfold.solve.play import approximation, regression
    from sixfold.solve.values.file import Values

    values = Values(file)
    with progress_by_stage() as report:
        values.load_all(lambda done, number: report("file", done, number))
        guess = regression.fit(values, lambda done, number: report("teaching", done, number))
    approximation.save_guess(out, guess)
