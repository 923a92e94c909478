"""``sixfold play``: a game in the terminal."""

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.common import Options, Players, full_screen, language_of, read_options
from sixfold.games import packages
from sixfold.games.contract import Value
from sixfold.language import say

PERSON = "person"


@dataclass(frozen=True)
class Asked:
    """A game as it was asked for."""

    game: str | None
    players: int
    other: str  # who plays the other seats
    seat: int
    seed: int | None
    options: dict[str, Value]
    language: str
    out: Path | None


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=f"one of {', '.join(packages())}; asked if left out")
    ] = None,
    players: Players = 2,
    against: Annotated[
        str, typer.Option(help="who plays the other seats: a level from 1 to 5, a bot, or person to pass the keyboard")
    ] = "2",
    seat: Annotated[int, typer.Option(help="your player number; player 0 begins")] = 0,
    seed: Annotated[int | None, typer.Option(help="the same seed gives the same tiles, cards and dice")] = None,
    option: Options = None,
    language: Annotated[str | None, typer.Option(help="en, de or nl; the system's if left out")] = None,
    out: Annotated[Path | None, typer.Option(help="write the record into this .sixfold.jsonl file")] = None,
    join: Annotated[
        str | None, typer.Option(metavar="LINK", help="sit at a server's table, by the link that you were sent")
    ] = None,
    name: Annotated[str, typer.Option(help="your name at a server's table")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="line by line, for screen readers and pipes")] = False,
) -> None:
    """Play a game in the terminal: with the whole screen, or line by line where there is none."""
    from sixfold.errors import SetupError

    tongue = language_of(language)
    if join is not None:
        if plain or not full_screen():
            raise SetupError("a server's table needs a terminal of its own; open the link in a browser otherwise")
        from sixfold.terminal.opening import sit_at

        sit_at(join, name or say("guest", tongue), tongue)
        return
    other = f"level{against}" if against.isdigit() else against
    asked = Asked(game, players, other, seat, seed, read_options(option), tongue, out)
    if plain or not full_screen():
        _line_by_line(asked)
    else:
        _on_the_screen(asked)
    if out is not None and out.exists():
        print(say("play_saved", tongue, file=out))


def _on_the_screen(asked: Asked) -> None:
    from sixfold.terminal.menu import Wanted
    from sixfold.terminal.opening import play as open_screen

    name = asked.game
    wanted = Wanted(name or next(iter(packages())), asked.players, [PERSON, *[asked.other] * 3], options=asked.options)
    if name is not None:
        _check(asked, name)
    # The seat in front is the first one; whoever is player 0 begins.
    first = -asked.seat % asked.players if name is not None else None
    open_screen(wanted, asked.language, seed=asked.seed, first=first, at_once=name is not None, out=asked.out)


def _line_by_line(asked: Asked) -> None:
    from sixfold import bots
    from sixfold.engine import record
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start
    from sixfold.errors import SetupError
    from sixfold.terminal.plain import Plain, ask

    tongue = asked.language
    if asked.other == PERSON:
        raise SetupError("passing the keyboard needs the whole screen; line by line, play against a level or a bot")
    first = next(iter(packages()))
    offered = ", ".join(f"{one} ({say(f'game_{one}', tongue)})" for one in packages())
    name = asked.game or ask(f"{say('play_which', tongue, games=offered)} [{first}] ") or first
    _check(asked, name)
    chance = Seeded(secrets.randbits(63) if asked.seed is None else asked.seed)
    table = start(name, asked.players, chance=chance, **asked.options)
    names = [say("player", tongue, number=player) for player in range(asked.players)]
    finished = Plain(table, asked.seat, names, tongue).play(bots.make(asked.other, name, asked.players), chance)
    if asked.out is not None:
        record.write_lines(asked.out, [record.of(table)])
    if not finished:
        print(say("play_left", tongue))


def _check(asked: Asked, name: str) -> None:
    """Refuse what cannot be played, before anything is drawn on the screen."""
    from sixfold import bots
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError

    full_options(rules_of(name, asked.players), asked.options)
    if not 0 <= asked.seat < asked.players:
        raise SetupError(f"there is no seat {asked.seat}; seats are 0 to {asked.players - 1}")
    if asked.other != PERSON:
        bots.make(asked.other, name, asked.players)
