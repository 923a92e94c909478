"""Where outcomes come from: unbiased, repeatable, and honest about what is impossible."""

import numpy as np
import pytest

from sixfold import Refused, Scripted, Seeded, start
from sixfold.games.shared.generator import seed_word, stream

# The value that chi-square passes once in ten thousand, by degrees of freedom.
RARE = {1: 15.1, 2: 18.4, 4: 23.5, 5: 25.7, 9: 33.7, 20: 52.4, 35: 73.2, 56: 102.6}


def chi_square(found: np.ndarray, shares: np.ndarray) -> float:
    expected = shares / shares.sum() * found.sum()
    return float(((found - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("limit", [2, 3, 6, 10, 57])
def test_below_is_uniform(limit: int) -> None:
    chance = Seeded(50)
    found = np.bincount([chance.below(limit) for _ in range(20_000)], minlength=limit)
    assert len(found) == limit
    assert chi_square(found, np.ones(limit)) < RARE[limit - 1]


def test_below_is_uniform_for_a_limit_that_divides_no_power_of_two() -> None:
    """Of three billion numbers a plain remainder would give the lower third twice as often as the others."""
    chance = Seeded(51)
    limit = 3 * 2**30
    thirds = np.bincount([chance.below(limit) // 2**30 for _ in range(20_000)], minlength=3)
    assert chi_square(thirds, np.ones(3)) < RARE[2]


def test_neighbouring_draws_are_independent() -> None:
    chance = Seeded(52)
    pairs = np.bincount([chance.below(6) * 6 + chance.below(6) for _ in range(40_000)], minlength=36)
    assert chi_square(pairs, np.ones(36)) < RARE[35]


def test_the_first_draws_of_neighbouring_games_are_independent() -> None:
    firsts = np.bincount([Seeded(53, number).below(6) for number in range(6_000)], minlength=6)
    assert chi_square(firsts, np.ones(6)) < RARE[5]
    seeds = np.bincount([Seeded(seed).below(6) for seed in range(6_000)], minlength=6)
    assert chi_square(seeds, np.ones(6)) < RARE[5]


def test_a_pick_is_as_likely_as_its_share() -> None:
    chance = Seeded(54)
    weights = np.array([2, 0, 3, 1, 4, 1], dtype=np.int8)
    found = np.bincount([chance.pick(weights) for _ in range(20_000)], minlength=6)
    assert found[1] == 0
    assert chi_square(found[weights > 0], weights[weights > 0]) < RARE[4]


def test_the_same_seed_gives_the_same_outcomes_and_another_does_not() -> None:
    def draws(seed: int, number: int = 0) -> list[int]:
        chance = Seeded(seed, number)
        return [chance.below(1000) for _ in range(8)]

    assert draws(1) == draws(1)
    assert len({tuple(draws(seed, number)) for seed in range(20) for number in range(20)}) == 400
    assert draws(-1) == draws(2**64 - 1)


def test_streams_of_one_run_are_apart() -> None:
    assert len({int(stream(seed_word(7), number)) for number in range(10_000)}) == 10_000


def test_a_script_supplies_the_outcomes_in_its_order() -> None:
    game = start("dice", 2, chance=Scripted([0, 1, 2, 3, 5, 4, 4, 5]))
    assert game.events == ["roll 1 R G B O", "roll 0 Y Y P P"]


def test_a_script_refuses_what_is_not_there_and_more_than_it_has() -> None:
    with pytest.raises(ValueError, match=r"none of the script's outcomes is possible here: \[\]"):
        start("dice", 2, chance=Scripted([0, 1, 2]))
    weights = np.array([0, 2], dtype=np.int8)
    with pytest.raises(ValueError, match=r"possible here: \[0\]"):
        Scripted([0]).pick(weights)
    script = Scripted([0, 1])
    assert script.pick(weights) == 1
    assert script.items == [0]


def test_without_chance_a_game_waits_for_its_events() -> None:
    game = start("dice", 2)
    assert (game.turn, game.over, list(game.legal())) == (None, False, [])
    with pytest.raises(Refused):
        game.play("score")
    game.apply("roll 1 R R R R")
    game.apply("roll 0 R R R R")
    assert game.turn == 0
