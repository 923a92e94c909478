"""The nets that ship, and the bots that play by them."""

from pathlib import Path

import numpy as np
import pytest

from sixfold import Game, Seeded, SetupError, start
from sixfold.bots import Budget, make
from sixfold.bots.greedy import state_array
from sixfold.bots.net import NET_CANDIDATES, NetPolicy, features_of, load, net_module
from sixfold.bots.netsearch import NetSearch
from sixfold.games import packages
from tests.nets import net_outputs, reference_outputs

TABLES = [("travel", 2), ("cards", 2), ("cards", 3), ("cards", 4), ("dice", 3), ("dice", 4)]
MOST_BYTES = 1_000_000


def shipped(game: str, players: int) -> Path:
    return packages()[game].net(players)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_shipped_net_is_small_and_says_what_its_arrays_say(game: str, players: int) -> None:
    path = shipped(game, players)
    assert path.stat().st_size <= MOST_BYTES
    _, sizes = load(path, game, players)
    scales = features_of(game, players).scales(players)
    told = np.random.default_rng(1).integers(0, np.minimum(scales, 8) + 1, (10, int(sizes[0]))).astype(np.int8)
    outputs = (1 if players == 2 else players) + 1
    assert int(sizes[-1]) == outputs
    for row in told:
        wanted = reference_outputs(path, game, players, row)
        assert np.allclose(net_outputs(path, game, players, row), wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_what_a_net_says_hangs_on_nothing_that_it_was_told_besides(game: str, players: int) -> None:
    weights, sizes = load(shipped(game, players), game, players)
    features = features_of(game, players)
    kind, scales = net_module(features), features.scales(players)
    told = np.random.default_rng(2).integers(0, scales + 1, (20, len(scales))).astype(np.int8)
    room, fresh = kind.make_workspace(int(sizes.max())), kind.make_workspace(int(sizes.max()))
    for one, other in zip(told, told[::-1], strict=True):
        kind.feed(weights, sizes, one, room, 0)
        kind.feed(weights, sizes, other, room, 1)
        beside = kind.output_pair(weights, sizes, room, 0)
        for row, answer in zip((one, other), beside, strict=True):
            kind.reset(fresh)
            kind.feed(weights, sizes, row, fresh, 0)
            assert kind.output_single(weights, sizes, fresh, 0) == answer


def test_where_there_is_no_net_the_bot_says_so(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="there is no net for dice with 2 players"):
        make("net", "dice", 2)
    with pytest.raises(SetupError, match=r"^\S+ is a net for cards with 3 players, inputs of version \d$"):
        load(shipped("cards", 3), "cards", 2)
    broken = tmp_path / "net.npz"
    broken.write_bytes(b"nothing")
    with pytest.raises(SetupError, match="is no net"):
        load(broken, "cards", 2)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_more_looks_see_the_same_and_more(game: str, players: int) -> None:
    position = start(game, players, chance=Seeded(4))
    states = state_array(position.view(position.turn))
    few, many = NetPolicy(game, players, 3), NetPolicy(game, players, NET_CANDIDATES)
    moves, values = few.score_candidates(states)
    all_moves, all_values = many.score_candidates(states)
    assert len(moves) == min(3, len(all_moves))
    # At the start of the card game no order of two symbols matters (C8).
    assert len(all_moves) == min(NET_CANDIDATES, position.choices() // (2 if game == "cards" else 1))
    if game != "dice":
        assert moves.tolist() == all_moves[:3].tolist()
        assert np.array_equal(values, all_values[:3])


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("dice", 3)])
def test_who_overlooks_moves_sees_fewer_and_always_one(game: str, players: int) -> None:
    position = start(game, players, chance=Seeded(4))
    states = state_array(position.view(position.turn))
    mind = NetPolicy(game, players, NET_CANDIDATES)
    whole = set(mind.score_candidates(states)[0].tolist())
    for seed in range(20):
        for blind in (50, 100):
            moves = mind.score_candidates(states, blind, seed)[0].tolist()
            assert moves
            assert set(moves) <= whole or game == "travel"
    assert len(mind.score_candidates(states, 100, 1)[0]) == 1
    if game == "travel":
        seen = [len(mind.score_candidates(states, 90, seed)[0]) for seed in range(5)]
        assert max(seen) < len(whole)


def test_the_search_goes_on_only_with_moves_that_are_not_behind() -> None:
    position = start("cards", 2, chance=Seeded(8))
    bot = NetSearch("cards", 2)
    moves, chances = bot.think(position.view(position.turn), Budget(iterations=400), Seeded(1))
    assert len(moves) <= bot.plan.width
    assert (chances >= 0).all()
    assert (chances <= 1).all()
    assert chances.max() > 0
    again = NetSearch("cards", 2).think(position.view(position.turn), Budget(iterations=400), Seeded(1))
    assert np.array_equal(again[0], moves)
    assert np.array_equal(again[1], chances)


def last_decisions(seed: int) -> tuple[Game, list[str]]:
    """A game before its last move, and the moves that end it with a win."""
    position, player = start("travel", 2, chance=Seeded(seed)), make("greedy", "travel", 2)
    before = position
    while position.turn is not None:
        before = position.copy()
        position.play(player.choose(position.view(position.turn), Budget(), Seeded(2)))
    winning = []
    for move in before.legal():
        after = before.copy()
        after.play(move)
        if after.result is not None and after.result.places[before.turn or 0] == 1:
            winning.append(move)
    return before, winning


def test_the_search_takes_a_win_that_is_there() -> None:
    ends = (last_decisions(seed) for seed in range(30))
    before, winning = next(end for end in ends if 0 < len(end[1]) < end[0].choices())
    bot = make("netsearch", "travel", 2)
    assert bot.choose(before.view(before.turn), Budget(iterations=60), Seeded(1)) in winning


def test_every_features_part_is_found_by_the_registry() -> None:
    for game in packages():
        found = packages()[game].features
        assert found is None or features_of(game, packages()[game].facts.PLAYERS[0]) is found
