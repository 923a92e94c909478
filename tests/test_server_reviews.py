"""Reviews on a server: the same numbers as anywhere, after the end only, few at once, behind bots, and remembered."""

import asyncio
import json
import random
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sixfold.review import review
from sixfold.review.model import Review
from sixfold.review.solution import values_of
from sixfold.server import reviews
from sixfold.server.fair_pool import ClientQuota, FairPool
from sixfold.server.metrics import Metrics
from sixfold.server.responses import ReviewShown
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage
from sixfold.table import TableRefused
from tests.server_harness import ServerHarness, play_over_http, running_server

RECORD = {"events": ["roll 0 R G B O"]}


def played_round(here: ServerHarness) -> tuple[str, dict[str, str]]:
    """A table with a finished round, and who made it."""
    me, other = here.guest(), here.guest("Ben")
    table = here.table("dice", [me, other])
    play_over_http(here, table, [me, other], random.Random(3))
    return table, me


def given_up(here: ServerHarness) -> tuple[str, dict[str, str]]:
    """A table with a round that was given up at once."""
    me, other = here.guest(), here.guest("Ben")
    table = here.table("dice", [me, other])
    here.act(table, me, "resign")
    return table, me


def asked(here: ServerHarness, table: str, who: dict[str, str] | None = None, number: int = 1) -> Any:
    return here.get(f"/api/tables/{table}/rounds/{number}/review", who)


def whole_review(here: ServerHarness, table: str, who: dict[str, str] | None = None) -> list[ReviewShown]:
    """Ask until it is done; all answers."""
    told: list[ReviewShown] = []
    while not told or told[-1].review is None:
        answer = asked(here, table, who)
        assert answer.status_code == 200, answer.text
        told.append(msgspec.json.decode(answer.content, type=ReviewShown))
    return told


def ended(here: ServerHarness, how: str) -> float:
    lines = here.get("/metrics").text.splitlines()
    return sum(float(line.split()[1]) for line in lines if line.startswith(f'sixfold_reviews_total{{ended="{how}"}}'))


class Gate:
    """Holds every piece of every review until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open, self.entered = threading.Event(), threading.Event()
        really: Callable[..., Any] = reviews._open_review

        def held(record: Any) -> Any:
            self.entered.set()
            assert self.open.wait(60)
            return really(record)

        monkeypatch.setattr(reviews, "_open_review", held)

    @contextmanager
    def shut(self) -> Iterator[None]:
        try:
            yield
        finally:
            self.open.set()


def test_a_review_grows_and_has_the_same_numbers_as_the_command(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        table, me = played_round(here)
        record = json.loads(here.get(f"/api/tables/{table}/records", me).text.splitlines()[0])
        told = whole_review(here, table, me)
        assert told[-1].review == review(record, values=values_of(record))
        assert [one.done for one in told] == sorted(one.done for one in told)
        for one in told:
            assert one.total == len(record["events"])
            assert one.done == len(one.steps) == len(one.chances)
            assert one.steps == told[-1].steps[: one.done]
            assert one.chances == told[-1].chances[: one.done]
        assert told[-1].review is not None
        assert told[-1].steps == told[-1].review.steps
        assert told[-1].chances == told[-1].review.curve
        assert ended(here, "done") == 1


def test_only_finished_rounds_are_reviewed_and_only_for_who_may_look(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        me, other, stranger = here.guest(), here.guest("Ben"), here.guest("Carl")
        made = here.post("/api/tables", {"game": "dice", "seats": [{"kind": "me"}, {"kind": "me", "name": "B"}]}, me)
        private = made.json()["id"]
        assert (asked(here, private, me).status_code, asked(here, private, me).json()["key"]) == (404, "no_record")
        here.act(private, me, "start")
        early = asked(here, private, me)
        assert (early.status_code, early.json()["key"]) == (409, "review_later")
        assert asked(here, private, me, 2).json()["key"] == "no_record"
        here.act(private, me, "resign")
        for who in (stranger, other, None):
            for what in ("review", "replay"):
                refused = here.get(f"/api/tables/{private}/rounds/1/{what}", who)
                assert (refused.status_code, refused.json()["key"]) == (403, "private_table")
        assert asked(here, private, me).status_code == 200


def test_a_round_that_was_given_up_has_a_review_without_a_result(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        table, _ = given_up(here)
        found = whole_review(here, table)[-1].review
        assert found is not None
        assert [account.result for account in found.accounts] == [None, None]


def test_a_review_is_remembered_as_long_as_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server(tmp_path) as here:
        table, me = given_up(here)
        first = whole_review(here, table, me)[-1]
    with running_server(tmp_path) as again:
        monkeypatch.setattr(reviews, "_open_review", lambda record: pytest.fail("it is known"))
        told = whole_review(again, table)
        assert told == [first]
        assert ended(again, "remembered") == 1

    async def remove() -> None:
        storage = Storage(f"sqlite:///{tmp_path}/server.db")
        assert await storage.remove(table, (await storage.versions([table]))[table])
        assert await storage.review(table, 1) is None
        # What is worked out for a table that has gone meanwhile goes nowhere.
        await storage.keep_review(table, 1, b"late")
        assert await storage.review(table, 1) is None
        await storage.engine.dispose()

    asyncio.run(remove())


def test_a_review_of_another_version_is_worked_out_anew(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        table, me = given_up(here)
        first = whole_review(here, table, me)[-1]
    with sqlite3.connect(here.database) as database:
        database.execute("update reviews set body = ?", [zlib.compress(b'{"luck": 3}')])
    with running_server(tmp_path) as again:
        assert whole_review(again, table, me)[-1] == first
        assert (ended(again, "done"), ended(again, "remembered")) == (1, 0)


def test_many_reviews_at_once_hold_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask, few are worked out, each guest has one; moves and bots go on meanwhile."""
    gate = Gate(monkeypatch)
    with running_server(tmp_path, requests_a_minute=100_000, messages_a_second=1000) as here, gate.shut():
        me, other = here.guest(), here.guest("Ben")
        tables = [here.table("dice", [me, other]) for _ in range(8)]
        for table in tables:
            here.act(table, me, "resign")
        assert asked(here, tables[0], me).json() == {"done": 0, "total": 2, "steps": [], "chances": [], "review": None}
        assert gate.entered.wait(20)
        second = asked(here, tables[1], me)
        assert (second.status_code, second.json()["key"]) == (429, "review_one")
        # The same one may be asked for by anybody, and as often as they like.
        assert asked(here, tables[0], other).status_code == asked(here, tables[0], me).status_code == 200
        crowd = [here.guest(f"Guest {number}") for number in range(6)]
        answers = [asked(here, table, who) for table, who in zip(tables[1:], crowd, strict=False)]
        assert [answer.status_code for answer in answers] == [200, 200, 503, 503, 503, 503]
        assert answers[-1].json()["key"] == "reviews_full"
        assert ended(here, "refused") == 5
        mine = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        playing = here.post("/api/tables", {"game": "dice", "seats": mine, "first": 1}, crowd[0]).json()["id"]
        with here.socket(playing, crowd[0]) as socket:
            assert socket.say(do="start")["type"] == "ack"
            while socket.read()["event"]["type"] != "move":
                pass
        assert "sixfold_reviews_running 3.0" in here.get("/metrics").text
        gate.open.set()
        assert whole_review(here, tables[0], me)
        assert len(whole_review(here, tables[1], crowd[0])) >= 1


