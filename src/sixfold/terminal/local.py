"""A table on this computer: people who pass the keyboard around, and bots that think in the background."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sixfold.bots import Budget, make
from sixfold.bots.hints import hint
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game
from sixfold.engine.notation import Refused
from sixfold.table import Actor, Seat, Setup, Table, TableRefused, decide, heard, seen
from sixfold.table import make as make_table
from sixfold.table.setup import bot, person
from sixfold.terminal.rooms import Advice, Event, RoomRefused, View

HERE = "here"
PACE = 0.7
PERSON = "person"


def secret_of(seed: int | None) -> bytes:
    """What chance is made from: the same seed gives the same tiles, cards and dice."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def seated(names: Sequence[str], who: Sequence[str], secret: bytes) -> list[Seat]:
    """Seats from who plays each: ``person``, or a bot by its name."""
    seats: list[Seat] = []
    for number, (name, player) in enumerate(zip(names, who, strict=True)):
        if player == PERSON:
            seats.append(person(name, HERE, "", seats))
        else:
            seats.append(bot(player, f"{secret.hex()} {number}", seats))
    return seats


class LocalRoom:
    """The table, its secret, and the bots; with ``pace`` seconds between what bots do, so that people can follow."""

    def __init__(self, setup: Setup, seats: list[Seat], secret: bytes, language: str, pace: float = PACE) -> None:
        self.language = language
        self.changed: Callable[[], None] = lambda: None
        self.trouble = ""
        self._secret = secret
        self._pace = pace
        self._chance = Seeded(int.from_bytes(secret[:7]))
        self._news = asyncio.Event()
        self.table = Table([make_table(setup, seats, secret, _now(), HERE)])
        self._do(Actor(HERE), {"do": "start"})

    @property
    def views(self) -> list[View]:
        return [seen(self.table, seat) for seat in self.table.seen_by(HERE)]

    def heard(self, seat: int | None) -> list[Event]:
        versions = range(self.table.round_from, self.table.version + 1)
        return [heard(self.table, version, seat) for version in versions]

    @property
    def share_a_screen(self) -> bool:
        game = self.table.game
        held = self.table.held_by(HERE)
        return len(held) > 1 and game is not None and any(_hides(game, self.table.player_of(seat)) for seat in held)

    async def run(self) -> None:
        """Let bots play whenever it is their turn."""
        while True:
            self._news.clear()
            while (turn := self.table.bot_to_move()) is not None:
                await self._bot_plays(*turn)
            await self._news.wait()

    async def _bot_plays(self, seat: int, level: str) -> None:
        table, game = self.table, self.table.game
        assert game is not None
        decided_on = table.changed
        # T16, C13: a pause before a choice would tell that there is one.
        pause = 0 if game.choosing else self._pace
        view = game.view(game.turn)
        player = make(level, game.name, game.players)
        thinking = asyncio.to_thread(player.choose, view, Budget(), self._chance)
        move, _ = await asyncio.gather(thinking, asyncio.sleep(pause))
        if table.changed == decided_on and table.bot_to_move() == (seat, level):
            self._do(Actor(bot_seat=seat), {"do": "move", "move": move})
            self.changed()

    def play(self, move: str) -> None:
        """A move of the person in turn."""
        self._do(Actor(HERE), {"do": "move", "move": move})

    async def act(self, do: str, **words: Any) -> None:
        try:
            self._do(Actor(HERE), {"do": do, **words})
        except (Refused, TableRefused) as refused:
            raise RoomRefused(refused.reason(self.language), refused.refusal.clause) from None
        self._news.set()
        self.changed()

    async def hint(self, seat: int) -> Advice:
        game = self.table.game
        if game is None or game.turn is None or self.table.turn != seat:
            raise RoomRefused(TableRefused("no_hint").reason(self.language))
        found = await asyncio.to_thread(hint, game.view(game.turn), Seeded(len(game.events)))
        return Advice(found.move, found.sentence(self.language))

    def _do(self, actor: Actor, action: dict[str, Any]) -> None:
        for step in decide(self.table, actor, action, _now(), self._secret):
            self.table.apply(step.event, step.game)

    def write_records(self, path: Path) -> None:
        """The records of all rounds, the one that was left included."""
        table = self.table
        records = list(table.records)
        if table.stage == "playing" and table.game is not None:
            names = [table.seats[table.seat_of(player)].name for player in range(table.game.players)]
            records.append(record.of(table.game, names))
        record.write_lines(path, records)


def _hides(game: Game, player: int) -> bool:
    """Does a player hold anything that others must not see?"""
    return any(occasion.hidden for occasion in game.rules.OCCASIONS) and not game.open_to_all(player)


def _now() -> int:
    return int(time.time() * 1000)
