"""Where several machines serve a club, they count together and share its files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of what phones did lately, and of files."""
    op.create_table(
        "counted",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_counted_event", "counted", ["event"])
    op.create_index("ix_counted_key", "counted", ["kind", "key", "at"])
    op.create_table(
        "kept_files",
        sa.Column("path", sa.String(200), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=True),
        sa.Column("digest", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("kept_files")
    op.drop_table("counted")
