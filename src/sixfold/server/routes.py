"""HTTP routes: identity, creating, finding, joining and inspecting tables, and records of finished games."""

import io
import json
from typing import Annotated, Any, Literal

import segno
from litestar import Request, Response, delete, get, post, route
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from sixfold.engine.series import default_rounds
from sixfold.games import packages
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.server import protocol
from sixfold.server.fair_pool import ClientQuota
from sixfold.server.identity import COOKIE, COOKIE_SECONDS, TOKEN_SECONDS, TRANSFER_SECONDS, Guest, Signer
from sixfold.server.sockets import address_of, known_guest
from sixfold.server.storage import StorageDown
from sixfold.server.table_session import TableSession
from sixfold.server.tables import Hub, now
from sixfold.table import Actor, TableRefused, clean_name, table_view
from sixfold.table.setup import check_portrait

HttpRequest = Request[Any, Any, Any]
TheHub = NamedDependency[Hub]
TheSigner = NamedDependency[Signer]

_DAY = 24 * 3600_000
TableId = Annotated[str, PathParameter(max_length=32, description="a table's id")]


def problems(*codes: int) -> dict[int, ResponseSpec]:
    """The refusals that a request may get, for the OpenAPI description."""
    return {
        code: ResponseSpec(protocol.Problem, generate_examples=False, description="refused")
        for code in (400, 429, 503, *codes)
    }


def guest_of(request: HttpRequest, signer: Signer) -> Guest:
    guest = known_guest(request, signer)
    if guest is None:
        raise TableRefused("no_guest")
    return guest


def guest_id(request: HttpRequest, signer: Signer) -> str:
    guest = known_guest(request, signer)
    return guest.id if guest else ""


async def visible_session(hub: Hub, table_id: str, guest: str) -> TableSession:
    session = await hub.fresh(table_id)
    if not session.may_look(guest):
        raise TableRefused("private_table")
    return session


def with_cookie(request: HttpRequest, signer: Signer, guest: Guest, body: Any) -> Response[Any]:
    cookie = Cookie(
        COOKIE,
        value=signer.cookie(guest),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        max_age=COOKIE_SECONDS,
        path="/",
    )
    return Response(body, cookies=[cookie])


@get("/api/games", responses=problems(), sync_to_thread=False)
def games() -> list[protocol.GameShown]:
    """The games that can be played here, and what a page needs to know about them."""
    return [
        protocol.GameShown(
            facts.NAME,
            list(facts.PLAYERS),
            dict(facts.OPTIONS),
            bool(facts.ROUNDS),
            {str(players): default_rounds(facts.NAME, players) for players in facts.PLAYERS},
            facts.LAST,
            facts.GOAL,
            list(facts.AREAS),
            len(SYMBOLS),
            facts.MINUTES,
        )
        for facts in (game.facts for game in packages().values())
    ]


@post("/api/guest", responses=problems(409))
async def be_guest(
    request: HttpRequest, data: JSONBody[protocol.NewGuest], signer: TheSigner
) -> Response[protocol.GuestShown]:
    """Say who you are: a name is enough. The answer sets a cookie; asking again changes name and portrait."""
    name = clean_name(data.name)
    known = signer.guest(request.cookies.get(COOKIE), None)
    portrait = check_portrait(data.portrait or (known.portrait if known else ""))
    guest = Guest(known.id, name, portrait=portrait) if known else signer.new_guest(name, portrait=portrait)
    return with_cookie(request, signer, guest, protocol.GuestShown(name, False, portrait))


@get("/api/guest", responses=problems(401))
async def who_am_i(request: HttpRequest, signer: TheSigner) -> Response[protocol.GuestShown]:
    """Who the server thinks you are. A cookie is good for a year from when it was last written."""
    guest = guest_of(request, signer)
    body = protocol.GuestShown(guest.name, guest.bot, guest.portrait)
    old = not guest.bot and signer.needs_renewal(request.cookies.get(COOKIE))
    return with_cookie(request, signer, guest, body) if old else Response(body)


