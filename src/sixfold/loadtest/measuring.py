"""Where the time goes: what a server says of itself, and how late the players themselves are."""

import asyncio
import time
from dataclasses import dataclass, field

import httpx
from prometheus_client.parser import text_string_to_metric_families

STAGES = ("acting", "deciding", "storing", "telling", "lag")
LOOK_SECONDS = 0.02


@dataclass
class Timing:
    """How often something was done, and how long it took."""

    times: float = 0
    seconds: float = 0
    within: dict[float, float] = field(default_factory=dict)  # how often it took at most so many seconds

    def since(self, before: "Timing") -> "Timing":
        within = {limit: times - before.within.get(limit, 0) for limit, times in self.within.items()}
        return Timing(self.times - before.times, self.seconds - before.seconds, within)

    @property
    def mean(self) -> float:
        return self.seconds / self.times if self.times else 0.0

    def limit(self, share: float) -> float:
        """A limit that this share of all times kept."""
        kept = [limit for limit, times in sorted(self.within.items()) if times >= share * self.times]
        return kept[0] if kept else float("inf")


@dataclass
class Measured:
    """A server's processor time, and its timings by name."""

    processor: float = 0
    timings: dict[str, Timing] = field(default_factory=dict)

    def since(self, before: "Measured") -> "Measured":
        timings = {name: timing.since(before.timings.get(name, Timing())) for name, timing in self.timings.items()}
        return Measured(self.processor - before.processor, timings)


async def measured(url: str) -> Measured:
    """What a server has measured since it started."""
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{url}/metrics")).text
    found = Measured(timings={stage: Timing() for stage in STAGES})
    for family in text_string_to_metric_families(text):
        stage = family.name.removeprefix("sixfold_").removesuffix("_seconds")
        for sample in family.samples:
            if sample.name == "process_cpu_seconds_total":
                found.processor = sample.value
            elif stage in found.timings:
                _note(found.timings[stage], sample.name.rpartition("_")[2], sample.labels, sample.value)
    return found


def _note(timing: Timing, what: str, labels: dict[str, str], value: float) -> None:
    if what == "sum":
        timing.seconds = value
    elif what == "count":
        timing.times = value
    elif what == "bucket":
        timing.within[float(labels["le"])] = value


async def lateness(late: list[float]) -> None:
    """Note how much later than wanted the players come to do something: that much of a latency is their own."""
    while True:
        wanted = time.perf_counter() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        late.append(max(0.0, time.perf_counter() - wanted))
