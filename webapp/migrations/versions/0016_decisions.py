"""What the club decides, and who decided it, joins the history that only grows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.database.history import statements

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

TABLE = "decisions"


def upgrade() -> None:
    """Make the table of the decisions, and lock it."""
    op.create_table(
        TABLE,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(40), nullable=False),
        sa.Column("was", sa.JSON, nullable=False),
        sa.Column("now", sa.JSON, nullable=False),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_decisions_key", TABLE, ["key"])
    for statement in statements(op.get_bind().dialect.name, "lock", [TABLE]):
        op.execute(statement)


def downgrade() -> None:
    """Unlock the table, and drop it with all decisions."""
    for statement in statements(op.get_bind().dialect.name, "unlock", [TABLE]):
        op.execute(statement)
    op.drop_table(TABLE)
