"""``sixfold bench research``: how fast the environments for research step."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.bench import Json, Repeats, median_rate, object_game
from sixfold.commands.common import at_least_one, progress_bar
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.system import machine

SECONDS = 0.5
# Not ours, but what others measure themselves by.
PGX_GAMES = ("backgammon", "go_9x9", "hex")


def research(
    device: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    games: Annotated[int | None, typer.Option(help="games side by side; by default 4096, on a card 1048576")] = None,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """Steps a second with random legal actions, observations included; on a card beside pgx, where it is installed."""
    if device not in ("cpu", "cuda"):
        raise SetupError(f"--device is cpu or cuda, not {device!r}")
    at_least_one(repeats, "--repeats")
    if games is not None:
        at_least_one(games, "--games")
    rows = _measure(device, games or (4096 if device == "cpu" else 1 << 20), repeats)
    report = {**machine(), "device": _device_name() if device == "cuda" else "cpu", "repeats": repeats, "games": rows}
    print(json.dumps(report, indent=2)) if as_json else _print(report)


def _measure(device: str, games: int, repeats: int) -> list[dict[str, Any]]:
    from sixfold.games import GAMES

    kinds = [(rules, players) for rules in GAMES.values() for players in rules.PLAYERS]
    measure = _on_cpu if device == "cpu" else _on_card
    rows = []
    with progress_bar() as bar:
        for rules, players in bar.track(kinds, description="measuring"):
            rows.append({"game": rules.NAME, "players": players} | measure(rules, players, games, repeats))
        if device == "cuda" and find_spec("pgx") is not None:
            for name in bar.track(PGX_GAMES, description="measuring pgx"):
                rows.append({"game": f"pgx {name}", "players": 2, "steps": _pgx(name, games, repeats)})
    return rows


def _on_cpu(rules: Rules, players: int, games: int, repeats: int) -> dict[str, Any]:
    from sixfold.research.batch import Batch

    object_game(rules.NAME, players)
    object_moves = median_rate(lambda: object_game(rules.NAME, players), SECONDS, repeats)
    found = {"object_moves": object_moves}
    if find_spec("pettingzoo") is not None:
        steps = median_rate(_turns(rules.NAME, players), SECONDS, repeats)
        found |= {"pettingzoo": steps, "pettingzoo_costs": object_moves / steps}
    return found | _rates(Batch(rules.NAME, players, games), repeats)


def _turns(game: str, players: int) -> Callable[[], int]:
    """One random game in PettingZoo, with all that an agent looks at."""
    import numpy as np

    from sixfold.engine.chance import Seeded
    from sixfold.research.pettingzoo import env

    chance, made = Seeded(1), env(game, players)

    def play() -> int:
        steps = 0
        made.reset(seed=1)
        while not made.game.over:
            seen, *_ = made.last()
            legal = np.flatnonzero(seen["action_mask"].view(bool))
            made.step(legal[chance.below(len(legal))])
            steps += 1
        return steps

    return play


def _rates(batch: Any, repeats: int, done: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Steps of all games a second: with observations, and with legal masks too."""

    def steps(work: Callable[[], object], number: int) -> Callable[[], int]:
        def run() -> int:
            for _ in range(number):
                batch.step(batch.sample())
                work()
            done()
            return number * int(batch.games)

        return run

    batch.begin(1)
    found = {}
    for name, work in (("steps", lambda: None), ("steps_with_masks", batch.masks)):
        run = steps(work, 8)
        run()
        found[name] = median_rate(run, SECONDS, repeats)
    return found


def _on_card(rules: Rules, players: int, games: int, repeats: int) -> dict[str, Any]:
    from sixfold.research.card import CardBatch, cuda

    return _rates(CardBatch(rules.NAME, players, games), repeats, cuda.synchronize)


def _device_name() -> str:
    from sixfold.research.card import cuda

    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def _pgx(name: str, games: int, repeats: int) -> float:
    """The same for a game of pgx: random legal actions, observations included, ended games starting anew."""
    jax: Any = __import__("jax")
    pgx: Any = __import__("pgx.experimental")
    env = pgx.make(name)
    begin, step = jax.jit(jax.vmap(env.init)), jax.vmap(pgx.experimental.auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, choosing, chance = jax.random.split(key, 3)
        odds = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(choosing, odds, axis=1)
        return step(state, action, jax.random.split(chance, games)), key

    play_all = jax.jit(play)
    state, key = begin(jax.random.split(jax.random.key(1), games)), jax.random.key(2)

    def run() -> int:
        nonlocal state, key
        for _ in range(8):
            state, key = play_all(state, key)
        jax.block_until_ready(state.observation)
        return 8 * games

    run()
    return median_rate(run, SECONDS, repeats)


COLUMNS = {
    "object_moves": "object/s",
    "pettingzoo": "PettingZoo/s",
    "pettingzoo_costs": "costs",
    "steps": "batch/s",
    "steps_with_masks": "with masks/s",
}


def _print(report: dict[str, Any]) -> None:
    rows = report["games"]
    shown = [name for name in COLUMNS if any(name in row for row in rows)]
    where = report["processor"] if report["device"] == "cpu" else report["device"]
    table = Table(title=f"steps on {where}; median of {report['repeats']} runs")
    for heading in ("game", "players", *(COLUMNS[name] for name in shown)):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        cells = [
            f"{row[name]:.1f} ×" if name == "pettingzoo_costs" else f"{row[name]:,.0f}" if name in row else ""
            for name in shown
        ]
        table.add_row(row["game"], str(row["players"]), *cells)
    Console().print(table)
