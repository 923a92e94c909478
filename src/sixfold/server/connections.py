"""Limits on connections: how many per address, how large their requests, and deadlines for sending them.

uvicorn sets no such limits while it parses HTTP; these are its protocols with limits added.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]
from websockets.protocol import State

from sixfold.server.limits import address_key
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.token_bucket import TokenBucket

HEAD_SECONDS, BODY_SECONDS = 10.0, 20.0
# How long a client may read nothing of what is sent to it, and how long a connection may take to close.
STALLED_SECONDS, CLOSING_SECONDS = 20.0, 5.0
LOOK_SECONDS = 0.5
MOST_LINES, MOST_LINE, MOST_HEAD, MOST_BODY = 64, 8000, 16 * 1024, 64 * 1024
MOST_PIPELINED = 16
MOST_UNSENT = 256 * 1024
# Socket data is parsed in slices of this size, so that parsing stops soon after a limit is exceeded.
SLICE = 4096
TEXT = 0x81
# The scope extension through which messages bypass the framework.
WIRE = "sixfold.wire"
FRAMES_AT_ONCE = 25  # seconds' worth of messages
_REASONS = {
    408: "Request Timeout",
    413: "Content Too Large",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class ConnectionGuard:
    """Counts the open connections and limits them by address and in all."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings, self.metrics = settings, metrics
        self.limit: int | None = None  # connections that the limit of open files allows
        self.connections: dict[Guarded, str] = {}
        self.by_address: dict[str, int] = {}

    def enter(self, connection: "Guarded", host: str | None) -> int | None:
        """Register a connection; returns the HTTP status to refuse it with, or None."""
        key = address_key(host)
        limit = None if self.settings.is_proxy(host or "") else self.settings.connections_of_one
        full = self.limit is not None and len(self.connections) >= self.limit
        self.connections[connection] = key
        self.by_address[key] = self.by_address.get(key, 0) + 1
        self.metrics.connections.set(len(self.connections))
        if full:
            return 503
        return 429 if limit is not None and self.by_address[key] > limit else None

    def leave(self, connection: "Guarded") -> None:
        key = self.connections.pop(connection, None)
        if key is not None:
            self.by_address[key] -= 1
            if not self.by_address[key]:
                del self.by_address[key]
            self.metrics.connections.set(len(self.connections))

    async def watch_forever(self) -> None:
        """Close connections that miss a deadline."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            at = time.monotonic()
            for connection in list(self.connections):
                connection.check_deadlines(at)


class Guarded:
    """What HTTP connections and WebSockets have in common."""

    guard: ClassVar[ConnectionGuard]
    transport: asyncio.Transport
    _unsent = 0
    _stalled_since: float | None = None
    _closing_since: float | None = None

    def count_rejection(self, why: str) -> None:
        self.guard.metrics.turned_away.labels(why).inc()

    def check_deadlines(self, at: float) -> None:
        """Close this connection if it has missed a deadline; called periodically."""
        if self.transport.is_closing():
            self._closing_since = self._closing_since or at
            if at - self._closing_since > CLOSING_SECONDS:
                self.transport.abort()
                self.guard.leave(self)
            return
        unsent = self.transport.get_write_buffer_size()
        reading = unsent == 0 or unsent < self._unsent
        self._unsent = unsent
        self._stalled_since = None if reading else self._stalled_since or at
        if self._stalled_since is not None and at - self._stalled_since > STALLED_SECONDS:
            self.count_rejection("stalled")
            self.transport.abort()


class RequestTooLarge(Exception):
    """A request that exceeds a limit."""


class GuardedHttp(HttpToolsProtocol, Guarded):
    """HTTP with limits for the number and length of header lines, and deadlines for head and body."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin()
        self._deadline: float | None = time.monotonic() + HEAD_SECONDS
        self._status = 400
        status = self.guard.enter(self, self.client[0] if self.client else None)
        if status is not None:
            self._refuse(status)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.guard.leave(self)

    def _begin(self) -> None:
        self._in_head = True
        self._bytes = self._lines = self._line_bytes = 0

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._deadline is None and self._in_head:
            self._deadline = time.monotonic() + HEAD_SECONDS
        self._bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._in_head and self._bytes > MOST_HEAD:
            self._refuse(431)
        elif self._bytes > MOST_HEAD + MOST_BODY:
            self._refuse(413)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begin()
        if self.cycle is not None:
            self._deadline = time.monotonic() + HEAD_SECONDS

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        # Trailers after the body are not supported.
        self._count(len(name) + len(value) + 4 if self._in_head else MOST_HEAD + 1)
        super().on_header(name, value)

    def _count(self, length: int) -> None:
        self._lines += 1
        self._line_bytes += length
        if self._lines > MOST_LINES or length > MOST_LINE or self._line_bytes > MOST_HEAD:
            self._status = 431
            raise RequestTooLarge

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._deadline = time.monotonic() + BODY_SECONDS
        if len(self.pipeline) >= MOST_PIPELINED:
            self._status = 429
            raise RequestTooLarge
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._begin()
        self._deadline = None
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        # From here on the connection belongs to the WebSocket protocol.
        self._begin()
        self._deadline = None
        self.guard.leave(self)
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        if self._status == 400:
            self.count_rejection("no_http")
            super().send_400_response(msg)
        else:
            self._refuse(self._status)

    def check_deadlines(self, at: float) -> None:
        if self._deadline is not None and at > self._deadline and not self.transport.is_closing():
            self._refuse(408)
        super().check_deadlines(at)

    def _refuse(self, status: int) -> None:
        """Send the status and close; nothing more is read."""
        reason = _REASONS[status]
        self.count_rejection(reason.lower().replace(" ", "_"))
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not answering:
            head = f"HTTP/1.1 {status} {reason}\r\ncontent-type: text/plain\r\nconnection: close\r\n"
            self.transport.write(f"{head}content-length: {len(reason)}\r\n\r\n{reason}".encode())
        self.transport.close()