@delete("/api/guest", responses=problems(401), status_code=200)
async def be_nobody(request: HttpRequest, hub: TheHub, signer: TheSigner) -> Response[protocol.GuestShown]:
    """Make the cookie or token void that this request comes with, everywhere and for good; says whose it was."""
    guest = guest_of(request, signer)
    await hub.storage.revoke(guest.id, now() + 1000 * max(COOKIE_SECONDS, TOKEN_SECONDS))
    signer.revoked.add(guest.id)
    hub.cut_off_guests({guest.id})
    expired = Cookie(COOKIE, value="", max_age=0, path="/", httponly=True, samesite="lax")
    return Response(protocol.GuestShown(guest.name, guest.bot, guest.portrait), cookies=[expired])


@post("/api/bots", responses=problems(409))
async def be_bot(data: JSONBody[protocol.NewGuest], signer: TheSigner) -> protocol.BotToken:
    """A token for a bot program of yours: it sits at tables and plays like any guest."""
    check_portrait(data.portrait or "")
    guest = signer.new_guest(clean_name(data.name), bot=True)
    return protocol.BotToken(guest.name, signer.bot_token(guest))


@post("/api/tables", responses=problems(401, 409))
async def make_table(
    request: HttpRequest, data: JSONBody[protocol.NewTable], hub: TheHub, signer: TheSigner
) -> protocol.Seated:
    """Make a table."""
    guest = guest_of(request, signer)
    address = address_of(request)
    if not hub.limits.tables.take(address):
        raise TableRefused("too_many_tables")
    session = await hub.make(data, guest.id, guest.name, guest.portrait, signer.hash_address(address))
    return protocol.Seated(session.id, session.table.version, session.table.held_by(guest.id))


