"""Positions as plain JSON values in the words of the notation, and views rebuilt from those values."""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from sixfold.engine.game import View, full_options, rules_of
from sixfold.games import packages
from sixfold.games.contract import Codec
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.games.shared.text import HIDDEN as HIDDEN


def value(view: View) -> dict[str, Any]:
    """Everything visible in a view, as a JSON-serialisable dict."""
    fields, rules = view.as_dict(), view.rules
    codec = packages()[rules.NAME].codec
    return {
        "game": rules.NAME,
        "players": fields["players"],
        "options": {name: option.choices[fields[name]] for name, option in rules.OPTIONS.items()},
        "seen_by": view.seat,
        "phase": _phase(view, codec, fields["phase"]),
        "turn": fields["turn"],
        "values": view.values,
        **codec.encode(fields),
    }


def _phase(view: View, codec: Codec, phase: int) -> str:
    if phase == OVER:
        return "over"
    return view.pending_chance[0].word if phase == CHANCE else codec.PHASES[phase]


def view_of(data: Mapping[str, Any]) -> View:
    """Rebuild a view from its JSON values, for a bot on the other side of a connection."""
    rules = rules_of(data["game"], data["players"])
    codec = packages()[rules.NAME].codec
    position = msgspec.convert(data, codec.POSITION)
    states: np.ndarray = rules.start(position.players, **full_options(rules, position.options))
    state = states[0]
    phases = {word: phase for phase, word in codec.PHASES.items()}
    state.phase = {**phases, "over": OVER}.get(position.phase, CHANCE)
    state.turn = position.turn
    codec.decode(state, position)
    return View(rules, states, position.seen_by)
