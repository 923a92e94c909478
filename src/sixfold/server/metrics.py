"""The metrics of a node, in Prometheus' text format."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Timing(Collector):
    """A histogram without locks, for the event loop only; the library's would cost too much on every event."""

    def __init__(self, name: str, what: str, registry: CollectorRegistry) -> None:
        self._name, self._what = name, what
        self._counts = [0] * (len(_SECONDS) + 1)
        self._seconds = 0.0
        registry.register(self)

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._seconds += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        limits = (*(str(float(limit)) for limit in _SECONDS), "+Inf")
        buckets = list(zip(limits, map(float, accumulate(self._counts)), strict=True))
        yield HistogramMetricFamily(self._name, self._what, buckets, self._seconds)


class Metrics:
    """All metrics of one node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.tables = Gauge("sixfold_tables", "tables in memory", registry=self.registry)
        self.tables_made = Counter("sixfold_tables_made", "tables made here", ["game"], registry=self.registry)
        self.sockets = Gauge("sixfold_sockets", "open sockets", registry=self.registry)
        self.actions = Counter("sixfold_actions", "actions acknowledged", ["do"], registry=self.registry)
        self._acted: dict[str, Counter] = {}
        self.refusals = Counter("sixfold_refusals", "actions refused", ["key"], registry=self.registry)
        self.conflicts = Counter("sixfold_conflicts", "versions that another node had first", registry=self.registry)
        self.cut_off = Counter("sixfold_cut_off", "sockets that read too slowly", registry=self.registry)
        self.connections = Gauge("sixfold_connections", "open connections", registry=self.registry)
        self.turned_away = Counter(
            "sixfold_turned_away", "connections ended by a limit or a deadline", ["why"], registry=self.registry
        )
        self.storage_up = Gauge("sixfold_storage_up", "can events be stored?", registry=self.registry)
        self.storage_up.set(1)
        self.storage_failures = Counter(
            "sixfold_storage_failures", "what the database could not do", ["what"], registry=self.registry
        )
        self.writes_waiting = Gauge("sixfold_writes_waiting", "events waiting to be stored", registry=self.registry)
        self.task_up = Gauge("sixfold_task_up", "does a lasting task run?", ["task"], registry=self.registry)
        self.task_failures = Counter(
            "sixfold_task_failures", "lasting tasks that failed", ["task"], registry=self.registry
        )
        self.thinking_waiting = Gauge(
            "sixfold_thinking_waiting", "bots, hints and replays in line", registry=self.registry
        )
        self.reviews_running = Gauge("sixfold_reviews_running", "reviews on their way", registry=self.registry)
        self.reviews = Counter("sixfold_reviews", "reviews by what came of them", ["ended"], registry=self.registry)
        self.tables_expired = Counter("sixfold_tables_expired", "tables whose time was over", registry=self.registry)
        self.bot_moves = Counter("sixfold_bot_moves", "moves of bots", ["level"], registry=self.registry)
        self.acting = self._timing("acting", "from an action's arrival to its acknowledgement")
        self.deciding = self._timing("deciding", "from an action to the event that it becomes")
        self.storing = self._timing("storing", "waiting for the database to keep an event")
        self.telling = self._timing("telling", "making and handing over everybody's views after an event")
        self.opening = self._timing("opening", "rebuilding a table from its events")
        self.lag = self._timing("lag", "how much later than wanted this node came to do something")

    def _timing(self, name: str, what: str) -> Timing:
        return Timing(f"sixfold_{name}_seconds", what, self.registry)

    def acted(self, do: str) -> None:
        """Count an action; the counters are cached, because the library's label lookup is slow."""
        counter = self._acted.get(do)
        if counter is None:
            counter = self._acted[do] = self.actions.labels(do)
        counter.inc()

    def text(self) -> bytes:
        return generate_latest(self.registry)
