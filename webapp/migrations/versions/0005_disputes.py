"""Who made an entry, disputes about deals, links to a deal, and how long a deal takes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Name the author of entries, and make the three tables."""
    for table in ("revisions", "game_revisions"):
        op.add_column(table, sa.Column("who", sa.String(30), nullable=True))
    op.create_table(
        "dispute_events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("dispute_id", sa.String(32), nullable=False),
        sa.Column("deal_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("who", sa.String(30), nullable=False),
        sa.Column("account", sa.String(30), nullable=True),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("entry", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_dispute_events_deal"),
        sa.UniqueConstraint("dispute_id", "number", name="uq_dispute_events_number"),
        sa.UniqueConstraint("deal_id", "entry", name="uq_dispute_events_entry"),
    )
    op.create_index("ix_dispute_events_deal_id", "dispute_events", ["deal_id"])
    op.create_table(
        "shares",
        sa.Column("token", sa.String(32), primary_key=True),
        sa.Column("deal_id", sa.String(32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_shares_deal"),
    )
    op.create_index("ix_shares_deal_id", "shares", ["deal_id"])
    op.create_table(
        "deal_steps",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("deal_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_deal_steps_deal_id", "deal_steps", ["deal_id", "kind"])
    op.create_index("ix_deal_steps_at", "deal_steps", ["at"])


def downgrade() -> None:
    """Drop the three tables and the columns."""
    for table in ("deal_steps", "shares", "dispute_events"):
        op.drop_table(table)
    for table in ("revisions", "game_revisions"):
        op.drop_column(table, "who")
