"""``sixfold play``: a game in the terminal, line by line."""

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sixfold.commands.common import Options, Players, read_options
from sixfold.games import packages
from sixfold.language import LANGUAGES, say

if TYPE_CHECKING:
    from sixfold.bots import Bot
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import Game

MANY = 40


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=f"one of {', '.join(packages())}; asked if left out")
    ] = None,
    players: Players = 2,
    against: Annotated[str, typer.Option(help="who plays the other seats: a level from 1 to 5, or a bot")] = "2",
    seat: Annotated[int, typer.Option(help="your player number; player 0 begins")] = 0,
    seed: Annotated[int | None, typer.Option(help="the same seed gives the same tiles, cards and dice")] = None,
    option: Options = None,
    language: Annotated[str | None, typer.Option(help="en, de or nl; the system's if left out")] = None,
    out: Annotated[Path | None, typer.Option(help="write the record into this .sixfold.jsonl file")] = None,
) -> None:
    """Play a game in the terminal: type moves in the notation, ? lists them, ?? gives a hint, q leaves."""
    from sixfold import bots
    from sixfold.engine import record
    from sixfold.engine.chance import Seeded
    from sixfold.engine.game import start
    from sixfold.errors import SetupError

    tongue = _language(language)
    first = next(iter(packages()))
    offered = ", ".join(f"{one} ({say(f'game_{one}', tongue)})" for one in packages())
    name = game or _ask(f"{say('play_which', tongue, games=offered)} [{first}] ") or first
    chance = Seeded(secrets.randbits(63) if seed is None else seed)
    table = start(name, players, chance=chance, **read_options(option))
    if not 0 <= seat < players:
        raise SetupError(f"there is no seat {seat}; seats are 0 to {players - 1}")
    others = bots.make(f"level{against}" if against.isdigit() else against, name, players)
    finished = _play(table, seat, others, chance, tongue)
    if out is not None:
        record.write_lines(out, [record.of(table)])
        print(say("play_saved", tongue, file=out))
    if not finished:
        print(say("play_left", tongue))


def _language(wanted: str | None) -> str:
    from sixfold.errors import SetupError

    if wanted is not None and wanted not in LANGUAGES:
        raise SetupError(f"there is no language {wanted!r}; choose one of {', '.join(LANGUAGES)}")
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return wanted or (system[:2] if system[:2] in LANGUAGES else "en")


def _ask(prompt: str) -> str | None:
    """A line from the player; None when there are no more."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


def _play(game: "Game", seat: int, others: "Bot", chance: "Seeded", tongue: str) -> bool:
    """Play to the end; False if the player left before."""
    from sixfold.bots import Budget
    from sixfold.engine import picture
    from sixfold.engine.notation import example

    print(say("play_welcome", tongue, number=seat, example=example(game.rules)))
    seen = 0
    while game.turn is not None:
        if game.turn != seat:
            game.play(others.choose(game.view(game.turn), Budget(), chance))
            continue
        for event in game.events[seen:]:
            told = game.told(event, seat)
            if told is not None:
                print(f"  {told}")
        seen = len(game.events)
        print(f"\n{picture.text(game.rules, game.view(seat).state, tongue)}")
        if not _turn(game, tongue):
            return False
    for event in game.events[seen:]:
        print(f"  {event}")
    print(f"\n{picture.text(game.rules, game.state, tongue)}")
    result = game.result
    assert result is not None
    for player in sorted(range(game.players), key=lambda player: result.places[player]):
        values = " ".join(str(value) for value in sorted(result.values[player]))
        who = say("player", tongue, number=player)
        print(say("play_place", tongue, player=who, place=result.places[player], values=values))
    return True


def _turn(game: "Game", tongue: str) -> bool:
    """Ask until the player has made one move; False if the player leaves."""
    from sixfold.engine.notation import Refused

    while True:
        line = _ask(f"{say('play_prompt', tongue)}> ")
        if line is None or line in ("q", "quit"):
            return False
        if line == "??":
            _hint(game, tongue)
            continue
        if line.startswith("?"):
            _list_moves(list(game.legal()), line[1:].strip(), tongue)
            continue
        if not line:
            continue
        try:
            game.play(line)
        except Refused as refused:
            print(f"  {refused.sentence(tongue)}")
            continue
        return True


def _hint(game: "Game", tongue: str) -> None:
    """What the strongest bot would do in the player's place, and why."""
    from sixfold.bots.hints import hint
    from sixfold.engine.chance import Seeded

    found = hint(game.view(game.turn), Seeded(len(game.events)))
    print(f"  {say('hint', tongue, move=found.move, reason=found.sentence(tongue))}")


def _list_moves(moves: list[str], beginning: str, tongue: str) -> None:
    """All moves that begin so; where there are too many, their beginnings and how many go on from each."""
    wanted = [move for move in moves if move.startswith(beginning)]
    if not wanted:
        print(f"  {say('play_none', tongue, text=beginning)}")
        return
    print(f"  {say('play_moves', tongue, number=len(wanted))}")
    if len(wanted) <= MANY or beginning:
        for move in wanted:
            print(f"    {move}")
        return
    groups: dict[str, int] = {}
    for move in wanted:
        head = " ".join(move.split(" ")[:2])
        groups[head] = groups.get(head, 0) + 1
    for head, number in groups.items():
        print(f"    {head} … ({number})")
    print(f"  {say('play_more', tongue, example=next(iter(groups)))}")
