"""``python -m lab bench research``: how fast the environments for research step."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from lab.commands.bench import RATE, gpu_name, object_game
from lab.commands.reporting import GAME_COLUMNS, Json, Repeats, Row, measure_games, median_rate, print_json, print_rows
from sixfold.commands.cli_support import progress_bar, require_positive
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.system import machine

SECONDS = 0.5
# How many games and steps are compared between GPU and CPU.
COMPARED = 1024, 250
# Games of pgx, as a reference.
PGX_GAMES = ("backgammon", "go_9x9", "hex")


def research(
    device: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    games: Annotated[int | None, typer.Option(help="games side by side; by default 4096, on a GPU 1048576")] = None,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """Steps a second with random legal actions, observations included; on a GPU beside pgx, where it is installed."""
    if device not in ("cpu", "cuda"):
        raise SetupError(f"--device is cpu or cuda, not {device!r}")
    if games is not None:
        require_positive(games, "--games")
    if device == "cpu" and not (find_spec("pettingzoo") and find_spec("gymnasium")):
        raise SetupError("this needs PettingZoo and Gymnasium: pip install 'sixfold[research]'")
    rows = _measure(device, games or (4096 if device == "cpu" else 1 << 20), repeats)
    if as_json:
        print_json({"device": gpu_name() if device == "cuda" else "cpu", "repeats": repeats, "games": rows})
    else:
        where = gpu_name() if device == "cuda" else machine()["processor"]
        print_rows(f"steps on {where}; median of {repeats} runs", rows, COLUMNS)
    if not all(row.get("identical", True) for row in rows):
        raise typer.Exit(1)


def _measure(device: str, games: int, repeats: int) -> list[Row]:
    measure = _on_cpu if device == "cpu" else _on_gpu
    rows = measure_games(lambda rules, players: measure(rules, players, games, repeats))
    if device == "cuda" and find_spec("pgx") is not None:
        with progress_bar() as bar:
            for name in bar.track(PGX_GAMES, description="measuring pgx"):
                rows.append({"game": f"pgx {name}", "players": 2, "steps": _pgx(name, games, repeats)})
    return rows


def _on_cpu(rules: Rules, players: int, games: int, repeats: int) -> Row:
    from sixfold.research.gymnasium import GamesEnv

    object_game(rules.NAME, players)
    object_moves = median_rate(lambda: object_game(rules.NAME, players), SECONDS, repeats)
    turns = median_rate(_turns(rules.NAME, players), SECONDS, repeats)
    env = GamesEnv(rules.NAME, players, num_envs=games, opponents="self")
    env.reset(seed=1)
    many = _rates(games, lambda: env.step(env.sample()), env.action_masks, repeats)
    return {"object_moves": object_moves, "pettingzoo": turns, "pettingzoo_costs": object_moves / turns, **many}


def _turns(game: str, players: int) -> Callable[[], int]:
    """One random game in PettingZoo, including all observations."""
    import numpy as np

    from sixfold.engine.chance import Seeded
    from sixfold.research.pettingzoo import env

    chance, environment = Seeded(1), env(game, players)

    def play() -> int:
        steps = 0
        environment.reset(seed=1)
        while not environment.game.over:
            observation, *_ = environment.last()
            legal = np.flatnonzero(observation["action_mask"].view(bool))
            environment.step(legal[chance.below(len(legal))])
            steps += 1
        return steps

    return play


def _rates(
    games: int,
    step: Callable[[], object],
    mask: Callable[[], object],
    repeats: int,
    synchronize: Callable[[], None] = lambda: None,
) -> Row:
    """Steps per second over all games: with observations, and also with legal masks."""

    def steps(masked: bool) -> Callable[[], int]:
        def run() -> int:
            for _ in range(8):
                step()
                if masked:
                    mask()
            synchronize()
            return 8 * games

        run()
        return run

    return {
        "steps": median_rate(steps(False), SECONDS, repeats),
        "steps_with_masks": median_rate(steps(True), SECONDS, repeats),
    }


def _on_gpu(rules: Rules, players: int, games: int, repeats: int) -> Row:
    from sixfold.research.cuda_batch import CudaBatch, cuda

    batch = CudaBatch(rules.NAME, players, games)
    batch.begin(1)
    rates = _rates(games, lambda: batch.step(batch.sample()), batch.masks, repeats, cuda.synchronize)
    return rates | {"identical": _same_games(rules, players)}


def _same_games(rules: Rules, players: int) -> bool:
    """Whether GPU and CPU play the same games with the same observations and rewards."""
    import numpy as np

    from sixfold.research.batch import Batch
    from sixfold.research.cuda_batch import CudaBatch

    games, steps = COMPARED
    gpu, cpu = CudaBatch(rules.NAME, players, games), Batch(rules.NAME, players, games)
    gpu.begin(2)
    cpu.begin(2)
    for _ in range(steps):
        rows, outcome = gpu.step(gpu.sample())
        same_rows, same = cpu.step(cpu.sample())
        pairs = [(rows, same_rows), (outcome.rewards, same.rewards), (outcome.ended, same.ended)]
        if not all(np.array_equal(actual.copy_to_host(), expected) for actual, expected in pairs):
            return False
    return np.array_equal(gpu.masks().copy_to_host(), cpu.masks())


def _pgx(name: str, games: int, repeats: int) -> float:
    """The same for a game of pgx: random legal actions, including observations and automatic resets."""
    jax: Any = __import__("jax")
    pgx: Any = __import__("pgx.experimental")
    env = pgx.make(name)
    reset, step = jax.jit(jax.vmap(env.init)), jax.vmap(pgx.experimental.auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, choosing, chance = jax.random.split(key, 3)
        odds = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(choosing, odds, axis=1)
        return step(state, action, jax.random.split(chance, games)), key

    play_all = jax.jit(play)
    state, key = reset(jax.random.split(jax.random.key(1), games)), jax.random.key(2)

    def run() -> int:
        nonlocal state, key
        for _ in range(8):
            state, key = play_all(state, key)
        jax.block_until_ready(state.observation)
        return 8 * games

    run()
    return median_rate(run, SECONDS, repeats)


COLUMNS = {
    **GAME_COLUMNS,
    "object_moves": ("object/s", RATE),
    "pettingzoo": ("PettingZoo/s", RATE),
    "pettingzoo_costs": ("costs", "{:.1f} ×"),
    "steps": ("batch/s", RATE),
    "steps_with_masks": ("with masks/s", RATE),
    "identical": ("as on the CPU", ""),
}
