"""Players have member numbers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, in which no number stands twice."""
    op.add_column("people", sa.Column("member", sa.String(20), nullable=True))
    op.create_index("ix_people_member", "people", ["member"], unique=True)


def downgrade() -> None:
    """Drop the column with all numbers."""
    op.drop_index("ix_people_member", "people")
    op.drop_column("people", "member")
