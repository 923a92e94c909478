"""The games as PettingZoo environments: agents take turns, and each observes its seat's view.

An action is a move's number; the mask of legal ones is in the observation and in the info. An illegal action is
replaced by the first legal move, and the info says so.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, full_options, rules_of, start
from sixfold.errors import SetupError
from sixfold.research.observations import HIGHEST, LOWEST, observation, observation_layout
from sixfold.research.render_modes import MODES, render
from sixfold.research.rewards import by_place

METADATA = {"render_modes": list(MODES), "name": "sixfold", "is_parallelizable": False}
_SEEDS = 2**63


class TurnsEnv(AECEnv):
    """A game in which agents ``player_0`` and so on take turns. Rewards come at the end, by place: from 1 for the first
    to -1 for the last. With ``max_cycles`` a game is truncated once every player has made this many decisions."""

    metadata = METADATA

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        rules = rules_of(game, players)
        self._setup = (game, players, full_options(rules, options))
        if render_mode is not None and render_mode not in MODES:
            raise SetupError(f"a game is rendered as {', '.join(MODES)}, not {render_mode!r}")
        self.metadata = {**self.metadata, "name": f"sixfold_{game}_v{rules.VERSION}"}
        self.render_mode, self.max_cycles = render_mode, max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        row = spaces.Box(LOWEST, HIGHEST, (observation_layout(rules, players).size,), np.int8)
        legal = spaces.Box(0, 1, (rules.ACTIONS,), np.int8)
        self._observations = {
            agent: spaces.Dict({"observation": row, "action_mask": legal}) for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(rules.ACTIONS) for agent in self.possible_agents}
        self._empty_mask = np.zeros(rules.ACTIONS, dtype=np.int8)
        self._empty_mask.setflags(write=False)
        self._random, _ = seeding.np_random()
        self.game: Game = start(game, players, **options)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        name, players, chosen = self._setup
        self.game = start(name, players, chance=Seeded(int(self._random.integers(_SEEDS))), **chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._decisions = dict.fromkeys(self.agents, 0)
        info: dict[str, Any] = {"action_mask": self._empty_mask, "illegal": False}
        self.infos = {agent: info.copy() for agent in self.agents}
        self._select()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        legal = self._legal
        illegal = int(action) not in legal
        self.infos[agent] = {"action_mask": self._empty_mask, "illegal": illegal}
        self.game.play_number(int(legal[0] if illegal else action))
        self._decisions[agent] += 1
        if self.game.over:
            self.rewards = dict(zip(self.agents, by_place(self.game), strict=True))
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and min(self._decisions.values()) >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        row = observation(self.game.view(self._seats[agent]))
        return {"observation": row, "action_mask": self.infos[agent]["action_mask"]}

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing stays open."""

    def _select(self) -> None:
        """Select the active agent; when the game is over or truncated, all agents in seat order."""
        turn = self.game.turn
        if turn is None or any(self.truncations.values()):
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self.agents[turn]
        self._legal = self.game.legal().numbers
        legal = self._empty_mask.copy()
        legal[self._legal] = 1
        self.infos[self.agent_selection] = {**self.infos[self.agent_selection], "action_mask": legal}


class RoundsEnv(ParallelEnv):
    """The same game in rounds: all agents submit an action, and those whose turn comes play it, in seat order. If a
    player has two decisions in a row, the round ends after the first."""

    metadata = TurnsEnv.metadata

    def __init__(self, *choice: Any, max_cycles: int | None = None, **options: Any) -> None:
        self.aec_env = TurnsEnv(*choice, **options)
        self.metadata = {**self.aec_env.metadata, "is_parallelizable": True}
        self.max_cycles = max_cycles
        self.possible_agents = self.aec_env.possible_agents
        self.render_mode = self.aec_env.render_mode

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.aec_env.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.aec_env.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.aec_env.reset(seed)
        self.agents = self.possible_agents[:]
        self._rounds = 0
        return {agent: self.aec_env.observe(agent) for agent in self.agents}, dict(self.aec_env.infos)

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        inner, agents = self.aec_env, self.agents
        played: set[str] = set()
        while not inner.game.over and (agent := inner.agent_selection) not in played:
            inner.step(actions[agent])
            played.add(agent)
        self._rounds += 1
        truncated = not inner.game.over and self.max_cycles is not None and self._rounds >= self.max_cycles
        observations = {agent: inner.observe(agent) for agent in agents}
        self.agents = [] if inner.game.over or truncated else agents
        truncations = dict.fromkeys(agents, truncated)
        return observations, dict(inner.rewards), dict(inner.terminations), truncations, dict(inner.infos)

    def render(self) -> Any:
        return self.aec_env.render()


def env(game: str, players: int = 2, **settings: Any) -> TurnsEnv:
    """An environment in which agents take turns."""
    return TurnsEnv(game, players, **settings)


def parallel_env(game: str, players: int = 2, **settings: Any) -> RoundsEnv:
    """An environment in rounds."""
    return RoundsEnv(game, players, **settings)
