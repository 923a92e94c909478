"""The WebSocket of a table: a snapshot, then events; each action is acknowledged or refused with a reason."""

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
from sixfold.server import protocol
from sixfold.server.connections import WIRE, GuardedSocket
from sixfold.server.fair_pool import ClientQuota
from sixfold.server.identity import COOKIE, Guest, Signer
from sixfold.server.limits import address_key
from sixfold.server.table_session import Client, TableSession
from sixfold.server.tables import REFUSALS, Hub, problem
from sixfold.server.token_bucket import TokenBucket
from sixfold.table import Actor, TableRefused

# What sending to a disconnected client raises.
GONE = (WebSocketException, OSError)
TOO_SLOW, TOO_FAST, NOT_HERE, RESTART = 4408, 4429, 4404, 1012
MOST_DIGITS = 9
# Stop reading from a client with this many unanswered messages.
MOST_UNANSWERED = 8
Socket = WebSocket[Any, Any, Any]
log = logging.getLogger("sixfold")


def version_of(text: str) -> int | None:
    """Parse a version from a query; None if it is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def known_guest(connection: ASGIConnection[Any, Any, Any, Any], signer: Signer) -> Guest | None:
    """The guest of a connection, by cookie or token."""
    return signer.guest(connection.cookies.get(COOKIE), connection.headers.get("authorization"))


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The client's address, as the key for limits."""
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
    light = socket.query_params.get("view") == "state"
    client = Client(guest.id if guest else "", language, address_of(socket), light)
    try:
        session = await hub.connect(table_id, client, version_of(socket.query_params.get("since", "")))
    except REFUSALS as error:
        await socket.send_text(refusal("", 0, error, client.language).decode())
        await socket.close(NOT_HERE, "refused")
        return
    try:
        await serve(socket, hub, session, client)
    finally:
        hub.disconnect(session, client)


async def serve(socket: Socket, hub: Hub, session: TableSession, client: Client) -> None:
    """Read and write until either side ends."""
    wire: GuardedSocket | None = (socket.scope.get("extensions") or {}).get(WIRE)  # type: ignore[assignment]
    socket_session = SocketSession(hub, session, client, wire)
    tasks = [asyncio.create_task(receive_all(socket, socket_session)), asyncio.create_task(client.cut_off.wait())]
    if wire is None:
        tasks.append(asyncio.create_task(send_all(socket, client)))
    else:
        client.attach(wire)
        wire.listener = socket_session.receive
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if wire is not None:
            wire.listener = None
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for error in results:
        if isinstance(error, Exception):
            log.error("a socket failed", exc_info=error, extra={"table": session.id})
    if client.cut_off.is_set():
        if client.too_slow:
            hub.metrics.cut_off.inc()
        await close(socket, TOO_SLOW if client.too_slow else TOO_FAST if client.too_fast else RESTART)


async def close(socket: Socket, code: int) -> None:
    """Close a socket without waiting long for an unresponsive client."""
    with suppress(TimeoutError, *GONE):
        await asyncio.wait_for(socket.close(code, "cut off"), 1)


async def send_all(socket: Socket, client: Client) -> None:
    """Send queued messages through the framework, for a socket without a direct wire."""
    with suppress(*GONE):
        while True:
            await socket.send_text((await client.queue.get()).decode())


async def receive_all(socket: Socket, socket_session: "SocketSession") -> None:
    """Receive through the framework until the client disconnects. With a wire, only messages that arrived before the
    listener was set pass here; they still come first, since a wire reads nothing until they are taken."""
    while True:
        message: Any = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        socket_session.receive(message.get("bytes") or b"" if text is None else text.encode("utf-8", "surrogatepass"))
        if socket_session.wire is None:
            await socket_session.answered()


class SocketSession:
    """The incoming side of a socket: messages are answered strictly in order, even after the client has disconnected,
    because an event that is being stored will be stored."""

    def __init__(self, hub: Hub, session: TableSession, client: Client, wire: GuardedSocket | None) -> None:
        self._hub, self._session, self._client, self.wire = hub, session, client, wire
        self._bucket = TokenBucket(hub.settings.messages_a_second)
        self._unanswered: deque[bytes] = deque()
        self._answering: asyncio.Task[None] | None = None

    def receive(self, data: bytes) -> None:
        self._unanswered.append(data)
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer_all())
        elif self.wire is not None and len(self._unanswered) >= MOST_UNANSWERED:
            self.wire.listen(False)

    async def _answer_all(self) -> None:
        """Answer until no message is left, or the client floods the socket."""
        try:
            while self._unanswered and not self._client.cut_off.is_set():
                if self._bucket.is_flooding:
                    self._client.too_fast = True
                    self._client.cut_off.set()
                    break
                await answer(self._hub, self._session, self._client, self._unanswered.popleft(), self._bucket)
                if self._unanswered:
                    # Let the answer go out first.
                    await asyncio.sleep(0)
        except Exception as error:
            log.error("a socket failed", exc_info=error, extra={"table": self._session.id})
            self._client.cut_off.set()
        finally:
            self._answering = None
            if self.wire is not None:
                self.wire.listen(True)

    async def answered(self) -> None:
        if self._answering is not None:
            await asyncio.wait([self._answering])


async def answer(hub: Hub, session: TableSession, client: Client, data: bytes, bucket: TokenBucket) -> None:
    """Answer one message: acknowledge it, or refuse it with a reason."""
    action_id = ""
    started = time.perf_counter()
    try:
        if not bucket.allows():
            raise TableRefused("too_fast")
        if not hub.limits.messages.take(client.address):
            bucket.refused += 1
            raise TableRefused("too_fast")
        if len(data) > protocol.MOST_BYTES:
            raise TableRefused("too_large", most=protocol.MOST_BYTES)
        action = protocol.read_action(data)
        action_id = action.id
        if action.do == "ping":
            client.send(protocol.encode(protocol.Pong(session.table.version)))
            return
        if not client.guest:
            raise TableRefused("no_guest")
        if session.table.held_by(client.guest):
            session.quota = ClientQuota(client.address, client.guest)
        version = await hub.do(session.id, Actor(client.guest), action)
        # Every client was sent the event before its sender gets the acknowledgement, which goes out with it.
        client.send(protocol.encode(protocol.Ack(action_id, version)))
    except REFUSALS as error:
        client.send(refusal(action_id, session.table.version, error, client.language))
        hub.metrics.refusals.labels(problem(error, "en").key).inc()
        return
    hub.metrics.acted(action.do)
    hub.metrics.acting.observe(time.perf_counter() - started)


def refusal(action_id: str, version: int, error: Exception, language: str) -> bytes:
    why = problem(error, language)
    return protocol.encode(protocol.ActionRefused(action_id, version, why.key, why.reason, why.clause, why.words))
