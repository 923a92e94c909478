"""Attacks on a local server, each bounded in count and time and made from its own address, with findings.

``python -m lab.loadtest.attacks URL SECONDS NAME`` runs one and prints its findings as JSON.
"""

import asyncio
import ipaddress
import json
import os
import secrets
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from lab.loadtest.players import cookie_of
from sixfold.errors import SetupError

# In the dice game a move is a single word.
GAME = "dice"

# All of 127.0.0.0/8 is this machine, so every attacker and every victim can have its own address.
FIRST_ADDRESS = "127.0.0.2"
CONNECTION_ERRORS = (OSError, WebSocketException, httpx.HTTPError, EOFError, TimeoutError)
MAX_CONNECTIONS = 1200
PING_FRAME = b"\x89\x80\x00\x00\x00\x00"


def check_loopback(url: str) -> None:
    """Refuse any target that is not on the loopback address."""
    try:
        host = urlsplit(url).hostname or ""
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback or urlsplit(url).scheme != "http":
        raise SetupError(f"only a server on the loopback address is attacked, such as http://127.0.0.1:8000, not {url}")
    with socket.socket() as probe:
        try:
            probe.bind((FIRST_ADDRESS, 0))
        except OSError:
            raise SetupError(f"attacks come from {FIRST_ADDRESS} and so on, which this system does not have") from None


@dataclass
class Finding:
    """One check of an attack, and whether the server held."""

    what: str
    held: bool
    figure: str = ""


@dataclass
class Target:
    """The attacked server, the duration of the attack and its findings."""

    url: str
    seconds: float
    attacker: str = FIRST_ADDRESS
    victim: str = "127.0.0.3"
    findings: list[Finding] = field(default_factory=list)
    deadline: float = 0.0

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.seconds

    @property
    def is_running(self) -> bool:
        return time.monotonic() < self.deadline

    def continues(self, done: bool) -> bool:
        """Whether to go on: for the agreed time, and on a busy machine up to 20 s longer until ``done``."""
        return self.is_running or (not done and time.monotonic() < self.deadline + 20)

    def note(self, what: str, held: bool, figure: object = "") -> None:
        self.findings.append(Finding(what, held, str(figure)))

    def client(self, address: str | None = None, connections: int = 50) -> httpx.AsyncClient:
        limits = httpx.Limits(max_connections=connections)
        transport = httpx.AsyncHTTPTransport(local_address=address or self.attacker, limits=limits)
        return httpx.AsyncClient(base_url=self.url, transport=transport, timeout=30)

    async def raw(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.url)
        return await asyncio.open_connection(parts.hostname, parts.port or 80, local_addr=(self.attacker, 0))

    async def socket(self, table: str, cookie: str = "", address: str | None = None) -> ClientConnection:
        where = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        headers = {"Cookie": cookie} if cookie else {}
        return await connect(
            where,
            additional_headers=headers,
            local_addr=(address or self.attacker, 0),
            ping_interval=None,
            max_size=2**22,
        )

    async def metric(self, name: str) -> float:
        """Read one of the server's metrics."""
        async with self.client(self.victim) as client:
            text = (await client.get("/metrics")).text
        line = next(line for line in text.splitlines() if line.startswith(f"{name} "))
        return float(line.split()[1])

    async def memory(self) -> float:
        """The server's resident memory in MiB."""
        return await self.metric("process_resident_memory_bytes") / 2**20


async def guest(client: httpx.AsyncClient, name: str = "attacker") -> str:
    answer = await client.post("/api/guest", json={"name": name})
    answer.raise_for_status()
    client.cookies.clear()
    return cookie_of(answer)


async def table_of(client: httpx.AsyncClient, cookie: str, **options: Any) -> str:
    answer = await client.post("/api/tables", json={"game": GAME, **options}, headers={"Cookie": cookie})
    answer.raise_for_status()
    table: str = answer.json()["id"]
    return table


async def act(client: httpx.AsyncClient, table: str, cookie: str, do: str, **more: Any) -> httpx.Response:
    return await client.post(f"/api/tables/{table}/actions", json={"do": do, **more}, headers={"Cookie": cookie})


