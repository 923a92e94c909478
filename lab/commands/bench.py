"""``python -m lab bench``: how fast this machine plays."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.cli_support import progress_bar, require_positive
from sixfold.games.contract import Rules
from sixfold.system import machine

app = typer.Typer(help="Measure how fast the games are played here.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="print JSON instead of a table")]
Repeats = Annotated[int, typer.Option(help="how often each measurement is repeated; the median counts")]


def median_rate(work: Callable[[], int], seconds: float, repeats: int) -> float:
    """Units of work per second: the median of several runs of about this length."""
    rates = []
    for _ in range(repeats):
        done = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            done += work()
        rates.append(done / elapsed)
    return sorted(rates)[repeats // 2]


@app.command()
def rules(repeats: Repeats = 5, as_json: Json = False) -> None:
    """Random play through the compiled playout on one core and on all, and through the Python object."""
    from sixfold.engine.game import GAMES
    from sixfold.system import available_cores

    require_positive(repeats, "--repeats")
    kinds = [(game, players) for game in GAMES.values() for players in game.PLAYERS]
    rows = []
    with progress_bar() as bar:
        for game, players in bar.track(kinds, description="measuring"):
            rows.append(_measure(game, players, available_cores(), repeats))
    report = {**machine(), "cores": available_cores(), "repeats": repeats, "games": rows}
    if as_json:
        print(json.dumps(report, indent=2))
        return
    table = Table(title=f"{report['processor']}, {report['cores']} cores; median of {repeats} runs")
    for heading in (
        "game",
        "players",
        "decisions/s",
        "all cores",
        "games/s",
        "object, moves/s",
        "legal, µs",
    ):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        table.add_row(
            row["game"],
            str(row["players"]),
            f"{row['decisions_one_core'] / 1e6:.1f} M",
            f"{row['decisions_all_cores'] / 1e6:.1f} M",
            f"{row['games_all_cores']:,.0f}",
            f"{row['object_moves']:,.0f}",
            f"{row['legal_microseconds']:.1f}",
        )
    Console().print(table)


def _measure(game: Rules, players: int, cores: int, repeats: int) -> dict[str, Any]:
    from sixfold.engine.playouts import play_games

    initial = game.start(players)
    length = float(play_games(game, initial, 1, 0, 1000).lengths.mean())
    first = 0

    def batch(cores: int) -> Callable[[], int]:
        def run() -> int:
            nonlocal first
            first += 20_000
            return int(play_games(game, initial, 1, first, 20_000, cores).lengths.sum())

        return run

    one_core = median_rate(batch(1), 0.3, repeats)
    available_cores = median_rate(batch(cores), 0.3, repeats)
    object_game(game.NAME, players)
    moves = median_rate(lambda: object_game(game.NAME, players), 0.2, repeats)
    return {
        "game": game.NAME,
        "players": players,
        "decisions_one_core": one_core,
        "decisions_all_cores": available_cores,
        "games_all_cores": available_cores / length,
        "object_moves": moves,
        "legal_microseconds": _legal_time(game.NAME, players, repeats),
    }


def object_game(name: str, players: int) -> int:
    """One random game through the Python object; returns its moves."""
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start

    chance = Seeded(1)
    game = start(name, players, chance=chance)
    moves = 0
    while game.turn is not None:
        legal = game.legal()
        game.play(legal[chance.below(len(legal))])
        moves += 1
    return moves


def _legal_time(name: str, players: int, repeats: int) -> float:
    """Microseconds to list the legal moves, over the positions of one random game."""
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start

    chance = Seeded(1)
    game = start(name, players, chance=chance)
    positions = []
    while game.turn is not None:
        positions.append(game.copy())
        legal = game.legal()
        game.play(legal[chance.below(len(legal))])

    def run() -> int:
        for position in positions:
            position.legal()
        return len(positions)

    return 1e6 / median_rate(run, 0.1, repeats)


@app.command()
def bots(repeats: Repeats = 5, as_json: Json = False) -> None:
    """Playouts inside the search against the plain compiled playout from the same start, on one core."""
    from sixfold.engine.game import GAMES

    require_positive(repeats, "--repeats")
    kinds = [(game, players) for game in GAMES.values() for players in game.PLAYERS]
    rows = []
    with progress_bar() as bar:
        for game, players in bar.track(kinds, description="measuring"):
            rows.append(_measure_search(game, players, repeats))
    report = {**machine(), "repeats": repeats, "games": rows}
    if as_json:
        print(json.dumps(report, indent=2))
        return
    table = Table(title=f"{report['processor']}, one core; median of {repeats} runs")
    for heading in ("game", "players", "plain playouts/s", "in search", "ratio", "iterations/s of a whole search"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        rates = f"{row['plain']:,.0f}", f"{row['in_search']:,.0f}", f"{row['ratio']:.2f}", f"{row['iterations']:,.0f}"
        table.add_row(row["game"], str(row["players"]), *rates)
    Console().print(table)


def _measure_search(game: Rules, players: int, repeats: int) -> dict[str, Any]:
    """Alternate plain and light playouts, so that both run under the same load; each repeat gives one ratio."""
    from sixfold.bots.search import run_iterations, run_playouts
    from sixfold.engine.playouts import play_games

    initial = game.start(players)
    batch = 2_000
    workloads: list[Callable[[], int]] = [
        lambda: len(play_games(game, initial, 1, 0, batch).lengths),
        lambda: run_playouts(game.NAME, initial, batch),
        lambda: run_iterations(game.NAME, players, batch),
    ]
    for work in workloads:
        work()
    runs = [[median_rate(work, 0.2, 1) for work in workloads] for _ in range(repeats)]
    medians = [sorted(run[at] for run in runs)[repeats // 2] for at in range(3)]
    ratio = sorted(run[1] / run[0] for run in runs)[repeats // 2]
    return {
        "game": game.NAME,
        "players": players,
        "plain": medians[0],
        "in_search": medians[1],
        "ratio": ratio,
        "iterations": medians[2],
    }


@app.command()
def gpu(
    games: Annotated[int, typer.Option(help="how many games of each kind are compared with the CPU")] = 1_000_000,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """The same functions in a CUDA kernel: speed, and a check that CPU and GPU play identical games."""
    from sixfold.engine.cuda import need_device
    from sixfold.engine.game import GAMES

    require_positive(games, "--games")
    require_positive(repeats, "--repeats")
    need_device()
    kinds = [(game, players) for game in GAMES.values() for players in game.PLAYERS]
    with progress_bar() as bar:
        rows = [_measure_gpu(*kind, games, repeats) for kind in bar.track(kinds, description="measuring")]
    report: dict[str, Any] = {**machine(), "device": gpu_name(), "repeats": repeats, "games": rows}
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        _print_gpu(report)
    if not all(row["identical"] for row in report["games"]):
        raise typer.Exit(1)


def _measure_gpu(game: Rules, players: int, games: int, repeats: int) -> dict[str, Any]:
    import numpy as np

    from sixfold.engine.cuda_playouts import play_on_device
    from sixfold.engine.playouts import play_games
    from sixfold.system import available_cores

    initial = game.start(players)
    on_gpu, _ = play_on_device(game, initial, 1, 0, games)
    on_cpu = play_games(game, initial, 1, 0, games, available_cores())
    same_lengths = np.array_equal(on_gpu.lengths, on_cpu.lengths)
    rates = []
    for repeat in range(repeats):
        played, seconds = play_on_device(game, initial, 2, repeat * 10 * games, 10 * games)
        rates.append((int(played.lengths.sum()) / seconds, len(played.lengths) / seconds))
    decisions, games_per_second = sorted(rates)[repeats // 2]
    return {
        "game": game.NAME,
        "players": players,
        "decisions": decisions,
        "games": games_per_second,
        "compared": games,
        "identical": same_lengths and np.array_equal(on_gpu.values, on_cpu.values),
    }


def gpu_name() -> str:
    from sixfold.engine.cuda import cuda

    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def _print_gpu(report: dict[str, Any]) -> None:
    table = Table(title=f"{report['device']}; median of {report['repeats']} runs")
    for heading in ("game", "players", "decisions/s", "games/s", "games compared with the CPU", "identical"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in report["games"]:
        rates = f"{row['decisions']:,.0f}", f"{row['games']:,.0f}", f"{row['compared']:,}"
        table.add_row(row["game"], str(row["players"]), *rates, "yes" if row["identical"] else "NO")
    Console().print(table)


@app.command()
def wasm(
    modules: Annotated[
        Path | None, typer.Option(help="the folder with the modules; without it those that `make pages` built")
    ] = None,
    seconds: Annotated[float, typer.Option(help="how long each measurement takes")] = 1.0,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """Random play and the bots in WebAssembly, run by Node, against the native code, by processor time."""
    from sixfold.games import GAMES
    from sixfold.wasm import verification

    require_positive(repeats, "--repeats")
    with progress_bar() as bar:
        task = bar.add_task("measuring", total=sum(len(rules.PLAYERS) for rules in GAMES.values()))
        rows = verification.bench(modules or verification.MODULES, seconds, repeats, lambda *_: bar.advance(task))
    report = {**machine(), "node": verification.node_version(), "repeats": repeats, "games": rows}
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        _print_wasm(report)


def _print_wasm(report: dict[str, Any]) -> None:
    """Print the result of ``python -m lab bench wasm`` as a table."""
    table = Table(
        title=f"{report['processor']}, a second of one core; {report['node']}; median of {report['repeats']} runs"
    )
    for heading in ("game", "players", "what", "native/s", "WebAssembly/s", "ratio"):
        table.add_column(heading, justify="left" if heading in ("game", "what") else "right")
    for row in report["games"]:
        rates = f"{row['native']:,.0f}", f"{row['module']:,.0f}", f"{row['ratio']:.2f}"
        table.add_row(row["game"], str(row["players"]), _LABELS.get(row["what"], f"{row['what']}, decisions"), *rates)
    Console().print(table)


_LABELS = {
    "play": "random play, decisions",
    "search": "search, iterations",
    "net": "net, looks",
    "netsearch": "netsearch, iterations",
}


@app.command()
def server(
    tables: Annotated[int, typer.Option(help="stored tables of an idle server")] = 10_000,
    seconds: Annotated[float, typer.Option(help="how long the idle server is watched")] = 20,
    repeats: Repeats = 21,
    as_json: Json = False,
) -> None:
    """What stored tables cost the table server: opening one of 100 moves, and an idle server with many of them."""
    import asyncio
    import tempfile
    from dataclasses import asdict

    from sixfold.commands.server_options import require_server

    require_server()
    from lab.loadtest.costs import costs

    require_positive(tables, "--tables")
    require_positive(repeats, "--repeats")
    with tempfile.TemporaryDirectory(prefix="sixfold-bench-") as folder, Console(stderr=True).status("measuring"):
        result = asyncio.run(costs(Path(folder), tables, seconds, repeats))
    if as_json:
        print(json.dumps({**machine(), **asdict(result)}, indent=2))
        return
    for game, milliseconds in result.open_ms.items():
        print(f"opening a table of {game} after 100 moves: {milliseconds:.1f} ms (median of {repeats})")
    for number, share, size in ((0, result.empty_share, result.empty_mb), (tables, result.idle_share, result.idle_mb)):
        print(f"idle with {number:,} stored tables: {share:.2%} of a core, {size:.0f} MiB")
