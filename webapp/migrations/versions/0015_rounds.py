"""A game is played in a round of its evening, and its number is the table in the room."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

OLD, NEW = ("evening_id", "number"), ("evening_id", "round", "number")
"""The columns whose values together belong to one game only."""

NUMBERED = (
    "(SELECT count(*) FROM games AS other WHERE other.evening_id = games.evening_id AND "
    "(other.round < games.round OR (other.round = games.round AND other.number <= games.number)))"
)
"""The number of a table where those of an evening are numbered through all its rounds."""


def upgrade() -> None:
    """Say that all games so far were of the first round, in which each number is used once."""
    if op.get_bind().dialect.name == "sqlite":
        values = "id, evening_id, number, created_at, 1, NULL"
        _make_anew(values, sa.UniqueConstraint(*NEW, name="uq_games_round"), *_added())
        return
    op.add_column("games", sa.Column("round", sa.Integer, nullable=False, server_default="1"))
    op.alter_column("games", "round", server_default=None)
    op.add_column("games", sa.Column("drawn", sa.Integer, nullable=True))
    op.drop_constraint("uq_games_evening_number", "games")
    op.create_unique_constraint("uq_games_round", "games", list(NEW))


def downgrade() -> None:
    """Number the tables of an evening through, one round after the other."""
    if op.get_bind().dialect.name == "sqlite":
        values = f"id, evening_id, {NUMBERED}, created_at"
        _make_anew(values, sa.UniqueConstraint(*OLD, name="uq_games_evening_number"))
        return
    op.drop_constraint("uq_games_round", "games")
    op.execute(f"UPDATE games SET number = {NUMBERED}")  # noqa: S608 - the text above
    op.create_unique_constraint("uq_games_evening_number", "games", list(OLD))
    op.drop_column("games", "round")
    op.drop_column("games", "drawn")


def _added() -> tuple[sa.Column[int], sa.Column[int]]:
    return sa.Column("round", sa.Integer, nullable=False), sa.Column("drawn", sa.Integer)


def _make_anew(values: str, unique: sa.UniqueConstraint, *added: sa.Column[int]) -> None:
    """Make the table again with all its rows, as SQLite cannot change what is unique.

    What refers to a game does so when all is done: until then SQLite does not ask.

    Args:
        values: what the columns are filled with, in their order.
        unique: what belongs to one game only.
        added: the columns that the table has beside its first ones.
    """
    op.execute("PRAGMA defer_foreign_keys=ON")
    op.execute(f"CREATE TABLE games_before AS SELECT {values} FROM games")  # noqa: S608 - ours
    op.drop_table("games")
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("evening_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        *added,
        sa.ForeignKeyConstraint(["evening_id"], ["evenings.id"], name="fk_games_evening"),
        unique,
    )
    op.execute("INSERT INTO games SELECT * FROM games_before")
    op.drop_table("games_before")