async def nobody(target: Target) -> None:
    """No attack, as a baseline."""
    await asyncio.sleep(target.seconds)


# Connections


async def headers(target: Target) -> None:
    """Endless header lines, and a single endless one."""
    before, sent = await target.memory(), 0

    async def send(prefix: bytes, chunk: bytes) -> None:
        nonlocal sent
        while target.is_running:
            with suppress(*CONNECTION_ERRORS):
                _, writer = await target.raw()
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n" + prefix)
                while target.is_running and not writer.transport.is_closing():
                    writer.write(chunk)
                    await writer.drain()
                    sent += len(chunk)
            await asyncio.sleep(0.01)

    lines, long_value = b"x-header: y\r\n" * 4000, b"a" * 65536
    await asyncio.gather(*(send(b"", lines) for _ in range(4)), *(send(b"x: ", long_value) for _ in range(4)))
    grown = await target.memory() - before
    target.note("headers without end take no memory", grown < 100, f"{sent / 1e6:.0f} MB sent, {grown:+.0f} MB taken")


async def silence(target: Target) -> None:
    """Connections that send nothing, or half a request, and stay open."""
    writers, closing = list[asyncio.StreamWriter](), list[asyncio.Task[bytes]]()
    for number in range(MAX_CONNECTIONS):
        with suppress(*CONNECTION_ERRORS):
            reader, writer = await target.raw()
            writers.append(writer)
            closing.append(asyncio.create_task(reader.read()))
            writer.write(b"POST /api/guest HTTP/1.1\r\nHost: a\r\n" if number % 2 else b"")
    started = time.monotonic()
    await asyncio.wait(closing, timeout=1)
    open_count = sum(not task.done() for task in closing)
    target.note(
        "silent connections of one address are few",
        open_count <= MAX_CONNECTIONS // 2,
        f"{open_count} of {MAX_CONNECTIONS}",
    )
    _, left = await asyncio.wait(closing, timeout=30)
    figure = f"{len(left)} left after {time.monotonic() - started:.0f} s"
    target.note("silent connections are ended", not left, figure)
    for writer in writers:
        writer.transport.abort()
    await asyncio.gather(*closing, return_exceptions=True)


async def requests(target: Target) -> None:
    """Send as many requests as possible."""
    status: dict[int, int] = {}
    async with target.client() as client:

        async def flood() -> None:
            while target.continues(429 in status):
                with suppress(*CONNECTION_ERRORS):
                    answer = await client.get("/api/tables")
                    status[answer.status_code] = status.get(answer.status_code, 0) + 1

        await asyncio.gather(*(flood() for _ in range(50)))
    served = status.pop(200, 0)
    target.note("requests are limited", bool(served) and set(status) == {429}, f"{served} served, {status} refused")


async def sockets(target: Target) -> None:
    """Open as many anonymous sockets as possible."""
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    accepted: list[ClientConnection] = []
    tried = 0
    # Continue until some are refused: before that the limit has not been tested.
    while target.continues(tried > len(accepted)) and tried < MAX_CONNECTIONS:
        tried += 1
        with suppress(*CONNECTION_ERRORS):
            connection = await target.socket(table)
            if "snapshot" in str(await connection.recv()):
                accepted.append(connection)
    target.note("sockets of one address are few", 0 < len(accepted) < tried, f"{len(accepted)} of {tried}")
    for connection in accepted:
        connection.transport.abort()


async def _flood(target: Target, what: str, message: bytes) -> None:
    """Send frames without end on a socket that reads nothing."""
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    before, cut_off, sent = await target.memory(), 0, 0
    while target.continues(cut_off > 0):
        with suppress(*CONNECTION_ERRORS):
            connection = await target.socket(table)
            connection.transport.pause_reading()
            while target.continues(cut_off > 0) and not connection.transport.is_closing():
                connection.transport.write(message)
                sent += len(message)
                await asyncio.sleep(0)
                if connection.transport.get_write_buffer_size() > 2**22:
                    await asyncio.sleep(0.01)
                    connection.transport.resume_reading()
            cut_off += connection.transport.is_closing()
        await asyncio.sleep(0.01)
    grown = await target.memory() - before
    held = cut_off > 0 and grown < 100
    target.note(what, held, f"{sent / 1e6:.0f} MB sent, cut off {cut_off} times, {grown:+.0f} MB taken")


