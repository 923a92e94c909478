"""Whole games in readable text, as `sixfold show` prints them; `pytest --golden` writes them anew."""

import re
from pathlib import Path

import pytest

from sixfold import GAMES, Game, Seeded, start
from sixfold.engine import record
from tests.referee import check_record

GOLDEN = Path(__file__).parent / "golden"
# A game, its players and a seed for which the rare clauses turn up.
SEEDS = {"travel": (2, 44), "cards": (3, 0), "dice": (2, 35)}
RARE = {
    "travel": (r"swap", r"keep", r"(\d) place .*\n\1 place"),
    "cards": (r"renew", r"keep", r"(\d) play .*\n\1 play"),
    "dice": (r"reroll", r"score \S+>\S", r"score \S+ \S+>\S"),
}


def eager_game(name: str) -> Game:
    """A game in which the best of a few random moves is played, so that bonus turns and new racks come up."""
    players, seed = SEEDS[name]
    chance = Seeded(seed)
    game = start(name, players, chance=chance)
    while not game.over:
        moves = game.legal()
        few = [moves[chance.below(len(moves))] for _ in range(24)]
        game.play(max(few, key=lambda move: gain(game, move)))
    return game


def gain(game: Game, move: str) -> tuple[bool, int]:
    """Whether the player goes on to choose or has a bonus turn, and the player's values after a move."""
    trial = game.copy()
    trial.chance = None
    player = trial.turn
    assert player is not None
    trial.play(move)
    return trial.turn == player, sum(trial.values[player])


def playthrough(name: str) -> str:
    return "\n".join(record.playthrough(record.of(eager_game(name)))) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_reads_as_before(name: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.txt"
    text = playthrough(name)
    if request.config.getoption("--golden"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
    for pattern in RARE.get(name, ()):
        assert re.search(pattern, "\n".join(eager_game(name).events)), f"the game of {name} shows no {pattern}"


@pytest.mark.parametrize("name", GAMES)
def test_the_events_in_the_text_are_a_game_that_the_referee_accepts(name: str) -> None:
    game = eager_game(name)
    lines = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line in set(game.events)] == game.events
    assert check_record(record.of(game)).result == record.of(game)["result"]
