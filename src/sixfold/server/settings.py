"""What a node is told when it starts."""

from dataclasses import dataclass, field

from sixfold.bots import known
from sixfold.table.setup import check_level

# The bot that takes over a seat: the middle level where there are levels.
DEPUTIES = ("level3", "random")


def default_deputy() -> str:
    return next(name for name in DEPUTIES if name in known())


@dataclass(frozen=True)
class Settings:
    """Addresses, and the limits for everything that a stranger can send."""

    database: str
    redis: str | None = None
    bots: bool = True
    deputy: str = field(default_factory=default_deputy)
    think_ms: float = 500
    lease_ms: int = 10_000  # how long a bot's turn belongs to the node that took it on
    poll_ms: int = 1000  # how often other nodes' news are looked for in the database
    wake_ms: int = 250
    keep_ms: int = 300_000
    requests_a_minute: int = 300  # of one address; 0 for no limit
    messages_a_second: float = 20  # of one socket; 0 for no limit
    tables_an_hour: int = 60  # of one guest
    sockets_a_guest: int = 20
    sockets: int = 10_000
    most_events: int = 20_000
    origins: tuple[str, ...] = ()
    own_process: bool = False  # is there nothing else in this process? Then it is set up for serving.

    def check_level(self, level: str) -> None:
        check_level(level)
