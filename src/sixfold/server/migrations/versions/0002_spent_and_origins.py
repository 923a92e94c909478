"""Tokens that are good no more, and where a table was made."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spent",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.add_column("tables", sa.Column("origin", sa.String(16)))


def downgrade() -> None:
    op.drop_column("tables", "origin")
    op.drop_table("spent")
