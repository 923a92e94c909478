"""Schemathesis over the whole HTTP interface: every answer is what the OpenAPI description says, none is an error."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from sixfold.server.app import make_app
from sixfold.server.settings import Settings
from tests.fork_server import ForkedNode

pytestmark = pytest.mark.xdist_group("processes")

schema = schemathesis.openapi.from_dict(make_app(Settings("sqlite:///unused.db")).openapi_schema.to_schema())


@dataclass
class Place:
    """A server with a guest who sits at a table."""

    url: str
    guest: dict[str, str]
    table: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("schema")
    node = ForkedNode(f"sqlite:///{folder}/schema.db", None, folder / "log")
    node.start()
    try:
        asyncio.run(node.wait_until_ready())
        with httpx.Client(base_url=node.url) as client:
            guest = new_guest(node.url)
            table = client.post("/api/tables", json={"game": "dice", "public": True}, headers=guest).json()["id"]
        yield Place(node.url, guest, table)
    finally:
        node.stop()
    assert '"error"' not in (folder / "log").read_text()


def new_guest(url: str) -> dict[str, str]:
    answer = httpx.post(f"{url}/api/guest", json={"name": "Anne"})
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def whole(value: Any) -> Any:
    """JSON Schema calls 3.0 an integer; the server does not, so it is written as 3."""
    if isinstance(value, dict):
        return {name: whole(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [whole(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@schema.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_the_interface_keeps_its_word(case: Case[Any], place: Place) -> None:
    if "table_id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        case.path_parameters["table_id"] = place.table
    case.body = whole(case.body)
    # Who asks to be forgotten is nobody afterwards.
    guest = new_guest(place.url) if case.method == "DELETE" else place.guest
    case.call_and_validate(base_url=place.url, headers=guest)
