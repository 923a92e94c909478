"""One socket a table: snapshot, events, answers, resuming, limits, bots, clocks and series."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from litestar.exceptions import WebSocketDisconnect

from sixfold.engine.game import View, rules_of
from sixfold.server import table_session as live
from sixfold.server.metrics import Metrics
from sixfold.server.protocol import Action, NewTable
from sixfold.server.settings import Settings
from sixfold.server.sockets import TOO_SLOW, serve
from sixfold.server.storage import Storage
from sixfold.server.tables import Hub, now
from sixfold.table import Actor, Table
from sixfold.table.positions import decode_state, value
from sixfold.table.views import NOTHING_TO_DO
from tests.server_harness import ServerHarness, Socket, play_over_http, running_server


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    with running_server(tmp_path) as made:
        yield made


def move(socket: Socket, told: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Play the first legal move of a view."""
    return socket.say(do="move", move=told["views"][0]["legal"][0], version=told["version"], **more)


def test_light_views_have_the_state_in_place_of_what_the_rules_say(here: ServerHarness) -> None:
    """And leave out nothing else."""
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("travel", [anne, carl], first=0)
    with here.socket(table, anne) as full, here.socket(table, carl, "?view=state") as light:
        before = full.read()
        light.read()
        move(full, before)
        heard = light.read_until("event")
        while heard["version"] < 5:
            heard = light.read_until("event")
    with here.socket(table, carl) as full:
        view = full.read()["views"][0]
    assert view["legal"]
    assert view["lines"]
    rules, (seen,) = rules_of("travel"), heard["views"]
    assert value(View(rules, decode_state(rules, seen.pop("state")), view["order"].index(1))) == view.pop("position")
    assert seen == {name: part for name, part in view.items() if name not in NOTHING_TO_DO}


def test_snapshot_then_events_and_an_answer_to_everything(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0)
    with here.socket(table, anne) as one, here.socket(table, carl) as two, here.socket(table) as watching:
        first = one.read()
        assert (first["type"], first["version"], first["views"][0]["seat"]) == ("snapshot", 3, 0)
        assert [event["type"] for event in first["events"]] == ["start"]
        assert two.read()["views"][0]["legal"] == []
        assert watching.read()["views"][0]["seat"] is None
        assert move(one, first, id="a") == {"type": "ack", "id": "a", "version": 4}
        for socket in (two, watching):
            told = socket.read()
            assert (told["type"], told["version"], told["event"]["type"]) == ("event", 4, "move")
            assert told["event"]["line"]["key"] == "log_move"
        refused = two.say(do="move", move="fly", id="b")
        assert (refused["type"], refused["id"], refused["version"]) == ("refused", "b", 4)
        assert refused["reason"]
        assert refused["clause"]
        assert watching.say(do="resign")["key"] == "no_guest"
        assert watching.say(do="ping") == {"type": "pong", "version": 4}
        one.session.send_text("{")
        assert one.read_until("refused")["key"] == "bad_message"
        one.session.send_bytes(b"\xff\xfe")
        assert one.read_until("refused")["key"] == "bad_message"
        assert one.say(do="move", move="x" * 5000)["key"] == "too_large"
        assert one.say(do="move", secret=1)["key"] == "bad_message"


def test_a_lost_connection_is_resumed_by_version(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0)
    with here.socket(table, anne) as one:
        seen = one.read()["version"]
    for _ in range(3):
        view = here.view(table)
        here.act(table, (anne, carl)[view["turn"]], "move", move="score")
    with here.socket(table, anne, f"?since={seen}") as one:
        again = one.read()
        assert [event["version"] for event in again["events"]] == [seen + 1, seen + 2, seen + 3]
        assert again["version"] == seen + 3
    with here.socket(table, anne, "?since=999999") as one:
        assert one.read()["events"] == []
    with here.socket(table, anne, "?since=-1%00x") as one:
        assert one.read()["type"] == "snapshot"


