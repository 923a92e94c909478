"""The server over HTTP: guests, tables, links, tokens, records, limits and headers."""

import json
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from sixfold import GAMES
from sixfold.engine import record, shuffle
from sixfold.server.app import HEADERS, make_app
from sixfold.server.identity import Signer
from sixfold.server.settings import Settings
from tests.server_harness import ServerHarness, play_over_http, running_server


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    with running_server(tmp_path) as made:
        yield made


def test_a_guest_has_a_name_and_a_signed_cookie(here: ServerHarness) -> None:
    anne = here.guest("Anne")
    assert here.get("/api/guest", anne).json() == {"name": "Anne", "bot": False, "portrait": ""}
    renamed = here.post("/api/guest", {"name": "Anna", "portrait": "owl"}, anne)
    assert renamed.json() == {"name": "Anna", "bot": False, "portrait": "owl"}
    assert "HttpOnly" in renamed.headers["set-cookie"]
    assert "SameSite=lax" in renamed.headers["set-cookie"]
    forged = {"Cookie": anne["Cookie"][:-3] + "abc"}
    for stranger in ({}, forged, {"Cookie": "sixfold_guest=x"}):
        answer = here.get("/api/guest", stranger)
        assert (answer.status_code, answer.json()["key"]) == (401, "no_guest")
    assert here.post("/api/guest", {"name": "\u0007"}).status_code == 409
    assert here.post("/api/guest", {"name": "Anne", "portrait": "dragon"}).json()["key"] == "no_portrait"
    assert here.post("/api/guest", {"name": "a" * 25}).status_code == 400
    assert here.post("/api/guest", {"name": "a", "admin": True}).status_code == 400


