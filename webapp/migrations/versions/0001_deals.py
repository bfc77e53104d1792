"""Deals, their revisions and their photos."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "deals",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("head", sa.Integer, nullable=False),
        sa.Column("result", sa.JSON, nullable=True),
        sa.Column("result_head", sa.Integer, nullable=True),
    )
    op.create_index("ix_deals_updated_at", "deals", ["updated_at"])
    op.create_table(
        "revisions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("deal_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("parent", sa.Integer, nullable=True),
        sa.Column("entry", sa.String(64), nullable=False),
        sa.Column("what", sa.String(200), nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_revisions_deal"),
        sa.UniqueConstraint("deal_id", "number", name="uq_revisions_deal_number"),
        sa.UniqueConstraint("deal_id", "entry", name="uq_revisions_deal_entry"),
    )
    op.create_table(
        "photos",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("deal_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.String(1), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("original", sa.LargeBinary, nullable=True),
        sa.Column("picture", sa.LargeBinary, nullable=True),
        sa.Column("reading", sa.JSON, nullable=True),
        sa.Column("error", sa.String(500), nullable=True),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_photos_deal"),
    )
    op.create_index("ix_photos_deal_id", "photos", ["deal_id"])


def downgrade() -> None:
    """Drop the three tables."""
    op.drop_table("photos")
    op.drop_table("revisions")
    op.drop_table("deals")
