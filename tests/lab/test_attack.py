"""The attacker: it attacks nobody else, ends by itself, and tells a server that holds from one that does not."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab.cli import app
from lab.loadtest import attack_run
from lab.loadtest.attack_run import ALL, Outcome, attack_all
from lab.loadtest.attacks import Finding, attack, check_loopback
from sixfold.errors import SetupError
from tests.fork_server import ForkedNode

pytestmark = pytest.mark.xdist_group("processes")


@pytest.mark.parametrize(
    "url",
    [
        "http://192.0.2.1:8000",
        "https://sixfold.example",
        "http://127.0.0.1.example",
        "http://[::1",
        "ftp://127.0.0.1",
        "",
    ],
)
def test_only_the_loopback_address_is_attacked(url: str) -> None:
    with pytest.raises(SetupError, match="loopback"):
        check_loopback(url)
    refused = CliRunner().invoke(app, ["attack", "--server", url or "x"])
    assert isinstance(refused.exception, SetupError)


def test_nor_is_any_other_address_by_a_way_around() -> None:
    command = [sys.executable, "-m", "lab.loadtest.attacks", "http://192.0.2.1", "1", "seats"]
    direct = subprocess.run(command, capture_output=True, text=True)
    assert direct.returncode
    assert "loopback" in direct.stderr


def test_unknown_attacks_are_named() -> None:
    refused = CliRunner().invoke(app, ["attack", "--only", "magic"])
    assert isinstance(refused.exception, SetupError)
    assert "seats" in str(refused.exception)


def test_what_held_is_what_held_for_everybody() -> None:
    good, bad = Finding("x", True), Finding("y", False)
    assert Outcome("a", [good], [0.1] * 100).held
    assert not Outcome("a", [good, bad], [0.1] * 100).held
    assert not Outcome("a", [good], [0.1] * 90 + [0.3] * 10).held
    assert Outcome("a", [good], [0.3] * 100, undisturbed=False).held
    assert not Outcome("a", [good], []).held


# Those that are over soon; what the others find, tests/test_server_door.py and its neighbours find more quickly.
NAMES = ("tricks", "tables", "seats", "pings", "backups")


@pytest.fixture
def few_witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as it takes to see that others are served; how quickly is not asked here."""
    monkeypatch.setattr(attack_run, "TABLES", 3)
    monkeypatch.setattr(attack_run, "RATE", 10.0)


def found(folder: Path, names: list[str], limited: bool) -> list[Outcome]:
    database = folder / "attack.db"
    node = ForkedNode(f"sqlite:///{database}", None, folder / "log", limited=limited)
    node.arguments = ["--no-bots"]
    node.start()

    async def work() -> list[Outcome]:
        await node.wait_until_ready()
        return await attack_all(node.url, database, names, 1, lambda name: None)

    try:
        return asyncio.run(work())
    finally:
        node.stop()


@pytest.mark.usefixtures("few_witnesses")
def test_a_server_withstands_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the machine does meanwhile: so nothing is said here about how quickly others were served, and the
    attackers need no processes of their own."""
    monkeypatch.setattr(attack_run, "_run_in_process", attack)
    outcomes = found(tmp_path, list(NAMES), limited=True)
    assert [outcome.name for outcome in outcomes] == list(NAMES)
    lost = [(outcome.name, one) for outcome in outcomes for one in outcome.findings if not one.held]
    assert not lost
    # An attack may be over before a witness has moved.
    assert any(outcome.latencies for outcome in outcomes)
    assert "trace" not in (tmp_path / "log").read_text()


@pytest.mark.usefixtures("few_witnesses")
def test_a_server_without_limits_does_not(tmp_path: Path) -> None:
    (outcome,) = found(tmp_path, ["tables"], limited=False)
    assert [one.held for one in outcome.findings] == [False, True]


def test_every_attack_is_in_the_threat_model() -> None:
    page = (Path(__file__).parents[2] / "docs" / "threat-model.md").read_text()
    assert [name for name in ALL if f"`{name}`" not in page] == []
