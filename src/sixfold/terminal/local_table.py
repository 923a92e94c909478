"""A table on this computer: players share the keyboard, and bots think in the background."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sixfold.bots import Budget
from sixfold.bots.hints import hint
from sixfold.bots.turn import decide_turn
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game
from sixfold.engine.notation import Refused
from sixfold.table import Actor, Seat, Setup, Table, TableRefused, decide, event_view, table_view
from sixfold.table import make as make_table
from sixfold.table.setup import bot, person
from sixfold.terminal.table_client import Advice, ClientRefused, Event, View

HERE = "here"
BOT_PAUSE_SECONDS = 0.7
PERSON = "person"


def secret_from_seed(seed: int | None) -> bytes:
    """The secret that all chance derives from; the same seed gives the same tiles, cards and dice."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def make_seats(names: Sequence[str], occupants: Sequence[str], secret: bytes) -> list[Seat]:
    """Build the seats from their occupants: ``person``, or the name of a bot."""
    seats: list[Seat] = []
    for number, (name, occupant) in enumerate(zip(names, occupants, strict=True)):
        if occupant == PERSON:
            seats.append(person(name, HERE, "", seats))
        else:
            seats.append(bot(occupant, f"{secret.hex()} {number}", seats))
    return seats


class LocalTable:
    """The table, its secret and its bots; ``pace`` is the pause in seconds before a bot moves, so people can follow."""

    def __init__(
        self, setup: Setup, seats: list[Seat], secret: bytes, language: str, pace: float = BOT_PAUSE_SECONDS
    ) -> None:
        self.language = language
        self.on_change: Callable[[], None] = lambda: None
        self.status_message = ""
        self._secret = secret
        self._pace = pace
        self._chance = Seeded(int.from_bytes(secret[:7]))
        self._state_changed = asyncio.Event()
        self.table = Table([make_table(setup, seats, secret, _now(), HERE)])
        self._apply(Actor(HERE), {"do": "start"})

    @property
    def views(self) -> list[View]:
        return [table_view(self.table, seat) for seat in self.table.seen_by(HERE)]

    def events_for(self, seat: int | None) -> list[Event]:
        versions = range(self.table.round_from, self.table.version + 1)
        return [event_view(self.table, version, seat) for version in versions]

    @property
    def is_shared_screen(self) -> bool:
        game = self.table.game
        own_seats = self.table.held_by(HERE)
        return (
            len(own_seats) > 1
            and game is not None
            and any(_has_hidden_items(game, self.table.player_of(seat)) for seat in own_seats)
        )

    async def run(self) -> None:
        """Play the bots' turns as they come up."""
        while True:
            self._state_changed.clear()
            while (turn := self.table.bot_to_move()) is not None:
                await self._play_bot(*turn)
            await self._state_changed.wait()

    async def _play_bot(self, seat: int, level: str) -> None:
        table, game = self.table, self.table.game
        assert game is not None
        version = table.changed
        # T16, C13: a pause before a choice would reveal that there is one.
        pause = 0 if game.choosing else self._pace
        view = game.view(game.turn)
        deciding = asyncio.to_thread(decide_turn, level, view, Budget(), self._chance)
        (move, then), _ = await asyncio.gather(deciding, asyncio.sleep(pause))
        if table.changed == version and table.bot_to_move() == (seat, level):
            self._apply(Actor(bot_seat=seat), {"do": "move", "move": move, "then": then})
            self.on_change()

    def play(self, move: str) -> None:
        """Play a move for the person whose turn it is."""
        self._apply(Actor(HERE), {"do": "move", "move": move})

    async def act(self, do: str, **words: Any) -> None:
        try:
            self._apply(Actor(HERE), {"do": do, **words})
        except (Refused, TableRefused) as refused:
            raise ClientRefused(refused.reason(self.language), refused.refusal.clause) from None
        self._state_changed.set()
        self.on_change()

    async def hint(self, seat: int) -> Advice:
        game = self.table.game
        if game is None or game.turn is None or self.table.turn != seat:
            raise ClientRefused(TableRefused("no_hint").reason(self.language))
        advice = await asyncio.to_thread(hint, game.view(game.turn), Seeded(len(game.events)))
        return Advice(advice.move, advice.sentence(self.language))

    def _apply(self, actor: Actor, action: dict[str, Any]) -> None:
        for step in decide(self.table, actor, action, _now(), self._secret):
            self.table.apply(step.event, step.game)

    def write_records(self, path: Path) -> None:
        """Write the records of all rounds, including an unfinished one."""
        table = self.table
        records = list(table.records)
        if table.stage == "playing" and table.game is not None:
            names = [table.seats[table.seat_of(player)].name for player in range(table.game.players)]
            records.append(record.of(table.game, names))
        record.write_lines(path, records)


def _has_hidden_items(game: Game, player: int) -> bool:
    """Whether a player holds anything that others must not see."""
    return any(occasion.hidden for occasion in game.rules.OCCASIONS) and not game.hand_is_public(player)


def _now() -> int:
    return int(time.time() * 1000)
