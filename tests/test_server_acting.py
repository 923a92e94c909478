"""How a node acts: decided once, stored, told; put back when another node was first or nothing could be stored."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sixfold.bots import Budget
from sixfold.bots.turn import decide_turn
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game
from sixfold.server import tables as serving
from sixfold.server.bot_runner import BotRunner
from sixfold.server.event_writer import Write
from sixfold.server.fair_pool import FairPool
from sixfold.server.heartbeat import GAP_MS, Heartbeat
from sixfold.server.identity import Signer
from sixfold.server.metrics import Metrics
from sixfold.server.protocol import Action, NewSeat, NewTable
from sixfold.server.settings import Settings
from sixfold.server.sockets import answer
from sixfold.server.storage import Storage, StorageDown
from sixfold.server.table_session import Client, TableSession
from sixfold.server.tables import Hub
from sixfold.server.token_bucket import TokenBucket
from sixfold.table import Actor, TableRefused, table_view
from sixfold.table.events import Move
from sixfold.table.positions import view_of
from tests.server_harness import ServerHarness, running_server
from tests.waiting import until


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    with running_server(tmp_path) as made:
        yield made


@asynccontextmanager
async def node(place: Path, **settings: Any) -> AsyncIterator[Hub]:
    storage = Storage(f"sqlite:///{place}/acting.db")
    await storage.open()
    try:
        yield Hub(storage, Settings("", bots=False, **settings), Metrics())
    finally:
        await storage.close()


async def two_at_a_table(hub: Hub, game: str = "travel", **more: Any) -> TableSession:
    live = await hub.make(NewTable(game, public=True, first=0, **more), "anne", "Anne")
    await hub.act(live.id, Actor("carl"), Action("sit", name="Carl"))
    await hub.act(live.id, Actor("anne"), Action("start"))
    return live


def all_of(live: TableSession) -> list[Any]:
    table = live.table
    return [
        *(table_view(table, seat) for seat in (0, 1, None)),
        dict(table.done),
        [entry.event for entry in table.log],
        table.records,
        table.decisions,
        table.allowances,
    ]


def first_move(live: TableSession) -> Action:
    return Action("move", move=table_view(live.table, live.table.turn)["legal"][0], id="one")


class Lost(Exception):
    """Something that nobody expected of a database."""


@pytest.mark.parametrize("trouble", [StorageDown("away"), Lost(), asyncio.CancelledError(), False])
@pytest.mark.parametrize("do", ["move", "resign", "leave"])
def test_what_could_not_be_stored_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Any, do: str
) -> None:
    """Not a byte of the table has changed, who looks at it stays connected, and it goes on afterwards."""

    async def work() -> None:
        async with node(tmp_path) as hub:
            live = await two_at_a_table(hub)
            client = Client("carl", "en")
            await hub.connect(live.id, client, None)
            before, waiting = all_of(live), client.queue.qsize()
            action = first_move(live) if do == "move" else Action(do, id="one")
            really = hub.storage.append

            async def append(write: Write) -> bool:
                if isinstance(trouble, BaseException):
                    raise trouble
                return False

            monkeypatch.setattr(hub.storage, "append", append)
            with pytest.raises((TableRefused, StorageDown, Lost, asyncio.CancelledError)) as caught:
                await hub.act(live.id, Actor("anne"), action)
            if trouble is False:
                assert caught.value.refusal.key == "busy"  # type: ignore[attr-defined]
            assert all_of(live) == before
            assert hub.tables[live.id] is live
            assert client.queue.qsize() == waiting
            assert not client.cut_off.is_set()
            monkeypatch.setattr(hub.storage, "append", really)
            version = await hub.act(live.id, Actor("anne"), action)
            assert version == before[0]["version"] + 1

    asyncio.run(work())


def test_when_another_node_was_first_its_events_are_taken_and_ours_decided_anew(tmp_path: Path) -> None:
    async def work() -> None:
        async with node(tmp_path) as one, node(tmp_path) as two:
            here = await two_at_a_table(one)
            there = await two.get(here.id)
            client = Client("carl", "en")
            await two.connect(here.id, client, None)
            # Both nodes know version 3. One moves, with a draw after it; the other would do something else.
            await one.act(here.id, Actor("anne"), first_move(here))
            await two.act(here.id, Actor("carl"), Action("react", reaction="wow"))
            assert [entry.event.type for entry in there.table.log[3:]] == ["move", "draw", "react"]
            told = [json.loads(client.queue.get_nowait()) for _ in range(client.queue.qsize())]
            assert [message["version"] for message in told if message["type"] == "event"] == [4, 5, 6]
            assert len(await one.storage.events_after(here.id, 0, 2)) == 6

    asyncio.run(work())


def test_events_that_belong_together_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    async def work() -> None:
        async with node(tmp_path) as hub:
            live = await two_at_a_table(hub)
            said = {"stage": "playing", "open_seats": 0, "changed_at": 0, "wake_at": None, "bot": None}
            undo = b'{"type":"undo","at":1,"seat":0}'
            assert await hub.storage.append(Write(live.id, 4, undo, {**said, "version": 4}))
            # Somebody has version 4, so neither it nor 5 is ours.
            assert not await hub.storage.append(Write(live.id, 4, undo, {**said, "version": 5}, (undo,)))
            assert len(await hub.storage.events_after(live.id, 3, 2)) == 1
            assert await hub.storage.append(Write(live.id, 5, undo, {**said, "version": 6}, (undo,)))
            assert len(await hub.storage.events_after(live.id, 3, 2)) == 3

    asyncio.run(work())


def test_the_rules_play_a_move_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was decided is kept: the text of a stored move is not read and played again, and undo replays nothing."""

    async def work() -> None:
        async with node(tmp_path) as hub:
            live = await two_at_a_table(hub)
            played: list[str] = []
            for name in ("play", "apply"):
                original = getattr(Game, name)

                def counting(game: Game, what: Any, original: Any = original) -> Any:
                    played.append(str(what))
                    return original(game, what)

                monkeypatch.setattr(Game, name, counting)
            await hub.act(live.id, Actor("anne"), first_move(live))
            assert len(played) == 1
            await hub.act(live.id, Actor("anne"), Action("take_back"))
            await hub.act(live.id, Actor("carl"), Action("agree"))
            assert live.table.turn == 0
            assert len(played) == 1

    asyncio.run(work())


