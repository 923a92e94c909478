"""Positions as plain JSON values in the words of the notation, and views rebuilt from those values."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import msgspec
import numpy as np
from msgspec import Raw

from sixfold.engine.game import View, full_options, rules_of
from sixfold.games import packages
from sixfold.games.contract import Encodes, Rules
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.table import position_writer


def encode_position(rules: Rules, states: np.ndarray, seat: int | None) -> Raw:
    """The JSON of a position that is already hidden for a seat, or for a spectator."""
    program = position_writer.program(rules)
    if program is not None:
        return Raw(position_writer.write_position(rules, states, seat, program))
    return Raw(msgspec.json.encode(_plain_value(View(rules, states, seat))))


def value(view: View) -> dict[str, Any]:
    """Everything visible in a view, as a JSON-serialisable dict."""
    position: dict[str, Any] = msgspec.json.decode(encode_position(view.rules, view.states, view.seat))
    return position


def _plain_value(view: View) -> dict[str, Any]:
    """The position of a game whose codec does not describe its fields but encodes them itself."""
    fields, rules = view.as_dict(), view.rules
    codec = packages()[rules.NAME].codec
    phase = view.pending_chance[0].word if fields["phase"] == CHANCE else codec.PHASES.get(fields["phase"], "over")
    return {
        "game": rules.NAME,
        "players": fields["players"],
        "options": view.options,
        "seen_by": view.seat,
        "phase": phase,
        "turn": fields["turn"],
        "values": view.values,
        **cast(Encodes, codec).encode(fields),
    }


@cache
def layout(rules: Rules) -> str:
    """A short digest of a state's fields: programs with the same one understand each other's states."""
    return hashlib.sha256(str(rules.STATE).encode()).hexdigest()[:8]


def encode_state(rules: Rules, states: np.ndarray) -> str:
    """A state as text: its layout and its bytes."""
    return f"{layout(rules)}.{b64encode(states.tobytes()).decode()}"


def decode_state(rules: Rules, text: str) -> np.ndarray:
    """The state that a program with the same layout has encoded."""
    digest, _, state = text.partition(".")
    if digest != layout(rules):
        raise ValueError(f"a state of {rules.NAME} with another layout")
    return np.frombuffer(bytearray(b64decode(state)), dtype=rules.STATE)


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
