"""Tables, evenings and deals can be removed and brought back, and evenings get another day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of changes to whole tables, evenings and deals."""
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("ref", sa.String(32), nullable=False),
        sa.Column("removed", sa.Boolean, nullable=True),
        sa.Column("what", sa.String(200), nullable=False),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_changes_ref", "changes", ["kind", "ref"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("changes")
