"""A form that was sent counts once: its key, and where it led."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of the forms that were sent."""
    op.create_table(
        "sent_forms",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("location", sa.String(500), nullable=True),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("sent_forms")
