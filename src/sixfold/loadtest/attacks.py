"""Attacks on one's own server, each bounded in count and time, from an address of its own; and what held.

``python -m sixfold.loadtest.attacks URL SECONDS NAME`` makes one and prints what it found, as JSON.
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

from sixfold.errors import SetupError
from sixfold.loadtest.players import cookie_of

# In the dice game a turn is one word.
GAME = "dice"

# All of 127.0.0.0/8 is this machine: every attacker and everybody who suffers has an address of their own.
FIRST_ADDRESS = "127.0.0.2"
GONE = (OSError, WebSocketException, httpx.HTTPError, EOFError, TimeoutError)
AT_ONCE = 1200
PING = b"\x89\x80\x00\x00\x00\x00"


def check_loopback(url: str) -> None:
    """Nobody attacks anybody else with this."""
    try:
        host = urlsplit(url).hostname or ""
        ours = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        ours = False
    if not ours or urlsplit(url).scheme != "http":
        raise SetupError(f"only a server on the loopback address is attacked, such as http://127.0.0.1:8000, not {url}")
    with socket.socket() as probe:
        try:
            probe.bind((FIRST_ADDRESS, 0))
        except OSError:
            raise SetupError(f"attacks come from {FIRST_ADDRESS} and so on, which this system does not have") from None


@dataclass
class Finding:
    """One thing that was tried."""

    what: str
    held: bool
    figure: str = ""


@dataclass
class Target:
    """The server, for so many seconds."""

    url: str
    seconds: float
    attacker: str = FIRST_ADDRESS
    victim: str = "127.0.0.3"
    found: list[Finding] = field(default_factory=list)
    until: float = 0.0

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.seconds

    @property
    def going(self) -> bool:
        return time.monotonic() < self.until

    def goes_on(self, done: bool) -> bool:
        """For the time that was agreed; on a machine that does much else longer, until there is something to say."""
        return self.going or (not done and time.monotonic() < self.until + 20)

    def note(self, what: str, held: bool, figure: object = "") -> None:
        self.found.append(Finding(what, held, str(figure)))

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

    async def measured(self, name: str) -> float:
        """What the server says of itself."""
        async with self.client(self.victim) as client:
            text = (await client.get("/metrics")).text
        line = next(line for line in text.splitlines() if line.startswith(f"{name} "))
        return float(line.split()[1])

    async def memory(self) -> float:
        """Megabytes that the server takes."""
        return await self.measured("process_resident_memory_bytes") / 2**20


async def guest(client: httpx.AsyncClient, name: str = "attacker") -> str:
    answer = await client.post("/api/guest", json={"name": name})
    answer.raise_for_status()
    client.cookies.clear()
    return cookie_of(answer)


async def table_of(client: httpx.AsyncClient, cookie: str, **wanted: Any) -> str:
    answer = await client.post("/api/tables", json={"game": GAME, **wanted}, headers={"Cookie": cookie})
    answer.raise_for_status()
    table: str = answer.json()["id"]
    return table


async def act(client: httpx.AsyncClient, table: str, cookie: str, do: str, **more: Any) -> httpx.Response:
    return await client.post(f"/api/tables/{table}/actions", json={"do": do, **more}, headers={"Cookie": cookie})


async def nobody(target: Target) -> None:
    """No attack at all, to compare with."""
    await asyncio.sleep(target.seconds)


# Connections


async def headers(target: Target) -> None:
    """Header lines without end, and one that never ends."""
    before, sent = await target.memory(), 0

    async def send(begin: bytes, more: bytes) -> None:
        nonlocal sent
        while target.going:
            with suppress(*GONE):
                _, writer = await target.raw()
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n" + begin)
                while target.going and not writer.transport.is_closing():
                    writer.write(more)
                    await writer.drain()
                    sent += len(more)
            await asyncio.sleep(0.01)

    lines, long = b"x-header: y\r\n" * 4000, b"a" * 65536
    await asyncio.gather(*(send(b"", lines) for _ in range(4)), *(send(b"x: ", long) for _ in range(4)))
    grown = await target.memory() - before
    target.note("headers without end take no memory", grown < 100, f"{sent / 1e6:.0f} MB sent, {grown:+.0f} MB taken")


async def silence(target: Target) -> None:
    """Connections that say nothing, or half a request, and stay."""
    writers, ended = list[asyncio.StreamWriter](), list[asyncio.Task[bytes]]()
    for number in range(AT_ONCE):
        with suppress(*GONE):
            reader, writer = await target.raw()
            writers.append(writer)
            ended.append(asyncio.create_task(reader.read()))
            writer.write(b"POST /api/guest HTTP/1.1\r\nHost: a\r\n" if number % 2 else b"")
    started = time.monotonic()
    await asyncio.wait(ended, timeout=1)
    held = sum(not task.done() for task in ended)
    target.note("silent connections of one address are few", held <= AT_ONCE // 2, f"{held} of {AT_ONCE}")
    _, left = await asyncio.wait(ended, timeout=30)
    figure = f"{len(left)} left after {time.monotonic() - started:.0f} s"
    target.note("silent connections are ended", not left, figure)
    for writer in writers:
        writer.transport.abort()
    await asyncio.gather(*ended, return_exceptions=True)


async def requests(target: Target) -> None:
    """As many requests as possible."""
    status: dict[int, int] = {}
    async with target.client() as client:

        async def ask() -> None:
            while target.goes_on(429 in status):
                with suppress(*GONE):
                    answer = await client.get("/api/tables")
                    status[answer.status_code] = status.get(answer.status_code, 0) + 1

        await asyncio.gather(*(ask() for _ in range(50)))
    served = status.pop(200, 0)
    target.note("requests are limited", bool(served) and set(status) == {429}, f"{served} served, {status} refused")


async def sockets(target: Target) -> None:
    """As many sockets as possible, without a name."""
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    held: list[ClientConnection] = []
    tried = 0
    # Unless some are refused the limit was not reached, and nothing is known about it.
    while target.goes_on(tried > len(held)) and tried < AT_ONCE:
        tried += 1
        with suppress(*GONE):
            one = await target.socket(table)
            if "snapshot" in str(await one.recv()):
                held.append(one)
    target.note("sockets of one address are few", 0 < len(held) < tried, f"{len(held)} of {tried}")
    for one in held:
        one.transport.abort()


async def _flood(target: Target, what: str, message: bytes) -> None:
    """Frames on a socket that reads nothing, again and again."""
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    before, cut, sent = await target.memory(), 0, 0
    while target.goes_on(cut > 0):
        with suppress(*GONE):
            one = await target.socket(table)
            one.transport.pause_reading()
            while target.goes_on(cut > 0) and not one.transport.is_closing():
                one.transport.write(message)
                sent += len(message)
                await asyncio.sleep(0)
                if one.transport.get_write_buffer_size() > 2**22:
                    await asyncio.sleep(0.01)
                    one.transport.resume_reading()
            cut += one.transport.is_closing()
        await asyncio.sleep(0.01)
    grown = await target.memory() - before
    held = cut > 0 and grown < 100
    target.note(what, held, f"{sent / 1e6:.0f} MB sent, cut off {cut} times, {grown:+.0f} MB taken")


async def pings(target: Target) -> None:
    """Pings without end from a socket that reads nothing."""
    await _flood(target, "pings without end are cut off", PING * 10_000)


async def large_messages(target: Target) -> None:
    """Messages that are too large, without end."""
    frame = b"\x81\xfe" + (5000).to_bytes(2, "big") + b"\x00\x00\x00\x00" + b"x" * 5000
    await _flood(target, "large messages without end are cut off", frame * 10)


# What is there for everybody


async def tables(target: Target) -> None:
    """As many public tables as possible, by new guests; the list of tables still shows others'."""
    async with target.client(target.victim) as client:
        theirs = await table_of(client, await guest(client, "victim"), public=True)
    made = refused = 0
    async with target.client() as client:
        while target.goes_on(refused > 0) and made + refused < 100:
            with suppress(*GONE):
                answer = await client.post("/api/guest", json={"name": "attacker"})
                client.cookies.clear()
                if answer.status_code == 201:
                    asked = {"game": GAME, "public": True}
                    answer = await client.post("/api/tables", json=asked, headers={"Cookie": cookie_of(answer)})
                made, refused = made + (answer.status_code == 201), refused + (answer.status_code == 429)
    async with target.client(target.victim) as client:
        found = [row["id"] for row in (await client.get("/api/tables?limit=10")).json()]
    target.note("tables of one address are few", refused > 0, f"{made} made, {refused} refused")
    target.note("the list of tables is fair", theirs in found)


