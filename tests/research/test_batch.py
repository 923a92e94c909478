"""Thousands of games at once: the same games as the object plays, on any number of cores, and on a GPU."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sixfold import GAMES, Seeded, SetupError, start
from sixfold.research.batch import Batch
from sixfold.research.observations import mask, observation
from tests.referee.common import places

KINDS = [(name, players) for name, rules in GAMES.items() for players in rules.PLAYERS]
at_every_kind = pytest.mark.parametrize(("name", "players"), KINDS)


@at_every_kind
def test_a_batch_plays_the_games_of_the_object(name: str, players: int) -> None:
    batch = Batch(name, players, 5, cores=1)
    rows, outcome = batch.begin(seed=4)
    games = [start(name, players, chance=Seeded(4, number)) for number in range(5)]
    running = set(range(5))
    while running:
        legal, actions = batch.masks(), batch.sample()
        for number in running:
            game = games[number]
            assert game.turn == outcome.turns[number]
            assert np.array_equal(rows[number], observation(game.view(game.turn)))
            assert np.array_equal(legal[number], mask(game))
            game.play_number(int(actions[number]))
        rows, outcome = batch.step(actions)
        assert not outcome.illegal.any()
        last = batch.last_rows(outcome)
        for number in [number for number in running if games[number].over]:
            game = games[number]
            assert outcome.ended[number]
            assert outcome.values[number].tolist() == game.values
            assert np.array_equal(last[number], observation(game.view(int(game.last[0]))))
            running.remove(number)
        assert all(games[number].over == outcome.ended[number] for number in running)


@at_every_kind
def test_rewards_follow_the_places_and_sum_to_nothing(name: str, players: int) -> None:
    batch = Batch(name, players, 64, cores=1)
    batch.begin(seed=5)
    ended = 0
    for _ in range(320):
        _, outcome = batch.step(batch.sample())
        over = np.flatnonzero(outcome.ended)
        assert not outcome.rewards[outcome.ended == 0].any()
        for game in over:
            order = places(outcome.values[game].tolist())
            better = np.sign(np.subtract.outer(order, order))
            assert outcome.rewards[game] == pytest.approx(-better.sum(axis=1) / (players - 1))
            assert outcome.rewards[game].sum() == pytest.approx(0, abs=1e-6)
        ended += len(over)
    assert ended


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_decides_and_the_others_play_by_themselves(name: str) -> None:
    seats = np.arange(32) % 2
    batch = Batch(name, 2, 32, seats=seats, cores=1)
    _, outcome = batch.begin(seed=6)
    for _ in range(40):
        assert np.array_equal(outcome.turns, seats)
        _, outcome = batch.step(batch.sample())


def test_the_cores_do_not_matter() -> None:
    def played(cores: int) -> list[bytes]:
        batch = Batch("dice", 3, 10, cores=cores)
        batch.begin(seed=7)
        steps = [batch.step(batch.sample()) for _ in range(30)]
        return [array.tobytes() for rows, outcome in steps for array in (rows, outcome.turns, outcome.rewards)]

    assert played(1) == played(2)


@pytest.mark.parametrize("wrong", [-1, 10**6])
def test_an_action_that_is_no_move_is_the_first_legal_one(wrong: int) -> None:
    one, other = (Batch("cards", 2, 3, cores=1) for _ in range(2))
    for batch in (one, other):
        batch.begin(seed=8)
    first = np.array([start("cards", 2, chance=Seeded(8, number)).legal().numbers[0] for number in range(3)])
    rows, outcome = one.step(np.full(3, wrong))
    expected, _ = other.step(first.astype(np.int64))
    assert outcome.illegal.all()
    assert np.array_equal(rows, expected)


def test_wrong_batches_are_refused() -> None:
    with pytest.raises(SetupError, match="at least one game"):
        Batch("dice", games=0)
    with pytest.raises(SetupError, match="needs a seat from 0 to 1"):
        Batch("dice", games=3, seats=[0, 1, 2])
    with pytest.raises(SetupError, match="has no option"):
        Batch("dice", games=3, open_racks=True)


CUDA_SCRIPT = """
import gc
import numpy as np
from sixfold import GAMES
from sixfold.research import cuda_batch, dlpack
from sixfold.research.batch import Batch

cuda_batch.THREADS, cuda_batch.TEAM = 4, 2
ended = 0
for name, seats in [*((name, None) for name in GAMES), ("dice", [1, 0, 1])]:
    one, other = cuda_batch.CudaBatch(name, 2, 3, seats=seats), Batch(name, 2, 3, seats=seats, cores=1)
    (rows, outcome), (same_rows, same_outcome) = one.begin(5), other.begin(5)
    if seats:
        # One box is left, so that games end and begin anew.
        other.states["marks"] = 7
        other.states["marks"][:, :, 0] = 6
        kind = cuda_batch.gpu_dtype(one.rules)
        one._states.copy_to_device(other.states.astype(kind).view(np.uint32))
    for step in range(15 if seats else 6):
        assert np.array_equal(np.from_dlpack(rows), same_rows)
        for found, same in zip(outcome, same_outcome):
            assert found is outcome.values or np.array_equal(np.from_dlpack(found), same)
        actions = one.sample()
        assert np.array_equal(np.from_dlpack(actions), other.sample())
        chosen = np.from_dlpack(actions).copy()
        if step == 3:
            assert np.array_equal(one.masks().copy_to_host(), other.masks())
            actions = chosen = np.array([-1, 10**6, 0])
        (rows, outcome), (same_rows, same_outcome) = one.step(actions), other.step(chosen)
        ended += same_outcome.ended.sum()
        over = same_outcome.ended.astype(bool)
        assert np.array_equal(outcome.values.copy_to_host()[over], same_outcome.values[over])
assert ended > 1
taken, left = np.from_dlpack(rows), rows.__dlpack__()
assert len(dlpack._lent) == 2
del taken, left
gc.collect()
assert not dlpack._lent
print("the same games")
"""


def test_a_gpu_plays_the_same_games_and_lends_its_arrays() -> None:
    """In Numba's simulator, which must be chosen before Numba is loaded and runs plain Python."""
    simulator = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", CUDA_SCRIPT], env=simulator, capture_output=True, text=True)
    assert done.stdout.strip() == "the same games", done.stderr
