"""What a socket received, byte by byte, against what its seat may know, over whole random games of each kind."""

import asyncio
import copy
import dataclasses
import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from sixfold.engine.chance import Seeded
from sixfold.server import tables as serving
from sixfold.server.metrics import Metrics
from sixfold.server.protocol import Action
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage, summary
from sixfold.server.table_session import Client, TableSession
from sixfold.table import Actor, Event, Table, event_view, table_view
from sixfold.table.events import MayEnd, read, write
from tests.clauses import clause
from tests.server_harness import ServerHarness, Socket, running_server
from tests.test_table_random import KINDS, SECRET, act, random_move, started


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    with running_server(tmp_path) as made:
        yield made


def twin(table: Table, seat: int | None, dice: random.Random) -> Table:
    """A table that differs in everything that a seat cannot know, and in nothing else.

    Hidden hands are dealt anew, draws of others name other tiles, guests and the ids of actions are others.
    """
    other = copy.copy(table)
    other.log = []
    for entry in table.log:
        changed: dict[str, Any] = {"guest": "nobody", "id": "another"}
        for name in ("deal", "events"):
            if (lines := getattr(entry.event, name, None)) is not None:
                changed[name] = [_redrawn(table, line, entry.first, seat, dice) for line in lines]
        other.log.append(structs.replace(entry, event=structs.replace(entry.event, **changed)))
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
def test_sockets_hear_nothing_that_is_hidden(
    here: ServerHarness, game: str, players: int, options: dict[str, bool]
) -> None:
    dice = random.Random(f"{game} {players}")
    people = [here.guest(f"P{seat}") for seat in range(players)]
    table = here.table(game, people, options=options)
    with ExitStack() as stack:
        sockets = [stack.enter_context(here.socket(table, who)) for who in [*people, None]]
        watch(sockets, dice)
    events = list(read(here.stored(table)))
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
            assert secret == ended(events) or secret not in messages[-1]


def watch(sockets: list[Socket], dice: random.Random) -> None:
    """Play over the sockets until the game is over."""
    told = [socket.read() for socket in sockets]
    number = 0
    while (view := told[0]["views"][0])["stage"] == "playing":
        number += 1
        turn = view["turn"]
        chosen = dice.choice(told[turn]["views"][0]["legal"])
        sockets[turn].session.send_json({"do": "move", "move": chosen, "id": f"mine {number}"})
        # Everything that follows from a move is told before it is acknowledged.
        sockets[turn].read_until("ack")
        last = json.loads([text for text in sockets[turn].kept if '"type":"event"' in text][-1])
        told = [last if seat == turn else until(socket, last["version"]) for seat, socket in enumerate(sockets)]


def until(socket: Socket, version: int) -> dict[str, Any]:
    while (told := socket.read_until("event"))["version"] < version:
        pass
    return told


def expect_no_more(text: str, table: Table, seat: int | None, guest: str, dice: random.Random) -> None:
    """The same bytes come from a table where everything hidden is different: so nothing hidden is in them."""
    told = json.loads(text)
    assert told["version"] == table.version
    # Whose seat it is, the server must know to address the message; it is the receiver's own.
    there, client = TableSession("table", twin(table, seat, dice), b"", True), Client(guest, "en")
    true, light = TableSession("table", table, b"", True), Client(guest, "en", light=True)
    assert there.views_for(guest, light=True) == true.views_for(guest, light=True)
    assert there.event_for(light, table.version) == true.event_for(light, table.version)
    if told["type"] == "snapshot":
        assert there.snapshot_for(client, None).decode() == text
        return
    # Whoever is in turn is not shown what is over at once; everybody else is.
    shown = bool(told["views"])
    assert shown or seat == table.turn
    assert there.event_for(client, table.version, shown).decode() == text


