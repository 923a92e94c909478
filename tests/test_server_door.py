"""Connections that say too much, too little or too slowly, against the real protocols on a real port."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from lab.loadtest.nodes import free_port
from sixfold.errors import SetupError
from sixfold.server import connections, process_tuning
from sixfold.server.app import make_app
from sixfold.server.connections import ConnectionGuard, Guarded, guarded_by
from sixfold.server.limits import Buckets, address_key
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.table_session import MOST_WAITING, Client

ATTACKER = "127.0.0.2"


class Place:
    """A server on a port, in a thread."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        wanted = {"bots": False, "deputy": "random", **settings}
        self.app = make_app(Settings(f"sqlite:///{folder}/door.db", **wanted))
        self.guard = self.app.state.guard
        self.port = free_port()
        http, socket = guarded_by(self.guard)
        proxies = list(self.guard.settings.proxies)
        self.server = uvicorn.Server(
            uvicorn.Config(
                self.app,
                port=self.port,
                http=http,
                ws=socket,
                log_config=None,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=1,
            )
        )
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self) -> "Place":
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self, host: str = ATTACKER) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(host, 0))

    async def ends(self, *said: bytes, pause: float = 0) -> bytes:
        """Say something on a new connection; what the server says until it ends it."""
        reader, writer = await self.open()
        heard = asyncio.create_task(reader.read())
        with suppress(ConnectionError):
            for part in said:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
        try:
            return await asyncio.wait_for(heard, 20)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def healthy(self) -> bool:
        async with httpx.AsyncClient() as client:
            return (await client.get(f"{self.url}/health")).status_code == 200

    def turned_away(self, why: str) -> float:
        return float(self.guard.metrics.registry.get_sample_value("sixfold_turned_away_total", {"why": why}) or 0)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A server with shorter deadlines."""
    monkeypatch.setattr(connections, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.5)
    with Place(tmp_path) as made:
        yield made


GET = b"GET /health HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /api/guest HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"


LONG, LARGE, LATE = "request_header_fields_too_large", "content_too_large", "request_timeout"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([GET, *[b"x-many: y\r\n" * 1000] * 200], LONG),
        ([GET, b"x-long: ", *[b"a" * 65536] * 100], LONG),
        ([b"GET /", *[b"a" * 65536] * 100], LONG),
        ([GET + b"x: " + b"a" * 9000 + b"\r\n\r\n"], LONG),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", *[b"x-late: y\r\n" * 1000] * 50], LONG),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\n", *[b"2;" + b"e" * 60000] * 10], LARGE),
        ([POST + b"Content-Length: 1000000000\r\n\r\n", *[b"a" * 65536] * 20], LARGE),
        ([GET], LATE),
        ([POST + b"Content-Length: 100\r\n\r\n{"], LATE),
        ([b""], LATE),
        ([b"\x16\x03\x01\x02\x00\x01"], "no_http"),
    ],
    ids="lines line url one-line trailers extensions body half-head half-body silence tls".split(),
)
def test_a_request_that_is_too_long_or_never_ends_is_ended(place: Place, said: list[bytes], why: str) -> None:
    async def work() -> None:
        await place.ends(*said)
        assert await place.healthy()

    asyncio.run(work())
    assert place.turned_away(why) == 1


def test_what_is_sent_without_end_is_not_kept(place: Place) -> None:
    """A head of many megabytes is cut off after some kilobytes, whoever sends it does not even get rid of it."""

    async def work() -> int:
        reader, writer = await place.open()
        writer.write(GET + b"x: ")
        sent = 0
        try:
            while sent < 100_000_000:
                writer.write(b"a" * 65536)
                await writer.drain()
                sent += 65536
        except ConnectionError:
            pass
        writer.close()
        del reader
        return sent

    assert asyncio.run(work()) < 50_000_000
    assert place.turned_away("request_header_fields_too_large") == 1


def test_drops_of_a_request_do_not_hold_a_connection(place: Place) -> None:
    async def work() -> None:
        assert b"408" in await place.ends(*[bytes([letter]) for letter in GET], pause=0.05)
        # Also between two requests, where empty lines are no request.
        first = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        answer = await place.ends(first, *[b"\r\n"] * 30, pause=0.05)
        assert answer.count(b"HTTP/1.1 200") == 1
        assert b"408" in answer

    asyncio.run(work())


def test_pipelined_requests_are_few(place: Place) -> None:
    async def work() -> None:
        answer = await place.ends((GET + b"\r\n") * 2000)
        assert answer.count(b"HTTP/1.1 200") <= connections.MOST_PIPELINED + 1
        assert await place.healthy()

    asyncio.run(work())
    assert place.turned_away("too_many_requests") == 1


class Transport:
    """A connection of which the other side takes only so much."""

    def __init__(self) -> None:
        self.unsent = 1000
        self.closing = self.aborted = False

    def is_closing(self) -> bool:
        return self.closing

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.aborted = True


def watched(transport: Transport, folder: Path) -> Guarded:
    guarded = Guarded()
    guarded.transport = cast(Any, transport)
    guarded.__class__ = type(
        "Watched", (Guarded,), {"guard": ConnectionGuard(Settings(f"sqlite:///{folder}/unused.db"), Metrics())}
    )
    return guarded


def test_somebody_who_takes_nothing_is_not_waited_for(tmp_path: Path) -> None:
    transport = Transport()
    slow = watched(transport, tmp_path)
    for at in range(100):
        # Slowly is good enough.
        transport.unsent -= 1
        slow.check_deadlines(at)
    assert not transport.aborted
    for at in range(100, 119):
        slow.check_deadlines(at)
    assert not transport.aborted
    slow.check_deadlines(121)
    assert transport.aborted


def test_a_connection_that_does_not_end_is_ended(tmp_path: Path) -> None:
    transport = Transport()
    transport.closing = True
    closing = watched(transport, tmp_path)
    closing.check_deadlines(1)
    closing.check_deadlines(5)
    assert not transport.aborted
    closing.check_deadlines(7)
    assert transport.aborted


def test_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    async def work(place: Place) -> None:
        silent = [await place.open() for _ in range(5)]
        answer = await place.ends(b"")
        assert b"429" in answer.splitlines()[0]
        assert await place.healthy()
        assert place.guard.by_address[ATTACKER] == 5
        for _, writer in silent:
            writer.close()
        async with asyncio.timeout(10):
            while ATTACKER in place.guard.by_address:
                await asyncio.sleep(0.01)

    with Place(tmp_path, connections=5) as place:
        asyncio.run(work(place))


def test_a_full_house_says_so(tmp_path: Path) -> None:
    async def work(place: Place) -> None:
        place.guard.limit = 3
        silent = [await place.open() for _ in range(3)]
        async with asyncio.timeout(10):
            while len(place.guard.connections) < 3:
                await asyncio.sleep(0.01)
        assert b"503" in (await place.ends(b"")).splitlines()[0]
        for _, writer in silent:
            writer.close()

    with Place(tmp_path) as place:
        asyncio.run(work(place))


# Sockets


@asynccontextmanager
async def table_of(place: Place) -> AsyncIterator[tuple[httpx.AsyncClient, str]]:
    async with httpx.AsyncClient(base_url=place.url) as client:
        await client.post("/api/guest", json={"name": "Anne"})
        made = await client.post("/api/tables", json={"game": "dice", "public": True})
        yield client, made.json()["id"]


@asynccontextmanager
async def socket_of(place: Place, table: str, **more: Any) -> AsyncIterator[ClientConnection]:
    address = f"ws://127.0.0.1:{place.port}/api/tables/{table}/socket"
    async with connect(address, local_addr=(ATTACKER, 0), ping_interval=None, **more) as socket:
        yield socket


async def opens(place: Place, table: str) -> bool:
    """Does a new socket get its snapshot?"""
    try:
        async with socket_of(place, table) as socket:
            return "snapshot" in str(await socket.recv())
    except (InvalidHandshake, ConnectionClosed, OSError, EOFError):
        return False


async def cut_off(socket: ClientConnection) -> bool:
    try:
        async with asyncio.timeout(20):
            async for _ in socket:
                pass
    except ConnectionClosed:
        pass
    return True


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 4096, 65_535, 65_536, 70_000])
def test_frames_are_written_and_read_as_the_library_does(length: int) -> None:
    text = b"x" * length
    plain = Frame(Opcode.TEXT, text).serialize(mask=False)
    assert connections._head(length) + text == plain
    masked = Frame(Opcode.TEXT, text).serialize(mask=True)
    assert connections._body(masked) == (0 if length > 65_535 else len(masked) - length)
    for other in (plain, masked[:-1], masked + masked, masked + b"\x89", masked[:5]):
        assert connections._body(other) == 0
    part = Frame(Opcode.TEXT, text, fin=False).serialize(mask=True)
    rest = Frame(Opcode.CONT, text).serialize(mask=True)
    assert connections._body(part) == connections._body(rest) == 0


def test_messages_are_understood_however_they_are_cut(place: Place) -> None:
    """Whole, in halves, in one piece with others, with a ping in between, and as fragments: each has its answer."""

    def frame(text: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
        return Frame(opcode, text, fin).serialize(mask=True)

    say, ping = b'{"do": "ping"}', frame(b"", Opcode.PING)
    whole = frame(say)
    half = len(whole) // 2
    ways = [
        ([frame(say)], 1),
        ([ping, frame(say)], 1),
        ([frame(say) + ping + frame(say)], 2),
        ([whole[:half], whole[half:]], 1),
        ([frame(say[:5], fin=False), ping, frame(say[5:], Opcode.CONT)], 1),
        ([frame(say[:5], fin=False) + frame(say[5:], Opcode.CONT) + frame(say)], 2),
    ]
    # And all of them on one socket.
    ways.append(([piece for pieces, _ in ways for piece in pieces], sum(number for _, number in ways)))

    async def work() -> None:
        async with table_of(place) as (_, table):
            for pieces, number in ways:
                async with socket_of(place, table) as socket:
                    for piece in pieces:
                        socket.transport.write(piece)
                        # So that it goes by itself.
                        await asyncio.sleep(0.01)
                    while number:
                        number -= '"type":"pong"' in str(await asyncio.wait_for(socket.recv(), 20))

    asyncio.run(work())


@pytest.mark.parametrize("early", [False, True])
def test_many_messages_in_one_piece_are_answered_one_after_the_other(place: Place, early: bool) -> None:
    """The first ones as their turn comes, those beyond the pace with a refusal, and nobody is cut off."""
    said = [Frame(Opcode.TEXT, f'{{"do": "undo", "id": "{at}"}}'.encode()).serialize(mask=True) for at in range(120)]

    async def work() -> list[dict[str, Any]]:
        async with table_of(place) as (_, table), socket_of(place, table) as socket:
            if not early:
                assert "snapshot" in str(await socket.recv())
            for begin in range(0, len(said), 30):
                socket.transport.write(b"".join(said[begin : begin + 30]))
                await asyncio.sleep(0)
            told: list[dict[str, Any]] = []
            while len(told) < len(said):
                message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                told += [message] if message["type"] == "refused" else []
            return told

    told = asyncio.run(work())
    keys = [message["key"] for message in told]
    looked_at = keys.index("too_fast")
    assert keys[:looked_at] == ["no_guest"] * looked_at
    assert [message["id"] for message in told[:looked_at]] == [str(at) for at in range(looked_at)]
    assert looked_at >= 40


def test_what_is_said_goes_out_together_and_waits_for_who_does_not_read() -> None:
    async def work() -> None:
        written: list[bytes] = []
        wire = connections.GuardedSocket.__new__(connections.GuardedSocket)
        wire.loop, wire.writable, wire._outbox = asyncio.get_running_loop(), asyncio.Event(), []
        wire.disconnected = wire.close_sent = False
        wire.conn = cast(Any, SimpleNamespace(state=State.OPEN))
        wire.transport = cast(Any, SimpleNamespace(write=written.append))
        wire.writable.set()
        client = Client("guest", "en")
        client.send(b"one")
        client.attach(wire)
        client.send(b"two")
        await asyncio.sleep(0)
        assert written == [b"\x81\x03one\x81\x03two"]
        wire.pause_writing()
        for _ in range(MOST_WAITING):
            client.send(b"x")
            await asyncio.sleep(0)
        assert len(written) == 1
        assert not client.cut_off.is_set()
        wire.resume_writing()
        assert written[1:] == [b"\x81\x01x" * MOST_WAITING]
        wire.pause_writing()
        for _ in range(MOST_WAITING + 1):
            client.send(b"x")
        assert client.too_slow
        assert client.cut_off.is_set()

    asyncio.run(work())


def test_pings_without_end_are_cut_off(place: Place) -> None:
    async def work() -> None:
        async with table_of(place) as (_, table), socket_of(place, table) as socket:
            await socket.recv()
            for _ in range(2000):
                socket.transport.write(b"\x89\x80\x00\x00\x00\x00" * 1000)
                await asyncio.sleep(0)
                if socket.transport.is_closing():
                    break
            else:
                pytest.fail("two million pings were read")
            assert await cut_off(socket)

    asyncio.run(work())
    assert place.turned_away("too_fast") + place.turned_away("unread") == 1


def test_empty_fragments_without_end_are_cut_off(place: Place) -> None:
    async def work() -> None:
        async with table_of(place) as (_, table), socket_of(place, table) as socket:
            await socket.recv()
            socket.transport.write(b"\x01\x80\x00\x00\x00\x00" + b"\x00\x80\x00\x00\x00\x00" * 5000)
            assert await cut_off(socket)

    asyncio.run(work())
    assert place.turned_away("too_fast") == 1


def test_large_messages_count_and_are_cut_off(place: Place) -> None:
    async def work() -> None:
        async with table_of(place) as (_, table), socket_of(place, table) as socket:
            answers: dict[str, int] = {}

            async def talk() -> None:
                while True:
                    await socket.send("x" * 5000)
                    told = (await socket.recv(decode=False)).decode()
                    key = "too_large" if "too_large" in told else "too_fast" if "too_fast" in told else "other"
                    answers[key] = answers.get(key, 0) + 1

            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(talk(), 60)
            assert answers["too_large"] < 200
            assert answers["too_fast"] <= 500
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429

    asyncio.run(work())


def test_sockets_are_limited_by_address_and_so_is_opening_them(tmp_path: Path) -> None:
    async def work(place: Place) -> None:
        async with table_of(place) as (client, table), AsyncExitStack() as held:
            for _ in range(4):
                await (await held.enter_async_context(socket_of(place, table))).recv()
            assert not await opens(place, table)
            await held.aclose()
            assert not all([await opens(place, table) for _ in range(40)])
            # Another address is not concerned.
            assert (await client.get("/api/guest")).status_code == 200

    with Place(tmp_path, connections=4, requests_a_minute=30) as place:
        asyncio.run(work(place))


# Addresses


def test_an_address_comes_from_a_header_only_if_the_proxy_is_known(tmp_path: Path) -> None:
    async def answers(place: Place) -> list[int]:
        async with httpx.AsyncClient(base_url=place.url) as client:
            asked = [
                await client.get("/api/tables", headers={"X-Forwarded-For": f"203.0.113.{number}"})
                for number in range(12)
            ]
            return [answer.status_code for answer in asked]

    with Place(tmp_path, requests_a_minute=10) as place:
        assert 429 in asyncio.run(answers(place))
    with Place(tmp_path, requests_a_minute=10, proxies=("127.0.0.0/8",)) as place:
        assert set(asyncio.run(answers(place))) == {200}
    with pytest.raises(SetupError, match="a proxy is an address"):
        Settings("", proxies=("*",))


def test_an_ipv6_household_is_one_address() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:1") != address_key("2001:db8:0:1::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1") == "192.0.2.1"
    assert address_key(None) == ""
    assert len(address_key("x" * 1000)) == 64


def test_quiet_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    at = [0.0]
    monkeypatch.setattr("sixfold.server.token_bucket.time.monotonic", lambda: at[0])
    buckets = Buckets(1, 5)
    for number in range(1000):
        buckets.take(f"192.0.2.{number}")
    assert [buckets.take("busy") for _ in range(6)] == [True] * 5 + [False]
    assert buckets.seconds_until_next("busy") == 1
    at[0] = 2.0
    buckets.forget()
    assert len(buckets) == 1
    assert [buckets.take("busy") for _ in range(3)] == [True, True, False]


def test_the_limit_of_open_files_is_raised_or_its_lowness_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limits = [(1024, 4096)]

    class Resource:
        RLIMIT_NOFILE, RLIM_INFINITY = 7, -1
        getrlimit = staticmethod(lambda _: limits[-1])
        setrlimit = staticmethod(lambda _, wanted: limits.append(wanted))

    monkeypatch.setattr(process_tuning, "resource", Resource)
    assert process_tuning.connections_possible(1000) == 4096 - process_tuning.OTHER_FILES
    assert limits[-1] == (4096, 4096)
    assert not caplog.records
    assert process_tuning.connections_possible(10_000) == 4096 - process_tuning.OTHER_FILES
    assert "too few files" in caplog.records[0].getMessage()

    def forbidden(*_: object) -> None:
        raise ValueError("not allowed")

    limits.append((1024, 4096))
    monkeypatch.setattr(Resource, "setrlimit", staticmethod(forbidden))
    assert process_tuning.connections_possible(10) == 1024 - process_tuning.OTHER_FILES
    assert "could not be raised" in caplog.records[-1].getMessage()
