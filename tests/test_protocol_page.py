"""The pages about the protocol and about who knows what are complete: every route, message, field, event and test."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from sixfold.server import protocol, responses
from sixfold.server.app import make_app
from sixfold.server.settings import Settings
from sixfold.table import ACTIONS, PORTRAITS, REACTIONS
from sixfold.table.events import AnyEvent

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
KNOWS = (ROOT / "docs" / "who-knows-what.md").read_text(encoding="utf-8")
SAID = [
    protocol.Snapshot,
    protocol.EventMessage,
    protocol.Presence,
    protocol.Ack,
    protocol.ActionRefused,
    protocol.Pong,
    protocol.Action,
    protocol.NewTable,
    protocol.NewSeat,
    protocol.NewGuest,
    protocol.GuestShown,
    protocol.BotToken,
    protocol.Link,
    protocol.JoinLink,
    protocol.Invitation,
    protocol.Carry,
    protocol.TableFound,
    protocol.TableShown,
    protocol.Seated,
    protocol.Done,
    protocol.EventsShown,
    protocol.Turn,
    protocol.TurnPlayed,
    protocol.Problem,
    *responses.RESPONSES,
]


def named(word: str) -> bool:
    """Is a word of the protocol written as one: in code, or in an example?"""
    return re.search(rf'[`"{{]{re.escape(word)}["`?:]', PAGE) is not None


def components() -> dict[str, Any]:
    _, found = msgspec.json.schema_components(SAID)
    return found


@pytest.mark.parametrize("shape", components())
def test_every_field_of_every_message_is_named(shape: str) -> None:
    schema = components()[shape]
    missing = [name for name in schema.get("properties", {}) if not named(name)]
    assert not missing, f"docs/protocol.md does not name {', '.join(missing)} of {shape}"


def test_every_message_of_a_socket_and_every_event_is_named() -> None:
    tags = [event.__struct_config__.tag for event in get_args(AnyEvent)]
    sent = [message.__struct_config__.tag for message in SAID[:6]]
    # To keep is never told as an event of its own.
    missing = [tag for tag in [*tags, *sent] if tag != "keep" and not named(str(tag))]
    assert not missing


def test_every_action_reaction_and_portrait_is_named() -> None:
    assert not [word for word in (*ACTIONS, *REACTIONS, *PORTRAITS) if not named(word)]


def test_every_route_is_named() -> None:
    paths = make_app(Settings("sqlite:///unused.db")).openapi_schema.paths or {}
    written = re.sub(r"\?[^` ]*", "", PAGE)
    for path, item in paths.items():
        shown = path.replace("{table_id}", "ID").replace("{seat}", "SEAT").replace("{number}", "N")
        for method in ("get", "post"):
            if getattr(item, method):
                assert f"`{method.upper()} {shown}`" in written, f"{method} {shown}"
    assert "/api/tables/ID/socket" in written


def test_the_tests_that_keep_secrets_are_where_the_page_says() -> None:
    tests = re.findall(r"`(tests/\w+\.py)(?:::(\w+))?`", KNOWS)
    assert len(tests) > 8
    for file, name in tests:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8") if name else (ROOT / file).is_file()
    secrecy = (ROOT / "tests" / "test_server_secrecy.py").read_text(encoding="utf-8")
    assert set(re.findall(r"def (test_\w+)", secrecy)) == {name for file, name in tests if "secrecy" in file}
