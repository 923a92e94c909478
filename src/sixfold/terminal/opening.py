"""Entry points of the commands: the menu, a game, a server's table, or a record."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sixfold.language import say
from sixfold.table import Setup
from sixfold.terminal.app import Sixfold
from sixfold.terminal.local import BOT_PAUSE_SECONDS, PERSON, LocalRoom, seated, secret_of
from sixfold.terminal.menu import Wanted
from sixfold.terminal.replay_screen import ReplayScreen

SUBSTITUTE_LEVEL = "level2"


def local_room(
    choices: Wanted,
    language: str,
    *,
    seed: int | None = None,
    first: int | None = None,
    pace: float = BOT_PAUSE_SECONDS,
) -> LocalRoom:
    """Create a local table from menu choices."""
    occupants = choices.who[: choices.players]
    alone = occupants.count(PERSON) == 1
    names = [
        say("you", language) if alone else say("seat_number", language, number=seat + 1)
        for seat in range(len(occupants))
    ]
    secret = secret_of(seed)
    setup = Setup(
        choices.game,
        choices.players,
        options=choices.options,
        rounds=choices.rounds,
        takeover=None,
        first=first,
        deputy=SUBSTITUTE_LEVEL,
        hints=True,
    )
    return LocalRoom(setup, seated(names, occupants, secret), secret, language, pace)


def play(
    choices: Wanted, language: str, *, seed: int | None, first: int | None, at_once: bool, out: Path | None
) -> None:
    """Show the menu, or start the game at once, until the player quits."""
    open_table = partial(local_room, seed=seed, first=first)
    app = Sixfold(
        (lambda app: app.sit_down(choices)) if at_once else (lambda app: app.show_menu(choices)), language, open_table
    )
    app.run()
    if out is not None and isinstance(app.room, LocalRoom):
        app.room.write_records(out)


def sit_at(link: str, name: str, language: str) -> None:
    """Take a seat at a server's table."""
    from sixfold.terminal.joined import join

    client = join(link, name, language)
    Sixfold(lambda app: app.show_table(client), language, local_room).run()


def show(record: Mapping[str, Any], language: str) -> None:
    """Step through a record."""
    Sixfold(lambda app: app.push_screen(ReplayScreen(record)), language, local_room).run()