# Staleness and limits, over the network


def test_presence_never_makes_a_move_stale(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0)
    version = here.view(table, anne)["version"]
    assert here.act(table, carl, "leave").status_code == 200
    assert here.act(table, carl, "back").status_code == 200
    assert here.act(table, carl, "leave").json()["key"] == "left_just_now"
    assert here.act(table, carl, "react", reaction="hurry").status_code == 200
    assert here.act(table, anne, "move", move="reroll", version=version).status_code == 200
    assert here.act(table, anne, "move", move="score", version=version).json()["key"] == "stale"


def test_a_full_table_never_refuses_a_move_nor_resigning(tmp_path: Path) -> None:
    with running_server(tmp_path, most_events=4) as here:
        people = [here.guest("Anne"), here.guest("Carl")]
        table = here.table("dice", people, first=0, rounds=2)
        assert here.act(table, people[1], "react", reaction="wow").status_code == 200
        assert here.act(table, people[1], "react", reaction="wow").json()["key"] == "table_full"
        assert here.act(table, people[1], "leave").json()["key"] == "table_full"
        dice = random.Random(1)
        for stage in ("between", "over"):
            while (view := here.view(table))["stage"] == "playing":
                who = people[view["turn"]]
                move = dice.choice(here.view(table, who)["legal"])
                assert here.act(table, who, "move", move=move).status_code == 200
            assert view["stage"] == stage
            answers = [here.act(table, who, "ready") for who in people]
            assert [answer.status_code for answer in answers] == ([200, 200] if stage == "between" else [409, 409])
        another = here.table("dice", people, first=0)
        assert here.act(another, people[0], "move", move="score").status_code == 200
        assert here.act(another, people[0], "resign").status_code == 200


def test_a_bot_that_there_is_not_cannot_sit_down(here: ServerHarness) -> None:
    anne = here.guest()
    table = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
    assert here.act(table, anne, "bot", level="os:system").json()["key"] == "no_level"
    assert here.act(table, anne, "bot", level="random").status_code == 200


