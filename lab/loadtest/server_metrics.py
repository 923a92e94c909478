"""Latency metrics: those the server exports, and the scheduling delay of the players themselves."""

import asyncio
import time
from dataclasses import dataclass, field

import httpx
from prometheus_client.parser import text_string_to_metric_families

STAGES = ("acting", "deciding", "storing", "telling", "lag")
SAMPLE_SECONDS = 0.02


@dataclass
class Timing:
    """A histogram: how often something was done, and how long it took."""

    times: float = 0
    seconds: float = 0
    within: dict[float, float] = field(default_factory=dict)  # cumulative counts by upper bound in seconds

    def since(self, before: "Timing") -> "Timing":
        within = {limit: times - before.within.get(limit, 0) for limit, times in self.within.items()}
        return Timing(self.times - before.times, self.seconds - before.seconds, within)

    @property
    def mean(self) -> float:
        return self.seconds / self.times if self.times else 0.0

    def limit(self, share: float) -> float:
        """The lowest bucket bound that covers this share of all times."""
        limits = [limit for limit, times in sorted(self.within.items()) if times >= share * self.times]
        return limits[0] if limits else float("inf")


@dataclass
class ServerMetrics:
    """A server's processor time, and its timings by name."""

    processor: float = 0
    timings: dict[str, Timing] = field(default_factory=dict)

    def since(self, before: "ServerMetrics") -> "ServerMetrics":
        timings = {name: timing.since(before.timings.get(name, Timing())) for name, timing in self.timings.items()}
        return ServerMetrics(self.processor - before.processor, timings)


async def fetch_metrics(url: str) -> ServerMetrics:
    """Fetch what a server has measured since it started."""
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{url}/metrics")).text
    metrics = ServerMetrics(timings={stage: Timing() for stage in STAGES})
    for family in text_string_to_metric_families(text):
        stage = family.name.removeprefix("sixfold_").removesuffix("_seconds")
        for sample in family.samples:
            if sample.name == "process_cpu_seconds_total":
                metrics.processor = sample.value
            elif stage in metrics.timings:
                _store_sample(metrics.timings[stage], sample.name.rpartition("_")[2], sample.labels, sample.value)
    return metrics


def _store_sample(timing: Timing, suffix: str, labels: dict[str, str], value: float) -> None:
    if suffix == "sum":
        timing.seconds = value
    elif suffix == "count":
        timing.times = value
    elif suffix == "bucket":
        timing.within[float(labels["le"])] = value


async def record_delays(late: list[float]) -> None:
    """Record the scheduling delay of this process: that part of a latency is the players' own."""
    while True:
        due = time.perf_counter() + SAMPLE_SECONDS
        await asyncio.sleep(SAMPLE_SECONDS)
        late.append(max(0.0, time.perf_counter() - due))
