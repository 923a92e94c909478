"""``sixfold play``: a game in the terminal."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.common import Options, Players, full_screen, language_of, read_options
from sixfold.games import packages
from sixfold.games.contract import Value
from sixfold.language import say

PERSON = "person"


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
    if plain or not full_screen():
        _line_by_line(game, players, against, seat, seed, read_options(option), tongue, out)
    else:
        _on_the_screen(game, players, against, seat, seed, read_options(option), tongue, out)
    if out is not None and out.exists():
        print(say("play_saved", tongue, file=out))


def _on_the_screen(
    game: str | None,
    players: int,
    against: str,
    seat: int,
    seed: int | None,
    options: dict[str, Value],
    tongue: str,
    out: Path | None,
) -> None:
    from sixfold.terminal.menu import Wanted
    from sixfold.terminal.opening import play as open_screen

    other = _bot(against)
    wanted = Wanted(game or next(iter(packages())), players, [PERSON, other, other, other], options=options)
    if game is not None:
        _check(game, players, other, seat, options)
    # The seat in front is the first one; whoever is player 0 begins.
    first = -seat % players if game is not None else None
    open_screen(wanted, tongue, seed=seed, first=first, at_once=game is not None, out=out)


def _line_by_line(
    game: str | None,
    players: int,
    against: str,
    seat: int,
    seed: int | None,
    options: dict[str, Value],
    tongue: str,
    out: Path | None,
) -> None:
    from sixfold import bots
    from sixfold.engine import record
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start
    from sixfold.errors import SetupError
    from sixfold.terminal.plain import Plain, ask

    other = _bot(against)
    if other == PERSON:
        raise SetupError("passing the keyboard needs the whole screen; line by line, play against a level or a bot")
    first = next(iter(packages()))
    offered = ", ".join(f"{one} ({say(f'game_{one}', tongue)})" for one in packages())
    name = game or ask(f"{say('play_which', tongue, games=offered)} [{first}] ") or first
    _check(name, players, other, seat, options)
    chance = Seeded(secrets.randbits(63) if seed is None else seed)
    table = start(name, players, chance=chance, **options)
    names = [say("player", tongue, number=player) for player in range(players)]
    finished = Plain(table, seat, names, tongue).play(bots.make(other, name, players), chance)
    if out is not None:
        record.write_lines(out, [record.of(table)])
    if not finished:
        print(say("play_left", tongue))


def _bot(against: str) -> str:
    return f"level{against}" if against.isdigit() else against


def _check(game: str, players: int, other: str, seat: int, options: dict[str, Value]) -> None:
    """Refuse what cannot be played, before anything is drawn on the screen."""
    from sixfold import bots
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError

    full_options(rules_of(game, players), options)
    if not 0 <= seat < players:
        raise SetupError(f"there is no seat {seat}; seats are 0 to {players - 1}")
    if other != PERSON:
        bots.make(other, game, players)
