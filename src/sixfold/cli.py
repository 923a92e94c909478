"""The command line: ``sixfold --help``."""

import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from sixfold import __version__
from sixfold.commands import (
    arena,
    bots,
    check,
    local_server,
    odds,
    play,
    puzzles,
    review,
    serve,
    show,
    simulate,
    solve,
    train,
    wasm,
)
from sixfold.commands.cli_support import command_line
from sixfold.errors import UserError
from sixfold.games import packages

app = command_line(
    "sixfold",
    f"Reiner Knizia's small Einfach Genial games: {', '.join(packages())}. Alone, it opens them in the browser.",
    invoke_without_command=True,
)


def print_version(requested: bool) -> None:
    if requested:
        print(f"sixfold {__version__}")
        raise typer.Exit


@app.callback()
def main_callback(
    context: typer.Context,
    port: Annotated[
        int, typer.Option(help="without a command: the port, if it is free", min=1, max=65535)
    ] = local_server.PORT,
    version: Annotated[
        bool, typer.Option("--version", help="print the version", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        local_server.serve_and_open(port)


COMMANDS: tuple[Callable[..., None], ...] = (
    *(play.play, simulate.simulate, check.check, show.show, arena.arena),
    *(serve.serve, serve.migrate, serve.backup, serve.bot_token, serve.revoke),
    *(bots.bots, odds.odds, review.review),
)
for command in COMMANDS:
    app.command()(command)
for name, group in {"puzzles": puzzles, "solve": solve, "train": train, "wasm": wasm}.items():
    app.add_typer(group.app, name=name)


def main(application: typer.Typer = app) -> None:
    """Run a command; a user error ends in one clear line and exit code 2."""
    # A damaged record may hold characters that cannot be encoded; they are printed as escapes.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        application()
    except (ValueError, OSError) as error:
        exit_with_error(error)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        sys.exit(130)


def exit_with_error(error: Exception) -> None:
    """Exit with a message; re-raise unexpected errors, which are bugs."""
    if isinstance(error, BrokenPipeError):
        # The reader of our output has closed the pipe.
        sys.stderr.close()
        sys.exit(0)
    if not isinstance(error, UserError | OSError):
        raise error
    message = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    print(f"sixfold: {message}", file=sys.stderr)
    sys.exit(2)
