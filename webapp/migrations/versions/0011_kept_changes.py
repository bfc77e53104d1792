"""What was done with whole tables, evenings and deals joins the history that only grows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.database.history import start_chain, statements

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TABLE = "changes"


def upgrade() -> None:
    """Give each of these entries its link, and lock their table."""
    connection = op.get_bind()
    start_chain(connection, [sa.Table(TABLE, sa.MetaData(), autoload_with=connection)])
    for statement in statements(connection.dialect.name, "lock", [TABLE]):
        op.execute(statement)


def downgrade() -> None:
    """Unlock the table."""
    for statement in statements(op.get_bind().dialect.name, "unlock", [TABLE]):
        op.execute(statement)
