"""The bots that play by the solution of the two-player dice game, exact or approximate."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.bots import Budget
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.errors import SetupError
from sixfold.games.dice import rules as dice
from sixfold.solve.play.approximation import shipped
from sixfold.solve.play.expectimax import GUESS, NO_BLOCK, best_move
from sixfold.solve.play.odds import Odds
from sixfold.solve.positions.outcomes import scoring_state
from sixfold.solve.positions.sheets import code
from sixfold.solve.values.file import Values, open_values


def require_two_players(name: str, game: str, players: int) -> None:
    if (game, players) != (dice.NAME, 2):
        raise SetupError(f"the bot {name!r} plays only the dice game with two players")


def encode_view(view: View) -> tuple[int, int, int, int, int]:
    """Both sheets, the opponent's dice and the active player's roll as codes, and the number of rolls made."""
    state = view.state
    me = int(state.turn)
    rows = (state.marks[me], state.marks[1 - me], state.dice[1 - me], state.dice[me])
    mine, theirs, shown, roll = (int(code(counts)) for counts in rows)
    return mine, theirs, shown, roll, int(state.rolls)


class Perfect:
    """Plays perfectly by the value file (``sixfold solve dice``)."""

    def __init__(self, game: str, players: int) -> None:
        require_two_players("perfect", game, players)
        self._values: dict[bool, Values] = {}

    def data_digests(self, options: Mapping[str, Any]) -> dict[str, str]:
        values = self._values_for(options)
        return {values.path.name: values.identity}

    def _values_for(self, options: Mapping[str, Any]) -> Values:
        split = options["split_jokers"] is True
        if split not in self._values:
            self._values[split] = open_values(split)
        return self._values[split]

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        mine, theirs, shown, roll, rolls = encode_view(view)
        return notation.write(dice, Odds(self._values_for(view.options), mine, theirs, shown).best(roll, rolls))


class Solved:
    """Plays by the shipped approximation of the solution, with expectimax over one turn."""

    # The module with its WebAssembly exports: ``DATA``, ``tables`` and ``exports``.
    WASM_MODULE = "sixfold.wasm.solution_exports"

    def __init__(self, game: str, players: int) -> None:
        require_two_players("solved", game, players)
        self._trial: dict[bool, np.ndarray] = {split: scoring_state(split) for split in (False, True)}

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        split = view.options["split_jokers"] is True
        numbering, guess = shipped()
        move = best_move(numbering, NO_BLOCK, guess, GUESS, self._trial[split], *encode_view(view))
        return notation.write(dice, int(move))
