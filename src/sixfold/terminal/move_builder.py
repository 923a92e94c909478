"""Builds a move pick by pick: what can come next, what it would score, and when the move is complete."""

from collections.abc import Mapping, Sequence
from typing import Any

from sixfold.games import packages


class MoveBuilder:
    """The legal moves of a view, and the picks made so far."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        game = packages()[view["setup"]["game"]]
        renderer, self.rules = game.terminal, game.rules
        self._no_gain = [0] * len(self.rules.VALUES)
        self._gains = {
            move: gain[: len(self._no_gain)] for move, gain in zip(view["legal"], view["previews"], strict=True)
        }
        self.sequences = [
            (sequence, move)
            for move in view["legal"]
            for sequence in (renderer.steps(move) if renderer is not None else [(move,)])
        ]
        self.picked: tuple[str, ...] = ()

    def _matching(self) -> Sequence[tuple[tuple[str, ...], str]]:
        size = len(self.picked)
        return [(sequence, move) for sequence, move in self.sequences if sequence[:size] == self.picked]

    @property
    def offers(self) -> dict[str, int]:
        """The possible next picks, each with the highest gain it can lead to."""
        best_gains: dict[str, int] = {}
        for sequence, move in self._matching():
            if len(sequence) > len(self.picked):
                pick = sequence[len(self.picked)]
                best_gains[pick] = max(best_gains.get(pick, 0), sum(self._gains[move]))
        return best_gains

    @property
    def move(self) -> str | None:
        """The complete move, if the picks make one."""
        return next((move for sequence, move in self._matching() if sequence == self.picked), None)

    @property
    def starts(self) -> set[str]:
        """All first picks, so that another move can be started at any time."""
        return {sequence[0] for sequence, _ in self.sequences}

    @property
    def ends_with_verb(self) -> bool:
        """Whether the last pick was the move's own verb, so that no confirmation is needed."""
        return self.move is not None and self.picked[-1] == self.move.partition(" ")[0]

    def completes(self, cursor: str | None) -> bool:
        """Whether picking what is under the cursor would complete a move."""
        return cursor is not None and any(sequence == (*self.picked, cursor) for sequence, _ in self.sequences)

    def gained(self, cursor: str | None) -> list[int]:
        """The gain in each value of the complete move, or of the one that the cursor would complete."""
        move = self.move
        if move is None and cursor is not None:
            picks = (*self.picked, cursor)
            move = next((move for sequence, move in self.sequences if sequence == picks), None)
        return self._no_gain if move is None else self._gains[move]

    def pick(self, pick: str) -> None:
        """Add a pick; one that cannot come next starts a new move if it can."""
        if pick not in self.offers:
            self.picked = ()
        if pick in self.offers:
            self.picked = (*self.picked, pick)

    def back(self) -> bool:
        """Undo the last pick; False if there was none."""
        had_picks = bool(self.picked)
        self.picked = self.picked[:-1]
        return had_picks

    def show(self, move: str) -> None:
        """Pick a whole move at once, as a hint does."""
        self.picked = next(sequence for sequence, known in self.sequences if known == move)
