"""The lab's command line: ``python -m lab --help``."""

import typer

from lab.commands import (
    attack,
    bench,
    bench_research,
    bench_review,
    load,
    nets,
    numbers,
    puzzles,
    solution,
    strength,
)
from sixfold import cli

app = typer.Typer(
    name="lab",
    help="Measurements and studies of Sixfold, from a checkout with everything installed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

bench.app.command()(bench_research.research)
bench.app.command()(bench_review.review)
bench.app.command()(bench_review.levels)
app.add_typer(bench.app, name="bench")
app.command()(load.load)
app.command()(attack.attack)
app.command()(strength.strength)
app.command()(numbers.numbers)
app.command()(puzzles.puzzles)
app.command()(solution.solution)
app.command()(nets.curves)
app.command()(nets.regret)


def main() -> None:
    cli.main(app)