@get("/api/tables", responses=problems())
async def find_tables(
    hub: TheHub,
    game: FromQuery[protocol.GameName | None] = None,
    stage: FromQuery[Literal["open", "playing", "between", "over"] | None] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[protocol.TableFound]:
    """Public tables where something happened within a day, the latest first."""
    rows = await hub.storage.find(game, stage, now() - _DAY, limit)
    return [protocol.TableFound(**row) for row in rows]


@get("/api/tables/{table_id:str}", responses=problems(403, 404))
async def inspect_table(request: HttpRequest, table_id: TableId, hub: TheHub, signer: TheSigner) -> protocol.TableShown:
    """A table as you may see it."""
    guest = guest_id(request, signer)
    session = await visible_session(hub, table_id, guest)
    async with session.lock:
        views = [table_view(session.table, seat) for seat in session.table.seen_by(guest)]
        return protocol.TableShown(session.id, session.table.version, session.public, views)


@get("/api/tables/{table_id:str}/events", responses=problems(403, 404))
async def table_events(
    request: HttpRequest,
    table_id: TableId,
    hub: TheHub,
    signer: TheSigner,
    since: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
) -> protocol.EventsShown:
    """What happened at a table after a version, as you may hear it, at most 200 events at a time; your own actions
    with the id you gave them."""
    guest = guest_id(request, signer)
    session = await visible_session(hub, table_id, guest)
    async with session.lock:
        return protocol.EventsShown(session.table.version, session.events_for(guest, since + 1))


@post("/api/tables/{table_id:str}/actions", responses=problems(401, 403, 404, 409), status_code=200)
async def do_action(
    request: HttpRequest, table_id: TableId, data: JSONBody[protocol.Action], hub: TheHub, signer: TheSigner
) -> protocol.Done:
    """Do what a socket can do too: sit down at a public table, start, move, leave and so on."""
    guest = guest_of(request, signer)
    session = await visible_session(hub, table_id, guest.id)
    if data.do == "sit":
        data.name = data.name or guest.name
        data.portrait = data.portrait or guest.portrait
    if session.table.held_by(guest.id):
        session.quota = ClientQuota(address_of(request), guest.id)
    return protocol.Done(await hub.act(table_id, Actor(guest.id), data))


@post("/api/tables/{table_id:str}/invitation", responses=problems(401, 403, 404), status_code=200)
async def invite(request: HttpRequest, table_id: TableId, hub: TheHub, signer: TheSigner) -> protocol.Invitation:
    """A link that takes a free seat; only who sits at the table gets it."""
    guest = guest_of(request, signer)
    token = await _invitation(table_id, hub, signer, guest)
    return protocol.Invitation(token, f"{request.base_url}#join={token}")


@get("/api/tables/{table_id:str}/invitation.svg", media_type="image/svg+xml", responses=problems(401, 403, 404))
async def invite_by_picture(request: HttpRequest, table_id: TableId, hub: TheHub, signer: TheSigner) -> bytes:
    """The same link as a QR code."""
    guest = guest_of(request, signer)
    token = await _invitation(table_id, hub, signer, guest)
    image = io.BytesIO()
    segno.make(f"{request.base_url}#join={token}", micro=False).save(image, kind="svg", scale=4)
    return image.getvalue()


async def _invitation(table_id: str, hub: Hub, signer: Signer, guest: Guest) -> str:
    session = await hub.fresh(table_id)
    if not session.table.held_by(guest.id):
        raise TableRefused("private_table")
    return signer.invitation(table_id)


@post("/api/join", responses=problems(401, 403, 404, 409), status_code=200)
async def join(
    request: HttpRequest, data: JSONBody[protocol.JoinLink], hub: TheHub, signer: TheSigner
) -> Response[protocol.Seated]:
    """Take a free seat with an invitation; with a name, who is not known yet becomes a guest on the way. Who sits there
    already takes another one by naming it, for somebody at the same device."""
    table = signer.invited_to(data.token)
    guest = known_guest(request, signer)
    if guest is None:
        if data.name is None:
            raise TableRefused("no_guest")
        guest = signer.new_guest(clean_name(data.name), portrait=check_portrait(data.portrait or ""))
    session = await hub.fresh(table)
    held = session.table.held_by(guest.id)
    if not held or (data.seat is not None and data.seat not in held):
        # A second seat is for another person, who needs another portrait.
        portrait = data.portrait or ("" if held else guest.portrait)
        action = protocol.Action("sit", seat=data.seat, name=data.name or guest.name, portrait=portrait)
        await hub.act(table, Actor(guest.id), action, invited=True)
        session = await hub.fresh(table)
    body = protocol.Seated(table, session.table.version, session.table.held_by(guest.id))
    return Response(body) if guest.bot else with_cookie(request, signer, guest, body)


@post("/api/tables/{table_id:str}/seats/{seat:int}/carry", responses=problems(401, 404, 409), status_code=200)
async def make_carry_link(
    request: HttpRequest,
    table_id: TableId,
    seat: Annotated[int, PathParameter(ge=0, lt=protocol.MAX_PLAYERS)],
    hub: TheHub,
    signer: TheSigner,
) -> protocol.Carry:
    """A link, good for ten minutes and once, that moves a seat of yours to another device."""
    guest = guest_of(request, signer)
    session = await hub.fresh(table_id)
    if seat not in session.table.held_by(guest.id):
        raise TableRefused("not_your_seat", seat=seat)
    token = signer.transfer_link(table_id, seat, guest.id)
    return protocol.Carry(token, f"{request.base_url}#carry={token}", TRANSFER_SECONDS)


@post("/api/carry", responses=problems(403, 404, 409), status_code=200)
async def carry_here(
    request: HttpRequest, data: JSONBody[protocol.Link], hub: TheHub, signer: TheSigner
) -> Response[protocol.Seated]:
    """Go on here with a seat from another device."""
    link = signer.read_transfer_link(data.token)
    session = await hub.fresh(link.table)
    guest = known_guest(request, signer)
    if guest is None:
        guest = signer.new_guest(session.table.seats[link.seat].name or "guest")
    if not await hub.storage.revoke(link.id, now() + 1000 * TRANSFER_SECONDS):
        raise TableRefused("link_used")
    try:
        version = await hub.transfer(link.table, link.seat, link.holder, guest.id)
    except StorageDown:
        await hub.storage.unrevoke(link.id)
        raise
    session = await hub.fresh(link.table)
    body = protocol.Seated(link.table, version, session.table.held_by(guest.id))
    return Response(body) if guest.bot else with_cookie(request, signer, guest, body)


@get("/api/tables/{table_id:str}/records", media_type="application/jsonl", responses=problems(403, 404))
async def records(request: HttpRequest, table_id: TableId, hub: TheHub, signer: TheSigner) -> Response[bytes]:
    """The records of all finished rounds, one JSON object a line; `sixfold check` verifies rules and shuffle."""
    session = await visible_session(hub, table_id, guest_id(request, signer))
    async with session.lock:
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in session.table.records)
    name = f'attachment; filename="{session.id}.sixfold.jsonl"'
    return Response(lines.encode(), headers={"Content-Disposition": name}, media_type="application/jsonl")