def test_public_tables_are_found_and_private_ones_are_not(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    public = here.post("/api/tables", {"game": "cards", "players": 3, "public": True}, anne).json()["id"]
    private = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
    assert [table["id"] for table in here.get("/api/tables").json()] == [public]
    assert here.get("/api/tables?game=dice").json() == []
    assert here.get("/api/tables?stage=playing").json() == []
    assert here.get(f"/api/tables/{private}", anne).status_code == 200
    for path in ("", "/events", "/records"):
        refused = here.get(f"/api/tables/{private}{path}", carl)
        assert (refused.status_code, refused.json()["key"]) == (403, "private_table")
    assert here.act(private, carl, "sit").status_code == 403
    assert here.act(public, carl, "sit").status_code == 200
    assert here.get("/api/tables/nowhere").json()["key"] == "no_table"


def test_an_invitation_takes_a_free_seat(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
    assert here.post(f"/api/tables/{table}/invitation", None, carl).status_code == 403
    invitation = here.post(f"/api/tables/{table}/invitation", None, anne).json()
    # The token stands behind the #, which browsers keep to themselves.
    assert invitation["link"].partition("#")[2] == f"join={invitation['token']}"
    picture = here.get(f"/api/tables/{table}/invitation.svg", anne)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert b"<svg" in picture.content
    assert here.get(f"/api/tables/{table}/invitation.svg", carl).status_code == 403
    joined = here.post("/api/join", {"token": invitation["token"]}, carl)
    assert joined.json()["seats"] == [1]
    again = here.post("/api/join", {"token": invitation["token"]}, carl)
    assert again.json()["seats"] == [1]
    full = here.post("/api/join", {"token": invitation["token"], "name": "Late"})
    assert (full.status_code, full.json()["key"]) == (409, "no_open_seat")
    assert here.post("/api/join", {"token": "x" + invitation["token"], "name": "Late"}).json()["key"] == "link_bad"
    assert here.post("/api/join", {"token": invitation["token"]}).json()["key"] == "no_guest"


def test_an_invited_stranger_becomes_a_guest_on_the_way(here: ServerHarness) -> None:
    anne = here.guest("Anne")
    table = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
    token = here.post(f"/api/tables/{table}/invitation", None, anne).json()["token"]
    joined = here.post("/api/join", {"token": token, "name": "Marc"})
    marc = {"Cookie": joined.headers["set-cookie"].partition(";")[0]}
    assert here.view(table, marc)["seats"][1]["name"] == "Marc"


def test_a_seat_is_carried_to_another_device_by_a_short_lived_link(
    here: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, carl, phone = here.guest("Anne"), here.guest("Carl"), here.guest("Phone")
    table = here.table("cards", [anne, carl])
    assert here.post(f"/api/tables/{table}/seats/1/carry", None, anne).status_code == 409
    link = here.post(f"/api/tables/{table}/seats/0/carry", None, anne).json()
    monkeypatch.setattr("sixfold.server.identity.TRANSFER_SECONDS", -1)
    assert here.post("/api/carry", {"token": link["token"]}, phone).json()["key"] == "link_bad"
    monkeypatch.undo()
    assert here.post("/api/carry", {"token": link["token"]}, phone).json()["seats"] == [0]
    assert here.view(table, phone)["seat"] == 0
    assert here.view(table, anne)["seat"] is None
    assert here.post("/api/carry", {"token": link["token"]}, anne).json()["key"] == "link_used"


def test_anybodys_bot_sits_down_with_a_token(here: ServerHarness) -> None:
    anne = here.guest("Anne")
    told = here.post("/api/bots", {"name": "My bot"}).json()
    bot = {"Authorization": f"Bearer {told['token']}"}
    assert here.get("/api/guest", bot).json() == {"name": "My bot", "bot": True, "portrait": ""}
    table = here.table("dice", [anne, bot], first=1)
    assert here.act(table, bot, "move", move="score").status_code == 200
    assert here.get("/api/guest", {"Authorization": "Bearer nonsense"}).status_code == 401


def test_an_action_is_refused_with_reason_and_clause(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("travel", [anne, carl], first=0)
    wrong = here.post(f"/api/tables/{table}/actions?language=de", {"do": "move", "move": "place RG a1 a2"}, anne)
    assert wrong.status_code == 409
    assert wrong.json()["clause"] == "T5"
    assert wrong.json()["reason"] != here.act(table, anne, "move", move="place RG a1 a2").json()["reason"]
    assert here.act(table, carl, "move", move="place RG a2 a3").json()["key"] == "other_turn"
    assert here.act(table, here.guest("X"), "resign").json()["key"] == "no_seat_yours"
    assert here.act(table, anne, "move", move=1).status_code == 400
    assert here.act(table, anne, "dance").json()["key"] == "no_action"
    assert here.act(table, anne, "move", move="keep", version=1).json()["key"] == "stale"
    assert here.act(table, anne, "move", move="keep", version=99).json()["key"] == "stale"


def test_the_same_action_happens_once(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl], first=0)
    done = here.act(table, anne, "move", move="score", id="one")
    again = here.act(table, anne, "move", move="score", id="one")
    assert again.json()["key"] == "already_done"
    assert again.json()["words"]["version"] == str(done.json()["version"])
    own = [event.get("id") for event in here.get(f"/api/tables/{table}/events", anne).json()["events"]]
    assert own.count("one") == 1
    others = here.get(f"/api/tables/{table}/events", carl).text
    assert '"id"' not in others


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 3), ("dice", 4)])
def test_finished_games_are_downloaded_and_checked(here: ServerHarness, game: str, players: int) -> None:
    people = [here.guest(f"P{seat}") for seat in range(players)]
    table = here.table(game, people)
    assert here.get(f"/api/tables/{table}/records").text == ""
    before = here.view(table)["commitment"]
    play_over_http(here, table, people, random.Random(players))
    (line,) = here.get(f"/api/tables/{table}/records").text.splitlines()
    made = json.loads(line)
    record.replay(made)
    assert shuffle.verify(made)
    assert made["shuffle"]["commitment"] == before
    assert sorted(made["names"]) == [f"P{seat}" for seat in range(players)]


def test_making_a_table_says_what_is_wrong(here: ServerHarness) -> None:
    anne = here.guest()
    assert here.post("/api/tables", {"game": "dice"}).status_code == 401
    for wrong in (
        {"game": "chess"},
        {"game": "travel", "players": 3},
        {"game": "travel", "options": {"split_jokers": True}},
        {"game": "dice", "clock": "move"},
        {"game": "dice", "seats": [{"kind": "bot", "level": "os:system"}, {"kind": "me"}]},
        {"game": "dice", "players": 3, "seats": [{"kind": "me"}, {"kind": "open"}]},
        {"game": "dice", "secret": "mine"},
        {"game": "dice", "public": 0},
        {"game": "dice", "players": "2"},
    ):
        answer = here.post("/api/tables", wrong, anne)
        assert answer.status_code in (400, 409), wrong
        assert answer.json()["reason"]


