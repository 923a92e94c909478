"""A small policy for the card game, trained with the vector environment and NumPy in a few seconds.

``python examples/train_a_policy.py`` tells how it goes.
The policy knows six things about a move, and learns by REINFORCE what each is worth: after every game, moves of won
games become more likely, and moves of lost ones less. It starts as a random player.
"""

import numpy as np

from sixfold import GAMES
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.research.gymnasium import GamesEnv
from sixfold.research.observing import row_of

CARDS = GAMES["cards"]
ROW = row_of(CARDS, 2)
# The symbols of every card; an empty place, which is -1, is the last row.
SHOWS = np.array([[letter in card for letter in SYMBOLS] for card in CARDS.ITEMS] + [[False] * 6], dtype=float)
PLAYS = 36  # a move is two symbols in the order in which they are scored; the two behind them keep or renew a hand


def features(rows: np.ndarray) -> np.ndarray:
    """What is known of every move in every game: of each of its symbols how far my chip is, whether it is a lowest one,
    and on how many open cards it lies."""

    def field(name: str) -> np.ndarray:
        part = ROW.fields[name]
        return rows[:, part.numbers].reshape(-1, *part.shape)

    chips = field("chip")[:, 0].astype(float)
    known = np.stack(
        [chips / 10, chips == chips.min(axis=1, keepdims=True), SHOWS[field("open")].sum(axis=(1, 2)) / 4], 2
    )
    first, second = np.divmod(np.arange(PLAYS), 6)
    moves = np.zeros((len(rows), CARDS.ACTIONS, 6))
    moves[:, :PLAYS] = np.concatenate([known[:, first], known[:, second]], axis=2)
    return moves


def chances(weights: np.ndarray, moves: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """How likely the policy plays each move."""
    odds = np.where(legal, moves @ weights, -np.inf)
    likely: np.ndarray = np.exp(odds - odds.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def train(games: int, steps: int, rate: float, seed: int) -> tuple[np.ndarray, list[float]]:
    """Learn for so many steps in so many games; returns the weights, and the mean reward of each hundred steps."""
    env = GamesEnv("cards", num_envs=games, cores=1)
    chance = np.random.default_rng(seed)
    rows, _ = env.reset(seed=seed)
    weights, told = np.zeros(6), []
    traces, sums = np.zeros((games, 6)), np.zeros(2)
    for step in range(1, steps + 1):
        moves = features(rows)
        likely = chances(weights, moves, env.action_masks() == 1)
        chosen = (likely.cumsum(axis=1) > chance.random((games, 1))).argmax(axis=1)
        traces += moves[np.arange(games), chosen] - (likely[:, :, None] * moves).sum(axis=1)
        rows, rewards, ended, _, _ = env.step(chosen)
        if ended.any():
            weights += rate * (rewards[ended, None] * traces[ended]).mean(axis=0)
            traces[ended] = 0
            sums += rewards.sum(), ended.sum()
        if step % 100 == 0:
            told.append(float(sums[0] / max(1, sums[1])))
            sums[:] = 0
    return weights, told


def main(games: int = 512, steps: int = 600) -> list[float]:
    """Train, and tell how it goes: -1 is losing every game against a random player, 1 is winning every one."""
    weights, told = train(games, steps, rate=0.1, seed=1)
    for hundred, reward in enumerate(told, start=1):
        print(f"after {100 * hundred} steps: mean reward {reward:+.2f}")
    print("weights:", np.round(weights, 1).tolist())
    return told


if __name__ == "__main__":
    main()
