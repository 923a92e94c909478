"""Everything that is signed expires, can be made void one by one, and links are good once; names can be seen."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from litestar.exceptions import WebSocketDisconnect
from typer.testing import CliRunner

from sixfold.cli import app
from sixfold.errors import SetupError
from sixfold.server import expiry, identity
from sixfold.server.expiry import follow_revocations
from sixfold.server.identity import Guest, Signer
from sixfold.server.tables import Hub
from sixfold.table import TableRefused, clean_name
from tests.server_harness import ServerHarness, running_server
from tests.waiting import until


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerHarness]:
    monkeypatch.setattr(expiry, "REVOKED_SECONDS", 0.02)
    with running_server(tmp_path) as made:
        yield made


def test_a_carry_link_is_good_once_even_when_the_seat_is_back(here: ServerHarness) -> None:
    anne, phone, carl = here.guest("Anne"), here.guest("Phone"), here.guest("Carl")
    table = here.table("dice", [anne, carl])
    address = f"/api/tables/{table}/seats/0/carry"
    first = here.post(address, None, anne).json()["token"]
    assert here.post("/api/carry", {"token": first}, phone).status_code == 200
    second = here.post(address, None, phone).json()["token"]
    assert here.post("/api/carry", {"token": second}, anne).status_code == 200
    # The seat is Anne's again, as when the first link was made; it was used all the same.
    again = here.post("/api/carry", {"token": first}, phone)
    assert (again.status_code, again.json()["key"]) == (409, "link_used")
    assert here.view(table, anne)["seat"] == 0


@pytest.mark.parametrize("purpose", ["cookie", "bot_token"])
def test_cookies_and_tokens_expire(monkeypatch: pytest.MonkeyPatch, purpose: str) -> None:
    signer, guest = Signer("secret"), Guest("id", "Anne")
    token = getattr(signer, purpose)(guest)
    told = (token, None) if purpose == "cookie" else (None, f"Bearer {token}")
    assert signer.guest(*told) == Guest("id", "Anne", purpose == "bot_token")
    monkeypatch.setattr(identity, "COOKIE_SECONDS", -1)
    monkeypatch.setattr(identity, "TOKEN_SECONDS", -1)
    assert signer.guest(*told) is None
    assert not signer.is_worker(f"Bearer {signer.worker_token()}")


def test_an_old_cookie_is_written_anew(here: ServerHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    anne = here.guest("Anne")
    assert "set-cookie" not in here.get("/api/guest", anne).headers
    monkeypatch.setattr(identity, "RENEW_SECONDS", -1)
    assert "set-cookie" in here.get("/api/guest", anne).headers
    here.client.cookies.clear()


def test_one_cookie_is_revoked_and_no_other(here: ServerHarness) -> None:
    anne, carl = here.guest("Anne"), here.guest("Carl")
    table = here.table("dice", [anne, carl])
    with here.socket(table, anne) as socket:
        socket.read()
        assert here.client.delete("/api/guest", headers=anne).status_code == 200
        with pytest.raises(WebSocketDisconnect):
            socket.read()
    assert here.get("/api/guest", anne).status_code == 401
    assert here.get("/api/guest", carl).status_code == 200
    assert here.client.delete("/api/guest", headers=anne).status_code == 401


def test_what_is_revoked_while_the_database_is_read_stays_revoked() -> None:
    """A node that hears of what other nodes revoked forgets nothing of its own."""
    signer, cut = Signer("secret"), list[set[str]]()
    signer.revoked = {"expired"}

    async def revoked(at: int) -> set[str]:
        signer.revoked.add("here")
        return {"elsewhere"}

    async def once() -> None:
        hub = cast(Hub, SimpleNamespace(storage=SimpleNamespace(revoked=revoked), cut_off_guests=cut.append))
        following = asyncio.create_task(follow_revocations(hub, signer))
        await until(lambda: "elsewhere" in signer.revoked)
        following.cancel()

    asyncio.run(once())
    assert signer.revoked == {"here", "elsewhere"}
    assert cut == [{"elsewhere"}]


def test_a_bots_token_is_revoked_by_itself(here: ServerHarness) -> None:
    one, two = ({"Authorization": f"Bearer {here.post('/api/bots', {'name': n}).json()['token']}"} for n in "AB")
    assert here.client.delete("/api/guest", headers=one).status_code == 200
    assert here.get("/api/guest", one).status_code == 401
    assert here.get("/api/guest", two).status_code == 200


def test_the_operator_revokes_on_all_nodes(tmp_path: Path, here: ServerHarness) -> None:
    """The command writes to the database; a node that runs hears of it by itself."""
    anne, carl = here.guest("Anne"), here.guest("Carl")
    database = f"sqlite:///{here.database}"
    worker = CliRunner().invoke(app, ["bot-token", "--database", database]).output.strip()
    assert here.post("/api/worker/turns", None, {"Authorization": f"Bearer {worker}"}).status_code == 200
    (tmp_path / "tokens").write_text(f"{anne['Cookie']}\n{worker}\n")
    done = CliRunner().invoke(app, ["revoke", str(tmp_path / "tokens"), "--database", database])
    assert done.output == "2 revoked\n", done.exception
    assert any(here.get("/api/guest", anne).status_code == 401 for _ in range(1000))
    theirs = {"Authorization": f"Bearer {worker}"}
    assert any(here.post("/api/worker/turns", None, theirs).status_code == 401 for _ in range(1000))
    assert here.get("/api/guest", carl).status_code == 200
    (tmp_path / "tokens").write_text("nonsense\n")
    wrong = CliRunner().invoke(app, ["revoke", str(tmp_path / "tokens"), "--database", database])
    assert isinstance(wrong.exception, SetupError)
    assert "line 1 is no cookie or token" in str(wrong.exception)
    missing = subprocess.run(
        [sys.executable, "-m", "sixfold", "revoke", "nowhere", "--database", database], capture_output=True, text=True
    )
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr


@pytest.mark.parametrize("origin", ["http://[::1", "null", "http://", "]", "http://elsewhere.example"])
def test_an_odd_origin_is_a_foreign_one(here: ServerHarness, origin: str) -> None:
    anne = here.guest()
    answer = here.post("/api/tables", {"game": "dice"}, {**anne, "Origin": origin})
    assert (answer.status_code, answer.json()["key"]) == (403, "foreign_origin")


@pytest.mark.parametrize("since", ["9" * 4400, "9" * 20, "-1", "1e3", "٣", "", "0x1"])
def test_any_since_opens_a_socket(here: ServerHarness, since: str) -> None:
    table = here.table("dice", [here.guest("Anne"), here.guest("Carl")])
    with here.socket(table, None, f"?since={since}") as socket:
        assert socket.read()["type"] == "snapshot"
        assert socket.say(do="ping")["type"] == "pong"


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800",
        "a\u3164",
        "\u115f\u1160",
        "\uffa0",
        "\u0301",
        "e" + "\u0301" * 6,
        "\u200b",
        "a\u202eb",
        "\u00ad",
    ],
)
def test_names_can_be_seen(here: ServerHarness, name: str) -> None:
    with pytest.raises(TableRefused):
        clean_name(name)
    assert here.post("/api/guest", {"name": name}).json()["key"] == "bad_name"


@pytest.mark.parametrize("name", ["Anne", "Zoë", "Nguyễn Thị", "Ўладзімір", "अनन्या", "ตั๋วน้ำ", "שָׁלוֹם", "🎲 Max", "a  b"])
def test_names_of_all_languages_are_good(name: str) -> None:
    assert clean_name(name)
    assert clean_name("e\u0301") == "é"
