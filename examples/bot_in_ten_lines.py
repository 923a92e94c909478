"""A bot in ten lines, entered in the arena: ``python examples/bot_in_ten_lines.py``.

In any game, it plays the move that is best for its lowest values. The arena finds it as
``bot_in_ten_lines:Lifter`` in the folder of this file; ``sixfold arena --help`` says what else it can do.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from sixfold import Seeded, View
from sixfold.bots import Budget


class Lifter:
    def __init__(self, game: str, players: int) -> None:
        pass

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, own = view.legal(), np.array(view.values[view.turn or 0])
        after = np.sort(own + view.previews(moves)[:, :6], axis=1)
        return moves[int(np.lexsort(after.T[::-1])[-1])]


def main(games: int = 200, *settings: str) -> None:
    """Play it against a random and a greedy bot."""
    arena = ["arena", "cards", "random", "bot_in_ten_lines:Lifter", "greedy", "--games", str(games), *settings]
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    subprocess.run([sys.executable, "-m", "sixfold", *arena], env=environment, check=True)


if __name__ == "__main__":
    main()