# Time without a server


class Clock:
    """A clock on the wall, which can be put forward or back, and one that only goes on."""

    def __init__(self) -> None:
        self.at = 100_000_000
        self.seconds = 0.0

    def __call__(self) -> int:
        return self.at

    def passes(self, milliseconds: int) -> None:
        self.at += milliseconds
        self.seconds += milliseconds / 1000

    def heart(self, hub: Hub) -> Heartbeat:
        hub.heartbeat = Heartbeat(hub.storage, self, lambda: self.seconds)
        return hub.heartbeat


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(serving, "now", made)
    return made


def test_a_server_that_was_away_gives_the_time_back(tmp_path: Path, clock: Clock) -> None:
    async def before() -> str:
        async with node(tmp_path) as hub:
            heart = clock.heart(hub)
            await heart.beat()
            live = await two_at_a_table(hub, "dice", clock="game", seconds=10)
            clock.passes(2000)
            await heart.beat()
            return live.id

    async def after(table: str) -> None:
        async with node(tmp_path) as hub:
            heart = clock.heart(hub)
            await heart.beat()
            assert heart.outages == [(100_002_000, 100_062_000)]
            clock.passes(3000)
            await heart.beat()
            await hub.wake(table)
            live = await hub.get(table)
            assert [entry.event.type for entry in live.table.log[3:]] == ["pause"]
            assert live.table.turn == 0
            await hub.act(table, Actor("anne"), Action("move", move="score", version=3))
            assert live.table.seats[0].time_left == 5000
            clock.passes(3000)
            await heart.beat()
            clock.passes(3000)
            await heart.beat()
            await hub.act(table, Actor("carl"), Action("move", move="score"))
            clock.passes(3000)
            await heart.beat()
            clock.passes(3000)
            await heart.beat()
            await hub.wake(table)
            assert live.table.log[-1].event.type == "time"

    table = asyncio.run(before())
    clock.passes(60_000)
    asyncio.run(after(table))


def test_a_node_that_was_held_up_or_whose_clock_jumped_charges_nobody(tmp_path: Path, clock: Clock) -> None:
    async def work() -> None:
        async with node(tmp_path) as hub:
            heart = clock.heart(hub)
            await heart.beat()
            live = await two_at_a_table(hub, "dice", clock="move", seconds=5)
            clock.passes(3600_000)
            # The heart has not beaten since, and the move comes first.
            await hub.act(live.id, Actor("anne"), Action("move", move="reroll"))
            assert not live.table.seats[0].relieved
            clock.at -= 7200_000
            await heart.beat()
            await hub.act(live.id, Actor("anne"), Action("move", move="reroll"))
            clock.at += 7200_000
            await hub.act(live.id, Actor("anne"), Action("move", move="score"))
            assert [entry.event.type for entry in live.table.log[3:]] == ["pause", "move", "move", "pause", "move"]

    asyncio.run(work())


def test_several_nodes_have_one_heart(tmp_path: Path, clock: Clock) -> None:
    async def work() -> None:
        async with node(tmp_path) as one, node(tmp_path) as two:
            hearts = [clock.heart(one), clock.heart(two)]
            for number in range(10):
                clock.passes(GAP_MS - 1000)
                await hearts[number % 2].beat()
            # While one of them lives there is a server, however long the other is away.
            for _ in range(10):
                clock.passes(GAP_MS - 1000)
                await hearts[0].beat()
            assert hearts[0].outages == []
            clock.passes(GAP_MS + 1)
            for heart in reversed(hearts):
                await heart.beat()
            assert hearts[0].outages == hearts[1].outages == [(clock.at - GAP_MS - 1, clock.at)]

    asyncio.run(work())


# Who is here, what is agreed, who is invited


