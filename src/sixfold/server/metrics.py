"""What can be measured of a node, in Prometheus' text format."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """One registry a node."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.tables = Gauge("sixfold_tables", "tables in memory", registry=self.registry)
        self.tables_made = Counter("sixfold_tables_made", "tables made here", ["game"], registry=self.registry)
        self.sockets = Gauge("sixfold_sockets", "open sockets", registry=self.registry)
        self.actions = Counter("sixfold_actions", "actions acknowledged", ["do"], registry=self.registry)
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
        self.acting = self._histogram("acting", "from an action's arrival to its acknowledgement")
        self.deciding = self._histogram("deciding", "from an action to the event that it becomes")
        self.storing = self._histogram("storing", "waiting for the database to keep an event")
        self.telling = self._histogram("telling", "making and handing over everybody's views after an event")
        self.opening = self._histogram("opening", "rebuilding a table from its events")
        self.lag = self._histogram("lag", "how much later than wanted this node came to do something")

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(f"sixfold_{name}_seconds", what, buckets=_SECONDS, registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)
