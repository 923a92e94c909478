"""``sixfold wasm``: the rules and the bots for a browser."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from sixfold.commands.cli_support import progress_bar, require_positive


class _Group(TyperGroup):
    """Treats an unknown first argument as a folder, so that ``sixfold wasm OUT`` builds."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["build", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Group,
    help="The rules and the bots as WebAssembly: `sixfold wasm OUT` builds a module for each game.",
    no_args_is_help=True,
)
Modules = Annotated[
    Path | None, typer.Option(help="the folder with the modules; without it those that `make pages` built")
]


@app.command()
def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="the folder for modules, descriptions and data")],
    types: Annotated[Path | None, typer.Option(help="write the types for TypeScript into this file too")] = None,
) -> None:
    """Build a module for each game with its rules and bots, its description as JSON, and the bots' data."""
    from sixfold.engine.wasm import need_linker
    from sixfold.games import packages
    from sixfold.wasm.builder import build as build_all
    from sixfold.wasm.manifest import types_of

    need_linker()
    with progress_bar() as bar:
        task = bar.add_task("building", total=sum(package.fields is not None for package in packages().values()))
        built = build_all(out, lambda _: bar.advance(task))
    for name, package in packages().items():
        if package.fields is None:
            print(f"{name} has no module: its codec has no FIELDS")
    if types is not None and (not types.exists() or types.read_text(encoding="utf-8") != types_of(out)):
        types.write_text(types_of(out), encoding="utf-8")
    table = Table()
    for heading in ("file", "bytes", "compressed"):
        table.add_column(heading, justify="left" if heading == "file" else "right")
    for file in built:
        table.add_row(str(file.path), f"{file.size:,}", f"{file.compressed:,}")
    Console().print(table)
    modules = [file.compressed for file in built if file.path.suffix != ".data"]
    print(f"all modules and their descriptions, without the bots' data: {sum(modules):,} bytes compressed")


@app.command()
def check(
    games: Annotated[int, typer.Option(help="how many random games of each kind are compared")] = 2000,
    modules: Modules = None,
) -> None:
    """Compare modules, run by Node, with the native rules: every state of many games, and the bots' choices."""
    from sixfold.wasm import verification
    from sixfold.wasm.expectations import Kind, kinds

    require_positive(games, "--games")
    with progress_bar() as bar:
        task = bar.add_task("comparing", total=games * len(list(kinds())))

        def report(kind: Kind, number: int) -> None:
            bar.update(task, advance=number, description=str(kind))

        differences = verification.check(modules or verification.MODULES, games, report)
    for difference in differences:
        print(difference)
    if differences:
        raise typer.Exit(1)
    number = len(list(kinds()))
    print(f"{games:,} games of each of {number} kinds: identical after every event, and the bots choose the same")
