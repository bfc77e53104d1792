"""A season can begin with balances, and results of evenings without hands can be brought in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of balances, and of what brought them in."""
    op.create_table(
        "brought_in",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("digest", sa.String(64), nullable=True),
        sa.Column("made", sa.JSON, nullable=False),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_by", sa.String(30), nullable=True),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "balances",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("brought_in_id", sa.String(32), nullable=False),
        sa.Column("person_id", sa.String(32), nullable=False),
        sa.Column("season_id", sa.String(32), nullable=True),
        sa.Column("day", sa.Date, nullable=True),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("played", sa.Integer, nullable=True),
        sa.Column("won", sa.Integer, nullable=True),
        sa.Column("note", sa.String(80), nullable=False),
        sa.ForeignKeyConstraint(["brought_in_id"], ["brought_in.id"], name="fk_balances_brought"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_balances_person"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_balances_season"),
    )
    op.create_index("ix_balances_person_id", "balances", ["person_id"])


def downgrade() -> None:
    """Drop the tables with all balances."""
    op.drop_table("balances")
    op.drop_table("brought_in")