def secrets_of(events: list[Event], guests: list[str], here: ServerHarness, table: str) -> list[str]:
    """The round's key, the table's secret, and who the guests are."""
    with sqlite3.connect(here.database) as database:
        (secret,) = database.execute("select secret from tables where id = ?", [table]).fetchone()
    return [ended(events), secret.hex(), *guests]


def ended(events: list[Event]) -> str:
    """The key that the last event of a round has shown."""
    (last,) = [event for event in events if isinstance(event, MayEnd) and event.key]
    return str(last.key)


def test_the_twin_really_differs(here: ServerHarness) -> None:
    """The comparison can fail: a message with a hidden hand in it is not the twin's."""
    people = [here.guest("Anne"), here.guest("Carl")]
    table = here.table("travel", people)
    events = list(read(here.stored(table)))
    true = Table(events)
    other = twin(true, 0, random.Random(1))
    assert true.game is not None
    assert other.game is not None
    me = true.player_of(0)
    assert true.game.view(me) == other.game.view(me)
    assert true.game.view(1 - me) != other.game.view(1 - me)
    leak: Any = other.log[-1].event
    dealt: Any = events[-1]
    assert leak.deal[1 - me] != dealt.deal[1 - me]
    assert leak.deal[me] == dealt.deal[me]


# T16, C13: a choice is private


@dataclasses.dataclass
class Pair:
    """Two tables right before the same move: it leads to a choice at one of them, and to a draw at the other."""

    with_choice: Table
    without: Table
    mover: int
    move: str


def pair(game: str, players: int, seed: int) -> Pair | None:
    """The first choice of a random game, and the same game with one tile or card of that hand another one.

    The other one shows a lowest symbol, so there is no choice. It was in the bag or the pile all the time, and the one
    it stands for was never seen, so nobody else can tell the two games apart.
    """
    table, dice = started(game, players, takeover=60), random.Random(seed)
    while table.stage == "playing":
        before = [entry.event for entry in table.log]
        mover, move = table.turn or 0, random_move(table, dice)
        act(table, mover, "move", move=move)
        assert table.game is not None
        if table.game.choosing:
            other = _without_choice(table, before)
            return None if other is None else Pair(Table(before), other, mover, move)
    return None


def _without_choice(table: Table, events: list[Event]) -> Table | None:
    assert table.game is not None
    player, rules, fields = table.game.active_player or 0, table.game.rules, table.game.as_dict()
    field = "rack" if "rack" in fields else "hand"
    held = [rules.ITEMS[item] for item in fields[field][player] if item >= 0]
    values = table.game.values[player]
    lowest = [letter for letter, value in zip("RGBOYP", values, strict=True) if value == min(values)]
    pool = fields[rules.POOL or ""]
    spare = [item for item in rules.ITEMS if pool[rules.ITEMS.index(item)] and set(item) & set(lowest)]
    if not held or not spare:
        return None
    changed = _exchanged(events, player, held[0], spare[0], rules.ITEMS)
    return Table(changed)


def _exchanged(events: list[Event], player: int, old: str, new: str, order: Sequence[str]) -> list[Event]:
    """The same events, but where a player last got one item it was another."""
    changed = list(events)
    for at in range(len(events) - 1, -1, -1):
        for name in ("deal", "events"):
            lines = list(getattr(events[at], name, None) or [])
            for number, line in enumerate(lines):
                word, who, *items = line.split(" ")
                if word in ("deal", "draw") and who == str(player) and old in items:
                    items[items.index(old)] = new
                    lines[number] = " ".join([word, who, *sorted(items, key=order.index)])
                    changed[at] = structs.replace(events[at], **{name: lines})
                    return changed
    raise AssertionError(f"{old} was never drawn")


