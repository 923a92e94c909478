"""One socket a table: a snapshot, then events; every action is acknowledged or refused with the reason."""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketException
from litestar.params import FromPath

from sixfold.language import LANGUAGES
from sixfold.server import messages
from sixfold.server.connections import WIRE, GuardedSocket
from sixfold.server.identity import COOKIE, Guest, Signer
from sixfold.server.limits import address_key
from sixfold.server.pace import Pace
from sixfold.server.table_in_memory import Client, Live
from sixfold.server.tables import REFUSALS, Hub, problem
from sixfold.server.thinking import Whose
from sixfold.table import Actor, TableRefused

# What sending to somebody raises who has gone.
GONE = (WebSocketException, OSError)
TOO_SLOW, TOO_FAST, NOT_HERE, RESTART = 4408, 4429, 4404, 1012
MOST_DIGITS = 9
# Who says more before the first of it is answered is not listened to until then.
MOST_UNANSWERED = 8
Socket = WebSocket[Any, Any, Any]
log = logging.getLogger("sixfold")


def version_of(text: str) -> int | None:
    """A version as a query names it; anything else is as good as none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def known_guest(connection: ASGIConnection[Any, Any, Any, Any], signer: Signer) -> Guest | None:
    """Who somebody is, by their cookie or token."""
    return signer.guest(connection.cookies.get(COOKIE), connection.headers.get("authorization"))


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address that somebody comes from, as limits go by it."""
    return address_key(connection.client.host if connection.client else None)


def chosen_language(text: str | None) -> str:
    return text if text in LANGUAGES else "en"


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: Socket, table_id: FromPath[str], hub: NamedDependency[Hub], signer: NamedDependency[Signer]
) -> None:
    """Play at a table, or watch it."""
    await socket.accept()
    guest = known_guest(socket, signer)
    language = chosen_language(socket.query_params.get("language"))
    light = socket.query_params.get("view") == "light"
    client = Client(guest.id if guest else "", language, address_of(socket), light)
    try:
        live = await hub.welcome(table_id, client, version_of(socket.query_params.get("since", "")))
    except REFUSALS as error:
        await socket.send_text(refusal("", 0, error, client.language))
        await socket.close(NOT_HERE, "refused")
        return
    try:
        await serve(socket, hub, live, client)
    finally:
        hub.farewell(live, client)


async def serve(socket: Socket, hub: Hub, live: Live, client: Client) -> None:
    """Read and write until one side ends."""
    wire: GuardedSocket | None = (socket.scope.get("extensions") or {}).get(WIRE)  # type: ignore[assignment]
    talk = Talk(hub, live, client, wire)
    sides = [asyncio.create_task(receive_all(socket, talk)), asyncio.create_task(client.cut_off.wait())]
    if wire is None:
        sides.append(asyncio.create_task(send_all(socket, client)))
    else:
        client.goes_by(wire)
        wire.listener = talk.hear
    try:
        await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if wire is not None:
            wire.listener = None
        for side in sides:
            side.cancel()
        ended = await asyncio.gather(*sides, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            log.error("a socket failed", exc_info=error, extra={"table": live.id})
    if client.cut_off.is_set():
        if client.too_slow:
            hub.metrics.cut_off.inc()
        await close(socket, TOO_SLOW if client.too_slow else TOO_FAST if client.too_fast else RESTART)


async def close(socket: Socket, code: int) -> None:
    """Say goodbye, but do not wait long for somebody who does not listen."""
    with suppress(TimeoutError, *GONE):
        await asyncio.wait_for(socket.close(code, "cut off"), 1)


async def send_all(socket: Socket, client: Client) -> None:
    """Where there is no wire."""
    with suppress(*GONE):
        while True:
            await socket.send_text((await client.queue.get()).decode())


async def receive_all(socket: Socket, talk: "Talk") -> None:
    """Until somebody is gone. What a wire hears does not pass here, except what came before anybody listened, which is
    still before everything else: a wire reads nothing until all of that is taken."""
    while True:
        message: Any = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        talk.hear(message.get("bytes") or b"" if text is None else text.encode("utf-8", "surrogatepass"))
        if talk.wire is None:
            await talk.answered()


class Talk:
    """What somebody says: message by message, each is answered before the next one is looked at. Also when who said it
    is gone meanwhile: an event that is being stored is stored."""

    def __init__(self, hub: Hub, live: Live, client: Client, wire: GuardedSocket | None) -> None:
        self._hub, self._live, self._client, self.wire = hub, live, client, wire
        self._pace = Pace(hub.settings.messages_a_second)
        self._unanswered: deque[bytes] = deque()
        self._answering: asyncio.Task[None] | None = None

    def hear(self, data: bytes) -> None:
        self._unanswered.append(data)
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer_all())
        elif self.wire is not None and len(self._unanswered) >= MOST_UNANSWERED:
            self.wire.listen(False)

    async def _answer_all(self) -> None:
        """Until nothing is left, or the sender will not stop sending too many."""
        try:
            while self._unanswered and not self._client.cut_off.is_set():
                if self._pace.hopeless:
                    self._client.too_fast = True
                    self._client.cut_off.set()
                    break
                await answer(self._hub, self._live, self._client, self._unanswered.popleft(), self._pace)
                if self._unanswered:
                    # The answer goes out first.
                    await asyncio.sleep(0)
        except Exception as error:
            log.error("a socket failed", exc_info=error, extra={"table": self._live.id})
            self._client.cut_off.set()
        finally:
            self._answering = None
            if self.wire is not None:
                self.wire.listen(True)

    async def answered(self) -> None:
        if self._answering is not None:
            await asyncio.wait([self._answering])


async def answer(hub: Hub, live: Live, client: Client, data: bytes, pace: Pace) -> None:
    """One message: acknowledged, or refused with a reason."""
    action_id = ""
    started = time.perf_counter()
    try:
        if not pace.allows():
            raise TableRefused("too_fast")
        if not hub.limits.messages.take(client.address):
            pace.refused += 1
            raise TableRefused("too_fast")
        if len(data) > messages.MOST_BYTES:
            raise TableRefused("too_large", most=messages.MOST_BYTES)
        action = messages.read_action(data)
        action_id = action.id
        if action.do == "ping":
            client.send(messages.encode(messages.Pong(live.told)))
            return
        if not client.guest:
            raise TableRefused("no_guest")
        if live.table.held_by(client.guest):
            live.asked_by = Whose(client.address, client.guest)
        version = await hub.do(live.id, Actor(client.guest), action)
        # Everybody has heard of the event before its sender is told that it happened, which goes out with it.
        client.send(ack(action_id, version))
    except REFUSALS as error:
        client.send(refusal(action_id, live.told, error, client.language).encode())
        hub.metrics.refusals.labels(problem(error, "en").key).inc()
        return
    hub.metrics.acted(action.do)
    hub.metrics.acting.observe(time.perf_counter() - started)


def ack(action_id: str, version: int) -> bytes:
    return messages.encode(messages.Ack(action_id, version))


def refusal(action_id: str, version: int, error: Exception, language: str) -> str:
    why = problem(error, language)
    told = messages.ActionRefused(action_id, version, why.key, why.reason, why.clause, why.words)
    return messages.encode(told).decode()