def test_every_answer_has_strict_headers(here: ServerHarness) -> None:
    for path in ("/health", "/ready", "/metrics", "/api/tables", "/nowhere", "/api/guest"):
        headers = here.get(path).headers
        for name, value in HEADERS.items():
            assert headers[name] == value, path
    assert here.get("/api/tables").headers["cache-control"] == "no-store"


def test_foreign_pages_change_nothing(here: ServerHarness) -> None:
    anne = here.guest()
    foreign = {**anne, "Origin": "https://elsewhere.example"}
    assert here.post("/api/tables", {"game": "dice"}, foreign).json()["key"] == "foreign_origin"
    own = {**anne, "Origin": "http://testserver.local"}
    assert here.post("/api/tables", {"game": "dice"}, own).status_code == 201


def test_metrics_tell_what_happened(here: ServerHarness) -> None:
    people = [here.guest("Anne"), here.guest("Carl")]
    here.table("dice", people)
    text = here.get("/metrics").text
    assert 'sixfold_tables_made_total{game="dice"} 1.0' in text
    assert "sixfold_storing_seconds_count 2.0" in text


def test_the_application_uses_nothing_that_will_go_away() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_app(Settings("sqlite:///unused.db"))


def test_limits(tmp_path: Path) -> None:
    with running_server(tmp_path, requests_a_minute=10, tables_an_hour=2) as here:
        anne = here.guest()
        for _ in range(2):
            assert here.post("/api/tables", {"game": "dice"}, anne).status_code == 201
        assert here.post("/api/tables", {"game": "dice"}, anne).json()["key"] == "too_many_tables"
        large = here.client.post("/api/guest", content=b'{"name": "' + b"a" * 100_000 + b'"}')
        assert large.status_code == 413
        answers = [here.get("/api/tables").status_code for _ in range(10)]
        assert answers[-1] == 429
        assert here.get("/health").status_code == 200


def test_only_a_worker_gets_bots_turns(tmp_path: Path) -> None:
    with running_server(tmp_path, bots=False) as here:
        anne = here.guest()
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        made = here.post("/api/tables", {"game": "cards", "seats": seats, "first": 1}, anne)
        table = made.json()["id"]
        here.act(table, anne, "start")
        assert here.view(table, anne)["turn"] == 1
        for stranger in ({}, anne, {"Authorization": "Bearer x"}):
            assert here.post("/api/worker/turns", None, stranger).status_code == 401
        signer: Signer = here.client.app.state.signer
        worker = {"Authorization": f"Bearer {signer.worker_token()}"}
        turn = here.post("/api/worker/turns", None, worker).json()
        assert (turn["table"], turn["seat"], turn["level"]) == (table, 1, "random")
        # It belongs to the worker now; nobody else gets it before the lease is over.
        assert here.post("/api/worker/turns", None, worker).json() is None
        move = {"table": table, "seat": 1, "version": turn["version"], "move": turn["view"]["legal"][0]}
        assert here.post("/api/worker/moves", move, worker).status_code == 200
        assert here.post("/api/worker/moves", move, worker).status_code == 409


def test_the_games_and_their_facts(here: ServerHarness) -> None:
    games = {game["name"]: game for game in here.get("/api/games").json()}
    assert list(games) == list(GAMES)
    assert games["travel"] == {
        "name": "travel",
        "players": [2],
        "options": {"open_racks": {"kind": "flag", "default": False}},
        "series": False,
        "rounds_default": {"2": 1},
        "last": 18,
        "goal": 18,
        "areas": [18],
        "symbols": 6,
        "minutes": 20,
    }
    assert (games["cards"]["areas"], games["cards"]["last"], games["cards"]["goal"]) == ([3, 6, 10], 10, 7)
    assert (games["dice"]["areas"], games["dice"]["rounds_default"]) == ([3, 6, 7], {"2": 2, "3": 3, "4": 4})
