"""The pages that a node serves: what was built, index.html for every other address, strict headers on all of it."""

import gzip
from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from sixfold.server import pages
from sixfold.server.app import HEADERS, make_app
from sixfold.server.settings import Settings

INDEX = b"<!doctype html><title>Sixfold</title>" * 20


@pytest.fixture
def client(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:  # type: ignore[type-arg]
    built = {"index.html": INDEX, "assets/app-1a2b.js": b"let a = 1;" * 50, "icon-192.png": b"\x89PNG"}
    made = {name: pages.page(name, body) for name, body in built.items()}
    monkeypatch.setattr(pages, "pages", lambda: made)
    folder = tmp_path_factory.mktemp("pages")
    with TestClient(make_app(Settings(f"sqlite:///{folder}/tables.db", bots=False))) as client:
        yield client


@pytest.mark.parametrize("address", ["/", "/table/abc", "/rules/travel", "/replay/x/1"])
def test_every_address_of_the_browser_gets_the_page(client: TestClient, address: str) -> None:  # type: ignore[type-arg]
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.content == INDEX
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert all(answer.headers[name] == value for name, value in HEADERS.items())


def test_assets_are_compressed_and_kept_for_a_year(client: TestClient) -> None:  # type: ignore[type-arg]
    answer = client.get("/assets/app-1a2b.js")
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    plain = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    assert client.get("/icon-192.png").headers["content-type"] == "image/png"


@pytest.mark.parametrize("address", ["/api/nothing", "/assets/old-0000.js", "/api"])
def test_what_is_not_there_is_refused_and_not_the_page(client: TestClient, address: str) -> None:  # type: ignore[type-arg]
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json()["key"] in ("no_page", "bad_message")


def test_what_is_squeezed_comes_back_the_same() -> None:
    made = pages.page("index.html", INDEX)
    assert made.compressed is not None
    assert gzip.decompress(made.compressed) == INDEX
    assert pages.page("icon.png", b"png").compressed is None