def test_everybody_is_told_who_is_present(tmp_path: Path) -> None:
    async def work() -> None:
        async with node(tmp_path) as hub:
            seats = [NewSeat("me"), NewSeat(), NewSeat("bot", level="random")]
            live = await hub.make(NewTable("dice", 3, public=True, seats=seats), "anne", "Anne")
            await hub.act(live.id, Actor("carl"), Action("sit", name="Carl"))
            anne, again, carl = Client("anne", "en"), Client("anne", "en"), Client("carl", "en")
            await hub.connect(live.id, anne, None)
            assert presence(anne) == [[True, False, True]]
            version = live.table.version
            await hub.connect(live.id, carl, None)
            assert presence(carl) == [[True, True, True]]
            hub.disconnect(live, anne)
            await hub.connect(live.id, again, None)
            await until(lambda: live.presence_timer is None)
            # Who comes back within a moment was never away.
            assert presence(carl) == []
            assert presence(again) == [[True, True, True]]
            hub.disconnect(live, again)
            await until(lambda: live.presence_timer is None)
            assert presence(carl) == [[False, True, True]]
            assert live.table.version == version

    asyncio.run(work())


def test_presence_goes_from_node_to_node_and_is_not_believed_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with node(tmp_path) as one, node(tmp_path) as two:
            one.publish_guests = lambda table, guests: two.hear_presence(table, "one", guests)
            two.publish_guests = lambda table, guests: one.hear_presence(table, "two", guests)
            live = await two_at_a_table(one, "dice")
            anne, carl = Client("anne", "en"), Client("carl", "en")
            await one.connect(live.id, anne, None)
            await two.connect(live.id, carl, None)
            there = await two.get(live.id)
            await until(lambda: live.presence_timer is there.presence_timer is None)
            assert presence(anne) == [[True, False], [True, True]]
            assert presence(carl)[-1] == [True, True]
            two.disconnect(there, carl)
            await until(lambda: live.presence_timer is None)
            assert presence(anne) == [[True, False]]
            # A node that dies does not say goodbye.
            monkeypatch.setattr(serving, "BELIEVE_SECONDS", 0.0)
            await two.connect(live.id, carl, None)
            assert live.present() == [True, False]

    asyncio.run(work())


def presence(client: Client) -> list[list[bool]]:
    told = [json.loads(client.queue.get_nowait()) for _ in range(client.queue.qsize())]
    return [message["present"] for message in told if message["type"] == "presence"]


