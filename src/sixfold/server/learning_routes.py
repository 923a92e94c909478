"""HTTP routes for learning and review: bot levels, previews of invitations, hints, replays, reviews and odds."""

import logging
import secrets
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter

from sixfold.bots import Budget
from sixfold.bots.hints import hint as think
from sixfold.bots.hints import strongest
from sixfold.bots.levels import LEVELS
from sixfold.engine.chance import Seeded
from sixfold.errors import UserError
from sixfold.review.model import Odds
from sixfold.review.solution_odds import exact_odds
from sixfold.server import protocol, responses
from sixfold.server.fair_pool import ClientQuota, FairPool
from sixfold.server.reviews import Reviews
from sixfold.server.routes import HttpRequest, TableId, TheHub, TheSigner, guest_id, guest_of, problems, visible_session
from sixfold.server.sockets import address_of, chosen_language
from sixfold.server.table_session import TableSession
from sixfold.solve.values.file import ValueFileError
from sixfold.table import TableRefused
from sixfold.table.replay import steps
from sixfold.table.table import PLAYING

HINT_MS = 1000
# Enough for any position of the longest game.
MOST_LETTERS = 2000
log = logging.getLogger("sixfold")
ThePool = NamedDependency[FairPool]
RoundNumber = Annotated[int, PathParameter(ge=1, le=1000)]


def finished_round(session: TableSession, number: int) -> dict[str, Any]:
    """The record of a round, counted from 1."""
    records = session.table.records
    if number > len(records):
        raise TableRefused("no_record")
    return records[number - 1]


@get("/api/levels", responses=problems())
async def levels() -> list[str]:
    """The bots that can sit down, the weakest first."""
    return [f"level{number}" for number in LEVELS]


@post("/api/invited", responses=problems(403, 404), status_code=200)
async def invited(
    request: HttpRequest, data: JSONBody[protocol.Link], hub: TheHub, signer: TheSigner
) -> responses.Invited:
    """The table that an invitation leads to, before taking a seat or after."""
    session = await hub.fresh(signer.invited_to(data.token))
    table = session.table
    value = {
        "id": session.id,
        "game": table.setup.game,
        "players": table.setup.players,
        "names": [seat.name for seat in table.seats if seat.person],
        "open_seats": sum(seat.kind == "open" for seat in table.seats),
        "setup": table.public_setup,
        "seats": table.public_seats,
        "seated": bool(table.held_by(guest_id(request, signer))),
    }
    return msgspec.convert(value, responses.Invited)


@get("/api/tables/{table_id:str}/seats/{seat:int}/hint", responses=problems(401, 404, 409))
async def hint(
    request: HttpRequest,
    table_id: TableId,
    seat: Annotated[int, PathParameter(ge=0, lt=protocol.MAX_PLAYERS)],
    hub: TheHub,
    signer: TheSigner,
    pool: ThePool,
) -> responses.HintShown:
    """What the strongest bot would play from your seat, thought over for a second; only in your turn."""
    guest = guest_of(request, signer)
    session = await hub.fresh(table_id)
    table = session.table
    if seat not in table.held_by(guest.id):
        raise TableRefused("not_your_seat", seat=seat)
    if table.game is None or table.turn != seat:
        raise TableRefused("no_hint")
    if not table.hints:
        raise TableRefused("hints_off")
    view = table.game.view(table.player_of(seat))
    chance, quota = Seeded(secrets.randbits(63)), ClientQuota(address_of(request), guest.id)
    suggestion = await pool.run(quota, lambda share: think(view, chance, Budget(HINT_MS * share)))
    moves = view.legal()
    gained = view.previews(moves)[list(moves).index(suggestion.move)].tolist()[:-1]
    reason = suggestion.sentence(chosen_language(request.query_params.get("language")))
    return responses.HintShown(suggestion.move, strongest(view.name), gained, reason)


@get("/api/tables/{table_id:str}/rounds/{number:int}/replay", responses=problems(403, 404))
async def replay(
    request: HttpRequest,
    table_id: TableId,
    number: RoundNumber,
    hub: TheHub,
    signer: TheSigner,
    pool: ThePool,
) -> responses.Replay:
    """A finished round step by step, for whoever may look at the table."""
    guest = guest_id(request, signer)
    session = await visible_session(hub, table_id, guest)
    record = finished_round(session, number)
    value: dict[str, Any] = {
        "game": record["game"],
        "round": number,
        "rounds": len(session.table.records),
        "names": record["names"],
        "bots": record["bots"],
        "resigned": record.get("resigned", []),
        "places": record["result"]["places"] if record["result"] else None,
        "steps": await pool.run(ClientQuota(address_of(request), guest), lambda _: steps(record)),
        **{name: record["shuffle"][name] for name in ("commitment", "key")},
    }
    return msgspec.convert(value, responses.Replay)


@get("/api/tables/{table_id:str}/rounds/{number:int}/review", responses=problems(403, 404, 409))
async def review(
    request: HttpRequest,
    table_id: TableId,
    number: RoundNumber,
    hub: TheHub,
    signer: TheSigner,
    reviews: NamedDependency[Reviews],
) -> responses.ReviewShown:
    """What each decision of a finished round cost and how lucky each draw was, as far as it has been worked out."""
    guest = guest_id(request, signer)
    session = await visible_session(hub, table_id, guest)
    table = session.table
    if number == len(table.records) + 1 and table.stage == PLAYING:
        raise TableRefused("review_later")
    record = finished_round(session, number)
    return await reviews.ask((session.id, number), record, ClientQuota(address_of(request), guest))


@get("/api/odds", responses=problems(409))
async def odds(
    request: HttpRequest,
    view: Annotated[str, QueryParameter(description="a position, as JSON")],
    signer: TheSigner,
    pool: ThePool,
) -> Odds | None:
    """The exact odds of a position where this server has the values of its game; else nothing."""
    if len(view) > MOST_LETTERS:
        raise TableRefused("no_position", detail=f"more than {MOST_LETTERS} letters")
    quota = ClientQuota(address_of(request), guest_id(request, signer))
    try:
        position = msgspec.json.decode(view, type=responses.Position)
        return await pool.run(quota, lambda _: exact_odds(position))
    except ValueFileError as error:
        log.warning("the values cannot be used", extra={"why": str(error)})
        return None
    except (msgspec.MsgspecError, UserError) as error:
        raise TableRefused("no_position", detail=str(error)) from None


LEARNING_HANDLERS = [levels, invited, hint, replay, review, odds]
