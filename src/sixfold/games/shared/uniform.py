"""The heuristics of a game that defines none: all moves are alike, and playouts are random."""

import sys
from types import ModuleType
from typing import Any

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.heuristics import act_of, clear, compute_board_features, copy_board_features


def uniform_heuristics(rules: Any) -> ModuleType:
    """Heuristics for these rules, as a module, because compiled functions look up what they call in modules."""
    module: Any = ModuleType(f"{rules.__package__}.heuristics", __doc__)
    module.__file__ = __file__
    # Numba's cache refers to modules by name.
    sys.modules[module.__name__] = module

    @compiled
    def terms(state: Any, board_features: Any, move: int, after: Any, features_after: Any, result: Any) -> None:
        clear(result)

    @compiled
    def candidates(state: Any, board_features: Any, workspace: Any, moves: Any, values: Any, limit: int) -> int:
        number = min(limit, rules.count(state))
        for which in range(number):
            moves[which] = rules.nth(state, which)
            values[which] = 0.0
        return number

    @compiled
    def playout_move(state: Any, board_features: Any, workspace: Any, generator: Any) -> int:
        return rules.nth(state, below(generator, rules.count(state)))

    @compiled
    def evaluate(state: Any, player: int) -> float:
        return 0.0

    @compiled
    def progress(state: Any) -> float:
        return 0.0

    module.rules = rules
    module.TERMS = ("none",)
    module.WEIGHTS = module.SEARCH_WEIGHTS = np.zeros(1)
    module.BOARD_FEATURES_SHAPE = module.WORKSPACE_SHAPE = (1, 1)
    module.DECISIVE_LEAD = (1.0, 1.0)
    module.PLAN = Plan(depth=2, width=8, reply_width=4, widening=0.5, c_puct=0.5, prior_temperature=1.0)
    module.compute_board_features, module.copy_board_features = compute_board_features, copy_board_features
    module.act, module.terms, module.candidates = act_of(rules), terms, candidates
    module.playout_move, module.evaluate, module.progress = playout_move, evaluate, progress
    return module
