"""What the commands open: the menu, a game at once, a server's table, or a record."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sixfold.language import say
from sixfold.table import Setup
from sixfold.terminal.app import Sixfold
from sixfold.terminal.local import PACE, PERSON, LocalRoom, seated, secret_of
from sixfold.terminal.menu import Wanted
from sixfold.terminal.replay_screen import ReplayScreen

DEPUTY = "level2"


def local_room(
    wanted: Wanted, language: str, *, seed: int | None = None, first: int | None = None, pace: float = PACE
) -> LocalRoom:
    """A table on this computer with those whom somebody wants there."""
    who = wanted.who[: wanted.players]
    alone = who.count(PERSON) == 1
    names = [
        say("you", language) if alone else say("seat_number", language, number=seat + 1) for seat in range(len(who))
    ]
    secret = secret_of(seed)
    setup = Setup(
        wanted.game,
        wanted.players,
        options=wanted.options,
        rounds=wanted.rounds,
        takeover=None,
        first=first,
        deputy=DEPUTY,
        hints=True,
    )
    return LocalRoom(setup, seated(names, who, secret), secret, language, pace)


def play(
    wanted: Wanted, language: str, *, seed: int | None, first: int | None, at_once: bool, out: Path | None
) -> None:
    """The menu, or the game that was named, until the player leaves."""
    open_room = partial(local_room, seed=seed, first=first)
    app = Sixfold(
        (lambda app: app.sit_down(wanted)) if at_once else (lambda app: app.show_menu(wanted)), language, open_room
    )
    app.run()
    if out is not None and isinstance(app.room, LocalRoom):
        app.room.write_records(out)


def sit_at(link: str, name: str, language: str) -> None:
    """A seat at a server's table."""
    from sixfold.terminal.joined import join

    room = join(link, name, language)
    Sixfold(lambda app: app.show_table(room), language, local_room).run()


def show(record: Mapping[str, Any], language: str) -> None:
    """A record, step by step."""
    Sixfold(lambda app: app.push_screen(ReplayScreen(record)), language, local_room).run()
