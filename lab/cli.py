"""The lab's command line: ``python -m lab --help``."""

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
from sixfold.commands.cli_support import command_line

app = command_line(
    "lab", "Measurements and studies of Sixfold, from a checkout with everything installed.", no_args_is_help=True
)

bench.app.command()(bench_research.research)
bench.app.command()(bench_review.review)
bench.app.command()(bench_review.levels)
app.add_typer(bench.app, name="bench")
for command in (load.load, attack.attack, strength.strength, numbers.numbers, puzzles.puzzles, solution.solution):
    app.command()(command)
app.command()(nets.curves)
app.command()(nets.regret)


def main() -> None:
    cli.main(app)
