"""Runs bots and clocks, and follows tables that other nodes change."""

import asyncio
import logging
import secrets
import threading
import time
from contextlib import suppress

from sixfold.bots import Budget, levels
from sixfold.bots.turn import decide_turn
from sixfold.engine.chance import Seeded
from sixfold.engine.game import GAMES
from sixfold.server.fair_pool import ClientQuota, FairPool
from sixfold.server.protocol import Action
from sixfold.server.storage import StorageDown
from sixfold.server.table_session import TableSession
from sixfold.server.tables import REFUSALS, Hub, now
from sixfold.table import Actor, Seat, Setup, Table, decide, table_view
from sixfold.table import make as make_table

WAKE_AT_ONCE = 50
log = logging.getLogger("sixfold")


def warm_up(*names: str) -> None:
    """Compile the rules of all or the named games, or load them from the cache, before a player has to wait."""
    for name in names or GAMES:
        players = GAMES[name].PLAYERS[0]
        seats = [Seat("person", "a", "a") for _ in range(players)]
        setup = Setup(name, players)
        table = Table([make_table(setup, seats, b"warm", 0, "a")])
        for action in ({"do": "start"}, {"do": "move"}):
            if table.turn is not None:
                action["move"] = table_view(table, table.turn)["legal"][0]
            for step in decide(table, Actor("a"), action, 0, b"warm"):
                table.apply(step.event, step.game)
        table_view(table, None)


async def warm_bots(hub: Hub) -> None:
    """Compile the bots in the background, or load them from the cache; the first time takes about a minute."""
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        try:
            levels.warm_up()
        except Exception:
            log.exception("the bots could not be warmed up")
        with suppress(RuntimeError):
            # The node and its loop may have stopped meanwhile.
            loop.call_soon_threadsafe(done.set)

    started = time.perf_counter()
    hub.bots_warming = True
    log.info("the bots are warming up")
    # A daemon thread, so that a node can stop while it is compiling.
    threading.Thread(target=work, name="warming", daemon=True).start()
    await done.wait()
    hub.bots_warming = False
    log.info("the bots are warm", extra={"seconds": round(time.perf_counter() - started, 1)})


class BotRunner:
    """Plays the bots of this node and wakes tables when something is due."""

    def __init__(self, hub: Hub, pool: FairPool) -> None:
        self.hub = hub
        self.pool = pool
        self.tasks: dict[str, asyncio.Task[None]] = {}
        if hub.settings.bots:
            hub.bot_due = self.bot_due

    def bot_due(self, session: TableSession) -> None:
        if session.id not in self.tasks:
            self.tasks[session.id] = asyncio.create_task(self._play_until_person(session))

    async def _play_until_person(self, session: TableSession) -> None:
        """Play bots' moves until a person is in turn. After a failure the turn is retried when its lease is over."""
        try:
            while (to_move := session.table.bot_to_move()) is not None:
                await self._play_move(session, *to_move)
        except REFUSALS as error:
            log.info("a bot's move was refused", extra={"table": session.id, "error": str(error)})
        except Exception:
            log.exception("a bot failed", extra={"table": session.id})
        finally:
            # Right after the last check of the table, so that no turn is missed.
            self.tasks.pop(session.id, None)

    async def _play_move(self, session: TableSession, seat: int, level: str) -> None:
        game, version = session.table.game, session.table.version
        assert game is not None
        view, chance = game.view(game.turn), Seeded(secrets.randbits(63))
        quota = session.quota or ClientQuota("", session.maker)
        usual = self.hub.settings.think_ms
        move, then = await self.pool.run(quota, lambda share: decide_turn(level, view, Budget(usual * share), chance))
        await self.hub.act(session.id, Actor(bot_seat=seat), Action("move", version=version, move=move, then=then))
        self.hub.metrics.bot_moves.labels(level).inc()

    async def wake_forever(self) -> None:
        """Handle clocks, takeovers, and bots' turns that a node did not finish."""
        while True:
            await asyncio.sleep(self.hub.settings.wake_ms / 1000)
            try:
                await self.wake_once()
            except StorageDown:
                # The storage logs what is wrong; the tables stay due.
                continue

    async def wake_once(self) -> None:
        hub, at = self.hub, now()
        for table, when in await hub.storage.to_wake(at, WAKE_AT_ONCE, clocks=True, bots=hub.settings.bots):
            until = at + hub.settings.lease_ms
            if await hub.storage.claim(table, when, until):
                try:
                    # If nothing happened after all, schedule the table for when something is due.
                    await hub.storage.claim(table, until, await hub.wake(table))
                except REFUSALS as error:
                    # A failing table must not delay the others.
                    log.warning("a table could not be woken", extra={"table": table, "error": str(error)})

    async def follow_forever(self) -> None:
        """Poll the versions of watched tables, in case notifications are off or were lost."""
        while True:
            await asyncio.sleep(self.hub.settings.poll_ms / 1000)
            self.hub.forget_idle()
            self.hub.metrics.tables.set(len(self.hub.tables))
            watched = [table for table, session in self.hub.tables.items() if session.clients]
            with suppress(StorageDown):
                versions = await self.hub.storage.versions(watched)
                for table in watched:
                    if table in versions:
                        await self.hub.catch_up(table, versions[table])
                    else:
                        self.hub.drop(table)

    async def close(self) -> None:
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
