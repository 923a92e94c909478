"""``sixfold train``: train nets by self-play."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sixfold.commands.cli_support import Players
from sixfold.engine.game import GAMES, SetupError

if TYPE_CHECKING:
    from sixfold.train.trainer import Trainer

app = typer.Typer(no_args_is_help=True, help="Teach a net to play a game; needs sixfold\\[train].")

CPU_GAMES = 256
Device = Annotated[str | None, typer.Option(help="cuda or cpu; cuda where there is one, if left out")]


def train(
    context: typer.Context,
    players: Players = 2,
    minutes: Annotated[float, typer.Option(help="how long to train in all, interruptions not counted")] = 25.0,
    rounds: Annotated[int | None, typer.Option(help="so many rounds instead, however long they take")] = None,
    games: Annotated[int | None, typer.Option(help="games of a round; 16384, on a CPU 256, if left out")] = None,
    hidden: Annotated[
        str | None,
        typer.Option(help="sizes of hidden layers, or of a graph net's rounds; 256,256 or 160,160,160,160 if left out"),
    ] = None,
    device: Device = None,
    begin: Annotated[Path | None, typer.Option("--from", help="begin with the weights of this net.npz")] = None,
    rate: Annotated[float, typer.Option(help="how fast it learns at first")] = 1e-3,
    heat: Annotated[float, typer.Option(help="how often it tries other moves at first")] = 0.3,
    worlds: Annotated[int, typer.Option(help="play moves on in so many worlds, and learn from that too; try 8")] = 0,
    seed: Annotated[int, typer.Option(help="other seeds play other games")] = 1,
    measure: Annotated[int, typer.Option(help="measure and log every so many rounds")] = 25,
    out: Annotated[Path | None, typer.Option(help="the training's folder; one in runs/ if left out")] = None,
) -> None:
    """Play thousands of games at once, learn from how they end, and again.

    The folder gets net.npz, the net; log.jsonl, the curves; and checkpoint.pt: the same command goes on where it
    was interrupted, and goes on further if more minutes or rounds are asked for.
    """
    torch = require_torch()
    from sixfold.bots.net import features_of
    from sixfold.system import available_cores
    from sixfold.train.net import HIDDEN
    from sixfold.train.trainer import Trainer, TrainingConfig

    game = str(context.info_name)
    device = device_of(torch, device)
    course = TrainingConfig(
        game=game,
        players=players,
        hidden=read_hidden(hidden) if hidden else HIDDEN[features_of(game, players).NET],
        games=games or (CPU_GAMES if device == "cpu" else TrainingConfig.games),
        minutes=minutes,
        rounds=rounds,
        seed=seed,
        device=device,
        cores=available_cores(),
        rate=rate,
        temperature=heat,
        worlds=worlds,
        measure=measure,
    ).checked()
    folder = out or Path("runs") / "train" / f"{course.game}-{course.players}"
    show(Trainer(course, folder, begin))


for _game in GAMES:
    app.command(_game)(train)


@app.command("export")
def export(
    net: Annotated[Path, typer.Argument(help="a net.npz, of a training or of a game's package")],
    out: Annotated[Path, typer.Argument(help="the ONNX file to write")],
) -> None:
    """Write a net as ONNX for other programs: rows of numbers go in as `told`, values come out as `said`."""
    try:
        from sixfold.train.export import export as write
    except ImportError:
        raise SetupError("exporting needs ONNX: pip install 'sixfold[train]'") from None
    if not out.resolve().parent.is_dir():
        raise SetupError(f"there is no folder {out.parent} to write to")
    try:
        write(net, out)
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"{net} is no net that can be read: {error}") from None
    print(f"in {out}")


def require_torch() -> Any:
    """Import PyTorch, or explain how to install it."""
    try:
        import torch
    except ImportError:
        raise SetupError("training needs PyTorch: pip install 'sixfold[train]'") from None
    return torch


def device_of(torch: Any, requested: str | None) -> str:
    """The requested device, or the best available one."""
    has_cuda = torch.cuda.is_available()
    if requested not in (None, "cuda", "cpu"):
        raise SetupError(f"a device is cuda or cpu, not {requested!r}")
    if requested == "cuda" and not has_cuda:
        raise SetupError("PyTorch finds no CUDA device; --device cpu works without one, much slower")
    return requested or ("cuda" if has_cuda else "cpu")


def read_hidden(text: str) -> tuple[int, ...]:
    """Parse layer sizes as typed: 256,128."""
    try:
        sizes = tuple(int(word) for word in text.split(","))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1:
        raise SetupError(f"hidden layers are written as numbers with commas, like 256,128, not {text!r}")
    return sizes


@contextmanager
def stop_on_signal() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether Ctrl-C or SIGTERM was received; neither ends the process."""
    requested = False

    def stop(signal_number: int, frame: Any) -> None:
        nonlocal requested
        requested = True

    before = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: requested
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def show(training: "Trainer") -> None:
    """Train and print a line for every measurement; Ctrl-C stops after the current round."""
    with stop_on_signal() as stopped:
        training.run(lambda line: print_progress(training, line), stopped)
    if stopped():
        done = f"{training.progress:.0%} done; the same command goes on from {training.folder}"
        print(f"sixfold: stopped, {done}", file=sys.stderr)
        raise typer.Exit(130)
    print(f"in {training.folder}")


def print_progress(training: "Trainer", line: dict[str, Any]) -> None:
    """Print the progress; lines of measured rounds stay on the screen."""
    words = f"{training.progress:4.0%} round {line['round']}, {line['games']:,} games, loss {line['loss']:.4f}"
    times = f"{line['playing']:.1f} s playing and {line['learning']:.1f} s learning"
    rates = ", ".join(
        f"{line[key]:.1%} against {opponent}"
        for key, opponent in (("first_sight", "first sight"), ("before", "the net before"), ("oldest", "the oldest"))
        if key in line
    )
    terminal = sys.stderr.isatty()
    if rates or line["round"] <= 3:
        print(f"{words}, {times}{'; ' + rates if rates else ''}", file=sys.stderr, flush=True)
    elif terminal:
        print(f"\r{words}, {times}\x1b[K", end="\r", file=sys.stderr, flush=True)