async def pings(target: Target) -> None:
    """Send pings without end from a socket that reads nothing."""
    await _flood(target, "pings without end are cut off", PING_FRAME * 10_000)


async def large_messages(target: Target) -> None:
    """Send oversized messages without end."""
    frame = b"\x81\xfe" + (5000).to_bytes(2, "big") + b"\x00\x00\x00\x00" + b"x" * 5000
    await _flood(target, "large messages without end are cut off", frame * 10)


# Shared resources


async def tables(target: Target) -> None:
    """Create as many public tables as possible as new guests; the list must still show tables of others."""
    async with target.client(target.victim) as client:
        theirs = await table_of(client, await guest(client, "victim"), public=True)
    created = refused = 0
    async with target.client() as client:
        while target.continues(refused > 0) and created + refused < 100:
            with suppress(*CONNECTION_ERRORS):
                answer = await client.post("/api/guest", json={"name": "attacker"})
                client.cookies.clear()
                if answer.status_code == 201:
                    body = {"game": GAME, "public": True}
                    answer = await client.post("/api/tables", json=body, headers={"Cookie": cookie_of(answer)})
                created, refused = created + (answer.status_code == 201), refused + (answer.status_code == 429)
    async with target.client(target.victim) as client:
        listed = [row["id"] for row in (await client.get("/api/tables?limit=10")).json()]
    target.note("tables of one address are few", refused > 0, f"{created} made, {refused} refused")
    target.note("the list of tables is fair", theirs in listed)


async def seats(target: Target) -> None:
    """Try to take every free seat of a stranger's table."""
    async with target.client(target.victim) as theirs, target.client() as client:
        table = await table_of(theirs, await guest(theirs, "victim"), public=True, players=4)
        me = await guest(client)
        statuses = [(await act(client, table, me, "sit")).status_code for _ in range(3)]
    target.note("one seat of a stranger's table for each guest", statuses == [200, 409, 409])


async def _play_as_victim(target: Target, waits: list[float]) -> None:
    """Play against the weakest bot as the victim, and record how long it takes to answer."""
    async with target.client(target.victim) as theirs:
        carl = await guest(theirs, "victim")
        their_seats = [{"kind": "me"}, {"kind": "bot", "level": "level1"}]
        table = await table_of(theirs, carl, seats=their_seats, first=0)
    connection = await target.socket(table, carl, target.victim)
    await connection.send('{"do": "start"}')
    while target.is_running:
        await connection.send('{"do": "move", "move": "score"}')
        started = time.monotonic()
        while target.is_running and json.loads(await connection.recv()).get("event", {}).get("seat") != 1:
            pass
        waits.append(time.monotonic() - started)
        await asyncio.sleep(0.2)


async def _while_victim_plays(target: Target, attackers: list[asyncio.Task[None]]) -> None:
    waits: list[float] = []
    with suppress(*CONNECTION_ERRORS):
        await asyncio.wait_for(_play_as_victim(target, waits), target.seconds + 5)
    await asyncio.gather(*attackers, return_exceptions=True)
    longest = max(waits, default=float("inf"))
    target.note("somebody else's bot answers soon", longest < 2, f"{len(waits)} moves, all within {longest:.2f} s")


async def bots(target: Target) -> None:
    """Play at many tables with the strongest bots and ask for hints, while the victim plays against the weakest."""
    my_seats = [{"kind": "me"}, *[{"kind": "bot", "level": "level5"}] * 3]
    async with target.client() as client:

        async def play() -> None:
            me = await guest(client)
            table = await table_of(client, me, players=4, seats=my_seats, first=1)
            await act(client, table, me, "start")
            while target.is_running:
                await client.get(f"/api/tables/{table}/seats/0/hint", headers={"Cookie": me})
                await act(client, table, me, "move", move="score")
                await asyncio.sleep(0.05)

        await _while_victim_plays(target, [asyncio.create_task(play()) for _ in range(15)])


