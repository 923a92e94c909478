"""A small policy for the card game, trained with the vector environment and NumPy in a few seconds.

``python examples/train_a_policy.py`` prints its progress.
The policy is linear in six features of a move and learns their weights by REINFORCE: after every game, the moves of won
games become more likely and those of lost games less likely. It starts as a random player.
"""

import numpy as np

from sixfold import GAMES
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.research.gymnasium import GamesEnv
from sixfold.research.observations import observation_layout

CARDS = GAMES["cards"]
ROW = observation_layout(CARDS, 2)
# The symbols on every card; an empty place is -1 and so selects the last row.
CARD_SYMBOLS = np.array([[letter in card for letter in SYMBOLS] for card in CARDS.ITEMS] + [[False] * 6], dtype=float)
# An action up to here is two symbols in scoring order; the two actions after that keep or renew the hand.
PLAY_ACTIONS = 36


def features(rows: np.ndarray) -> np.ndarray:
    """The features of every move in every game: for both of its symbols the column of the own chip, whether that is a
    lowest one, and how many open cards show the symbol."""

    def field(name: str) -> np.ndarray:
        part = ROW.fields[name]
        return rows[:, part.numbers].reshape(-1, *part.shape)

    chips = field("chip")[:, 0].astype(float)
    symbol_features = np.stack(
        [chips / 10, chips == chips.min(axis=1, keepdims=True), CARD_SYMBOLS[field("open")].sum(axis=(1, 2)) / 4], 2
    )
    first, second = np.divmod(np.arange(PLAY_ACTIONS), 6)
    moves = np.zeros((len(rows), CARDS.ACTIONS, 6))
    moves[:, :PLAY_ACTIONS] = np.concatenate([symbol_features[:, first], symbol_features[:, second]], axis=2)
    return moves


def probabilities(weights: np.ndarray, moves: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The probability with which the policy plays each move."""
    logits = np.where(legal, moves @ weights, -np.inf)
    probability: np.ndarray = np.exp(logits - logits.max(axis=1, keepdims=True))
    probability /= probability.sum(axis=1, keepdims=True)
    return probability


def train(games: int, steps: int, rate: float, seed: int) -> tuple[np.ndarray, list[float]]:
    """Train for some steps in parallel games; returns the weights, and the mean reward of each hundred steps."""
    env = GamesEnv("cards", num_envs=games, cores=1)
    rng = np.random.default_rng(seed)
    rows, _ = env.reset(seed=seed)
    weights, mean_rewards = np.zeros(6), []
    traces, sums = np.zeros((games, 6)), np.zeros(2)
    for step in range(1, steps + 1):
        moves = features(rows)
        probability = probabilities(weights, moves, env.action_masks() == 1)
        chosen = (probability.cumsum(axis=1) > rng.random((games, 1))).argmax(axis=1)
        traces += moves[np.arange(games), chosen] - (probability[:, :, None] * moves).sum(axis=1)
        rows, rewards, ended, _, _ = env.step(chosen)
        if ended.any():
            weights += rate * (rewards[ended, None] * traces[ended]).mean(axis=0)
            traces[ended] = 0
            sums += rewards.sum(), ended.sum()
        if step % 100 == 0:
            mean_rewards.append(float(sums[0] / max(1, sums[1])))
            sums[:] = 0
    return weights, mean_rewards


def main(games: int = 512, steps: int = 600) -> list[float]:
    """Train and print the mean rewards: -1 is losing every game against a random player, 1 is winning every one."""
    weights, mean_rewards = train(games, steps, rate=0.1, seed=1)
    for hundred, reward in enumerate(mean_rewards, start=1):
        print(f"after {100 * hundred} steps: mean reward {reward:+.2f}")
    print("weights:", np.round(weights, 1).tolist())
    return mean_rewards


if __name__ == "__main__":
    main()
