"""One game between bots. A bot that breaks the rules of the house loses it; the others are ranked as they stand."""

import time
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from sixfold import bots
from sixfold.arena.schedule import Fixture, Settings
from sixfold.bots import Bot
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, start
from sixfold.engine.notation import Refused
from sixfold.games.shared.symbols import places

# The bots' own chance is another than the game's, and the same for every seat order: a bot against itself gives 50%.
BOTS_CHANCE = 0x5EA7_B075
# No sensible game is so long. It is stopped and ranked as it stands.
MOST_EVENTS = 5000


class Watch(Protocol):
    """Somebody who looks on from outside and can tell which bot is thinking, and since when."""

    def thinks(self, seat: int, events: list[str]) -> None: ...
    def rests(self) -> None: ...


@dataclass(frozen=True)
class Fault:
    """Why a bot lost without playing to the end: who, in which game and seat, at which event, and the reason."""

    bot: str
    deal: int
    seat: int
    event: int
    reason: str
    record: dict[str, Any]

    def sentence(self, game: int) -> str:
        return f"game {game}, deal {self.deal}, seat {self.seat}, event {self.event}: {self.bot} loses: {self.reason}"


@dataclass(frozen=True)
class Outcome:
    """A game that was played: places and values by seat, and the milliseconds of each seat's moves."""

    fixture: Fixture
    places: list[int]
    values: list[list[int]]
    milliseconds: list[list[float]]
    fault: Fault | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "deal": self.fixture.deal,
            "seats": list(self.fixture.seats),
            "places": self.places,
            "values": self.values,
            "milliseconds": self.milliseconds,
            **({"fault": asdict(self.fault)} if self.fault else {}),
        }

    @staticmethod
    def of_json(line: dict[str, Any]) -> "Outcome":
        fixture = Fixture(line["deal"], tuple(line["seats"]))
        fault = Fault(**line["fault"]) if "fault" in line else None
        return Outcome(fixture, line["places"], line["values"], line["milliseconds"], fault)


class Misbehaved(Exception):
    """A bot did something for which it loses the game."""


def play(settings: Settings, fixture: Fixture, watch: Watch) -> Outcome:
    """Play a fixture to its end. Bots get views, their budget and chance of their own, and nothing else."""
    game = start(settings.game, settings.players, chance=Seeded(settings.seed, fixture.deal), **settings.options)
    chances = [
        Seeded(settings.seed ^ BOTS_CHANCE, fixture.deal * settings.players + seat) for seat in range(settings.players)
    ]
    times: list[list[float]] = [[] for _ in fixture.seats]
    players: dict[int, Bot] = {}
    while (seat := game.turn) is not None and len(game.events) < MOST_EVENTS:
        watch.thinks(seat, game.events)
        try:
            if seat not in players:
                players[seat] = _made(fixture.seats[seat], settings)
            begin = time.perf_counter()
            move = _chosen(players[seat], game, seat, settings, chances[seat])
            times[seat].append(_rounded((time.perf_counter() - begin) * 1000))
            _play(game, move)
        except Misbehaved as fault:
            return forfeit(fixture, game, seat, str(fault), times)
        finally:
            watch.rests()
    return Outcome(fixture, places(np.array(game.values)), game.values, times)


def _made(name: str, settings: Settings) -> Bot:
    """A bot for one seat of one game: it can carry nothing from game to game or from seat to seat."""
    try:
        return bots.make(name, settings.game, settings.players)
    except BaseException as error:
        raise Misbehaved(f"it could not be made: {type(error).__name__}: {error}") from error


def _chosen(bot: Bot, game: Game, seat: int, settings: Settings, chance: Seeded) -> object:
    try:
        return bot.choose(game.view(seat), settings.budget, chance)
    except BaseException as error:  # even SystemExit must not end the run
        raise Misbehaved(f"it raised {type(error).__name__}: {error}") from error


def _play(game: Game, move: object) -> None:
    if not isinstance(move, str):
        raise Misbehaved(f"it returned {move!r:.100}, which is no move")
    try:
        game.play(move)
    except Refused as refused:
        raise Misbehaved(f"illegal move {refused.sentence()}") from refused


def forfeit(fixture: Fixture, game: Game, seat: int, reason: str, times: list[list[float]]) -> Outcome:
    """The bot in this seat is last; the others are ranked among themselves by the position."""
    values = game.values
    others = [player for player in range(game.players) if player != seat]
    ranking = places(np.array([values[player] for player in others]))
    final = [game.players] * game.players
    for player, place in zip(others, ranking, strict=True):
        final[player] = place
    story = record.of(game, names=fixture.seats)
    fault = Fault(fixture.seats[seat], fixture.deal, seat, len(game.events) + 1, reason, story)
    return Outcome(fixture, final, values, times, fault)


def _rounded(milliseconds: float) -> float:
    """Three digits are enough, and keep the journal small."""
    return float(f"{milliseconds:.3g}")
