"""Reviews of finished rounds: computed in the background event by event, a few at a time, and stored."""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from sixfold.review.evaluator import Evaluator
from sixfold.review.model import Review, Step
from sixfold.review.report import ReviewBuilder
from sixfold.review.solution import values_of
from sixfold.server.fair_pool import ClientQuota, FairPool
from sixfold.server.responses import ReviewShown
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage, StorageDown
from sixfold.table import TableRefused

# Limits of concurrent reviews by address and in all; a guest may have one.
OF_AN_ADDRESS, IN_ALL = 4, 16
# A review that no client has polled for this long is abandoned.
FORGET_SECONDS = 20.0
Key = tuple[str, int]
log = logging.getLogger("sixfold")


class Running:
    """A review in progress."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.requested_at: dict[ClientQuota, float] = {}  # when each client last asked for it
        self.total = len(record["events"])
        self.results: list[tuple[Step, list[float]]] = []
        self.whole: Review | None = None
        self.task: asyncio.Task[None] | None = None

    @property
    def in_progress(self) -> bool:
        return self.task is not None and not self.task.done()

    def active_clients(self, at: float) -> list[ClientQuota]:
        return [client for client, when in self.requested_at.items() if at - when < FORGET_SECONDS]

    def progress(self) -> ReviewShown:
        steps, chances = [step for step, _ in self.results], [chances for _, chances in self.results]
        return ReviewShown(len(self.results), self.total, steps, chances, self.whole)


class Reviews:
    """The reviews of a node: finished ones are in the database, those in progress in memory."""

    def __init__(self, pool: FairPool, storage: Storage, settings: Settings) -> None:
        self._pool, self._storage, self._metrics = pool, storage, storage.metrics
        self._of_address = settings.connections_of_one is not None
        self._running: dict[Key, Running] = {}

    async def ask(self, key: Key, record: Mapping[str, Any], quota: ClientQuota) -> ReviewShown:
        """The review of a round as far as it has come; the first request starts it."""
        self._forget_abandoned()
        running = self._running.get(key)
        if running is None:
            stored = await self._load_stored(key)
            if stored is not None:
                return stored
            # Another client may have asked for it meanwhile.
            running = self._running.get(key) or self._begin(key, record, quota)
        running.requested_at[quota] = time.monotonic()
        if not running.in_progress and running.whole is None:
            # It failed, and the log says why. Another request tries again.
            del self._running[key]
            raise TableRefused("review_failed")
        return running.progress()

    async def _load_stored(self, key: Key) -> ReviewShown | None:
        body = await self._storage.review(*key)
        if body is None:
            return None
        try:
            whole = msgspec.json.decode(body, type=Review)
        except msgspec.MsgspecError:
            # It was stored by another version of this program.
            return None
        self._metrics.reviews.labels("remembered").inc()
        return ReviewShown(len(whole.steps), len(whole.steps), whole.steps, whole.curve, whole)

    def _begin(self, key: Key, record: Mapping[str, Any], quota: ClientQuota) -> Running:
        refused = self._refusal_key(quota)
        if refused is not None:
            self._metrics.reviews.labels("refused").inc()
            raise TableRefused(refused)
        running = self._running[key] = Running(record)
        running.requested_at[quota] = time.monotonic()
        running.task = asyncio.create_task(self._work(key, running))
        return running

    def _refusal_key(self, quota: ClientQuota) -> str | None:
        """Why another review cannot be started, as a translation key; None if it can."""
        at = time.monotonic()
        active = [running for running in self._running.values() if running.in_progress]
        clients = [client for running in active for client in running.active_clients(at)]
        if any(client == quota or (quota.guest and client.guest == quota.guest) for client in clients):
            return "review_one"
        crowd = self._of_address and sum(client.address == quota.address for client in clients) >= OF_AN_ADDRESS
        return "reviews_full" if crowd or len(active) >= IN_ALL else None

    async def _work(self, key: Key, running: Running) -> None:
        """Compute a review, yielding to other work after each event, and stop if no client still waits for it."""
        self._metrics.reviews_running.inc()
        ended = "failed"
        try:
            pieces, by, begin = await self._pool.run_background(partial(_open_review, running.record))
            for task in pieces.tasks:
                if not running.active_clients(time.monotonic()):
                    ended = "dropped"
                    del self._running[key]
                    return
                running.results.append(await self._pool.run_background(partial(pieces.evaluate, by, task.number)))
            whole = pieces.review(by, begin, running.results)
            # The storage logs its own failures; the review then stays in memory while clients ask for it.
            with suppress(StorageDown):
                await self._storage.keep_review(*key, msgspec.json.encode(whole))
            running.whole, ended = whole, "done"
        except Exception:
            log.exception("a review failed", extra={"table": key[0], "round": key[1]})
        finally:
            self._metrics.reviews_running.dec()
            self._metrics.reviews.labels(ended).inc()

    def _forget_abandoned(self) -> None:
        at = time.monotonic()
        for key, running in list(self._running.items()):
            if not running.in_progress and not running.active_clients(at):
                del self._running[key]

    async def close(self) -> None:
        tasks = [running.task for running in self._running.values() if running.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _open_review(record: Mapping[str, Any]) -> tuple[ReviewBuilder, Evaluator, list[float]]:
    """Prepare a review with the same values, iterations and seed as `sixfold review`."""
    pieces = ReviewBuilder(dict(record), values=values_of(record))
    by = pieces.evaluator()
    return pieces, by, pieces.initial_chances(by)
