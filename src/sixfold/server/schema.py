"""What is stored: tables, their events, and what all nodes of a server share."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, String, Text
from sqlalchemy import Table as SqlTable

metadata = MetaData()

# One row a table: its secret, and a summary of what its events say, for finding it and for waking it up.
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
    # When something has to happen by itself; a node that takes it on moves it into the future.
    Column("wake_at", BigInteger),
    Column("bot", String(40)),  # the level of the bot that has to decide
    # A keyed hash of the address that the table was made from: one address does not fill the list of tables.
    Column("origin", String(16)),
    Index("tables_to_wake", "wake_at"),
    Index("tables_to_find", "public", "stage", "changed_at"),
    Index("tables_of_maker", "maker", "made_at"),
)

# The truth: two writers cannot both store the same version of a table.
events = SqlTable(
    "events",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("body", Text, nullable=False),
)

settings = SqlTable(
    "settings",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

# What was signed and is good no more: links that were used, cookies and tokens that were revoked.
spent = SqlTable(
    "spent",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),  # when it would have expired anyway
)

# Reviews of finished rounds, as JSON: they take long to work out, and are the same for everybody.
reviews = SqlTable(
    "reviews",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
