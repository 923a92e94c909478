"""The games in numbers: how long random games are, who wins them, and with what.

``python examples/games_in_numbers.py`` plays twenty thousand of each kind.
``python -m lab numbers`` measures the same for strong players, and more.
"""

from sixfold import GAMES
from sixfold.engine.playouts import play_games


def main(games: int = 20_000) -> dict[tuple[str, int], list[float]]:
    """A line for each game and number of players; returns what share of the games each seat wins."""
    wins = {}
    for name, rules in GAMES.items():
        for players in rules.PLAYERS:
            played = play_games(rules, rules.start(players), seed=1, first=0, games=games)
            first = played.places == 1
            shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
            lowest = played.values.min(axis=2)[first].mean()
            seats = ", ".join(f"{100 * share:.1f}%" for share in shares)
            print(f"{name}, {players} players: {played.lengths.mean():.0f} decisions; wins by seat {seats}; ", end="")
            print(f"the winner's lowest value is {lowest:.1f}")
            wins[name, players] = [float(share) for share in shares]
    return wins


if __name__ == "__main__":
    main()