async def seats(target: Target) -> None:
    """Every free seat of a stranger's table."""
    async with target.client(target.victim) as theirs, target.client() as client:
        table = await table_of(theirs, await guest(theirs, "victim"), public=True, players=4)
        me = await guest(client)
        taken = [(await act(client, table, me, "sit")).status_code for _ in range(3)]
    target.note("one seat of a stranger's table for each guest", taken == [200, 409, 409])


async def _somebody_plays(target: Target, waits: list[float]) -> None:
    """Somebody plays with the weakest bot, and notes how long it takes to answer."""
    async with target.client(target.victim) as theirs:
        carl = await guest(theirs, "victim")
        them = [{"kind": "me"}, {"kind": "bot", "level": "level1"}]
        table = await table_of(theirs, carl, seats=them, first=0)
    one = await target.socket(table, carl, target.victim)
    await one.send('{"do": "start"}')
    while target.going:
        await one.send('{"do": "move", "move": "score"}')
        started = time.monotonic()
        while target.going and json.loads(await one.recv()).get("event", {}).get("seat") != 1:
            pass
        waits.append(time.monotonic() - started)
        await asyncio.sleep(0.2)


async def _while_somebody_plays(target: Target, attackers: list[asyncio.Task[None]]) -> None:
    waits: list[float] = []
    with suppress(*GONE):
        await asyncio.wait_for(_somebody_plays(target, waits), target.seconds + 5)
    await asyncio.gather(*attackers, return_exceptions=True)
    longest = max(waits, default=float("inf"))
    target.note("somebody else's bot answers soon", longest < 2, f"{len(waits)} moves, all within {longest:.2f} s")


