"""Photos that wait for a worker on another machine are kept in the association's database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of photos waiting to be read."""
    op.create_table(
        "photo_tasks",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("photo", sa.LargeBinary, nullable=True),
        sa.Column("tile_set", sa.String(60), nullable=False),
        sa.Column("profile", sa.LargeBinary, nullable=True),
        sa.Column("with_picture", sa.Boolean, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reading", sa.JSON, nullable=True),
        sa.Column("picture", sa.LargeBinary, nullable=True),
        sa.Column("error", sa.String(2000), nullable=True),
        sa.Column("fault", sa.String(8000), nullable=True),
    )
    op.create_index("ix_photo_tasks_done_at", "photo_tasks", ["done_at"])


def downgrade() -> None:
    """Drop the table with the photos in it."""
    op.drop_table("photo_tasks")
