"""Entry points of the commands: the menu, a game, a server's table, or a record."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sixfold.language import say
from sixfold.table import Setup
from sixfold.terminal.app import Sixfold
from sixfold.terminal.local_table import BOT_PAUSE_SECONDS, PERSON, LocalTable, make_seats, secret_from_seed
from sixfold.terminal.menu import GameChoices
from sixfold.terminal.replay_screen import ReplayScreen

SUBSTITUTE_LEVEL = "level2"


def make_local_table(
    choices: GameChoices,
    language: str,
    *,
    seed: int | None = None,
    first: int | None = None,
    pace: float = BOT_PAUSE_SECONDS,
) -> LocalTable:
    """Create a local table from menu choices."""
    occupants = choices.who[: choices.players]
    alone = occupants.count(PERSON) == 1
    names = [
        say("you", language) if alone else say("seat_number", language, number=seat + 1)
        for seat in range(len(occupants))
    ]
    secret = secret_from_seed(seed)
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
    return LocalTable(setup, make_seats(names, occupants, secret), secret, language, pace)


def play(
    choices: GameChoices, language: str, *, seed: int | None, first: int | None, at_once: bool, out: Path | None
) -> None:
    """Show the menu, or start the game at once, until the player quits."""
    open_table = partial(make_local_table, seed=seed, first=first)
    app = Sixfold(
        (lambda app: app.sit_down(choices)) if at_once else (lambda app: app.show_menu(choices)), language, open_table
    )
    app.run()
    if out is not None and isinstance(app.client, LocalTable):
        app.client.write_records(out)


def sit_at(link: str, name: str, language: str) -> None:
    """Take a seat at a server's table."""
    from sixfold.terminal.remote_table import join

    client = join(link, name, language)
    Sixfold(lambda app: app.show_table(client), language, make_local_table).run()


def show(record: Mapping[str, Any], language: str) -> None:
    """Step through a record."""
    Sixfold(lambda app: app.push_screen(ReplayScreen(record)), language, make_local_table).run()