@route(["/api/guest", "/api/tables"], http_method=["OPTIONS"], include_in_schema=False, status_code=204)
async def allowed_methods(request: HttpRequest) -> Response[None]:
    """The framework's own answer names only the method that was written first."""
    allowed = "DELETE, GET, OPTIONS, POST" if request.url.path == "/api/guest" else "GET, OPTIONS, POST"
    return Response(None, headers={"Allow": allowed})


# For the operator's own bots


def worker_only(request: HttpRequest, signer: Signer) -> None:
    if not signer.is_worker(request.headers.get("authorization")):
        raise TableRefused("no_worker")


@post("/api/worker/turns", responses=problems(401), status_code=200)
async def take_turn(request: HttpRequest, hub: TheHub, signer: TheSigner) -> protocol.Turn | None:
    """Take on the turn of a bot that has waited longest; null when no bot has to decide."""
    worker_only(request, signer)
    at = now()
    for table, when in await hub.storage.to_wake(at, 20, clocks=False, bots=True):
        until = at + hub.settings.lease_ms
        if await hub.storage.claim(table, when, until):
            await hub.wake(table)
            session = await hub.fresh(table)
            to_move = session.table.bot_to_move()
            if to_move is not None:
                seat, level = to_move
                return protocol.Turn(table, seat, level, session.table.version, until, table_view(session.table, seat))
    return None


@post("/api/worker/moves", responses=problems(401, 404, 409), status_code=200)
async def play_turn(
    request: HttpRequest, data: JSONBody[protocol.TurnPlayed], hub: TheHub, signer: TheSigner
) -> protocol.Done:
    """Play the move of a bot whose turn was taken on."""
    worker_only(request, signer)
    session = await hub.fresh(data.table)
    to_move = session.table.bot_to_move()
    if to_move is None or to_move[0] != data.seat:
        raise TableRefused("stale", version=session.table.version)
    action = protocol.Action("move", version=data.version, move=data.move, then=data.then)
    return protocol.Done(await hub.act(data.table, Actor(bot_seat=data.seat), action))


# For the operator


@get("/health", include_in_schema=False)
async def health() -> dict[str, str]:
    """The process runs."""
    return {"status": "ok"}


@get("/ready", include_in_schema=False)
async def ready(hub: TheHub) -> dict[str, str]:
    """Events can be stored and read, and everything runs that has to; bots may still be warming up, which makes their
    first moves slow."""
    await hub.storage.check()
    down = hub.down()
    if down:
        raise TableRefused("not_ready", tasks=", ".join(down))
    return {"status": "ready", "bots": "warming up" if hub.bots_warming else "ready" if hub.settings.bots else "none"}


@get("/metrics", include_in_schema=False, media_type="text/plain; version=0.0.4")
async def show_metrics(hub: TheHub) -> bytes:
    """Prometheus' text format."""
    return hub.metrics.text()


HANDLERS = [
    allowed_methods,
    games,
    be_guest,
    who_am_i,
    be_nobody,
    be_bot,
    make_table,
    find_tables,
    inspect_table,
    table_events,
    do_action,
    invite,
    invite_by_picture,
    join,
    make_carry_link,
    carry_here,
    records,
    take_turn,
    play_turn,
    health,
    ready,
    show_metrics,
]

STATUS = {
    "no_guest": 401,
    "no_worker": 401,
    "private_table": 403,
    "foreign_origin": 403,
    "no_table": 404,
    "no_record": 404,
    "no_page": 404,
    "too_large": 413,
    "too_fast": 429,
    "too_many_tables": 429,
    "review_one": 429,
    "reviews_full": 503,
    "review_failed": 503,
    "busy": 503,
    "not_ready": 503,
    "bad_message": 400,
    "link_bad": 403,
}
