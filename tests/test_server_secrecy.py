"""What a socket received, byte by byte, against what its seat may know, over whole random games of each kind."""

import copy
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from sixfold.engine.chance import Seeded
from sixfold.server.table_in_memory import Client, Live
from sixfold.table import Event, Table
from tests.rooms import Room, Socket, room
from tests.test_table_random import KINDS


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Room]:
    with room(tmp_path) as made:
        yield made


def twin(table: Table, seat: int | None, dice: random.Random) -> Table:
    """A table that differs in everything that a seat cannot know, and in nothing else.

    Hidden hands are dealt anew, draws of others name other tiles, guests and the ids of actions are others.
    """
    other = copy.copy(table)
    other.log = []
    for event, first in table.log:
        changed = {**event, "guest": "nobody", "id": "another"}
        for name in ("deal", "events"):
            if name in event:
                changed[name] = [_redrawn(table, line, first, seat, dice) for line in event[name]]
        other.log.append((changed, first))
    if table.game is not None:
        view = table.game.view(None if seat is None else table.player_of(seat))
        other.game = view.guess(Seeded(dice.randrange(2**32)))
    return other


def _redrawn(table: Table, line: str, first: int, seat: int | None, dice: random.Random) -> str:
    words = line.split(" ")
    own = seat is not None and words[1] == str((seat - first) % len(table.seats))
    shown_to_all = table.setup.options.get("open_racks", False)
    if words[0] not in ("deal", "draw") or own or shown_to_all:
        return line
    items = "RG RB GB OY OP YP".split()
    return " ".join([*words[:2], *(dice.choice(items) for _ in words[2:])])


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_sockets_hear_nothing_that_is_hidden(here: Room, game: str, players: int, options: dict[str, bool]) -> None:
    dice = random.Random(f"{game} {players}")
    people = [here.guest(f"P{seat}") for seat in range(players)]
    table = here.table(game, people, options=options)
    with ExitStack() as stack:
        sockets = [stack.enter_context(here.socket(table, who)) for who in [*people, None]]
        watch(sockets, dice)
    events = here.stored(table)
    guests = [seat.guest for seat in Table(events).seats]
    for seat, socket in zip([*range(players), None], sockets, strict=True):
        messages = [text for text in socket.kept if json.loads(text)["type"] in ("snapshot", "event")]
        assert len(messages) == len(events) - players
        so_far = Table(events[:players])
        for text, event in zip(messages, events[players:], strict=True):
            so_far.apply(event)
            expect_no_more(text, so_far, seat, "" if seat is None else guests[seat], dice)
        early = "".join(messages[:-1])
        for secret in secrets_of(events, guests, here, table):
            assert secret not in early
            assert secret == events[-1].get("key") or secret not in messages[-1]


def watch(sockets: list[Socket], dice: random.Random) -> None:
    """Play over the sockets until the game is over."""
    told = [socket.read() for socket in sockets]
    number = 0
    while (view := told[0]["views"][0])["stage"] == "playing":
        number += 1
        turn = view["turn"]
        chosen = dice.choice(told[turn]["views"][0]["legal"])
        sockets[turn].session.send_json({"do": "move", "move": chosen, "id": f"mine {number}"})
        told = [socket.read_until("event") for socket in sockets]


def expect_no_more(text: str, table: Table, seat: int | None, guest: str, dice: random.Random) -> None:
    """The same bytes come from a table where everything hidden is different: so nothing hidden is in them."""
    told = json.loads(text)
    assert told["version"] == table.version
    # Whose seat it is, the server must know to address the message; it is the receiver's own.
    there, client = Live("table", twin(table, seat, dice), b"", True), Client(guest, "en")
    first = told["type"] == "snapshot"
    made = there.snapshot_for(client, None) if first else there.event_for(client, table.version)
    assert made.decode() == text


def secrets_of(events: list[Event], guests: list[str], here: Room, table: str) -> list[str]:
    """The round's key, the table's secret, and who the guests are."""
    with sqlite3.connect(here.database) as database:
        (secret,) = database.execute("select secret from tables where id = ?", [table]).fetchone()
    return [events[-1]["key"], secret.hex(), *guests]


def test_the_twin_really_differs(here: Room) -> None:
    """The comparison can fail: a message with a hidden hand in it is not the twin's."""
    people = [here.guest("Anne"), here.guest("Carl")]
    table = here.table("travel", people)
    events = here.stored(table)
    true = Table(events)
    other = twin(true, 0, random.Random(1))
    assert true.game is not None
    assert other.game is not None
    me = true.player_of(0)
    assert true.game.view(me) == other.game.view(me)
    assert true.game.view(1 - me) != other.game.view(1 - me)
    leak: Any = other.log[-1][0]["deal"]
    assert leak[1 - me] != events[-1]["deal"][1 - me]
    assert leak[me] == events[-1]["deal"][me]
