"""What a view shows, as plain values in the words of the notation; and the view again, made from those values."""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from sixfold.engine.game import View, full_options, rules_of
from sixfold.games import packages
from sixfold.games.contract import Shown
from sixfold.games.shared.picture import HIDDEN as HIDDEN
from sixfold.games.shared.symbols import CHANCE, OVER


def value(view: View) -> dict[str, Any]:
    """Everything that a view shows, as a value that can be written as JSON."""
    fields, rules = view.fields, view.rules
    game = packages()[rules.NAME].shown
    return {
        "game": rules.NAME,
        "players": fields["players"],
        "options": {name: option.choices[fields[name]] for name, option in rules.OPTIONS.items()},
        "seen_by": view.seat,
        "phase": _phase(view, game, fields["phase"]),
        "turn": fields["turn"],
        "values": view.values,
        **game.shown(fields),
    }


def _phase(view: View, game: Shown, phase: int) -> str:
    if phase == OVER:
        return "over"
    return view.owed[0].word if phase == CHANCE else game.PHASES[phase]


def view_of(shown: Mapping[str, Any]) -> View:
    """The view that was shown: what a bot on the other side of a wire thinks about."""
    rules = rules_of(shown["game"], shown["players"])
    game = packages()[rules.NAME].shown
    position = msgspec.convert(shown, game.POSITION)
    states: np.ndarray = rules.start(position.players, **full_options(rules, position.options))
    state = states[0]
    phases = {word: phase for phase, word in game.PHASES.items()}
    state.phase = {**phases, "over": OVER}.get(position.phase, CHANCE)
    state.turn = position.turn
    game.tell(state, position)
    return View(rules, states, position.seen_by)
