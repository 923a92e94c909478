"""Why a move is good, compiled, so that the browser gives the same reason: the first one that holds."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games import Package
from sixfold.games.contract import MAX_WORDS, Hints, Reason
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import stream
from sixfold.games.shared.symbols import NONE

GOAL, BONUS, NOTHING, JOKER, LOWEST, RAISE = range(6)


def reasons_of(package: Package) -> Sequence[Reason]:
    """The reasons that ``build_explain`` can return, by index: the game's own, or else those by values."""
    if hasattr(package.annotations, "HINTS"):
        return cast(Hints, package.annotations).HINTS
    symbol = ("symbol", package.rules.VALUES)
    raised = (symbol, ("before", None), ("after", None))
    return (
        Reason("hint_goal", ""),
        Reason("hint_bonus", "", (symbol, ("goal", None))),
        Reason("hint_nothing", ""),
        Reason("hint_joker", "", raised),
        Reason("hint_lowest", "", raised),
        Reason("hint_raise", "", raised),
    )


class ReasonWorkspace(NamedTuple):
    """Scratch arrays of ``build_explain``, and the numbers for the placeholders of the reason."""

    after: np.ndarray  # the state after the move
    weights: np.ndarray  # by item, to deal what is hidden
    generator: np.ndarray
    values: np.ndarray  # of each player, before and after the move
    words: np.ndarray


def make_workspace(package: Package) -> ReasonWorkspace:
    rules = package.rules
    return ReasonWorkspace(
        after=np.zeros(1, dtype=rules.STATE),
        weights=np.zeros(len(rules.ITEMS), dtype=np.int8),
        generator=np.zeros(1, dtype=np.uint64),
        values=np.zeros((2, max(rules.PLAYERS), len(rules.VALUES)), dtype=np.int8),
        words=np.zeros(MAX_WORDS, dtype=np.int64),
    )


@cache
def build_explain(package: Package) -> Callable[[np.ndarray, ReasonWorkspace, int], int]:
    """Compile a function that returns the reason for a move of the player in turn, whose view is given."""
    rules, deal_hidden, hint = package.rules, steps_of(package.rules).deal_hidden, _hint(package)

    @compiled
    def explain(views: np.ndarray, workspace: Any, move: int) -> int:
        after = workspace.after
        after[0] = views[0]
        # A reason depends only on what the seat sees, so any guess of the rest will do.
        workspace.generator[0] = stream(np.uint64(0), 0)
        deal_hidden(after[0], int(views[0].turn), workspace.weights, workspace.generator)
        rules.act(after[0], move)
        rules.values(views[0], workspace.values[0])
        rules.values(after[0], workspace.values[1])
        return hint(views[0], after[0], workspace.values, move, workspace.words)

    return explain


def _hint(package: Package) -> Callable[[np.record, np.record, np.ndarray, int, np.ndarray], int]:
    annotations: Any = package.annotations
    if hasattr(annotations, "hint"):
        return cast(Hints, annotations).hint
    facts, favours = package.facts, getattr(annotations, "favours", _no_joker)

    @compiled
    def comes_first(before: np.ndarray, after: np.ndarray, move: int, symbol: int, other: int) -> bool:
        """The lower symbol; among equals one that a joker goes to, then the one that the move raises most."""
        if before[symbol] != before[other]:
            return before[symbol] < before[other]
        if favours(move, symbol) != favours(move, other):
            return favours(move, symbol)
        return after[symbol] > after[other]

    @compiled
    def hint(state: np.record, state_after: np.record, values: np.ndarray, move: int, words: np.ndarray) -> int:
        before, after = values[0, state.turn], values[1, state.turn]
        least, least_after = before[0], after[0]
        chosen, full = NONE, NONE
        for symbol in range(before.size):
            least, least_after = min(least, before[symbol]), min(least_after, after[symbol])
            if after[symbol] > before[symbol]:
                if full == NONE and after[symbol] == facts.LAST:
                    full = symbol
                if chosen == NONE or comes_first(before, after, move, symbol, chosen):
                    chosen = symbol
        if least_after >= facts.GOAL:
            return GOAL
        if full != NONE and annotations.bonus(state_after):
            words[0], words[1] = full, facts.LAST
            return BONUS
        if chosen == NONE:
            return NOTHING
        words[0], words[1], words[2] = chosen, before[chosen], after[chosen]
        if before[chosen] != least:
            return RAISE
        return JOKER if favours(move, chosen) else LOWEST

    return hint


@compiled
def _no_joker(move: int, symbol: int) -> bool:
    return False