def test_a_review_that_nobody_waits_for_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    with running_server(tmp_path) as here, gate.shut():
        table, me = given_up(here)
        assert asked(here, table, me).json()["done"] == 0
        assert gate.entered.wait(20)
        monkeypatch.setattr(reviews, "FORGET_SECONDS", 0.0)
        gate.open.set()
        while not ended(here, "dropped"):
            pass
        monkeypatch.undo()
        assert whole_review(here, table, me)
        assert (ended(here, "dropped"), ended(here, "done")) == (1, 1)


def test_a_review_that_fails_says_so_and_may_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server(tmp_path) as here:
        table, me = given_up(here)
        monkeypatch.setattr(reviews, "_open_review", lambda record: 1 / 0)
        answer = asked(here, table, me)
        while answer.status_code == 200:
            answer = asked(here, table, me)
        assert (answer.status_code, answer.json()["key"]) == (503, "review_failed")
        monkeypatch.undo()
        assert isinstance(whole_review(here, table, me)[-1].review, Review)


def test_strangers_without_a_name_are_told_apart_by_address(tmp_path: Path) -> None:
    async def work() -> None:
        storage = Storage(f"sqlite:///{tmp_path}/names.db")
        await storage.open()
        thinkers = FairPool(storage.metrics, 1)
        gate = threading.Event()
        blocked = asyncio.create_task(thinkers.run_background(gate.wait))
        kept = reviews.Reviews(thinkers, storage, Settings(""))
        await kept.ask(("a", 1), RECORD, ClientQuota("1", ""))
        await kept.ask(("b", 1), RECORD, ClientQuota("2", ""))
        for whose in (ClientQuota("1", ""), ClientQuota("2", "")):
            with pytest.raises(TableRefused, match="one review"):
                await kept.ask(("c", 1), RECORD, whose)
        await kept.ask(("c", 1), RECORD, ClientQuota("1", "anne"))
        with pytest.raises(TableRefused, match="one review"):
            await kept.ask(("d", 1), RECORD, ClientQuota("3", "anne"))
        gate.set()
        await blocked
        await kept.close()
        thinkers.close()
        await storage.close()

    asyncio.run(work())


def test_pieces_of_reviews_begin_when_nobody_else_waits_and_never_take_the_bots_threads() -> None:
    thinkers, done = FairPool(Metrics(), 1), list[str]()
    gates = [threading.Event(), threading.Event()]

    async def work() -> None:
        piece = asyncio.create_task(thinkers.run_background(gates[0].wait))
        await asyncio.sleep(0)
        # A piece is being worked on, and a bot has its thread all the same.
        assert await thinkers.run(ClientQuota("1", "a"), lambda share: share) == 1.0
        bot = asyncio.create_task(thinkers.run(ClientQuota("1", "a"), lambda _: gates[1].wait()))
        await asyncio.sleep(0)
        waiting = [
            asyncio.create_task(thinkers.run_background(lambda: done.append("piece"))),
            asyncio.create_task(thinkers.run(ClientQuota("1", "b"), lambda _: done.append("bot"))),
        ]
        await asyncio.sleep(0)
        gates[0].set()
        await piece
        # A thread for pieces is free now, but somebody's bot still waits.
        for _ in range(10):
            await asyncio.sleep(0)
        begun = list(done)
        gates[1].set()
        await asyncio.gather(bot, *waiting)
        assert begun == []
        assert sorted(done) == ["bot", "piece"]
        thinkers.close()

    try:
        asyncio.run(asyncio.wait_for(work(), 60))
    finally:
        for gate in gates:
            gate.set()
