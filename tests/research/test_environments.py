"""PettingZoo's and Gymnasium's own tests, unchanged, and what they do not ask."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test

from sixfold import GAMES, Seeded, SetupError, start
from sixfold.research import pettingzoo as zoo
from sixfold.research.gymnasium import GamesEnv, SeatEnv, environment
from sixfold.research.observations import observation
from sixfold.research.rewards import by_place

KINDS = [(name, players) for name, rules in GAMES.items() for players in rules.PLAYERS]
at_every_kind = pytest.mark.parametrize(("name", "players"), KINDS)
# PettingZoo says so of every observation with a mask in it, but of its own games.
masked = pytest.mark.filterwarnings("ignore:Observation")


@masked
@at_every_kind
def test_pettingzoo_finds_nothing_wrong(name: str, players: int) -> None:
    api_test(zoo.env(name, players), num_cycles=60)
    seed_test(partial(zoo.env, name, players), num_cycles=30)
    parallel_api_test(zoo.parallel_env(name, players), num_cycles=30)
    with redirect_stdout(io.StringIO()):
        render_test(partial(zoo.env, name, players), {"svg": lambda drawn: drawn.startswith("<svg")})


def _seeded(make: Callable[..., Any]) -> Callable[[int], Any]:
    """The test gives no seeds; without, once in a hundred runs a player has two decisions in a row."""

    def seeded(max_cycles: int) -> Any:
        made = make(max_cycles=max_cycles)
        made.reset(seed=4)
        for seat, agent in enumerate(made.possible_agents):
            made.action_space(agent).seed(seat)
        return made

    return seeded


@at_every_kind
def test_max_cycles_cut_a_game_short(name: str, players: int) -> None:
    makers = (partial(make, name, players) for make in (zoo.env, zoo.parallel_env))
    env, parallel_env = (_seeded(make) for make in makers)
    max_cycles_test(SimpleNamespace(env=env, parallel_env=parallel_env))


def test_agents_see_their_own_view_and_are_paid_by_place() -> None:
    env = zoo.env("cards", 3)
    env.reset(seed=2)
    chance = Seeded(2)
    while not env.game.over:
        turn = env.game.turn
        assert env.agent_selection == f"player_{turn}"
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert np.array_equal(seen["observation"], observation(env.game.view(seat)))
            assert np.array_equal(seen["action_mask"], env.infos[agent]["action_mask"])
            assert seen["action_mask"].any() == (seat == turn)
        legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        env.step(legal[chance.below(len(legal))])
    assert list(env.rewards.values()) == by_place(env.game)
    assert all(env.terminations.values())
    for agent in env.agent_iter():
        assert env.last()[1] == by_place(env.game)[int(agent[-1])]
        env.step(None)


def test_an_illegal_action_is_the_first_legal_move() -> None:
    env, seat = zoo.env("dice"), SeatEnv("dice", opponents="random")
    env.reset(seed=1)
    first, agent = env.game.legal()[0], env.agent_selection
    env.step(env.game.rules.ACTIONS - 1)
    assert env.game.last == ["0", *first.split()]
    assert env.infos[agent]["illegal"]
    seat.reset(seed=1)
    *_, info = seat.step(env.game.rules.ACTIONS - 1)
    assert info["illegal"]
    *_, info = seat.step(np.flatnonzero(info["action_mask"])[0])
    assert not info["illegal"]


@pytest.mark.filterwarnings("ignore")
@at_every_kind
def test_gymnasium_finds_nothing_wrong(name: str, players: int) -> None:
    check_env(gymnasium.make(environment(name), players=players, opponents="random").unwrapped)


def test_a_seat_plays_against_chosen_bots() -> None:
    class Watcher:
        """Sees a view of its own seat in its own turn only."""

        def __init__(self) -> None:
            self.seats: set[int] = set()

        def choose(self, view: Any, budget: Any, chance: Any) -> str:
            assert view.seat == view.turn
            self.seats.add(view.seat)
            return str(view.legal()[0])

    watcher = Watcher()
    env = SeatEnv("cards", 3, seat=1, opponents=["greedy", watcher])
    chance = Seeded(1)
    _, info = env.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        assert np.array_equal(env.action_masks(), info["action_mask"])
        seen, reward, over, cut, info = env.step(legal[chance.below(len(legal))])
        assert not cut
        assert env.game is not None
        assert np.array_equal(seen, observation(env.game.view(1)))
    assert env.game is not None
    assert watcher.seats == {2}
    assert reward == by_place(env.game)[1]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"seat": 2}, "there is no seat 2"),
        ({"opponents": ["random", "random"]}, "one seat and 1 opponents"),
        ({"opponents": "nobody"}, "there is no bot 'nobody'"),
        ({"render_mode": "film"}, "rendered as human, ansi, svg"),
        ({"players": 9}, "dice is for 2 or 3 or 4 players"),
    ],
)
def test_wrong_seats_are_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(SetupError, match=why):
        SeatEnv("dice", **wrong)


def test_many_games_begin_anew_with_the_step_that_ends_them() -> None:
    env = gymnasium.make_vec(environment("cards"), num_envs=64)
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    many = env.unwrapped
    assert isinstance(many, GamesEnv)
    rows, _ = env.reset(seed=3)
    assert env.observation_space.contains(rows)
    paid = []
    for _ in range(120):
        rows, rewards, over, cut, info = env.step(many.sample())
        assert env.observation_space.contains(rows)
        assert not cut.any()
        assert not rewards[~over].any()
        if over.any():
            assert np.array_equal(info["_final_obs"], over)
            assert info["final_obs"][over].any(axis=1).all()
            paid += rewards[over].tolist()
    assert len(paid) > 32
    assert abs(np.mean(paid)) < 0.5
    again = env.reset(seed=3)[0]
    assert np.array_equal(again, gymnasium.make_vec(environment("cards"), num_envs=64).reset(seed=3)[0])


def test_against_itself_every_decision_is_a_step_and_pays_who_made_it() -> None:
    env = GamesEnv("dice", num_envs=16, opponents="self", cores=1)
    _, info = env.reset(seed=3)
    turns = info["turn"]
    for _ in range(150):
        _, rewards, over, _, info = env.step(env.sample())
        assert np.array_equal(rewards, info["rewards"][np.arange(16), turns])
        # D13: who fills the sheet has won.
        assert (rewards[over] == 1).all()
        turns = info["turn"]
    with pytest.raises(SetupError, match="random or self"):
        GamesEnv("dice", opponents="greedy")


def test_rewards_share_what_is_tied() -> None:
    def ended(*places: int) -> Any:
        return SimpleNamespace(result=SimpleNamespace(places=list(places)))

    assert by_place(ended(2, 1)) == [-1, 1]
    assert by_place(ended(1, 1)) == [0, 0]
    assert by_place(ended(1, 3, 3, 2)) == [1, -2 / 3, -2 / 3, 1 / 3]
    assert start("dice").result is None
