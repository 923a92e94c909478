"""A node: its components, their start and stop, and its background tasks."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager

from litestar import Litestar

from sixfold.server import process_tuning as process
from sixfold.server import protocol
from sixfold.server.bot_runner import BotRunner, warm_bots, warm_up
from sixfold.server.connections import ConnectionGuard
from sixfold.server.expiry import expire_forever, follow_revocations
from sixfold.server.fair_pool import FairPool
from sixfold.server.fanout import CHANNEL, News, channels_for, listen
from sixfold.server.identity import Signer
from sixfold.server.metrics import Metrics
from sixfold.server.reviews import Reviews
from sixfold.server.settings import Settings
from sixfold.server.storage import DATABASE_ERRORS, Storage
from sixfold.server.supervision import Supervisor
from sixfold.server.tables import Hub, now

OPEN_TRIES, OPEN_AGAIN_SECONDS = 30, 2.0
log = logging.getLogger("sixfold")


class Node:
    """One server process with its tables, database, bots and notifications."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.name = secrets.token_hex(4)
        metrics = Metrics()
        self.storage = Storage(settings.database, metrics)
        self.hub = Hub(self.storage, settings, metrics)
        self.pool = FairPool(metrics)
        self.reviews = Reviews(self.pool, self.storage, settings)
        self.bot_runner = BotRunner(self.hub, self.pool)
        self.channels = channels_for(settings.redis)
        self.guard = ConnectionGuard(settings, metrics)
        self.supervisor = Supervisor(metrics)
        self.hub.down = lambda: self.supervisor.down + self.storage.supervisor.down

    @asynccontextmanager
    async def running(self, app: Litestar) -> AsyncGenerator[None, None]:
        await self._open()
        log.info("the rules are warming up", extra={"node": self.name})
        await asyncio.to_thread(warm_up)
        app.state.signer = signer = Signer(await self.storage.shared_secret())
        signer.revoked = await self.storage.revoked(now())
        await self.hub.heartbeat.beat()
        if self.settings.redis is not None:
            # Only Redis reaches another node.
            self.hub.publish_version = self._publish
            self.hub.publish_guests = self._announce
        for name, work in self._background_tasks(signer):
            self.supervisor.watch(name, work)
        log.info("ready", extra={"node": self.name, "bots": self.settings.bots, "deputy": self.settings.deputy})
        try:
            yield
        finally:
            self.hub.publish_version = lambda table, version: None
            self.hub.publish_guests = lambda table, guests: None
            self.hub.close_all()
            await self.supervisor.close()
            await self.bot_runner.close()
            await self.reviews.close()
            self.pool.close()
            await self.storage.close()
            log.info("stopped", extra={"node": self.name})

    async def _open(self) -> None:
        """Open the database, with retries for one that is still starting or busy."""
        for tries in range(1, OPEN_TRIES):
            try:
                await self.storage.open()
            except DATABASE_ERRORS as error:
                log.warning("the database does not answer yet", extra={"error": type(error).__name__, "tries": tries})
                await asyncio.sleep(OPEN_AGAIN_SECONDS)
            else:
                return
        await self.storage.open()

    def _publish(self, table: str, version: int) -> None:
        self.channels.publish(protocol.encode(News(table, version, self.name)), CHANNEL)

    def _announce(self, table: str, guests: list[str]) -> None:
        self.channels.publish(protocol.encode(News(table, 0, self.name, guests)), CHANNEL)

    def _background_tasks(self, signer: Signer) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
        """The background tasks, by name."""
        yield "heart", self.hub.heartbeat.beat_forever
        yield "presence", self.hub.announce_forever
        yield "waking", self.bot_runner.wake_forever
        yield "following", self.bot_runner.follow_forever
        yield "listening", lambda: listen(self.channels, self.hub, self.name)
        yield "lag", lambda: process.watch_lag(self.hub.metrics)
        yield "door", self.guard.watch_forever
        yield "limits", self.hub.limits.forget_forever
        yield "revocations", lambda: follow_revocations(self.hub, signer)
        yield "expiry", lambda: expire_forever(self.hub)
        if self.settings.own_process:
            self.guard.limit = process.connections_possible(self.settings.sockets)
            process.shorten_switch_interval()
            process.freeze_startup_objects()
            yield "tidying", lambda: process.collect_forever(self.hub)
        if self.settings.own_process and self.settings.bots:
            yield "warming", lambda: warm_bots(self.hub)

    def provide_hub(self) -> Hub:
        return self.hub

    def provide_pool(self) -> FairPool:
        return self.pool

    def provide_reviews(self) -> Reviews:
        return self.reviews
