"""The games in OpenSpiel: importing this module registers ``sixfold_<game>`` for every game.

Chance is explicit, one item per node. ``pyspiel.load_game("sixfold_dice(players=3,split_jokers=True)")`` loads a game
with its players and options.
"""

from typing import Any

import numpy as np
import pyspiel

from sixfold.engine import notation
from sixfold.engine.game import Game, Position, chance_event, full_options, rules_of
from sixfold.errors import SetupError
from sixfold.games import GAMES
from sixfold.games.contract import Rules
from sixfold.research.observations import observation, observation_layout
from sixfold.research.rewards import by_place

PREFIX = "sixfold_"
# OpenSpiel requires a bound. No known game comes near it, but a game can last as long as no player gains anything.
LONGEST = 20_000


class _Table(Game):
    """A game that receives chance item by item; ``items`` are those of an incomplete event."""

    items: tuple[int, ...] = ()

    def give(self, item: int) -> None:
        """Add one item supplied by chance."""
        occasion, player, number = self.pending_chance
        if self.items:
            self.events.pop()
        items = [*self.items, item]
        self.events.append(chance_event(self.rules, occasion, player, items))
        self.items = tuple(items) if number > 1 else ()
        self._lifted.receive(self._states, item)

    def weights(self) -> np.ndarray:
        """The number of each item in the pool."""
        return self._pool

    def __deepcopy__(self, _: Any) -> "_Table":
        return _Table.restore(self.name, self._states.tobytes(), self.events, self.items)

    def __reduce__(self) -> Any:
        return _Table.restore, (self.name, self._states.tobytes(), self.events, self.items)

    @staticmethod
    def restore(name: str, state: bytes, events: list[str], items: tuple[int, ...]) -> "_Table":
        """Restore a table from plain values."""
        rules = rules_of(name)
        table = _Table(rules, np.frombuffer(bytearray(state), dtype=rules.STATE), None, events)
        table.items = items
        return table


class SixfoldState(pyspiel.State):
    """A position, and each player's information about it."""

    def __init__(self, game: "SixfoldGame", table: _Table) -> None:
        super().__init__(game)
        self.table = table

    def current_player(self) -> Any:
        if self.table.over:
            return pyspiel.PlayerId.TERMINAL
        turn = self.table.turn
        return pyspiel.PlayerId.CHANCE if turn is None else turn

    def is_terminal(self) -> bool:
        return self.table.over

    def returns(self) -> list[float]:
        """The returns by place: from 1 for the first to -1 for the last."""
        return by_place(self.table) if self.table.over else [0.0] * self.table.players

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.table.weights()
        share = 1.0 / int(weights.sum())
        return [(item, share * int(weights[item])) for item in np.flatnonzero(weights).tolist()]

    def information_state_string(self, player: int | None = None) -> str:
        """All events as a player knows them, one per line."""
        seat = self.current_player() if player is None else player
        events = (self.table.masked_event(event, seat) for event in self.table.events)
        return "\n".join(event for event in events if event is not None)

    def _legal_actions(self, player: int) -> list[int]:
        moves: list[int] = np.sort(self.table.legal().numbers).tolist()
        return moves

    def _apply_action(self, action: int) -> None:
        if self.table.turn is None:
            self.table.give(action)
        else:
            self.table.play_number(action)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.table.rules
        return rules.ITEMS[action] if player == pyspiel.PlayerId.CHANCE else notation.write(rules, action)

    def __str__(self) -> str:
        return str(self.table)


class SixfoldObserver:
    """A player's current view (``perfect_recall=False``), or all events known to the player, as text only."""

    def __init__(self, rules: Rules, players: int, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers of these games have no parameters, not {params}")
        row = observation_layout(rules, players)
        self._recall = kind.perfect_recall
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None if self._recall else np.zeros(row.size, dtype=np.float32)
        self.dict = {}
        if self.tensor is not None:
            self.dict = {name: self.tensor[part.numbers].reshape(part.shape) for name, part in row.fields.items()}

    def set_from(self, state: SixfoldState, player: int) -> None:
        """Write a player's view into ``tensor`` and ``dict``; without private information, the public view."""
        if self.tensor is not None:
            self.tensor[:] = observation(state.table.view(player if self._private else None), player)

    def string_from(self, state: SixfoldState, player: int) -> str:
        if self._recall:
            return state.information_state_string(player)
        return str(state.table.view(player if self._private else None))


class SixfoldGame(pyspiel.Game):
    """A game with its players and options; each game has a subclass with its rules."""

    rules: Rules

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        settings = dict(params or {})
        self.players = int(settings.get("players", self.rules.PLAYERS[0]))
        rules_of(self.rules.NAME, self.players)
        self.options = full_options(self.rules, {name: value for name, value in settings.items() if name != "players"})
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.ACTIONS,
            max_chance_outcomes=len(self.rules.ITEMS),
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.rules), info, settings)
        self._begin = self.rules.start(self.players, **self.options)

    def new_initial_state(self) -> SixfoldState:
        return SixfoldState(self, _Table(self.rules, self._begin.copy()))

    def state_at(self, position: Position) -> SixfoldState:
        """A state that starts at a given position, to study a part of a game; without a history it cannot be
        serialised."""
        if position.rules is not self.rules or position.players != self.players or position.options != self.options:
            raise SetupError(f"the position is not one of {self}")
        return SixfoldState(self, _Table(self.rules, position.states.copy()))

    def max_chance_nodes_in_history(self) -> int:
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SixfoldObserver:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SixfoldObserver(self.rules, self.players, kind, params)


def game_type(rules: Rules) -> Any:
    """The OpenSpiel game type of a game."""
    hidden = any(occasion.hidden for occasion in rules.OCCASIONS)
    information = pyspiel.GameType.Information
    options = {name: option.default for name, option in rules.OPTIONS.items()}
    return pyspiel.GameType(
        short_name=PREFIX + rules.NAME,
        long_name=f"Sixfold: {rules.NAME}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.PLAYERS[-1],
        min_num_players=rules.PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": rules.PLAYERS[0], **options},
    )


def _register() -> None:
    for name, rules in GAMES.items():
        game_class = type(f"{name.capitalize()}Game", (SixfoldGame,), {"rules": rules})
        pyspiel.register_game(game_type(rules), game_class)


_register()
