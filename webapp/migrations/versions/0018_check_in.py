"""It is kept who is a guest, for which rounds someone is here, and which phone said so."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; anyone who is known so far is a member."""
    op.add_column(
        "people", sa.Column("guest", sa.Boolean, nullable=False, server_default=sa.false())
    )
    for name in ("first_round", "last_round"):
        op.add_column("visits", sa.Column(name, sa.Integer, nullable=True))
    op.add_column("visits", sa.Column("phone", sa.String(32), nullable=True))


def downgrade() -> None:
    """Drop the columns with what they hold."""
    with op.batch_alter_table("visits") as table:
        for name in ("phone", "last_round", "first_round"):
            table.drop_column(name)
    op.drop_column("people", "guest")