def test_hints_are_refused_where_they_are_off(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    for more, status in (({}, 409), ({"hints": True}, 200)):
        table = here.table("dice", [anne, carl], first=0, **more)
        answer = here.get(f"/api/tables/{table}/seats/0/hint", anne)
        assert answer.status_code == status
        assert status == 200 or answer.json()["key"] == "hints_off"


def test_an_invitation_says_what_one_is_invited_to(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    wanted = {"game": "dice", "clock": "game", "seconds": 300}
    table = here.post("/api/tables", wanted, anne).json()["id"]
    token = here.post(f"/api/tables/{table}/invitation", None, anne).json()["token"]
    for who, seated in ((None, False), (carl, False), (anne, True)):
        told = here.post("/api/invited", {"token": token}, who)
        assert told.status_code == 200
        assert told.json()["seated"] == seated
        assert (told.json()["setup"]["rounds"], told.json()["setup"]["seconds"]) == (2, 300)
        assert [seat["kind"] for seat in told.json()["seats"]] == ["person", "open"]
    here.post("/api/join", {"token": token, "portrait": "moth"}, carl)
    told = here.post("/api/invited", {"token": token}, carl)
    assert (told.status_code, told.json()["seated"], told.json()["open_seats"]) == (200, True, 0)
    assert told.json()["seats"][1]["portrait"] == "moth"


def test_a_portrait_goes_with_the_cookie(here: ServerHarness) -> None:
    answer = here.post("/api/guest", {"name": "Anne", "portrait": "heron"})
    anne = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert here.get("/api/guest", anne).json()["portrait"] == "heron"
    table = here.table("dice", [anne, here.guest("Carl")])
    seats = here.view(table)["seats"]
    assert seats[0]["portrait"] == "heron"
    assert seats[1]["portrait"] not in ("", "heron")


def test_two_on_one_device_have_faces_of_their_own(here: ServerHarness) -> None:
    answer = here.post("/api/guest", {"name": "Anne", "portrait": "heron"})
    anne = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    seats = [{"kind": "me"}, {"kind": "me", "name": "Carl"}]
    table = here.post("/api/tables", {"game": "dice", "seats": seats}, anne).json()["id"]
    first, second = here.view(table, anne)["seats"]
    assert first["portrait"] == "heron"
    assert second["portrait"] not in ("", "heron")


def test_a_pong_tells_of_nothing_that_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with node(tmp_path) as hub:
            live = await two_at_a_table(hub)
            storing, stored, told = asyncio.Event(), asyncio.Event(), live.table.version
            append = hub.storage.append

            async def slowly(write: Write) -> bool:
                storing.set()
                await stored.wait()
                return await append(write)

            monkeypatch.setattr(hub.storage, "append", slowly)
            client = Client("anne", "en")
            moving = asyncio.create_task(hub.act(live.id, Actor("anne"), first_move(live)))
            await storing.wait()
            await answer(hub, live, client, b'{"do": "ping"}', TokenBucket(0))
            assert json.loads(client.queue.get_nowait()) == {"type": "pong", "version": told}
            stored.set()
            await moving
            await answer(hub, live, client, b'{"do": "ping"}', TokenBucket(0))
            assert json.loads(client.queue.get_nowait())["version"] > told

    asyncio.run(work())


def test_one_bot_thinks_at_a_table_however_often_it_is_due(tmp_path: Path) -> None:
    async def work() -> None:
        async with node(tmp_path) as hub:
            thinkers = FairPool(Metrics())
            workers = BotRunner(hub, thinkers)
            seats = [NewSeat("me"), NewSeat("bot", level="random")]
            live = await hub.make(NewTable("dice", seats=seats, first=1), "anne", "Anne")
            await hub.act(live.id, Actor("anne"), Action("start"))
            before = live.table.version
            for _ in range(3):
                workers.bot_due(live)
            assert len(workers.tasks) == 1
            await asyncio.gather(*workers.tasks.values())
            assert live.table.turn == 0
            moves = [entry.event for entry in live.table.log[before:] if isinstance(entry.event, Move)]
            assert all(event.bot for event in moves)
            assert sum(event.events[0].split()[1] == "score" for event in moves) == 1
            thinkers.close()

    asyncio.run(work())


@pytest.mark.parametrize("remote", [False, True])
def test_bots_choose_together_with_their_move(tmp_path: Path, remote: bool) -> None:
    """T16, C13: no pause after a bot's move tells that it had a choice; no node ever waits in the middle of one."""
    with running_server(tmp_path, think_ms=1, bots=not remote) as here:
        anne = here.guest()
        signer: Signer = here.client.app.state.signer
        worker = {"Authorization": f"Bearer {signer.worker_token()}"}
        seats = [{"kind": "me"}, *({"kind": "bot", "level": "random"} for _ in range(3))]
        kept = 0
        for _ in range(20):
            made = here.post("/api/tables", {"game": "cards", "players": 4, "seats": seats}, anne)
            table, dice = made.json()["id"], random.Random(1)
            with here.socket(table, anne) as socket:
                socket.read()
                socket.say(do="start")
                while (view := here.view(table, anne))["stage"] == "playing":
                    if view["legal"]:
                        socket.say(do="move", move=dice.choice(view["legal"]))
                    elif remote:
                        _play_a_turn(here, worker)
                    else:
                        socket.read_until("event")
            stored = [json.loads(body) for body in here.stored(table)]
            for before, event in pairwise(stored):
                if event["type"] == "keep" and event.get("bot"):
                    kept += 1
                    assert event["at"] == before["at"]
            if kept:
                return
        pytest.fail("no bot ever kept")


def _play_a_turn(here: ServerHarness, worker: dict[str, str]) -> None:
    """What `sixfold bots` does with a turn that it is given."""
    turn = here.post("/api/worker/turns", None, worker).json()
    if turn is None:
        return
    move, then = decide_turn(
        turn["level"], view_of(turn["view"]["position"]), Budget(1), Seeded(random.getrandbits(63))
    )
    told = {name: turn[name] for name in ("table", "seat", "version")}
    assert here.post("/api/worker/moves", {**told, "move": move, "then": then}, worker).status_code == 200
