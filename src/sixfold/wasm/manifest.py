"""The manifest of a module as JSON, and the TypeScript types generated from it."""

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from sixfold.bots.levels import LEVELS, level_of
from sixfold.bots.reasons import reasons_of
from sixfold.bots.turn import CHOICE_MS
from sixfold.engine.notation import move_texts
from sixfold.games import GAMES, Package
from sixfold.games.contract import Rules
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.table.positions import layout
from sixfold.wasm.notation_tables import blocks
from sixfold.wasm.review_exports import judges

# Incremented when a program written for the previous manifest could not use the new one.
INTERFACE = 3

_TYPESCRIPT = {"int64": "bigint", "uint64": "bigint"}


def description(
    package: Package, interface: Mapping[str, Any], bots: Mapping[str, str], data: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """The manifest: everything that a program needs to use a module.

    ``data`` names the buffers that each data file fills, ``bots`` the data of each bot: a file of that name, or one for
    each number of players.
    """
    facts, rules, annotations, position_fields = package.facts, package.rules, package.annotations, package.fields
    assert position_fields is not None
    return {
        "interface": INTERFACE,
        "game": facts.NAME,
        "version": facts.VERSION,
        "symbols": SYMBOLS,
        "values": list(rules.VALUES),
        "players": list(facts.PLAYERS),
        "options": {name: list(option.choices) for name, option in facts.OPTIONS.items()},
        "defaults": {name: option.default for name, option in facts.OPTIONS.items()},
        "minutes": facts.MINUTES,
        "rounds": facts.ROUNDS,
        "last": facts.LAST,
        "goal": facts.GOAL,
        "areas": list(facts.AREAS),
        "items": list(rules.ITEMS),
        "cells": list(annotations.CELLS),
        "occasions": [occasion._asdict() for occasion in rules.OCCASIONS],
        "reasons": [reason._asdict() for reason in annotations.REASONS],
        "hints": [reason._asdict() for reason in reasons_of(package)],
        "ends": [{"key": key, "clause": clause} for key, clause in annotations.ENDS],
        "clauses": {"end": rules.END_CLAUSE, "places": rules.RANKING_CLAUSE, "refill": rules.REFILL_CLAUSE},
        "choices": list(rules.CHOICES),
        "choose": rules.CHOOSE,
        "choice_ms": CHOICE_MS,
        "phases": package.codec.PHASES,
        "shown": position_fields.schema(),
        "pool": rules.POOL,
        "example": package.notation.EXAMPLE,
        "moves": blocks(move_texts(rules)),
        "starts": starts(rules),
        "levels": {players: levels(package, players) for players in facts.PLAYERS},
        "state": {"size": rules.STATE.itemsize, "layout": layout(rules), "fields": fields(rules.STATE)},
        **interface,
        "bots": dict(bots),
        "judges": judges(package),
        "data": {name: list(buffers) for name, buffers in data.items()},
    }


def starts(rules: Rules) -> list[dict[str, Any]]:
    """The initial state for every number of players and every combination of options."""
    initial_states = []
    for players in rules.PLAYERS:
        for values in product(*(option.choices for option in rules.OPTIONS.values())):
            options = dict(zip(rules.OPTIONS, values, strict=True))
            state = base64.b64encode(rules.start(players, **options).tobytes()).decode()
            initial_states.append({"players": players, "options": options, "state": state})
    return initial_states


def levels(package: Package, players: int) -> list[dict[str, Any]]:
    """The definition of each level for a number of players."""
    all_levels = [level_of(package.facts.NAME, players, number) for number in LEVELS]
    return [asdict(level) for level in all_levels]


def fields(dtype: np.dtype[Any]) -> dict[str, Any]:
    """The layout of a state: type, offset and shape of every field."""
    layout = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        layout[name] = {"type": kind.base.name, "offset": offset, "shape": list(kind.shape)}
    return layout


def types_of(folder: Path) -> str:
    """The TypeScript types of the modules in a folder."""
    files = [folder / f"{game}.json" for game in GAMES]
    return typescript(json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists())


def typescript(descriptions: Iterable[Mapping[str, Any]]) -> str:
    """The TypeScript types of all modules: shared and optional exports, buffers, and every game's state."""
    games = list(descriptions)
    exports = {name: export for game in games for name, export in game["exports"].items()}
    buffers = {name for game in games for name in game["buffers"]}
    shared = [name for name in exports if all(name in game["exports"] for game in games)]
    common = sorted(name for name in buffers if all(name in game["buffers"] for game in games))
    lines = ["// Made by `npm run rules` from the modules' descriptions; do not edit.", ""]
    lines += [f"export const INTERFACE = {INTERFACE};", ""]
    lines += ["/** What a module of any game exports; `?` where only some games have it. */"]
    lines += ["export interface Exports {", "  memory: WebAssembly.Memory;"]
    for name, export in exports.items():
        parameters = ", ".join(f"{_camel(number)}: {_NUMBERS[kind]}" for number, kind in export["numbers"].items())
        returned = _NUMBERS[export["returns"]]
        lines.append(
            f"  {name}({parameters}): {returned};" if name in shared else f"  {name}?({parameters}): {returned};"
        )
    lines += ["}", "", "/** The buffers of a module of any game. */"]
    lines += ["export type BufferName =", *(f"  | '{name}'" for name in common)]
    lines[-1] += ";"
    for game in games:
        lines += ["", f"/** A state of the game {game['game']}, field by field. */"]
        lines.append(f"export interface {game['game'].capitalize()}State {{")
        for name, field in game["state"]["fields"].items():
            kind = _TYPESCRIPT.get(field["type"], "number")
            lines.append(f"  {name}: {kind}{'[]' * len(field['shape'])};")
        lines.append("}")
    lines += ["", "export interface States {"]
    lines += [f"  {game['game']}: {game['game'].capitalize()}State;" for game in games]
    lines += ["}", ""]
    return "\n".join(lines)


_NUMBERS = {"i32": "number", "i64": "bigint", "double": "number", "void": "void"}


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
