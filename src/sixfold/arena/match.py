"""One game between bots. A bot that misbehaves loses; the others are ranked by the current position."""

import time
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from sixfold import bots
from sixfold.arena.schedule import Fixture, Settings
from sixfold.bots import Bot
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, start
from sixfold.engine.notation import Refused

# The bots' random numbers are independent of the game's and the same for every seat order, so that a bot scores 50%
# against itself.
BOT_SEED = 0x5EA7_B075
# A game longer than this is stopped and ranked by the current position.
MAX_EVENTS = 5000


class Observer(Protocol):
    """An observer that is told when a bot starts and stops thinking."""

    def thinking_started(self, seat: int, events: list[str]) -> None: ...
    def thinking_stopped(self) -> None: ...


@dataclass(frozen=True)
class Fault:
    """Why a bot forfeited a game: the bot, deal, seat, event number and reason."""

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
    """A finished game: places, values and move times in milliseconds, by seat."""

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


class BotFault(Exception):
    """A bot did something for which it forfeits the game."""


def play(settings: Settings, fixture: Fixture, observer: Observer) -> Outcome:
    """Play a fixture to its end. Bots are given only views, their budget and a random generator."""
    game = start(settings.game, settings.players, chance=Seeded(settings.seed, fixture.deal), **settings.options)
    chances = [
        Seeded(settings.seed ^ BOT_SEED, fixture.deal * settings.players + seat) for seat in range(settings.players)
    ]
    times: list[list[float]] = [[] for _ in fixture.seats]
    players: dict[int, Bot] = {}
    while (seat := game.turn) is not None and len(game.events) < MAX_EVENTS:
        observer.thinking_started(seat, game.events)
        try:
            if seat not in players:
                players[seat] = _make_bot(fixture.seats[seat], settings)
            started = time.perf_counter()
            move = _choose_move(players[seat], game, seat, settings, chances[seat])
            times[seat].append(_round((time.perf_counter() - started) * 1000))
            _play(game, move)
        except BotFault as fault:
            return forfeit(fixture, game, seat, str(fault), times)
        finally:
            observer.thinking_stopped()
    return Outcome(fixture, game.places, game.values, times)


def _make_bot(name: str, settings: Settings) -> Bot:
    """Create a bot for one seat of one game, so that it carries no state between games or seats."""
    try:
        return bots.make(name, settings.game, settings.players)
    except BaseException as error:
        raise BotFault(f"it could not be made: {type(error).__name__}: {error}") from error


def _choose_move(bot: Bot, game: Game, seat: int, settings: Settings, chance: Seeded) -> object:
    try:
        return bot.choose(game.view(seat), settings.budget, chance)
    except BaseException as error:  # even SystemExit must not end the run
        raise BotFault(f"it raised {type(error).__name__}: {error}") from error


def _play(game: Game, move: object) -> None:
    if not isinstance(move, str):
        raise BotFault(f"it returned {move!r:.100}, which is no move")
    try:
        game.play(move)
    except Refused as refused:
        raise BotFault(f"illegal move {refused.sentence()}") from refused


def forfeit(fixture: Fixture, game: Game, seat: int, reason: str, times: list[list[float]]) -> Outcome:
    """Place the bot in this seat last, and rank the others by the position."""
    places = game.places
    places[seat] = game.players + 1
    final = [1 + sum(other < place for other in places) for place in places]
    game_record = record.of(game, names=fixture.seats)
    fault = Fault(fixture.seats[seat], fixture.deal, seat, len(game.events) + 1, reason, game_record)
    return Outcome(fixture, final, game.values, times, fault)


def _round(milliseconds: float) -> float:
    """Round to three significant digits, to keep the journal small."""
    return float(f"{milliseconds:.3g}")
