"""A node while it runs: what it has, and what it does beside answering."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar

from sixfold.server import messages
from sixfold.server import pauses as process
from sixfold.server.fanout import CHANNEL, News, channels_for, listen
from sixfold.server.identity import Signer
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage
from sixfold.server.tables import Hub
from sixfold.server.workers import Workers, warm_bots, warm_up

log = logging.getLogger("sixfold")


class Node:
    """Its tables, its database, its bots and its news."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.name = secrets.token_hex(4)
        self.storage = Storage(settings.database)
        self.hub = Hub(self.storage, settings, Metrics())
        self.workers = Workers(self.hub)
        self.channels = channels_for(settings.redis)

    @asynccontextmanager
    async def running(self, app: Litestar) -> AsyncGenerator[None, None]:
        await self.storage.open()
        log.info("the rules are warming up", extra={"node": self.name})
        await asyncio.to_thread(warm_up)
        app.state.signer = Signer(await self.storage.shared_secret())
        await self.hub.heartbeat.beat()
        self.hub.published = self._publish
        self.hub.announced = self._announce
        tasks = [asyncio.create_task(work) for work in self._work()]
        log.info("ready", extra={"node": self.name, "bots": self.settings.bots, "deputy": self.settings.deputy})
        try:
            yield
        finally:
            self.hub.published = lambda table, version: None
            self.hub.announced = lambda table, guests: None
            self.hub.close_all()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.workers.close()
            await self.storage.close()
            log.info("stopped", extra={"node": self.name})

    def _publish(self, table: str, version: int) -> None:
        self.channels.publish(messages.encode(News(table, version, self.name)), CHANNEL)

    def _announce(self, table: str, guests: list[str]) -> None:
        self.channels.publish(messages.encode(News(table, 0, self.name, guests)), CHANNEL)

    def _work(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What goes on beside the answering of requests."""
        yield self.hub.heartbeat.beat_forever()
        yield self.hub.announce_forever()
        yield self.workers.wake_forever()
        yield self.workers.follow_forever()
        yield listen(self.channels, self.hub, self.name)
        yield process.watch_lag(self.hub.metrics)
        if self.settings.own_process:
            process.take_turns_often()
            process.settle()
            yield process.tidy_forever(self.hub)
        if self.settings.own_process and self.settings.bots:
            yield warm_bots(self.hub)

    def the_hub(self) -> Hub:
        return self.hub
