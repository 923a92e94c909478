"""Annotations of a position of any game: earned values, row limits, refusal reasons and the reason why it is over."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np

from sixfold.engine.notation import read
from sixfold.games import packages
from sixfold.games.contract import MAX_WORDS, Annotations, Lines, Refusal, Shows
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import SYMBOLS

if TYPE_CHECKING:
    from sixfold.engine.game import Moves, Position


@dataclass(frozen=True)
class LiftedAnnotations:
    """A game's annotation functions, each taking an array of one state."""

    earned: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
    reach: Callable[[np.ndarray, np.ndarray], None]
    bonus: Callable[[np.ndarray], bool]
    ended: Callable[[np.ndarray], int]
    refusal: Callable[[np.ndarray, int, np.ndarray], int]


@cache
def lift_annotations(annotations: Annotations) -> LiftedAnnotations:
    """Compile the lifted functions of a game's annotations."""

    @compiled
    def earned(states: np.ndarray, moves: np.ndarray, results: np.ndarray) -> None:
        for which in range(moves.size):
            annotations.earned(states[0], int(np.int64(moves[which])), results[which])

    @compiled
    def reach(states: np.ndarray, result: np.ndarray) -> None:
        for player in range(result.size):
            result[player] = annotations.reach(states[0], player)

    @compiled
    def bonus(states: np.ndarray) -> bool:
        return annotations.bonus(states[0])

    @compiled
    def ended(states: np.ndarray) -> int:
        return annotations.ended(states[0])

    @compiled
    def refusal(states: np.ndarray, move: int, words: np.ndarray) -> int:
        return annotations.refusal(states[0], move, words)

    return LiftedAnnotations(earned, reach, bonus, ended, refusal)


@cache
def _all_lines(annotations: Lines) -> Callable[..., None]:
    """A compiled function that lists, for every cell and symbol, the cells that the symbol would score with there."""

    @compiled
    def all_lines(states: np.ndarray, out: np.ndarray, counts: np.ndarray) -> None:
        for cell in range(counts.shape[0]):
            for symbol in range(counts.shape[1]):
                counts[cell, symbol] = annotations.scoring(states[0], cell, symbol, out[cell, symbol])

    return all_lines


@cache
def lift_scored(annotations: Lines) -> Callable[[np.ndarray, int, np.ndarray], int]:
    @compiled
    def scored(states: np.ndarray, move: int, out: np.ndarray) -> int:
        return annotations.scored(states[0], move, out)

    return scored


@cache
def lift_shows(annotations: Shows) -> Callable[[np.ndarray, int, np.ndarray], int]:
    @compiled
    def shows(states: np.ndarray, move: int, out: np.ndarray) -> int:
        return annotations.shows(states[0], move, out)

    return shows


def _part(position: "Position") -> Annotations:
    return packages()[position.name].annotations


def refusal(position: "Position", move: int) -> Refusal:
    """Why a move is not allowed."""
    words = np.zeros(MAX_WORDS, dtype=np.int64)
    reason = lift_annotations(_part(position)).refusal(position.states, move, words)
    return _part(position).REASONS[reason].filled(words.tolist())


def over_why(position: "Position") -> str | None:
    """Why a game is over: one of the keys of its ``ENDS``; None while it is not."""
    if not position.over:
        return None
    return _part(position).ENDS[lift_annotations(_part(position)).ended(position.states)][0]


def bonus(position: "Position") -> bool:
    """Is the player in turn in a bonus turn?"""
    return bool(lift_annotations(_part(position)).bonus(position.states))


def reach(position: "Position") -> list[int]:
    """For each player the highest value that a row may reach now."""
    out = np.zeros(position.players, dtype=np.int64)
    lift_annotations(_part(position)).reach(position.states, out)
    rows: list[int] = out.tolist()
    return rows


def earned(position: "Position", moves: "Moves") -> list[list[int]]:
    """For each move what it adds to each value, before any limit applies."""
    out = np.zeros((len(moves), len(position.rules.VALUES)), dtype=np.int8)
    lift_annotations(_part(position)).earned(position.states, moves.numbers, out)
    rows: list[list[int]] = out.tolist()
    return rows


def lines(position: "Position") -> dict[str, dict[str, list[str]]]:
    """For each free cell and symbol the cells that the symbol would score with there; empty without a board."""
    cells = _part(position).CELLS
    result: dict[str, dict[str, list[str]]] = {}
    if not cells:
        return result
    part = cast(Lines, _part(position))
    out = np.empty((len(cells), len(SYMBOLS), part.MAX_SCORING), dtype=np.int16)
    counts = np.empty((len(cells), len(SYMBOLS)), dtype=np.int16)
    _all_lines(part)(position.states, out, counts)
    for cell, symbol in np.argwhere(counts).tolist():
        scored = out[cell, symbol, : counts[cell, symbol]].tolist()
        result.setdefault(cells[cell], {})[SYMBOLS[symbol]] = [cells[index] for index in scored]
    return result


def counted(position: "Position", move: str) -> list[str]:
    """The cells that a move scores with, in scoring order; empty for games without a board."""
    cells = _part(position).CELLS
    if not cells:
        return []
    part = cast(Lines, _part(position))
    out = np.empty(part.MAX_SCORING, dtype=np.int16)
    count = lift_scored(part)(position.states, read(position.rules, move), out)
    return [cells[cell] for cell in out[:count].tolist()]


def shown_by(position: "Position", move: str) -> list[str]:
    """The items of the hand that a move reveals to everybody."""
    part = _part(position)
    if not hasattr(part, "shows"):
        return []
    items = position.rules.ITEMS
    out = np.empty(len(items), dtype=np.int16)
    count = lift_shows(cast(Shows, part))(position.states, read(position.rules, move), out)
    return [items[item] for item in out[:count].tolist()]
