"""Alembic runs this with a connection of ours: see storage.migrate."""

from alembic import context

from sixfold.server.sql_tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