async def _play_to_end(target: Target, table: str, me: str) -> None:
    """Play all seats of a table as one guest, as fast as the rate limit allows."""
    async with await target.socket(table, me) as connection:
        over, moves = False, list[str]()
        while target.continues(over) and not over:
            message = json.loads(await asyncio.wait_for(connection.recv(), 20))
            views = message.get("views", [])
            over = any(view["stage"] == "over" for view in views)
            if views:
                moves = [view["legal"][0] for view in views if view["legal"]]
            if moves and (views or message["type"] == "refused"):
                await asyncio.sleep(0.06)
                await connection.send(json.dumps({"do": "move", "move": moves[0]}))


async def reviews(target: Target) -> None:
    """Many guests repeatedly request reviews of their rounds at the same time, while the victim plays."""
    both = [{"kind": "me"}, {"kind": "me", "name": "the other"}]
    answers, running = dict[str, int](), list[float]()
    async with target.client() as client:

        async def request_reviews() -> None:
            me = await guest(client)
            table = await table_of(client, me, seats=both, rounds=1)
            await act(client, table, me, "start")
            await _play_to_end(target, table, me)
            while target.continues("served" in answers):
                answer = await client.get(f"/api/tables/{table}/rounds/1/review", headers={"Cookie": me})
                key = answer.json().get("key", "served")
                answers[key] = answers.get(key, 0) + 1
                running.append(await target.metric("sixfold_reviews_running"))
                await asyncio.sleep(0.5)

        await _while_victim_plays(target, [asyncio.create_task(request_reviews()) for _ in range(10)])
    most_running = max(running, default=0)
    figure = f"{most_running:.0f} of 10; answers: {answers}"
    target.note("few reviews of one address are worked out at once", "served" in answers and most_running <= 4, figure)


async def staleness(target: Target) -> None:
    """Leave and come back all the time to make the opponent's moves stale."""
    async with target.client(target.victim) as theirs, target.client() as client:
        carl, me = await guest(theirs, "victim"), await guest(client)
        table = await table_of(theirs, carl, public=True, first=0)
        await act(client, table, me, "sit")
        await act(theirs, table, carl, "start")
        done = False

        async def toggle() -> None:
            while not done:
                for do in ("leave", "back"):
                    await act(client, table, me, do)

        toggling = asyncio.create_task(toggle())
        stale = moves = 0
        while moves < 10 and target.is_running:
            view = (await theirs.get(f"/api/tables/{table}", headers={"Cookie": carl})).json()["views"][0]
            if view["stage"] != "playing" or view["turn"] != 0:
                await act(client, table, me, "move", move="score")
                await asyncio.sleep(0.02)
                continue
            await asyncio.sleep(0.1)
            answer = await act(theirs, table, carl, "move", move=view["legal"][0], version=view["version"])
            moves, stale = moves + 1, stale + (answer.json().get("key") == "stale")
        done = True
        await toggling
    target.note("nobody makes somebody else's move stale", moves > 0 and not stale, f"{stale} of {moves} stale")


async def clocks(target: Target) -> None:
    """Leave and come back during one's own turn to think longer than the clock allows."""
    async with target.client(target.victim) as theirs, target.client() as client:
        carl, me = await guest(theirs, "victim"), await guest(client)
        table = await table_of(client, me, public=True, first=0, clock="game", seconds=3)
        await act(theirs, table, carl, "sit")
        await act(client, table, me, "start")
        for _ in range(5):
            await asyncio.sleep(1)
            for do in ("leave", "back"):
                await act(client, table, me, do)
        view = (await theirs.get(f"/api/tables/{table}")).json()["views"][0]
    target.note("a clock is not reset by leaving", view["stage"] == "over", "5 s thought on a clock of 3")


# Single requests


