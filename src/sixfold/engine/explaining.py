"""What people ask of a position of any game: what a move earns, how far a row may go, why not, why it is over."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np

from sixfold.engine.notation import read
from sixfold.games import packages
from sixfold.games.contract import MOST_WORDS, Explaining, Lines, Refusal
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import SYMBOLS

if TYPE_CHECKING:
    from sixfold.engine.game import Moves, Position


@dataclass(frozen=True)
class Explained:
    """A game's explanations for one state in an array."""

    earned: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
    reach: Callable[[np.ndarray, np.ndarray], None]
    bonus: Callable[[np.ndarray], bool]
    ended: Callable[[np.ndarray], int]
    refusal: Callable[[np.ndarray, int, np.ndarray], int]


@cache
def explained(explaining: Explaining) -> Explained:
    """Compile them, as functions of the array."""

    @compiled
    def earned(states: np.ndarray, moves: np.ndarray, results: np.ndarray) -> None:
        for which in range(moves.size):
            explaining.earned(states[0], int(np.int64(moves[which])), results[which])

    @compiled
    def reach(states: np.ndarray, result: np.ndarray) -> None:
        for player in range(result.size):
            result[player] = explaining.reach(states[0], player)

    @compiled
    def bonus(states: np.ndarray) -> bool:
        return explaining.bonus(states[0])

    @compiled
    def ended(states: np.ndarray) -> int:
        return explaining.ended(states[0])

    @compiled
    def refusal(states: np.ndarray, move: int, words: np.ndarray) -> int:
        return explaining.refusal(states[0], move, words)

    return Explained(earned, reach, bonus, ended, refusal)


@cache
def _all_lines(explaining: Lines) -> Callable[..., None]:
    """Compiled: for each cell and symbol the cells that it would score with, and how many."""

    @compiled
    def all_lines(states: np.ndarray, found: np.ndarray, numbers: np.ndarray) -> None:
        for cell in range(numbers.shape[0]):
            for symbol in range(6):
                numbers[cell, symbol] = explaining.scoring(states[0], cell, symbol, found[cell, symbol])

    return all_lines


@cache
def _scored(explaining: Lines) -> Callable[[np.ndarray, int, np.ndarray], int]:
    @compiled
    def scored(states: np.ndarray, move: int, found: np.ndarray) -> int:
        return explaining.scored(states[0], move, found)

    return scored


def _part(position: "Position") -> Explaining:
    return packages()[position.name].explaining


def refusal(position: "Position", move: int) -> Refusal:
    """Why a move is not allowed."""
    words = np.zeros(MOST_WORDS, dtype=np.int64)
    reason = explained(_part(position)).refusal(position.states, move, words)
    return _part(position).REASONS[reason].filled(words.tolist())


def over_why(position: "Position") -> str | None:
    """Why a game is over: the key of a sentence; None while it is not."""
    if not position.over:
        return None
    return _part(position).ENDS[explained(_part(position)).ended(position.states)][0]


def bonus(position: "Position") -> bool:
    """Is the player in turn in a bonus turn?"""
    return bool(explained(_part(position)).bonus(position.states))


def reach(position: "Position") -> list[int]:
    """How far a row of each player may go now."""
    found = np.zeros(position.players, dtype=np.int64)
    explained(_part(position)).reach(position.states, found)
    rows: list[int] = found.tolist()
    return rows


def earned(position: "Position", moves: "Moves") -> list[list[int]]:
    """For each move what it gives for each symbol, before any limit."""
    found = np.zeros((len(moves), len(SYMBOLS)), dtype=np.int8)
    explained(_part(position)).earned(position.states, moves.numbers, found)
    rows: list[list[int]] = found.tolist()
    return rows


def lines(position: "Position") -> dict[str, dict[str, list[str]]]:
    """For each free cell of a board and each symbol the cells that it would score with there."""
    cells = _part(position).CELLS
    made: dict[str, dict[str, list[str]]] = {}
    if not cells:
        return made
    part = cast(Lines, _part(position))
    found = np.empty((len(cells), len(SYMBOLS), part.MOST_SCORING), dtype=np.int16)
    numbers = np.empty((len(cells), len(SYMBOLS)), dtype=np.int16)
    _all_lines(part)(position.states, found, numbers)
    for cell, symbol in np.argwhere(numbers).tolist():
        scored = found[cell, symbol, : numbers[cell, symbol]].tolist()
        made.setdefault(cells[cell], {})[SYMBOLS[symbol]] = [cells[one] for one in scored]
    return made


def counted(position: "Position", move: str) -> list[str]:
    """The cells of a board that a move scores with, one after the other."""
    cells = _part(position).CELLS
    if not cells:
        return []
    part = cast(Lines, _part(position))
    found = np.empty(part.MOST_SCORING, dtype=np.int16)
    number = _scored(part)(position.states, read(position.rules, move), found)
    return [cells[one] for one in found[:number].tolist()]
