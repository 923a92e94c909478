"""Waiting for a state, never for a duration. The limits only end a test that would hang."""

import asyncio
import time
from collections.abc import Callable

LIMIT_SECONDS = 180
POLL_SECONDS = 0.01


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        while not holds():
            await asyncio.sleep(POLL_SECONDS)


def wait_until(holds: Callable[[], bool], describe: Callable[[], str] = lambda: "this never held") -> None:
    """Block until something holds; ``describe`` says what was seen when it does not."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while not holds():
        assert time.monotonic() < deadline, describe()
        time.sleep(POLL_SECONDS)
