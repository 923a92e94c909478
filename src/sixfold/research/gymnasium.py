"""The games as Gymnasium environments: one seat against bots, and thousands of games in one compiled call.

Importing this module registers ``sixfold/<game>-v<version>`` for every game, for ``make`` and ``make_vec``.
An action is a move's number. An illegal action is replaced by the first legal move, and the info says so.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sixfold.bots import Bot, Budget, make
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, rules_of, start
from sixfold.errors import SetupError
from sixfold.games import GAMES
from sixfold.research.batch import Batch
from sixfold.research.observations import HIGHEST, LOWEST, mask, observation, observation_layout
from sixfold.research.render_modes import MODES, render
from sixfold.research.rewards import by_place

# Opponents with a time limit would slow down training: a search gets a fixed number of iterations.
OPPONENT_BUDGET = Budget(iterations=100)
ONE_GAME = {"render_modes": list(MODES), "render_fps": 1}
MANY_GAMES = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
_SEEDS = 2**63


def spaces(game: str, players: int) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Discrete]:
    """The observation space and the action space of a game."""
    rules = rules_of(game, players)
    row = gymnasium.spaces.Box(LOWEST, HIGHEST, (observation_layout(rules, players).size,), np.int8)
    return row, gymnasium.spaces.Discrete(rules.ACTIONS)


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of a game against bots. The reward comes at the end, by place: from 1 for the first to -1 for the
    last."""

    metadata = ONE_GAME

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        seat: int = 0,
        opponents: str | Bot | Sequence[str | Bot] = "greedy",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.observation_space, self.action_space = spaces(game, players)
        if not 0 <= seat < players:
            raise SetupError(f"there is no seat {seat}; seats are 0 to {players - 1}")
        if render_mode is not None and render_mode not in MODES:
            raise SetupError(f"a game is rendered as {', '.join(MODES)}, not {render_mode!r}")
        chosen = (
            [opponents] * (players - 1) if isinstance(opponents, str) or hasattr(opponents, "choose") else opponents
        )
        if not isinstance(chosen, Sequence) or len(chosen) != players - 1:
            raise SetupError(f"{players} players are one seat and {players - 1} opponents")
        bots = iter([make(bot, game, players) if isinstance(bot, str) else bot for bot in chosen])
        self._bots: list[Bot | None] = [None if number == seat else next(bots) for number in range(players)]
        self._setup = (game, players, options)
        self.seat, self.render_mode = seat, render_mode
        self.game: Game | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        name, players, chosen = self._setup
        deal_seed, bot_seed = (int(number) for number in self.np_random.integers(_SEEDS, size=2))
        self._bot_chance = Seeded(bot_seed)
        self.game = start(name, players, chance=Seeded(deal_seed), **chosen)
        self._play_opponents(self.game)
        return self._observe(self.game), self._info(self.game)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        game = self.game
        if game is None or game.over:
            raise gymnasium.error.ResetNeeded("a game begins with reset()")
        legal = game.legal().numbers
        illegal = int(action) not in legal
        game.play_number(int(legal[0] if illegal else action))
        self._play_opponents(game)
        reward = by_place(game)[self.seat] if game.over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe(game), reward, game.over, False, self._info(game) | {"illegal": illegal}

    def render(self) -> Any:
        assert self.game is not None, "a game begins with reset()"
        return render(self.game, self.render_mode)

    def action_masks(self) -> np.ndarray:
        """The mask of legal moves: 1 for every legal move."""
        assert self.game is not None, "a game begins with reset()"
        return mask(self.game)

    def _play_opponents(self, game: Game) -> None:
        while (turn := game.turn) is not None and (bot := self._bots[turn]) is not None:
            game.play(bot.choose(game.view(turn), OPPONENT_BUDGET, self._bot_chance))

    def _observe(self, game: Game) -> np.ndarray:
        return observation(game.view(self.seat))

    def _info(self, game: Game) -> dict[str, Any]:
        return {"action_mask": mask(game), "values": np.array(game.values, dtype=np.int8)}


class GamesEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Thousands of games; a game that ends is reset within the same step.

    Against random opponents, seats alternate: game 0 has seat 0, game 1 seat 1. With ``"self"`` as opponents every
    decision is a step, observed by the player to decide, who is ``turn`` in the info; the reward is that of the player
    who has just moved, and ``rewards`` holds those of all players.
    """

    metadata = MANY_GAMES

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        num_envs: int = 1024,
        opponents: str = "random",
        cores: int | None = None,
        **options: Any,
    ) -> None:
        if opponents not in ("random", "self"):
            raise SetupError(f"opponents in many games are random or self, not {opponents!r}")
        seats = np.arange(num_envs) % players if opponents == "random" else None
        self.batch = Batch(game, players, num_envs, seats=seats, cores=cores, **options)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces(game, players)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = np.arange(num_envs)
        self._turns = np.zeros(num_envs, dtype=np.int8)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        if isinstance(seed, list):
            raise SetupError("one seed serves all games")
        super().reset(seed=seed)
        rows, outcome = self.batch.begin(int(self.np_random.integers(_SEEDS)))
        self._turns = outcome.turns
        return rows, {"turn": outcome.turns}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        rows, outcome = self.batch.step(np.asarray(actions))
        ended = outcome.ended.astype(bool)
        info: dict[str, Any] = {"turn": outcome.turns, "rewards": outcome.rewards, "illegal": outcome.illegal}
        if ended.any():
            info |= {"final_obs": self.batch.last_rows(outcome), "_final_obs": ended, "final_values": outcome.values}
        reward = outcome.rewards[self._games, self._turns]
        self._turns = outcome.turns
        return rows, reward, ended, np.zeros(self.num_envs, dtype=bool), info

    def action_masks(self) -> np.ndarray:
        """The mask of legal moves of each game; the next call writes into the same array."""
        return self.batch.masks()

    def sample(self) -> np.ndarray:
        """A random legal action for each game."""
        return self.batch.sample()


def environment(game: str) -> str:
    """The id under which a game is registered with Gymnasium."""
    return f"sixfold/{game}-v{GAMES[game].VERSION}"


def _register() -> None:
    for game in GAMES:
        gymnasium.register(
            environment(game),
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:GamesEnv",
            kwargs={"game": game},
        )


_register()