def test_reactions_and_undo_over_the_socket(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("cards", [anne, carl])
    with here.socket(table, anne) as one:
        assert one.say(do="react", reaction="hello")["type"] == "ack"
        assert one.say(do="react", reaction="hello")["key"] == "too_many_reactions"
        assert one.say(do="undo")["key"] in ("undo_nothing", "no_undo")  # by whose turn it is


def test_refused_sockets_say_why(here: ServerHarness) -> None:
    anne = here.guest()
    private = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
    for table, key in (("nowhere", "no_table"), (private, "private_table")):
        with here.socket(table, here.guest("X"), "?language=nl") as socket:
            told = socket.read()
            assert told["key"] == key
            with pytest.raises(WebSocketDisconnect):
                socket.read()
    foreign = {**anne, "Origin": "https://elsewhere.example"}
    with pytest.raises(WebSocketDisconnect), here.socket(private, foreign) as socket:
        socket.read()


def test_a_fast_talker_is_refused_and_then_cut_off(tmp_path: Path) -> None:
    with running_server(tmp_path, messages_a_second=2) as here:
        anne, carl = here.guest("Anne"), here.guest("Carl")
        table = here.table("dice", [anne, carl])
        with here.socket(table, anne) as socket:
            keys = set()
            for _ in range(30):
                keys.add(socket.say(do="undo").get("key"))
            assert "too_fast" in keys
            with pytest.raises(WebSocketDisconnect):
                all(socket.say(do="undo") for _ in range(100))


class Deaf:
    """A socket whose other side neither reads nor says anything, not even goodbye."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.sent = 0
        self.closed: list[int] = []

    async def send_text(self, text: str) -> None:
        self.sent += 1
        await asyncio.Event().wait()

    async def receive(self) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int, reason: str) -> None:
        self.closed.append(code)


def test_a_slow_reader_is_cut_off_and_nobody_waits(tmp_path: Path) -> None:
    async def work() -> None:
        hub = Hub(Storage(f"sqlite:///{tmp_path}/unused.db"), Settings(""), Metrics())
        client, deaf, table = live.Client("guest", "en"), Deaf(), live.TableSession("t", Table(), b"", True)
        serving = asyncio.create_task(serve(cast(Any, deaf), hub, table, client))
        await asyncio.sleep(0)
        for _ in range(live.MOST_WAITING + 2):
            # Sending never waits, whatever the other side does.
            client.send(b"x")
            await asyncio.sleep(0)
        await serving
        assert deaf.closed == [TOO_SLOW]
        assert deaf.sent == 1

    asyncio.run(work())


def test_too_many_sockets_of_one_guest(tmp_path: Path) -> None:
    with running_server(tmp_path, sockets_a_guest=2) as here:
        anne, carl = here.guest("Anne"), here.guest("Carl")
        table = here.table("dice", [anne, carl])
        with here.socket(table, anne) as one, here.socket(table, anne) as two:
            assert one.read()["type"] == two.read()["type"] == "snapshot"
            with here.socket(table, anne) as three:
                assert three.read()["key"] == "too_many_sockets"
        # The server notices a closed socket with its next turn of the loop; every question gives it one.
        assert any("sixfold_sockets 0.0" in here.get("/metrics").text for _ in range(1000))
        with here.socket(table, anne) as again:
            assert again.read()["type"] == "snapshot"


def test_the_old_device_of_a_carried_seat_is_cut_off(here: ServerHarness) -> None:
    anne, phone = here.guest("Anne"), here.guest("Phone")
    seats = [{"kind": "me"}, {"kind": "me", "name": "Carl"}]
    table = here.post("/api/tables", {"game": "dice", "seats": seats}, anne).json()["id"]
    with here.socket(table, anne) as old:
        assert len(old.read()["views"]) == 2
        for seat in range(2):
            token = here.post(f"/api/tables/{table}/seats/{seat}/carry", None, anne).json()["token"]
            assert here.post("/api/carry", {"token": token}, phone).status_code == 200
        with pytest.raises(WebSocketDisconnect):
            all(old.read() for _ in range(100))


def test_bots_play_through_to_the_end(here: ServerHarness) -> None:
    anne = here.guest()
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}, {"kind": "bot", "level": "random"}]
    table = here.post("/api/tables", {"game": "cards", "players": 3, "seats": seats}, anne).json()["id"]
    with here.socket(table, anne) as socket:
        socket.read()
        socket.say(do="start")
        while (told := latest(socket))["views"][0]["stage"] != "over":
            if told["views"][0]["turn"] == 0:
                assert move(socket, told)["type"] == "ack"
            else:
                socket.read_until("event")


def latest(socket: Socket) -> dict[str, Any]:
    """The last event that a socket has read."""
    return next(told for told in map(_read, reversed(socket.kept)) if told["type"] == "event")


def _read(text: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(text)
    return told


def test_a_bot_takes_over_and_hands_back(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0, takeover=1)
    with here.socket(table, carl) as socket:
        socket.read()
        while socket.read_until("event")["views"][0]["turn"] != 1:
            pass
        types = [told["event"]["type"] for told in map(_read, socket.kept) if told["type"] == "event"]
        assert types[0] == "takeover"
        assert set(types[1:]) == {"move"}
    assert here.act(table, anne, "move", move="score").json()["key"] in ("relieved", "other_turn")
    assert here.act(table, anne, "back").status_code == 200
    assert not here.view(table)["seats"][0]["relieved"]


def test_a_clock_per_game_ends_the_game_by_itself(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0, clock="game", seconds=1)
    with here.socket(table, carl) as socket:
        socket.read()
        told = socket.read_until("event")
        assert told["event"]["type"] == "time"
        assert told["views"][0]["result"]["winners"] == [1]


def test_a_series_and_a_rematch(here: ServerHarness) -> None:
    people = [here.guest("Anne"), here.guest("Carl")]
    table, dice = here.table("dice", people, rounds=2, first=0), random.Random(1)
    for stage in ("between", "over", "between"):
        play_over_http(here, table, people, dice)
        assert here.view(table)["stage"] == stage
        for person in people:
            assert here.act(table, person, "ready").status_code == 200
    assert len(here.get(f"/api/tables/{table}/records").text.splitlines()) == 3


def test_a_table_is_rebuilt_from_its_events(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        people = [here.guest("Anne"), here.guest("Carl")]
        table = here.table("travel", people)
        for _ in range(10):
            view = here.view(table)
            who = people[view["turn"]]
            here.act(table, who, "move", move=here.view(table, who)["legal"][0])
        before = [here.view(table, who) for who in [*people, None]]
    with running_server(tmp_path) as again:
        assert [again.view(table, who) for who in [*people, None]] == before


def test_two_nodes_show_the_same_table(tmp_path: Path) -> None:
    """What happened on one is seen, acted on and refused on the other at once, and heard there by polling."""
    with running_server(tmp_path, poll_ms=20) as one, running_server(tmp_path, poll_ms=20) as two:
        anne, carl = one.guest("Anne"), one.guest("Carl")
        table = one.table("dice", [anne, carl], first=0)
        assert two.view(table, anne)["version"] == 3
        with two.socket(table, carl) as socket:
            assert socket.read()["version"] == 3
            assert one.act(table, anne, "move", move="score").status_code == 200
            told = socket.read()
            assert (told["type"], told["version"]) == ("event", 4)
            assert two.act(table, carl, "move", move="score", version=4).status_code == 200
            assert one.act(table, anne, "move", move="reroll", version=5).status_code == 200
            # The other node does not know version 6 yet, and still judges by it.
            assert two.act(table, anne, "move", move="score", version=6).status_code == 200
        with one.socket(table, carl, "?since=7") as socket:
            assert socket.read()["version"] == 7


def test_who_looks_at_a_table_that_was_forgotten_hears_of_the_one_that_is_played(tmp_path: Path) -> None:
    """A table leaves memory between being found and being looked at; nobody may be left with the old one."""

    async def work() -> None:
        storage = Storage(f"sqlite:///{tmp_path}/forget.db")
        await storage.open()
        hub = Hub(storage, Settings("", keep_ms=-1000), Metrics())
        made = await hub.make(NewTable("dice", public=True), "anne", "Anne")
        hub.forget_idle()
        assert made.id not in hub.tables
        client = live.Client("anne", "en")
        found = asyncio.create_task(hub.get(made.id))
        looking = asyncio.create_task(hub.connect(made.id, client, None))
        for turn in range(1000):
            await asyncio.sleep(0)
            if found.done() and turn % 2:
                hub.forget_idle()
        looked_at = await looking
        assert hub.tables[made.id] is looked_at
        await hub.act(made.id, Actor("anne"), Action("bot", level="random"))
        told = [json.loads(client.queue.get_nowait())["type"] for _ in range(client.queue.qsize())]
        assert told == ["snapshot", "presence", "event"]
        await storage.close()

    asyncio.run(work())


def test_a_table_just_opened_is_not_idle() -> None:
    opened = live.TableSession("t", Table(), b"", True)
    assert opened.used_at > now() - 60_000
