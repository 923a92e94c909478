"""The results of the native rules that modules are compared with: digests of random games, and detailed positions."""

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from sixfold.bots import Bot, Budget, make
from sixfold.bots.levels import LEVELS, LevelBot
from sixfold.engine import annotations
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, start
from sixfold.engine.notation import move_texts
from sixfold.games import GAMES, packages
from sixfold.games.contract import Rules, Value
from sixfold.table import positions
from sixfold.table.views import rule_annotations
from sixfold.wasm.game_digest import digest_of

SEED = 14
# The number of games per digest.
RUN = 20_000
# More than a search with a net needs before it eliminates the first moves.
ITERATIONS = 160
# The bots are only asked at every sixth decision, since searches are slow.
BOT_INTERVAL = 6
# Bots that no level uses, but that can be chosen by name.
BOTS = ("random", "greedy", "careful", "search")


@dataclass(frozen=True)
class Kind:
    """A game with a number of players and options."""

    game: str
    players: int
    options: Mapping[str, Value]

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.game}, {self.players} players{', ' if options else ''}{options}"


def with_modules() -> Iterator[tuple[str, Rules]]:
    """The games that have a module."""
    return ((name, package.rules) for name, package in packages().items() if package.fields is not None)


def kinds() -> Iterator[Kind]:
    """Every game with every number of players and every combination of options."""
    for name, rules in with_modules():
        for players in rules.PLAYERS:
            for values in product(*(option.choices for option in rules.OPTIONS.values())):
                yield Kind(name, players, dict(zip(rules.OPTIONS, values, strict=True)))


def expected(kind: Kind, first: int, games: int, positions: bool) -> dict[str, Any]:
    """The expected results for a kind: the digest of random games, and the positions of one more game."""
    rules = GAMES[kind.game]
    digest, decisions = digest_of(rules, rules.start(kind.players, **kind.options), SEED, first, games)
    return {
        "game": kind.game,
        "players": kind.players,
        "options": dict(kind.options),
        "seed": str(SEED),
        "runs": [{"first": first, "games": games, "digest": digest, "decisions": decisions}],
        "positions": list(_positions(kind)) if positions else [],
    }


def _positions(kind: Kind) -> Iterator[dict[str, Any]]:
    """The positions of a game in which greedy and random moves alternate, for variety."""
    game = start(kind.game, kind.players, chance=Seeded(SEED), **kind.options)
    bots = [make(name, kind.game, kind.players) for name in ("greedy", "random")]
    number = 0
    while game.turn is not None:
        game.chance = Seeded(SEED, number)
        move = bots[number // kind.players % 2].choose(game.view(game.turn), Budget(), Seeded(SEED, 1000 + number))
        position = _position(game, number, move)
        position["scored"] = annotations.counted(game, move)
        position["events"] = game.play(move)
        yield position
        number += 1
    yield _position(game, number, None)


def _position(game: Game, number: int, move: str | None) -> dict[str, Any]:
    moves = game.legal()
    seats: list[int | None] = [None, *range(game.players)]
    return {
        "state": _base64(game.states),
        "events": [],
        "move": move,
        "legal": moves.numbers.tolist(),
        "previews": game.previews(moves).tolist(),
        "earned": annotations.earned(game, moves),
        "reach": annotations.reach(game),
        "bonus": annotations.bonus(game),
        "ended": annotations.over_why(game),
        "values": game.values,
        "places": game.places,
        "lines": annotations.lines(game),
        "scored": [],
        "views": [_view(game, seat, number) for seat in seats],
        "refused": list(_refused(game, number)),
        "chosen": list(_chosen(game, number)) if move is not None and number % BOT_INTERVAL == 0 else [],
    }


def _base64(states: np.ndarray) -> str:
    return base64.b64encode(states.tobytes()).decode()


def _view(game: Game, seat: int | None, number: int) -> dict[str, Any]:
    view = game.view(seat)
    return {
        "seat": seat,
        "view": _base64(view.states),
        "shown": positions.value(view),
        "worked_out": rule_annotations(view, in_turn=seat is not None and seat == game.turn),
        "guess": _base64(view.guess(Seeded(number, 1)).states),
    }


def _refused(game: Game, number: int) -> Iterator[dict[str, Any]]:
    """A few illegal moves, with the reasons."""
    if game.turn is None:
        return
    texts, chance = move_texts(game.rules), Seeded(SEED, number)
    legal = set(game.legal().numbers.tolist())
    for move in {chance.below(len(texts)) for _ in range(8)} - legal:
        if texts[move] is not None:
            reason = annotations.refusal(game, move)
            yield {"move": move, "key": reason.key, "clause": reason.clause, "words": reason.words}


def _chosen(game: Game, number: int) -> Iterator[dict[str, Any]]:
    """The choices of every level and some bots."""
    assert game.turn is not None
    view, budget = game.view(game.turn), Budget(iterations=ITERATIONS)
    for who in (*LEVELS, *BOTS):
        bot = _bot(who, game.name, game.players)
        yield {"who": who, "iterations": ITERATIONS, "seed": number, "move": bot.choose(view, budget, Seeded(number))}


@cache
def _bot(who: int | str, game: str, players: int) -> Bot:
    return LevelBot(who, game, players) if isinstance(who, int) else make(who, game, players)


if __name__ == "__main__":
    print(json.dumps([expected(kind, 0, int(sys.argv[1]), positions=True) for kind in kinds()]))
