"""``python -m lab bench``: how fast this machine plays."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lab.commands.reporting import GAME_COLUMNS, Json, Repeats, Row, measure_games, median_rate, print_json, print_rows
from sixfold.commands.cli_support import progress_bar, require_positive
from sixfold.engine.game import Game
from sixfold.games.contract import Rules
from sixfold.system import machine

app = typer.Typer(help="Measure how fast the games are played here.", no_args_is_help=True)

MILLIONS, RATE, RATIO = "{:,.1f} M", "{:,.0f}", "{:.2f}"


@app.command()
def rules(repeats: Repeats = 5, as_json: Json = False) -> None:
    """Random play through the compiled playout on one core and on all, and through the Python object."""
    from sixfold.system import available_cores

    cores = available_cores()
    rows = measure_games(lambda game, players: _measure(game, players, cores, repeats))
    if as_json:
        print_json({"cores": cores, "repeats": repeats, "games": rows})
        return
    shown = [
        {**row, **{name: row[name] / 1e6 for name in ("decisions_one_core", "decisions_all_cores")}} for row in rows
    ]
    columns = {
        **GAME_COLUMNS,
        "decisions_one_core": ("decisions/s", MILLIONS),
        "decisions_all_cores": ("all cores", MILLIONS),
        "games_all_cores": ("games/s", RATE),
        "object_moves": ("object, moves/s", RATE),
        "legal_microseconds": ("legal, µs", "{:.1f}"),
    }
    print_rows(f"{machine()['processor']}, {cores} cores; median of {repeats} runs", shown, columns)


def _measure(game: Rules, players: int, cores: int, repeats: int) -> Row:
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

    one_core, all_cores = (median_rate(batch(number), 0.3, repeats) for number in (1, cores))
    object_game(game.NAME, players)
    return {
        "decisions_one_core": one_core,
        "decisions_all_cores": all_cores,
        "games_all_cores": all_cores / length,
        "object_moves": median_rate(lambda: object_game(game.NAME, players), 0.2, repeats),
        "legal_microseconds": _legal_time(game.NAME, players, repeats),
    }


def random_positions(name: str, players: int) -> Iterator[Game]:
    """The positions with a decision in one random game, through the Python object."""
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start

    chance = Seeded(1)
    game = start(name, players, chance=chance)
    while game.turn is not None:
        yield game
        legal = game.legal()
        game.play(legal[chance.below(len(legal))])


def object_game(name: str, players: int) -> int:
    """One random game through the Python object; returns its moves."""
    return sum(1 for _ in random_positions(name, players))


def _legal_time(name: str, players: int, repeats: int) -> float:
    """Microseconds to list the legal moves, over the positions of one random game."""
    positions = [game.copy() for game in random_positions(name, players)]
    return 1e6 / median_rate(lambda: sum(1 for position in positions if position.legal()), 0.1, repeats)


@app.command()
def bots(repeats: Repeats = 5, as_json: Json = False) -> None:
    """Playouts inside the search against the plain compiled playout from the same start, on one core."""
    rows = measure_games(lambda game, players: _measure_search(game, players, repeats))
    if as_json:
        print_json({"repeats": repeats, "games": rows})
        return
    columns = {
        **GAME_COLUMNS,
        "plain": ("plain playouts/s", RATE),
        "in_search": ("in search", RATE),
        "ratio": ("ratio", RATIO),
        "iterations": ("iterations/s of a whole search", RATE),
    }
    print_rows(f"{machine()['processor']}, one core; median of {repeats} runs", rows, columns)


def _measure_search(game: Rules, players: int, repeats: int) -> Row:
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
    return {"plain": medians[0], "in_search": medians[1], "ratio": ratio, "iterations": medians[2]}


@app.command()
def gpu(
    games: Annotated[int, typer.Option(help="how many games of each kind are compared with the CPU")] = 1_000_000,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """The same functions in a CUDA kernel: speed, and a check that CPU and GPU play identical games."""
    from sixfold.engine.cuda import need_device

    require_positive(games, "--games")
    need_device()
    rows = measure_games(lambda game, players: _measure_gpu(game, players, games, repeats))
    if as_json:
        print_json({"device": gpu_name(), "repeats": repeats, "games": rows})
    else:
        columns = {
            **GAME_COLUMNS,
            "decisions": ("decisions/s", RATE),
            "games": ("games/s", RATE),
            "compared": ("games compared with the CPU", "{:,}"),
            "identical": ("identical", ""),
        }
        print_rows(f"{gpu_name()}; median of {repeats} runs", rows, columns)
    if not all(row["identical"] for row in rows):
        raise typer.Exit(1)


def _measure_gpu(game: Rules, players: int, games: int, repeats: int) -> Row:
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
        "decisions": decisions,
        "games": games_per_second,
        "compared": games,
        "identical": bool(same_lengths and np.array_equal(on_gpu.values, on_cpu.values)),
    }


def gpu_name() -> str:
    from sixfold.engine.cuda import cuda

    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


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
    from lab.studies import wasm_speed
    from sixfold.games import GAMES
    from sixfold.wasm import verification

    with progress_bar() as bar:
        task = bar.add_task("measuring", total=sum(len(rules.PLAYERS) for rules in GAMES.values()))
        rows = wasm_speed.measure(modules or verification.MODULES, seconds, repeats, lambda: bar.advance(task))
    node = verification.node_version()
    if as_json:
        print_json({"node": node, "repeats": repeats, "games": rows})
        return
    for row in rows:
        row["what"] = _LABELS.get(row["what"], f"{row['what']}, decisions")
    columns = {
        **GAME_COLUMNS,
        "what": ("what", "{}"),
        "native": ("native/s", RATE),
        "module": ("WebAssembly/s", RATE),
        "ratio": ("ratio", RATIO),
    }
    print_rows(f"{machine()['processor']}, a second of one core; {node}; median of {repeats} runs", rows, columns)


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
    with tempfile.TemporaryDirectory(prefix="sixfold-bench-") as folder, Console(stderr=True).status("measuring"):
        result = asyncio.run(costs(Path(folder), tables, seconds, repeats))
    if as_json:
        print_json(asdict(result))
        return
    for game, milliseconds in result.open_ms.items():
        print(f"opening a table of {game} after 100 moves: {milliseconds:.1f} ms (median of {repeats})")
    for number, share, size in ((0, result.empty_share, result.empty_mb), (tables, result.idle_share, result.idle_mb)):
        print(f"idle with {number:,} stored tables: {share:.2%} of a core, {size:.0f} MiB")
