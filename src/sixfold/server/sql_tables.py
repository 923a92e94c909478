"""The SQL tables: game tables, their events, and what all nodes of a server share."""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, String, Text
from sqlalchemy import Table as SqlTable
from sqlalchemy.types import TypeEngine

metadata = MetaData()


def _numbered_bodies(name: str, number: str, body: type[TypeEngine[Any]]) -> SqlTable:
    """Several numbered bodies for each game table."""
    return SqlTable(
        name,
        metadata,
        Column("table_id", String(32), primary_key=True),
        Column(number, Integer, primary_key=True),
        Column("body", body, nullable=False),
    )


# One row per game table: its secret, and a summary of its events, for finding it and for waking it up.
tables = SqlTable(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("maker", String(64), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("game", String(16), nullable=False),
    Column("players", Integer, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("stage", String(16), nullable=False),
    Column("open_seats", Integer, nullable=False),
    # When a clock or a bot's turn is due; a node that claims it moves it into the future.
    Column("wake_at", BigInteger),
    Column("bot", String(40)),  # the level of the bot that has to decide
    # A keyed hash of the creator's address, so that one address cannot fill the list of tables.
    Column("origin", String(16)),
    Index("tables_to_wake", "wake_at"),
    Index("tables_to_find", "public", "stage", "changed_at"),
    Index("tables_of_maker", "maker", "made_at"),
)

# The source of truth. The primary key keeps two writers from storing the same version of a table.
events = _numbered_bodies("events", "version", Text)

settings = SqlTable(
    "settings",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

# Ids of used links and of revoked cookies and tokens.
revoked_tokens = SqlTable(
    "spent",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),  # when it would have expired anyway
)

# Reviews of finished rounds, as JSON: slow to compute, and the same for everybody.
reviews = _numbered_bodies("reviews", "number", LargeBinary)
