"""The history is append-only: the database refuses to change entries, and a chain covers them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.database.history import start_chain, statements

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ENTRIES = ("revisions", "game_revisions", "dispute_events")
TABLES = (*ENTRIES, "links")


def upgrade() -> None:
    """Make the table of links, give each entry its link, and lock the tables."""
    op.create_table(
        "links",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("row_id", sa.Integer, nullable=False),
        sa.Column("salt", sa.String(32), nullable=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(20), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
    )
    op.create_index("ix_links_row", "links", ["kind", "row_id"])
    connection = op.get_bind()
    meta = sa.MetaData()
    meta.reflect(connection, only=ENTRIES)
    start_chain(connection, [meta.tables[name] for name in ENTRIES])
    for statement in statements(connection.dialect.name, "lock", TABLES):
        op.execute(statement)


def downgrade() -> None:
    """Unlock the tables, and drop the links."""
    dialect = op.get_bind().dialect.name
    for statement in statements(dialect, "unlock", TABLES):
        op.execute(statement)
    if dialect == "postgresql":
        op.execute("DROP FUNCTION entries_are_kept")
    op.drop_table("links")