async def heard_by_others(place: Path, table: Table, mover: int, moves: list[Action]) -> dict[str, list[str]]:
    """Everything that everybody else gets while somebody acts, on every path, byte by byte."""
    storage = Storage(f"sqlite:///{place}/{len(moves)}.db")
    await storage.open()
    hub = serving.Hub(storage, Settings("", bots=False), Metrics())
    row = {"id": "t", "secret": SECRET, "maker": "", "public": True, "game": table.setup.game}
    row |= {"players": table.setup.players, "made_at": 0, **summary(table, 0, None)}
    await storage.make(row, [write(entry.event) for entry in table.log])
    others = [f"g{seat}" for seat in range(len(table.seats)) if seat != mover] + [""]
    clients = [Client(guest, "en", light=light) for light in (False, True) for guest in others]
    for client in clients:
        await hub.connect("t", client, None)
    for action in moves:
        await hub.act("t", Actor(f"g{mover}"), action)
    live = await hub.fresh("t")
    found: dict[str, list[str]] = {}
    for client in clients:
        sent = [client.queue.get_nowait().decode() for _ in range(client.queue.qsize())]
        for since in (None, 0, live.table.version - 1):
            sent.append(live.snapshot_for(client, since).decode())
        sent.append(json.dumps(live.events_for(client.guest, 1)))
        sent += [bytes(view).decode() for view in live.views_for(client.guest, client.light)]
        try:
            await hub.act("t", Actor(client.guest), Action("undo"))
        except serving.REFUSALS as error:
            sent.append(str(serving.problem(error, "en")))
        found[client.guest + " light" * client.light] = sent
    await storage.close()
    return found


@clause("T16", "C13")
@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 2), ("cards", 3), ("cards", 4)])
@pytest.mark.parametrize("together", [False, True])
def test_a_declined_choice_looks_like_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, players: int, together: bool
) -> None:
    monkeypatch.setattr(serving, "now", lambda: 1000)
    pairs = (pair(game, players, seed) for seed in range(100))
    found = next(one for one in pairs if one is not None)
    then = "keep" if together else None
    one_move = [Action("move", move=found.move, then=then, id="a")]
    two_moves = one_move if together else [*one_move, Action("move", move="keep", id="b")]
    places = [tmp_path / "with", tmp_path / "without"]
    for place in places:
        place.mkdir()
    chosen = asyncio.run(heard_by_others(places[0], found.with_choice, found.mover, two_moves))
    plain = asyncio.run(heard_by_others(places[1], found.without, found.mover, one_move))
    assert chosen == plain
    # The comparison is not of two silences, and one really chose.
    messages = [json.loads(text) for text in chosen[""][:4]]
    assert [told["type"] for told in messages] == ["snapshot", "presence", "event", "event"]
    assert [told["event"]["type"] for told in messages[2:]] == ["move", "draw"]
    assert all(told["views"] for told in messages[2:])
    assert messages[2]["views"][0]["turn"] == found.mover
    assert messages[2]["views"][0]["position"]["phase"] == "draw"


@clause("T16", "C13")
@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 3)])
def test_only_who_chooses_ever_hears_of_keep(game: str, players: int) -> None:
    """Over whole games, in views and events and their lines; what is swapped or renewed everybody hears."""
    kept, taken = 0, set()
    for seed in range(12):
        table, dice = started(game, players), random.Random(seed)
        while table.stage == "playing":
            assert table.game is not None
            mover = table.turn or 0
            choosing = table.game.choosing
            events = act(table, mover, "move", move=random_move(table, dice))
            kept += events[0].type == "keep"
            for seat in [*range(players), None]:
                latest = range(table.version - len(events) + 1, table.version + 1)
                told = json.dumps([*(event_view(table, version, seat) for version in latest), table_view(table, seat)])
                if seat != mover and events[0].type == "keep":
                    assert "keep" not in told
                if seat != mover and table.game.choosing:
                    assert "choose" not in told
                if choosing and events[0].type == "move":
                    taken.add(events[0].events[0].split(" ")[1])  # type: ignore[attr-defined]
                    assert "swap" in told or "renew" in told
    assert kept
    assert taken