async def tricks(target: Target) -> None:
    """Single requests that a curious stranger would try by hand."""
    async with target.client(target.victim) as theirs, target.client() as client:
        anne, carl, me = await guest(theirs, "anne"), await guest(theirs, "carl"), await guest(client)
        private = await table_of(theirs, anne)
        mine = {"Cookie": me}
        answer = await act(client, private, me, "resign", version=1)
        target.note(
            "a private table tells a stranger nothing",
            answer.json() | {"reason": ""} == answer.json() | {"key": "private_table", "words": {}, "reason": ""},
        )
        for path in ("records", "rounds/1/replay", "rounds/1/review", "events"):
            answer = await client.get(f"/api/tables/{private}/{path}", headers=mine)
            target.note(f"a private table's {path}: for nobody else", answer.status_code == 403, answer.status_code)
        for origin in ("http://[::1", "https://elsewhere.example"):
            answer = await client.post("/api/tables", json={"game": GAME}, headers={**mine, "Origin": origin})
            target.note(f"a page of {origin} changes nothing", answer.status_code == 403, answer.status_code)
        for what, name in (("filler", "\u3164"), ("blank", "\u2800"), ("pile of accents", "e" + "\u0301" * 10)):
            answer = await client.post("/api/guest", json={"name": name})
            target.note(f"no name is a {what}", answer.status_code == 409, answer.status_code)
        forged = me[:-4] + secrets.token_urlsafe(3)
        answer = await client.get("/api/guest", headers={"Cookie": forged})
        target.note("a forged cookie is nobody's", answer.status_code == 401, answer.status_code)
        await _reuse_carry_link(target, theirs, private, anne, carl)
        answer = await client.delete("/api/guest", headers=mine)
        again = await client.get("/api/guest", headers=mine)
        target.note("a revoked cookie is nobody's", (answer.status_code, again.status_code) == (200, 401))
    survived = await _send_huge_version(target)
    target.note("a version of 4,400 digits is no trouble", survived)


async def _reuse_carry_link(target: Target, client: httpx.AsyncClient, table: str, anne: str, carl: str) -> None:
    """Move a seat to another guest and back, then use the first link again."""

    async def carry(holder: str, to: str) -> str:
        where = f"/api/tables/{table}/seats/0/carry"
        token: str = (await client.post(where, headers={"Cookie": holder})).json()["token"]
        (await client.post("/api/carry", json={"token": token}, headers={"Cookie": to})).raise_for_status()
        return token

    first = await carry(anne, carl)
    await carry(carl, anne)
    again = await client.post("/api/carry", json={"token": first}, headers={"Cookie": carl})
    target.note("a link that moves a seat is good once", again.status_code == 409, again.status_code)


async def _send_huge_version(target: Target) -> bool:
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    where = f"{target.url.replace('http', 'ws', 1)}/api/tables/{table}/socket?since={'9' * 4400}"
    async with connect(where, local_addr=(target.attacker, 0)) as connection:
        return "snapshot" in str(await connection.recv())


Attack = Callable[[Target], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        nobody,
        tricks,
        headers,
        silence,
        requests,
        tables,
        seats,
        sockets,
        pings,
        large_messages,
        bots,
        reviews,
        staleness,
        clocks,
    )
}


async def attack(url: str, seconds: float, name: str) -> list[Finding]:
    """Run one attack; an error in it becomes a finding, too."""
    check_loopback(url)
    number = list(ATTACKS).index(name) + 1
    target = Target(url, seconds, f"127.0.{number}.2", f"127.0.{number}.3")
    try:
        await ATTACKS[name](target)
    except (*CONNECTION_ERRORS, KeyError, ValueError, StopIteration) as error:
        target.note("the attack could be made", False, f"{type(error).__name__}: {error}"[:200])
    return target.findings


if __name__ == "__main__":
    # Real attackers use machines of their own; here they only get the processor time that the players leave.
    with suppress(AttributeError, OSError):
        os.nice(19)
    print(
        json.dumps([asdict(finding) for finding in asyncio.run(attack(sys.argv[1], float(sys.argv[2]), sys.argv[3]))])
    )