class GuardedSocket(WebSocketsSansIOProtocol, Guarded):
    """A WebSocket with limits on what the application never sees: pings, frames, and unread output."""

    listener: Callable[[bytes], None] | None = None
    _outbox: list[bytes]

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WIRE] = self  # type: ignore[assignment]

    def send_soon(self, message: bytes) -> int:
        """Queue a message; all messages of one loop iteration are written together, one frame each. Returns how many
        wait. Every event passes here, so it bypasses the framework and the library."""
        self._outbox.append(message)
        if len(self._outbox) == 1:
            self.loop.call_soon(self._flush)
        return len(self._outbox)

    def _flush(self) -> None:
        if not self.writable.is_set():
            return
        messages, self._outbox = self._outbox, []
        if messages and not (self.disconnected or self.close_sent) and self.conn.state is State.OPEN:
            self.transport.write(b"".join([part for message in messages for part in (_head(len(message)), message)]))

    def resume_writing(self) -> None:
        super().resume_writing()
        self._flush()

    def listen(self, on: bool) -> None:
        """Resume or pause reading."""
        if self.read_paused is on and not self.transport.is_closing():
            self.read_paused = not on
            (self.transport.resume_reading if on else self.transport.pause_reading)()

    def send_receive_event_to_app(self) -> None:
        """Pass text messages to the listener; the base class handles invalid text and everything else."""
        message = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.listener is None or self.close_sent or not _is_text(message):
            super().send_receive_event_to_app()
        else:
            self.frames = []
            self.listener(message)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._at_frame_boundary = True
        self._outbox = []
        self._frame_bucket = TokenBucket(self.guard.settings.messages_a_second, FRAMES_AT_ONCE)
        self.guard.enter(self, self.client[0] if self.client else None)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.guard.leave(self)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        body_start = _body(data) if self._at_frame_boundary else 0
        if body_start and data[0] == TEXT and self.conn.state is State.OPEN:
            self._receive_text(apply_mask(data[body_start:], data[body_start - 4 : body_start]))
            return
        # Once the library has buffered part of a frame or message, it must get everything that follows.
        self._at_frame_boundary = body_start > 0
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])
            if self.transport.get_write_buffer_size() > MOST_UNSENT:
                self._cut_off("unread")

    def _receive_text(self, text: bytes) -> None:
        """Handle a message that arrived as one frame, as nearly all do, without going through the library."""
        if not self._frame_bucket.allows():
            self._cut_off("too_fast")
            return
        self.frames, self.curr_msg_data_type = [text], "text"
        self.send_receive_event_to_app()

    def handle_events(self) -> None:
        if not self.handshake_initiated:
            super().handle_events()
            return
        # The base class reads the events again, and gets only those that the bucket allows.
        events = self.conn.events_received()
        allowed = [event for event in events if not isinstance(event, Frame) or self._frame_bucket.allows()]
        self.conn.events.extend(allowed)
        super().handle_events()
        if len(allowed) < len(events):
            self._cut_off("too_fast")

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.count_rejection("no_pong")

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            # There was no valid handshake.
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def _cut_off(self, why: str) -> None:
        if not self.transport.is_closing():
            self.count_rejection(why)
            self.transport.abort()


def _body(data: bytes) -> int:
    """Where the body begins, if this is exactly one frame: masked, short, and not part of a longer message (RFC 6455,
    5.2). Otherwise 0."""
    if len(data) < 6 or data[0] & 0xF0 != 0x80 or data[0] == 0x80 or data[1] < 0x80:
        return 0
    length = data[1] & 0x7F
    if length == 126:
        length = int.from_bytes(data[2:4], "big")
        return 8 if length >= 126 and len(data) == 8 + length else 0
    return 6 if length < 126 and len(data) == 6 + length else 0


def _is_text(message: bytes) -> bool:
    try:
        str(message, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _head(length: int) -> bytes:
    """The head of a whole, unmasked text frame (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((TEXT, 127)) + length.to_bytes(8, "big")


def guarded_by(guard: ConnectionGuard) -> tuple[type[GuardedHttp], type[GuardedSocket]]:
    """uvicorn's protocols for HTTP and WebSockets with this guard's limits."""
    return type("Http", (GuardedHttp,), {"guard": guard}), type("Socket", (GuardedSocket,), {"guard": guard})
