"""A player is found however the name is typed: with any apostrophe, spaces and kind of accents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.people.names import name_key

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give each player the new key; of two whose keys would be the same the later keeps hers.

    Those two are most likely one person; the page of either offers to join them.
    """
    connection = op.get_bind()
    people = sa.Table("people", sa.MetaData(), autoload_with=connection)
    rows = connection.execute(sa.select(people).order_by(people.c.created_at, people.c.id)).all()
    taken = {row.key for row in rows}
    for row in rows:
        key = name_key(row.name)
        if key not in taken:
            taken.add(key)
            connection.execute(people.update().where(people.c.id == row.id).values(key=key))


def downgrade() -> None:
    """Leave the keys: players are found by them as well."""
