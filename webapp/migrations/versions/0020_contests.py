"""Tournaments and leagues are kept, each change as a row of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of the contests."""
    op.create_table(
        "contests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("contest", sa.String(32), nullable=False),
        sa.Column("told", sa.JSON, nullable=True),
        sa.Column("what", sa.String(200), nullable=False),
        sa.Column("parent", sa.Integer, nullable=True),
        sa.Column("restores", sa.Integer, nullable=True),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_contests_contest", "contests", ["contest"])


def downgrade() -> None:
    """Drop the table with all that was decided about contests."""
    op.drop_table("contests")