async def bots(target: Target) -> None:
    """Many tables with the strongest bots, and hints; meanwhile somebody plays with the weakest."""
    mine = [{"kind": "me"}, *[{"kind": "bot", "level": "level5"}] * 3]
    async with target.client() as client:

        async def play() -> None:
            me = await guest(client)
            table = await table_of(client, me, players=4, seats=mine, first=1)
            await act(client, table, me, "start")
            while target.going:
                await client.get(f"/api/tables/{table}/seats/0/hint", headers={"Cookie": me})
                await act(client, table, me, "move", move="score")
                await asyncio.sleep(0.05)

        await _while_somebody_plays(target, [asyncio.create_task(play()) for _ in range(15)])


async def _play_to_the_end(target: Target, table: str, me: str) -> None:
    """All seats of a table that one guest holds, as quickly as one may."""
    async with await target.socket(table, me) as one:
        over, moves = False, list[str]()
        while target.goes_on(over) and not over:
            told = json.loads(await asyncio.wait_for(one.recv(), 20))
            views = told.get("views", [])
            over = any(view["stage"] == "over" for view in views)
            if views:
                moves = [view["legal"][0] for view in views if view["legal"]]
            if moves and (views or told["type"] == "refused"):
                await asyncio.sleep(0.06)
                await one.send(json.dumps({"do": "move", "move": moves[0]}))


