"""``python -m lab curves`` and ``python -m lab regret``: how nets grew, and how much they can still improve."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from lab.commands.reporting import Json, print_json
from sixfold.commands.cli_support import GameName, Players, progress_bar, require_positive, throttled_printer
from sixfold.commands.train import Device, device_of, require_torch, stop_on_signal
from sixfold.errors import SetupError

# Limits of playouts per move: enough to compare moves, and no more than the memory holds.
FEWEST_WORLDS, MOST_WORLDS = 64, 4096


def curves(
    folder: Annotated[Path, typer.Argument(help="a folder with logs, each named like cards-2.jsonl")],
) -> None:
    """Draw how nets grew while they were trained: a picture for each game, beside the logs."""
    from lab.studies.training_curves import draw

    charts = draw(folder)
    if not charts:
        raise SetupError(f"no log in {folder} has anything to draw; each is named like cards-2.jsonl")
    for chart in charts:
        print(f"written: {chart}")


def regret(
    game: GameName,
    players: Players = 2,
    positions: Annotated[int, typer.Option(help="decisions that are looked at, each of another game")] = 300,
    worlds: Annotated[int, typer.Option(help="how often each move is played to the end, from 64")] = 4096,
    shown: Annotated[bool, typer.Option("--shown", help="let whoever decides see all hands")] = False,
    net: Annotated[Path | None, typer.Option(help="a net.npz; the one that ships, if left out")] = None,
    device: Device = None,
    seed: Annotated[int, typer.Option(help="other seeds play other games")] = 1,
    as_json: Json = False,
) -> None:
    """How much better moves there are than those that a net likes best, and what a search finds of it.

    Every move is played to the end in many worlds, as the net would go on. Ctrl-C ends it early and prints what is
    known by then. Made for a CUDA device: a CPU takes hundreds of times as long, so ask it for few positions.
    """
    torch = require_torch()
    from lab.studies.regret import Rollouts
    from sixfold.bots.net import features_of
    from sixfold.games import packages
    from sixfold.system import available_cores
    from sixfold.train.net import load_net

    features = features_of(game, players)
    require_positive(positions, "--positions")
    if not FEWEST_WORLDS <= worlds <= MOST_WORLDS:
        raise SetupError(f"moves are played to the end in {FEWEST_WORLDS} to {MOST_WORLDS} worlds, not {worlds}")
    device = device_of(torch, device)
    evaluator = load_net(net or packages()[game].net(players), game, players).to(device)
    rollouts = Rollouts(features, players, evaluator, positions, device, available_cores())
    with progress_bar() as bar, stop_on_signal() as stopped:
        task, print_line = bar.add_task("positions", total=positions), throttled_printer()

        def report(done: int) -> bool:
            bar.update(task, completed=done)
            if bar.disable:
                print_line(lambda: f"looked at {done} of {positions} positions")
            return stopped()

        result = rollouts.measure(worlds, seed, shown, report)
    if len(result.net) == 0:
        raise SetupError("stopped before the first position was done")
    if as_json:
        about = {"game": game, "players": players, "played": worlds, "shown": shown}
        print_json({**about, **result.summary()})
    else:
        show_regret(f"{game}, {players} players, {worlds} worlds", result.summary())


def show_regret(title: str, summary: dict[str, Any]) -> None:
    """Print the result; chances are in percentage points."""
    lost, error, most = (100 * summary[key] for key in ("lost", "error", "at_most"))
    print(f"{title}, {summary['positions']} positions")
    print(f"chance lost by the net's moves: {lost:.2f} ± {error:.2f} points a decision, at most {most:.2f}")
    print(f"decisions of a player in a game: {summary['decisions']:.1f}")
    table = Table(title="what a search wins back of these points")
    table.add_column("decisions on", justify="right")
    for worlds in summary["worlds"]:
        table.add_column(f"{worlds} worlds", justify="right")
    for depth, row in summary["won_back"].items():
        table.add_row(str(depth), *(f"{100 * value:.2f}" for value in row))
    Console().print(table)
