"""C17, D14: several rounds in a row. The seat that begins moves on by one each round; points add up."""

from sixfold.engine.game import Result, rules_of
from sixfold.errors import SetupError


def default_rounds(game: str, players: int) -> int:
    """How many rounds are played where nothing else is agreed; 1 where a game has no series."""
    return rules_of(game, players).ROUNDS.get(players, 1)


class Series:
    """A series at one table: after each round every seat gets its lowest value as points. Without a number of rounds
    there are as many as the game has by default."""

    def __init__(self, game: str, seats: int, rounds: int | None = None) -> None:
        self.game, self.seats = game, seats
        self.rounds = default_rounds(game, seats) if rounds is None else rounds
        self.points: list[list[int]] = []
        if not rules_of(game, seats).ROUNDS:
            raise SetupError(f"{game} is played in single games")
        if self.rounds < 1:
            raise SetupError("a series has at least one round")

    @property
    def over(self) -> bool:
        return len(self.points) == self.rounds

    def seat_of(self, player: int) -> int:
        """The seat that has a player's number in the present round; player 0 begins."""
        return (player + len(self.points)) % self.seats

    def add(self, result: Result) -> list[int]:
        """Note the points of a finished round; returns them by seat."""
        if self.over:
            raise SetupError("all rounds of the series are played")
        row = [0] * self.seats
        for player, values in enumerate(result.values):
            row[self.seat_of(player)] = min(values)
        self.points.append(row)
        return row

    def after(self, result: Result) -> "Series":
        """The series with one more round; this one stays as it is."""
        later = Series(self.game, self.seats, self.rounds)
        later.points = list(self.points)
        later.add(result)
        return later

    @property
    def totals(self) -> list[int]:
        return [sum(row[seat] for row in self.points) for seat in range(self.seats)]

    @property
    def winners(self) -> list[int]:
        """The seats with the most points once all rounds are played; equal totals share the victory."""
        best = max(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == best] if self.over else []
