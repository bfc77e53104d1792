"""Two players can be joined to one, and split again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.database.history import statements

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TABLE = "person_entries"


def upgrade() -> None:
    """Make the table of these entries, which are never changed."""
    op.create_table(
        TABLE,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("person_id", sa.String(32), nullable=False),
        sa.Column("other_id", sa.String(32), nullable=False),
        sa.Column("moved", sa.JSON, nullable=False),
        sa.Column("who", sa.String(30), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_person_entries_person"),
        sa.ForeignKeyConstraint(["other_id"], ["people.id"], name="fk_person_entries_other"),
    )
    for statement in statements(op.get_bind().dialect.name, "lock", [TABLE]):
        op.execute(statement)


def downgrade() -> None:
    """Drop the table."""
    for statement in statements(op.get_bind().dialect.name, "unlock", [TABLE]):
        op.execute(statement)
    op.drop_table(TABLE)
