"""``sixfold simulate``: random games, a summary, and optionally records."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.cli_support import GameName, Options, Players, progress_bar, read_options, require_positive
from sixfold.games.contract import Rules

if TYPE_CHECKING:
    from sixfold.engine.playouts import Games

CHUNK = 2000


def simulate(
    game: GameName,
    players: Players = 2,
    games: Annotated[int, typer.Option(help="how many games")] = 1000,
    seed: Annotated[int, typer.Option(help="the same seed plays the same games")] = 1,
    option: Options = None,
    out: Annotated[Path | None, typer.Option(help="write one record a line into this .sixfold.jsonl file")] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="with --out: also how many moves there were each time")
    ] = False,
) -> None:
    """Play random games: uniformly random among the legal moves."""
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError
    from sixfold.system import available_cores

    require_positive(games, "--games")
    if legal and out is None:
        raise SetupError("--legal goes with --out")
    rules = rules_of(game, players)
    initial = rules.start(players, **full_options(rules, read_options(option)))
    if out is None:
        played = _play(rules, initial, seed, games, available_cores())
    else:
        played = _write(rules, initial, seed, games, out, legal)
    _summary(rules, played, out)


def _play(rules: Rules, initial: np.ndarray, seed: int, games: int, cores: int) -> "Games":
    from sixfold.engine.playouts import Games, play_games

    batches = []
    with progress_bar() as bar:
        task = bar.add_task("playing", total=games)
        for first in range(0, games, CHUNK * 10):
            number = min(CHUNK * 10, games - first)
            batches.append(play_games(rules, initial, seed, first, number, cores))
            bar.advance(task, number)
    return Games(*(np.concatenate([getattr(batch, name) for batch in batches]) for name in Games.__annotations__))


def _write(rules: Rules, initial: np.ndarray, seed: int, games: int, out: Path, legal: bool) -> "Games":
    from sixfold.engine.playouts import Games
    from sixfold.engine.random_records import random_records
    from sixfold.engine.record import write_lines

    lengths = np.zeros(games, dtype=np.int32)
    players = int(initial[0].players)
    values = np.zeros((games, players, len(rules.VALUES)), dtype=np.int8)
    places = np.zeros((games, players), dtype=np.int8)
    with progress_bar() as bar:
        task = bar.add_task("playing", total=games)

        def recorded() -> Iterator[dict[str, Any]]:
            for number, record in enumerate(random_records(rules, initial, seed, games)):
                lengths[number] = len(record["legal"])
                values[number] = record["result"]["values"]
                places[number] = record["result"]["places"]
                if not legal:
                    del record["legal"]
                yield record
                bar.advance(task)

        write_lines(out, recorded())
    return Games(lengths, values, places)


def _summary(rules: Rules, played: "Games", out: Path | None) -> None:
    lengths, (games, players) = played.lengths, played.places.shape
    console = Console()
    table = Table(title=f"{rules.NAME}, {players} players, random play", show_header=False)
    table.add_row("games", f"{games:,}")
    table.add_row("decisions", f"{int(lengths.sum()):,}")
    table.add_row(
        "decisions in a game", f"mean {lengths.mean():.1f}, shortest {lengths.min()}, longest {lengths.max()}"
    )
    best = played.places == 1
    shared = best.sum(axis=1) > 1
    for seat in range(players):
        wins = int((best[:, seat] & ~shared).sum())
        table.add_row(f"player {seat} wins", f"{wins:,} ({wins / games:.1%})")
    if shared.any():
        table.add_row("shared victories", f"{int(shared.sum()):,} ({shared.mean():.1%})")
    lowest, counts = np.unique(played.values.min(axis=2), return_counts=True)
    shares = "  ".join(f"{value}: {count / counts.sum():.1%}" for value, count in zip(lowest, counts, strict=True))
    table.add_row("a player's lowest value", shares)
    if out is not None:
        table.add_row("records", str(out))
    console.print(table)
