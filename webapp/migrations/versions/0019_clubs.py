"""An association keeps its clubs, and what those that agree tell it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of an association."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(30), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "club_standings",
        sa.Column("club_id", sa.String(30), primary_key=True),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_club_standings_club"),
    )


def downgrade() -> None:
    """Drop the tables of an association."""
    op.drop_table("club_standings")
    op.drop_table("clubs")
