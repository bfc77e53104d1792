"""The tables that were drawn for an evening are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of the drawings."""
    op.create_table(
        "drawings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("evening_id", sa.String(32), nullable=False),
        sa.Column("drawn", sa.JSON, nullable=False),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["evening_id"], ["evenings.id"], name="fk_drawings_evening"),
    )
    op.create_index("ix_drawings_evening_id", "drawings", ["evening_id"])


def downgrade() -> None:
    """Drop the table with all that was drawn."""
    op.drop_table("drawings")
