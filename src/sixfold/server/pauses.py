"""What a process needs that serves many people at once: no long pause that everybody would feel."""

import asyncio
import gc
import logging
import sys
import time

try:
    import resource
except ImportError:  # where there is no such limit
    resource = None  # type: ignore[assignment]

from sixfold.server.metrics import Metrics
from sixfold.server.tables import Hub

# Objects made before the collector looks at the young ones, so few that it is done within two milliseconds. What it
# finds is nearly nothing, so the older ones are left to `tidy_forever`.
YOUNG, NEVER = 5_000, 1_000_000
LOOK_SECONDS = 1.0
QUIET_SECONDS = 2.0
LONGEST_SECONDS = 900.0
LAG_SECONDS = 0.05
# Beside connections a node has the database, Redis and its own program open.
FILES, OTHER_FILES = 65_536, 200
log = logging.getLogger("sixfold")


def take_turns_often() -> None:
    """The thread that stores events gives up the interpreter with every statement and waits to get it back; with
    Python's usual five milliseconds an event would wait for that longer than for the disk."""
    sys.setswitchinterval(0.0005)


def connections_possible(wanted: int) -> int | None:
    """Raise this process' limit of open files as far as it may be; returns how many connections that leaves."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        except (ValueError, OSError) as error:
            log.warning("the limit of open files could not be raised", extra={"limit": soft, "error": str(error)})
    possible = FILES if soft == resource.RLIM_INFINITY else max(1, soft - OTHER_FILES)
    if possible < wanted:
        told = {"limit": soft, "connections": possible, "wanted": wanted}
        log.warning("this process may open too few files for all sockets; raise `ulimit -Hn`", extra=told)
    return possible


def settle() -> None:
    """Everything that is here when a node starts stays here: the collector need not look at it again.

    A full collection looks at every object of every table and socket, for half a second with a thousand tables, and
    by itself Python makes one whenever there are a quarter more of them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


async def tidy_forever(hub: Hub) -> None:
    """A full collection when nobody plays just now, or after a long time without such a moment.

    What is not in use is mostly gone without it: only what a closed connection leaves behind needs the collector.
    """
    last = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        at = time.monotonic()
        quiet = at - hub.acted_at > QUIET_SECONDS and any(gc.get_count()[1:])
        if quiet or at - last > LONGEST_SECONDS:
            gc.collect()
            last = time.monotonic()
            # Compiling leaves much behind, and to tidy that up is no news.
            if last - at > LAG_SECONDS and not hub.bots_warming:
                log.info("tidied up", extra={"seconds": round(last - at, 3), "quiet": quiet})


async def watch_lag(metrics: Metrics) -> None:
    """How much later than it wanted this node comes to do something: whatever holds it up shows here."""
    while True:
        wanted = time.perf_counter() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        metrics.lag.observe(max(0.0, time.perf_counter() - wanted))
