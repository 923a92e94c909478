"""``sixfold play``: a game in the terminal."""

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.cli_support import Options, Players, full_screen, language_of, read_options
from sixfold.commands.server_options import require_server
from sixfold.games import packages
from sixfold.games.contract import Value
from sixfold.language import say

PERSON = "person"


@dataclass(frozen=True)
class GameRequest:
    """A game as requested on the command line."""

    game: str | None
    players: int
    opponent: str  # occupant of the other seats
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

    chosen_language = language_of(language)
    if join is not None:
        if plain or not full_screen():
            raise SetupError("a server's table needs a terminal of its own; open the link in a browser otherwise")
        require_server()
        from sixfold.terminal.launch import sit_at

        sit_at(join, name or say("guest", chosen_language), chosen_language)
        return
    opponent = f"level{against}" if against.isdigit() else against
    request = GameRequest(game, players, opponent, seat, seed, read_options(option), chosen_language, out)
    if plain or not full_screen():
        _play_by_line(request)
    else:
        _play_full_screen(request)
    if out is not None and out.exists():
        print(say("play_saved", chosen_language, file=out))


def _play_full_screen(request: GameRequest) -> None:
    from sixfold.terminal.launch import play as open_screen
    from sixfold.terminal.menu import GameChoices, with_bots

    name = request.game
    choices = GameChoices(
        name or next(iter(packages())), request.players, with_bots(request.opponent), options=request.options
    )
    if name is not None:
        _check(request, name)
    # The local player has the first seat; player 0 begins.
    first = -request.seat % request.players if name is not None else None
    open_screen(choices, request.language, seed=request.seed, first=first, at_once=name is not None, out=request.out)


def _play_by_line(request: GameRequest) -> None:
    from sixfold import bots
    from sixfold.engine import record
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start
    from sixfold.errors import SetupError
    from sixfold.terminal.plain import Plain, ask

    chosen_language = request.language
    if request.opponent == PERSON:
        raise SetupError("passing the keyboard needs the whole screen; line by line, play against a level or a bot")
    first = next(iter(packages()))
    games = ", ".join(f"{game} ({say(f'game_{game}', chosen_language)})" for game in packages())
    name = request.game or ask(f"{say('play_which', chosen_language, games=games)} [{first}] ") or first
    _check(request, name)
    chance = Seeded(secrets.randbits(63) if request.seed is None else request.seed)
    table = start(name, request.players, chance=chance, **request.options)
    names = [say("player", chosen_language, number=player) for player in range(request.players)]
    finished = Plain(table, request.seat, names, chosen_language).play(
        bots.make(request.opponent, name, request.players), chance
    )
    if request.out is not None:
        record.write_lines(request.out, [record.of(table)])
    if not finished:
        print(say("play_left", chosen_language))


def _check(request: GameRequest, name: str) -> None:
    """Refuse an impossible setup before the full-screen program starts."""
    from sixfold import bots
    from sixfold.engine.game import full_options, rules_of
    from sixfold.errors import SetupError

    full_options(rules_of(name, request.players), request.options)
    if not 0 <= request.seat < request.players:
        raise SetupError(f"there is no seat {request.seat}; seats are 0 to {request.players - 1}")
    if request.opponent != PERSON:
        bots.make(request.opponent, name, request.players)
