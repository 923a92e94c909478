"""What a view shows, as plain values in the words of the notation; and the view again, made from those values."""

from collections.abc import Callable, Mapping
from itertools import accumulate, pairwise
from types import ModuleType
from typing import Any

import numpy as np

from sixfold.engine.game import View, full_options, rules_of
from sixfold.games.cards import rules as cards
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, SYMBOLS
from sixfold.games.travel import rules as travel
from sixfold.games.travel.board import BLOCKS, CELL_INDEX, CELLS, CORNERS, EMPTY, LENGTHS, OFF_BOARD

Fields = Mapping[str, Any]

HIDDEN = "??"
PHASES = {
    "travel": {CHANCE: "draw", travel.PLACE: "place", travel.CHOOSE: "choose"},
    "cards": {CHANCE: "draw", cards.PLAY: "play", cards.CHOOSE: "choose"},
    "dice": {dice.DECIDE: "decide"},
}
# Where each row of the board begins, and where the last one ends.
_ROWS = [0, *accumulate(int(length) for length in LENGTHS)]


def value(view: View) -> dict[str, Any]:
    """Everything that a view shows, as a value that can be written as JSON."""
    fields = view.fields
    phase = "over" if fields["phase"] == OVER else PHASES[view.name][fields["phase"]]
    common = {
        "game": view.name,
        "players": view.players,
        "options": view.options,
        "seen_by": view.seat,
        "phase": phase,
        "turn": fields["turn"],
        "values": view.values,
    }
    return {**common, **_SHOWN[view.name](view, fields)}


def view_of(shown: Mapping[str, Any]) -> View:
    """The view that was shown: what a bot on the other side of a wire thinks about."""
    rules = rules_of(shown["game"], shown["players"])
    states: np.ndarray = rules.start(shown["players"], **full_options(rules, shown["options"]))
    state = states[0]
    phases = {word: phase for phase, word in PHASES[rules.NAME].items()}
    state.phase = {**phases, "over": OVER}[shown["phase"]]
    state.turn = shown["turn"]
    _TOLD[rules.NAME](state, shown)
    return View(rules, states, shown["seen_by"])


def hands(shown: Mapping[str, Any]) -> list[list[str]]:
    """What each player holds, where it can be seen; dice always lie open."""
    held: list[list[str]] = shown.get("racks") or shown.get("hands") or shown["dice"]
    return held


def _names(rules: ModuleType, items: list[int], size: int) -> list[str]:
    return [HIDDEN if item == NONE else rules.ITEMS[item] for item in items[:size]]


def _counts(rules: ModuleType, counts: list[int]) -> dict[str, int]:
    return {rules.ITEMS[item]: number for item, number in enumerate(counts) if number}


def _travel(view: View, fields: Fields) -> dict[str, Any]:
    letters = "".join(["." if symbol == EMPTY else SYMBOLS[symbol] for symbol in fields["board"][:OFF_BOARD]])
    racks = zip(fields["rack"], fields["rack_size"], strict=True)
    return {
        "board": [letters[begin:end] for begin, end in pairwise(_ROWS)],
        "racks": [_names(travel, rack, size) for rack, size in racks],
        "unseen": _counts(travel, fields["bag"]),
        "bag": int(_bag(view.states)),
        "bonus": fields["bonus"],
        "placed": fields["placed"],
        "corner": None if fields["corner"] == NONE else CELLS[CORNERS[fields["corner"]]],
    }


@compiled
def _bag(states: np.ndarray) -> int:
    return travel.pool_size(states[0])


def _cards(view: View, fields: Fields) -> dict[str, Any]:
    everybody = range(fields["players"])
    return {
        "hands": [_names(cards, fields["hand"][player], fields["hand_size"][player]) for player in everybody],
        "open": [_names(cards, fields["open"][player], fields["open_size"][player]) for player in everybody],
        "unseen": _counts(cards, fields["pile"]),
        "pile": fields["pile_size"],
        "discards": _counts(cards, fields["discards"]),
        "bonus": fields["bonus"],
    }


def _dice(view: View, fields: Fields) -> dict[str, Any]:
    rows = fields["dice"][: fields["players"]]
    return {
        "dice": [[SYMBOLS[symbol] for symbol in range(6) for _ in range(row[symbol])] for row in rows],
        "rolls": fields["rolls"],
    }


def _tell_items(rules: ModuleType, items: np.ndarray, size: np.ndarray, names: list[list[str]]) -> None:
    for player, held in enumerate(names):
        size[player] = len(held)
        for at, name in enumerate(held):
            items[player, at] = NONE if name == HIDDEN else rules.ITEMS.index(name)


def _tell_counts(rules: ModuleType, counts: np.ndarray, told: Mapping[str, int]) -> None:
    for item, name in enumerate(rules.ITEMS):
        counts[item] = told.get(name, 0)


def _tell_travel(state: np.record, shown: Mapping[str, Any]) -> None:
    for cell, letter in enumerate("".join(shown["board"])):
        if letter != ".":
            state.board[cell] = SYMBOLS.index(letter)
            state.free[:] &= ~BLOCKS[cell]
    _tell_items(travel, state.rack, state.rack_size, shown["racks"])
    _tell_counts(travel, state.bag, shown["unseen"])
    state.score[:] = shown["values"]
    state.bonus = shown["bonus"]
    state.placed = shown["placed"]
    corners = [int(corner) for corner in CORNERS]
    state.corner = NONE if shown["corner"] is None else corners.index(CELL_INDEX[shown["corner"]])
    travel.near_corners(state)


def _tell_cards(state: np.record, shown: Mapping[str, Any]) -> None:
    _tell_items(cards, state.hand, state.hand_size, shown["hands"])
    _tell_items(cards, state.open, state.open_size, shown["open"])
    _tell_counts(cards, state.pile, shown["unseen"])
    _tell_counts(cards, state.discards, shown["discards"])
    state.pile_size = shown["pile"]
    state.discards_size = sum(shown["discards"].values())
    state.chip[: state.players] = shown["values"]
    state.bonus = shown["bonus"]
    state.stage = cards.PLAYING


def _tell_dice(state: np.record, shown: Mapping[str, Any]) -> None:
    for player, letters in enumerate(shown["dice"]):
        for letter in letters:
            state.dice[player, SYMBOLS.index(letter)] += 1
    state.marks[: state.players] = shown["values"]
    state.rolls = shown["rolls"]
    state.opening = 0


_SHOWN: dict[str, Callable[[View, Fields], dict[str, Any]]] = {"travel": _travel, "cards": _cards, "dice": _dice}
_TOLD: dict[str, Callable[[np.record, Mapping[str, Any]], None]] = {
    "travel": _tell_travel,
    "cards": _tell_cards,
    "dice": _tell_dice,
}
