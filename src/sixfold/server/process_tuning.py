"""Tuning of a server process: garbage collection, thread switching, open files and event-loop lag."""

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

# Allocations between collections of the youngest generation, few enough that one takes under two milliseconds. It finds
# almost nothing, so older generations are left to `collect_forever`.
YOUNG, NEVER = 5_000, 1_000_000
LOOK_SECONDS = 1.0
QUIET_SECONDS = 2.0
LONGEST_SECONDS = 900.0
LAG_SECONDS = 0.05
# Besides connections, a node has files open for the database, Redis and its own program.
FILES, OTHER_FILES = 65_536, 200
log = logging.getLogger("sixfold")


def shorten_switch_interval() -> None:
    """Shorten the GIL switch interval: the storage thread releases the GIL with every statement, and with Python's
    default of five milliseconds an event would wait longer for the GIL than for the disk."""
    sys.setswitchinterval(0.0005)


def connections_possible(wanted: int) -> int | None:
    """Raise the limit of open files as far as allowed; returns how many connections fit, None on systems without it."""
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
        details = {"limit": soft, "connections": possible, "wanted": wanted}
        log.warning("this process may open too few files for all sockets; raise `ulimit -Hn`", extra=details)
    return possible


def freeze_startup_objects() -> None:
    """Exclude everything that exists at startup from garbage collection, and disable automatic full collections.

    A full collection traverses every object of every table and socket, which takes half a second with a thousand
    tables, and Python would start one whenever their number has grown by a quarter.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


async def collect_forever(hub: Hub) -> None:
    """Run a full collection when no one is playing, or after a long time without such a moment.

    Reference counting frees nearly everything; only closed connections leave cycles behind.
    """
    last = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        at = time.monotonic()
        quiet = at - hub.acted_at > QUIET_SECONDS and any(gc.get_count()[1:])
        if quiet or at - last > LONGEST_SECONDS:
            gc.collect()
            last = time.monotonic()
            # Compiling leaves much garbage, so a long collection then is expected.
            if last - at > LAG_SECONDS and not hub.bots_warming:
                log.info("tidied up", extra={"seconds": round(last - at, 3), "quiet": quiet})


async def watch_lag(metrics: Metrics) -> None:
    """Measure the lag of the event loop: how much later than planned a task resumes."""
    while True:
        planned = time.perf_counter() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        metrics.lag.observe(max(0.0, time.perf_counter() - planned))
