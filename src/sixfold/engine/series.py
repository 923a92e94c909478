"""C17, D14: series of rounds. The starting seat advances by one each round, and points add up."""

from sixfold.engine.game import Result, rules_of
from sixfold.errors import SetupError


def default_rounds(game: str, players: int) -> int:
    """The default number of rounds in a series; 1 for games without series."""
    return rules_of(game, players).ROUNDS.get(players, 1)


class Series:
    """A series at one table: after each round every seat scores the points that the game's rules give. ``rounds``
    defaults to the game's own number of rounds."""

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
        """The seat of a player in the current round; player 0 starts."""
        return (player + len(self.points)) % self.seats

    def add(self, result: Result) -> list[int]:
        """Add the points of a finished round; returns them by seat."""
        if self.over:
            raise SetupError("all rounds of the series are played")
        points = [0] * self.seats
        assert result.points is not None
        for player, scored in enumerate(result.points):
            points[self.seat_of(player)] = scored
        self.points.append(points)
        return points

    def after(self, result: Result) -> "Series":
        """A copy of the series with one more finished round."""
        extended = Series(self.game, self.seats, self.rounds)
        extended.points = list(self.points)
        extended.add(result)
        return extended

    @property
    def totals(self) -> list[int]:
        return [sum(points[seat] for points in self.points) for seat in range(self.seats)]

    @property
    def winners(self) -> list[int]:
        """The seats with the most points once all rounds are played; ties share the victory."""
        best = max(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == best] if self.over else []
