"""Notifications between nodes about new versions of tables, through Redis; polling the database is the fallback."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from typing import Any

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.channels.backends.redis import RedisChannelsPubSubBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

from sixfold.server.storage import StorageDown
from sixfold.server.tables import Hub

CHANNEL = "sixfold_news"
log = logging.getLogger("sixfold")


class News(msgspec.Struct):
    """A table has reached a version, or, with ``guests``, these guests are watching it through a node."""

    table: str
    version: int
    node: str
    guests: list[str] | None = None


class ResilientRedis(RedisChannelsPubSubBackend):
    """Survives outages of Redis: lost notifications are made up for by polling the database, and no exception ends the
    framework's publishing and listening tasks."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis=redis, key_prefix="SIXFOLD")
        self.up = True

    async def subscribe(self, channels: Iterable[str]) -> None:
        names = list(channels)
        try:
            await super().subscribe(names)
        except Exception as error:
            self._report_outage(error)
            # The client remembers channels only after it has subscribed once, so keep trying.
            self._retry = asyncio.create_task(self._subscribe_later(names))

    async def _subscribe_later(self, channels: list[str]) -> None:
        await asyncio.sleep(1)
        await self.subscribe(channels)

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        try:
            await super().publish(data, channels)
        except Exception as error:
            self._report_outage(error)

    async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
        while True:
            try:
                async for channel, data in super().stream_events():
                    self.up = True
                    yield channel, data
            except Exception as error:
                self._report_outage(error)
                # The client reconnects and resubscribes with its next request.
                await asyncio.sleep(0.5)

    def _report_outage(self, error: Exception) -> None:
        if self.up:
            expected = isinstance(error, RedisError | OSError)
            log.warning("redis is away", extra={"error": type(error).__name__}, exc_info=None if expected else error)
        self.up = False


def channels_for(redis: str | None) -> ChannelsPlugin:
    if redis is None:
        return ChannelsPlugin(backend=MemoryChannelsBackend(), channels=[CHANNEL])
    backend = ResilientRedis(Redis.from_url(redis, socket_connect_timeout=1, socket_timeout=5))
    return ChannelsPlugin(backend=backend, channels=[CHANNEL])


async def listen(channels: ChannelsPlugin, hub: Hub, node: str) -> None:
    """Follow the notifications of other nodes while this one runs."""
    async with channels.start_subscription(CHANNEL) as subscriber:
        async for data in subscriber.iter_events():
            try:
                news = msgspec.json.decode(data, type=News)
                if news.node == node:
                    continue
                if news.guests is not None:
                    hub.hear_presence(news.table, news.node, news.guests)
                else:
                    await hub.catch_up(news.table, news.version)
            except StorageDown:
                # The storage logs it, and polling catches up later.
                continue
            except Exception:
                log.exception("news could not be followed")