async def reviews(target: Target) -> None:
    """Many guests have rounds of theirs reviewed, all at once and again and again; meanwhile somebody plays."""
    both = [{"kind": "me"}, {"kind": "me", "name": "the other"}]
    told, running = dict[str, int](), list[float]()
    async with target.client() as client:

        async def ask() -> None:
            me = await guest(client)
            table = await table_of(client, me, seats=both, rounds=1)
            await act(client, table, me, "start")
            await _play_to_the_end(target, table, me)
            while target.goes_on("served" in told):
                answer = await client.get(f"/api/tables/{table}/rounds/1/review", headers={"Cookie": me})
                key = answer.json().get("key", "served")
                told[key] = told.get(key, 0) + 1
                running.append(await target.measured("sixfold_reviews_running"))
                await asyncio.sleep(0.5)

        await _while_somebody_plays(target, [asyncio.create_task(ask()) for _ in range(10)])
    most = max(running, default=0)
    figure = f"{most:.0f} of 10; answers: {told}"
    target.note("few reviews of one address are worked out at once", "served" in told and most <= 4, figure)


async def staleness(target: Target) -> None:
    """Leaving and coming back all the time, to make the other's moves stale."""
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
        while moves < 10 and target.going:
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
    """Leaving and coming back in one's own turn, to think longer than the clock allows."""
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


# Small things


async def tricks(target: Target) -> None:
    """What a curious stranger would try by hand."""
    async with target.client(target.victim) as theirs, target.client() as client:
        anne, carl, me = await guest(theirs, "anne"), await guest(theirs, "carl"), await guest(client)
        private = await table_of(theirs, anne)
        mine = {"Cookie": me}
        told = await act(client, private, me, "resign", version=1)
        target.note(
            "a private table tells a stranger nothing",
            told.json() | {"reason": ""} == told.json() | {"key": "private_table", "words": {}, "reason": ""},
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
        await _links(target, theirs, private, anne, carl)
        answer = await client.delete("/api/guest", headers=mine)
        again = await client.get("/api/guest", headers=mine)
        target.note("a revoked cookie is nobody's", (answer.status_code, again.status_code) == (200, 401))
    public = await _huge_since(target)
    target.note("a version of 4,400 digits is no trouble", public)


async def _links(target: Target, client: httpx.AsyncClient, table: str, anne: str, carl: str) -> None:
    """A seat is carried there and back; the first link is tried again."""

    async def carry(holder: str, to: str) -> str:
        where = f"/api/tables/{table}/seats/0/carry"
        token: str = (await client.post(where, headers={"Cookie": holder})).json()["token"]
        (await client.post("/api/carry", json={"token": token}, headers={"Cookie": to})).raise_for_status()
        return token

    first = await carry(anne, carl)
    await carry(carl, anne)
    again = await client.post("/api/carry", json={"token": first}, headers={"Cookie": carl})
    target.note("a link that moves a seat is good once", again.status_code == 409, again.status_code)


async def _huge_since(target: Target) -> bool:
    async with target.client(target.victim) as client:
        table = await table_of(client, await guest(client), public=True)
    where = f"{target.url.replace('http', 'ws', 1)}/api/tables/{table}/socket?since={'9' * 4400}"
    async with connect(where, local_addr=(target.attacker, 0)) as one:
        return "snapshot" in str(await one.recv())


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
    """Make one attack; what goes wrong with it is a finding too."""
    check_loopback(url)
    number = list(ATTACKS).index(name) + 1
    target = Target(url, seconds, f"127.0.{number}.2", f"127.0.{number}.3")
    try:
        await ATTACKS[name](target)
    except (*GONE, KeyError, ValueError, StopIteration) as error:
        target.note("the attack could be made", False, f"{type(error).__name__}: {error}"[:200])
    return target.found


if __name__ == "__main__":
    # Attackers have machines of their own: here they take what those who play leave.
    with suppress(AttributeError, OSError):
        os.nice(19)
    print(json.dumps([asdict(found) for found in asyncio.run(attack(sys.argv[1], float(sys.argv[2]), sys.argv[3]))]))
