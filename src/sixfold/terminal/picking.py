"""A move picked piece by piece: what can come next, what it would bring, and when the move is complete."""

from collections.abc import Mapping, Sequence
from typing import Any

from sixfold.games import packages
from sixfold.games.shared.symbols import SYMBOLS

NOTHING = [0] * len(SYMBOLS)


class Picking:
    """The legal moves of a view, and what has been picked of one so far."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        drawing = packages()[view["setup"]["game"]].terminal
        self._gains = {move: gain[: len(SYMBOLS)] for move, gain in zip(view["legal"], view["previews"], strict=True)}
        self.ways = [
            (way, move) for move in view["legal"] for way in (drawing.steps(move) if drawing is not None else [(move,)])
        ]
        self.picked: tuple[str, ...] = ()

    def _open(self) -> Sequence[tuple[tuple[str, ...], str]]:
        size = len(self.picked)
        return [(way, move) for way, move in self.ways if way[:size] == self.picked]

    @property
    def offers(self) -> dict[str, int]:
        """What can be picked next, each with the most that it can bring."""
        found: dict[str, int] = {}
        for way, move in self._open():
            if len(way) > len(self.picked):
                pick = way[len(self.picked)]
                found[pick] = max(found.get(pick, 0), sum(self._gains[move]))
        return found

    @property
    def move(self) -> str | None:
        """The move that is complete."""
        return next((move for way, move in self._open() if way == self.picked), None)

    @property
    def starts(self) -> set[str]:
        """What a move can begin with, so that another one can be begun at any time."""
        return {way[0] for way, _ in self.ways}

    @property
    def said(self) -> bool:
        """Is the move complete with its own word, which leaves no doubt that it is meant?"""
        return self.move is not None and self.picked[-1] == self.move.partition(" ")[0]

    def completes(self, cursor: str | None) -> bool:
        """Would the cursor's pick make the move complete?"""
        return cursor is not None and any(way == (*self.picked, cursor) for way, _ in self.ways)

    def gained(self, cursor: str | None) -> list[int]:
        """What the move adds to the six values: the complete one, or the one that the cursor would complete."""
        move = self.move
        if move is None and cursor is not None:
            would_be = (*self.picked, cursor)
            move = next((move for way, move in self.ways if way == would_be), None)
        return NOTHING if move is None else self._gains[move]

    def pick(self, one: str) -> None:
        """Pick something; what cannot come next begins anew, where a move can begin with it."""
        if one not in self.offers:
            self.picked = ()
        if one in self.offers:
            self.picked = (*self.picked, one)

    def back(self) -> bool:
        """Put the last piece back; False if there was none."""
        had = bool(self.picked)
        self.picked = self.picked[:-1]
        return had

    def show(self, move: str) -> None:
        """Pick a whole move, as a hint does."""
        self.picked = next(way for way, known in self.ways if known == move)
