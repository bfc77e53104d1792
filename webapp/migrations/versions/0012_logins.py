"""A login is kept here and ends here, so that a copy of its cookie is worth nothing afterwards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of the logins."""
    op.create_table(
        "logins",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop the table, which logs everybody out."""
    op.drop_table("logins")
