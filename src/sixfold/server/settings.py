"""The settings of a node."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from sixfold.bots import registry
from sixfold.errors import SetupError
from sixfold.table import TableRefused

# The substitute bot that takes over a seat: the middle level, if levels are installed.
DEPUTIES = ("level3", "random")


def default_deputy() -> str:
    return next(name for name in DEPUTIES if name in registry())


@dataclass(frozen=True)
class Settings:
    """Addresses, and limits on everything that a client can send."""

    database: str
    redis: str | None = None
    bots: bool = True
    deputy: str = field(default_factory=default_deputy)
    think_ms: float = 500
    lease_ms: int = 10_000  # how long a bot's turn belongs to the node that claimed it
    poll_ms: int = 1000  # how often the database is polled for other nodes' events
    wake_ms: int = 250
    keep_ms: int = 300_000
    requests_a_minute: int = 300  # of one address; 0 for no limits by address at all
    connections: int = 200  # of one address at a time, sockets included
    messages_a_second: float = 20  # of one socket; 0 for no limit
    tables_an_hour: int = 60  # of one guest
    sockets_a_guest: int = 20
    sockets: int = 10_000
    most_events: int = 20_000
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()  # whose forwarding headers are trusted
    unplayed_days: int = 7  # how long a table that was never started is kept; 0 for ever
    finished_days: int = 365  # how long any other inactive table is kept; 0 for ever
    records: Path | None = None  # where the records of expired tables are written
    own_process: bool = False  # does the server have this process to itself? Then it tunes the process.

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise SetupError(f"a proxy is an address or a network such as 10.0.0.0/8, not {proxy!r}") from None

    @property
    def connections_of_one(self) -> int | None:
        return self.connections if self.requests_a_minute else None

    def is_proxy(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in ipaddress.ip_network(proxy) for proxy in self.proxies)


def check_level(level: str) -> None:
    """Refuse a level that is not installed; a client must never name an arbitrary class."""
    if level not in registry():
        raise TableRefused("no_level", level=level)
