"""Reviews of finished rounds: worked out an event at a time behind the bots' moves, few at once, and remembered."""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from sixfold.review.estimating import Estimator
from sixfold.review.reviewing import Reviewing
from sixfold.review.shapes import Review, Step
from sixfold.review.solution import values_of
from sixfold.server.settings import Settings
from sixfold.server.shapes import ReviewShown
from sixfold.server.storage import Storage, StorageDown
from sixfold.server.thinking import Thinkers, Whose
from sixfold.table import TableRefused

# A guest has one at a time; these are for one address, and in all.
OF_AN_ADDRESS, IN_ALL = 4, 16
# A review that nobody has asked for in this time is not gone on with.
FORGET_SECONDS = 20.0
Key = tuple[str, int]
log = logging.getLogger("sixfold")


class Running:
    """A review on its way."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.asked: dict[Whose, float] = {}  # who wants it, and when they last said so
        self.total = len(record["events"])
        self.results: list[tuple[Step, list[float]]] = []
        self.whole: Review | None = None
        self.task: asyncio.Task[None] | None = None

    @property
    def going(self) -> bool:
        return self.task is not None and not self.task.done()

    def wanted_by(self, at: float) -> list[Whose]:
        return [whose for whose, when in self.asked.items() if at - when < FORGET_SECONDS]

    def shown(self) -> ReviewShown:
        steps, chances = [step for step, _ in self.results], [chances for _, chances in self.results]
        return ReviewShown(len(self.results), self.total, steps, chances, self.whole)


class Reviews:
    """The reviews of a node. Those that are done are in the database, with the round; those on their way in memory."""

    def __init__(self, thinkers: Thinkers, storage: Storage, settings: Settings) -> None:
        self._thinkers, self._storage, self._metrics = thinkers, storage, storage.metrics
        self._of_address = settings.connections_of_one is not None
        self._running: dict[Key, Running] = {}

    async def ask(self, key: Key, record: Mapping[str, Any], whose: Whose) -> ReviewShown:
        """A round's review as far as it has come; who asks first has it begun."""
        self._forget()
        running = self._running.get(key)
        if running is None:
            kept = await self._remembered(key)
            if kept is not None:
                return kept
            # Somebody else may have asked for it meanwhile.
            running = self._running.get(key) or self._begin(key, record, whose)
        running.asked[whose] = time.monotonic()
        if not running.going and running.whole is None:
            # It went wrong, as the log says. Who asks again has it tried again.
            del self._running[key]
            raise TableRefused("review_failed")
        return running.shown()

    async def _remembered(self, key: Key) -> ReviewShown | None:
        body = await self._storage.review(*key)
        if body is None:
            return None
        try:
            whole = msgspec.json.decode(body, type=Review)
        except msgspec.MsgspecError:
            # It was made by another version of this program.
            return None
        self._metrics.reviews.labels("remembered").inc()
        return ReviewShown(len(whole.steps), len(whole.steps), whole.steps, whole.curve, whole)

    def _begin(self, key: Key, record: Mapping[str, Any], whose: Whose) -> Running:
        refused = self._why_not(whose)
        if refused is not None:
            self._metrics.reviews.labels("refused").inc()
            raise TableRefused(refused)
        running = self._running[key] = Running(record)
        running.asked[whose] = time.monotonic()
        running.task = asyncio.create_task(self._work(key, running))
        return running

    def _why_not(self, whose: Whose) -> str | None:
        """Is there room for another one?"""
        at = time.monotonic()
        going = [running for running in self._running.values() if running.going]
        asking = [one for running in going for one in running.wanted_by(at)]
        if any(one == whose or (whose.guest and one.guest == whose.guest) for one in asking):
            return "review_one"
        crowd = self._of_address and sum(one.address == whose.address for one in asking) >= OF_AN_ADDRESS
        return "reviews_full" if crowd or len(going) >= IN_ALL else None

    async def _work(self, key: Key, running: Running) -> None:
        """Between two events others have their turn, and it is seen whether anybody still waits for it."""
        self._metrics.reviews_running.inc()
        ended = "failed"
        try:
            pieces, by, begin = await self._thinkers.run_behind(partial(_opened, running.record))
            for task in pieces.tasks:
                if not running.wanted_by(time.monotonic()):
                    ended = "dropped"
                    del self._running[key]
                    return
                running.results.append(await self._thinkers.run_behind(partial(pieces.judge, by, task.number)))
            whole = pieces.review(by, begin, running.results)
            # A database that is away says so itself; then the review is good as long as somebody looks at it.
            with suppress(StorageDown):
                await self._storage.keep_review(*key, msgspec.json.encode(whole))
            running.whole, ended = whole, "done"
        except Exception:
            log.exception("a review failed", extra={"table": key[0], "round": key[1]})
        finally:
            self._metrics.reviews_running.dec()
            self._metrics.reviews.labels(ended).inc()

    def _forget(self) -> None:
        at = time.monotonic()
        for key, running in list(self._running.items()):
            if not running.going and not running.wanted_by(at):
                del self._running[key]

    async def close(self) -> None:
        tasks = [running.task for running in self._running.values() if running.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _opened(record: Mapping[str, Any]) -> tuple[Reviewing, Estimator, list[float]]:
    """The same values, iterations and seed as `sixfold review` has."""
    pieces = Reviewing(dict(record), values=values_of(record))
    by = pieces.estimator()
    return pieces, by, pieces.begin(by)
