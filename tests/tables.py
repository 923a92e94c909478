"""Every possible table: each registered game with each number of players and every combination of options."""

from dataclasses import dataclass, field
from itertools import product

import pytest

from sixfold import GAMES, Game, Seeded, start
from sixfold.engine.chance import Chance
from sixfold.games.contract import Rules, Value


@dataclass(frozen=True)
class Table:
    """A game with a number of players and all options chosen."""

    game: str
    players: int
    options: dict[str, Value] = field(hash=False)

    def __str__(self) -> str:
        option_names = [name if value is True else f"{name}={value}" for name, value in self.options.items() if value]
        return "-".join([self.game, str(self.players), *option_names])

    @property
    def rules(self) -> Rules:
        return GAMES[self.game]

    def start(self, chance: Chance | None = None) -> Game:
        return start(self.game, self.players, chance=chance, **self.options)


TABLES = [
    Table(name, players, dict(zip(rules.OPTIONS, chosen, strict=True)))
    for name, rules in GAMES.items()
    for players in rules.PLAYERS
    for chosen in product(*(option.choices for option in rules.OPTIONS.values()))
]

at_every_table = pytest.mark.parametrize("table", TABLES, ids=str)


def play_on(game: Game, chance: Seeded, decisions: int | None = None) -> list[int]:
    """Play random moves, to the end unless a number is given; returns the number of legal moves at each decision."""
    legal: list[int] = []
    while not game.over and (decisions is None or len(legal) < decisions):
        moves = game.legal()
        legal.append(len(moves))
        game.play_number(int(moves.numbers[chance.below(len(moves))]))
    return legal


def random_game(table: Table, seed: int, decisions: int | None = None) -> Game:
    """A game of random moves; one stream supplies chance and moves, as in the compiled playout."""
    chance = Seeded(seed)
    game = table.start(chance)
    play_on(game, chance, decisions)
    return game
