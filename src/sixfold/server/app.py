"""The ASGI application: routes, dependencies, strict headers, and one JSON form for every refusal."""

import logging
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar, Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, TooManyRequestsException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from sixfold import __version__
from sixfold.server import protocol
from sixfold.server.identity import Signer
from sixfold.server.learning_routes import LEARNING_HANDLERS
from sixfold.server.limits import Limits, address_key
from sixfold.server.node import Node
from sixfold.server.pages import pages_router
from sixfold.server.routes import HANDLERS, STATUS
from sixfold.server.settings import Settings
from sixfold.server.sockets import TOO_FAST, chosen_language, table_socket
from sixfold.server.tables import REFUSALS, problem
from sixfold.table import TableRefused

log = logging.getLogger("sixfold")

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


REQUESTS = (
    protocol.Action,
    protocol.JoinLink,
    protocol.Link,
    protocol.NewGuest,
    protocol.NewSeat,
    protocol.NewTable,
    protocol.TurnPlayed,
)


async def strict_types(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Validate a body strictly; the framework alone would accept 0 for false and "2" for 2."""
    body = handler.parsed_data_field if isinstance(handler, HTTPRouteHandler) else None
    if body is not None and isinstance(connection, Request):
        msgspec.json.decode(await connection.body(), type=body.annotation)


async def strict_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers[name] = value
        if scope["path"].startswith("/api"):
            headers["Cache-Control"] = "no-store"


def origin_check(settings: Settings) -> Any:
    """Check the Origin header: only our own pages may change something or open a socket with our cookie."""

    def middleware(app: ASGIApp) -> ASGIApp:
        async def checked(scope: Scope, receive: Receive, send: Send) -> None:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope.get("headers", [])}
            origin = headers.get("origin")
            opens_socket = scope["type"] == ScopeType.WEBSOCKET
            safe = scope.get("method") in ("GET", "HEAD", "OPTIONS") and not opens_socket
            ours = origin is None or _host_of(origin) == headers.get("host") or origin in settings.origins
            if opens_socket and not ours:
                await _reject_socket(receive, send, 4403, "foreign origin")
                return
            if not safe and not ours:
                raise TableRefused("foreign_origin")
            await app(scope, receive, send)

        return checked

    return middleware


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def _reject_socket(receive: Receive, send: Send, code: int, reason: str) -> None:
    """Refuse a WebSocket before the handshake."""
    await receive()
    await send({"type": "websocket.close", "code": code, "reason": reason})


# Paths of monitoring, and of files that browsers cache.
_UNLIMITED = ("/health", "/ready", "/assets/")


def rate_check(limits: Limits) -> Any:
    """Limit the requests of one address; opening a socket counts as one."""

    def middleware(app: ASGIApp) -> ASGIApp:
        async def checked(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            key = address_key(client[0] if client else None)
            if scope["path"].startswith(_UNLIMITED) or limits.requests.take(key):
                await app(scope, receive, send)
            elif scope["type"] == ScopeType.WEBSOCKET:
                await _reject_socket(receive, send, TOO_FAST, "too fast")
            else:
                raise TooManyRequestsException(headers={"Retry-After": str(limits.requests.seconds_until_next(key))})

        return checked

    return middleware


def handle_refusal(request: Request[Any, Any, Any], error: Exception) -> Response[protocol.Problem]:
    why = problem(error, chosen_language(request.query_params.get("language")))
    return Response(why, status_code=STATUS.get(why.key, 409), media_type="application/json")


def handle_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[protocol.Problem]:
    """The framework's own refusals, in the same form."""
    if error.status_code == 429:
        why = problem(TableRefused("too_fast"), "en")
    elif error.status_code == 413:
        why = problem(TableRefused("too_large", most=protocol.MOST_BYTES), "en")
    else:
        extra = error.extra if isinstance(error.extra, list) else []
        detail = "; ".join(
            f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)
        )
        why = problem(TableRefused("bad_message", detail=(detail or error.detail)[:200]), "en")
    headers = dict(error.headers or {})
    return Response(why, status_code=error.status_code, headers=headers, media_type="application/json")


def handle_failure(request: Request[Any, Any, Any], error: Exception) -> Response[protocol.Problem]:
    """An internal error: the log gets the details, the response has none."""
    log.error("a request failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    why = protocol.Problem("internal", "something went wrong here; try again", "server")
    return Response(why, status_code=500, media_type="application/json")


def make_app(settings: Settings) -> Litestar:
    """Create the application of one node."""
    node = Node(settings)
    app = Litestar(
        route_handlers=[*HANDLERS, *LEARNING_HANDLERS, table_socket, pages_router()],
        guards=[strict_types],
        dependencies={
            "hub": Provide(node.provide_hub, sync_to_thread=False),
            "signer": Provide(_signer, sync_to_thread=False),
            "pool": Provide(node.provide_pool, sync_to_thread=False),
            "reviews": Provide(node.provide_reviews, sync_to_thread=False),
        },
        plugins=[node.channels],
        lifespan=[node.running],
        middleware=[origin_check(settings), rate_check(node.hub.limits)],
        before_send=[strict_headers],
        exception_handlers={
            **dict.fromkeys(REFUSALS, handle_refusal),
            HTTPException: handle_http_error,
            Exception: handle_failure,
        },
        openapi_config=OpenAPIConfig(
            title="Sixfold", version=__version__, path="/api/schema", render_plugins=[JsonRenderPlugin(path="/")]
        ),
        request_max_body_size=4 * protocol.MOST_BYTES,
        logging_config=None,
        debug=False,
    )
    app.state.guard = node.guard
    _complete_schema(app)
    return app


def _complete_schema(app: Litestar) -> None:
    """Add what the framework omits from the schema: limits of optional fields, and that unknown ones are refused."""
    _, exact = msgspec.json.schema_components(REQUESTS, ref_template="#/components/schemas/{name}")
    schemas = cast(dict[str, Any], app.openapi_schema.components.schemas)
    schemas.update(exact)


def _signer(state: State) -> Signer:
    signer: Signer = state.signer
    return signer
