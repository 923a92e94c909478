"""``python -m lab solution``: the page about the solved dice game, docs/dice-solved.md."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.cli_support import require_positive
from sixfold.commands.solve import progress_by_stage


def solution(
    docs: Annotated[Path, typer.Argument(metavar="DOCS", help="the folder of documents")] = Path("docs"),
    games: Annotated[int, typer.Option(help="games of perfect play against itself")] = 1_000_000,
    fewer: Annotated[int, typer.Option(help="games of each other way to play")] = 100_000,
    only_page: Annotated[bool, typer.Option("--only-page", help="rewrite the page from the existing numbers")] = False,
) -> None:
    """Write dice-solved.md with its pictures, from the value files of both readings of the joker rule."""
    from lab.studies.solution_numbers import write_numbers
    from lab.studies.solution_page import write_page
    from sixfold.solve.play.approximation import shipped
    from sixfold.solve.positions.state_space import build_state_space
    from sixfold.solve.values.file import open_values

    require_positive(games, "--games")
    require_positive(fewer, "--fewer")
    if not only_page:
        files = [open_values(split) for split in (False, True)]
        for values in files:
            with progress_by_stage() as report:
                space = build_state_space(values.variant, lambda done, number: report("turns", done, number))
                write_numbers(values, space, shipped()[1], docs / "dice-solved", games, fewer, report)
    write_page(docs)
