"""Seasons, former names, who sat where, what the club decided, and what hands came to."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the seven tables, and note who sat at the tables that were opened so far."""
    _people()
    _book()
    _tallies()
    _seat_earlier_games()


def _person(
    table: str, *, primary_key: bool = False
) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("person_id", sa.String(32), nullable=False, primary_key=primary_key),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=f"fk_{table}_person"),
    )


def _game(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("game_id", sa.String(32), primary_key=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=f"fk_{table}_game"),
    )


def _people() -> None:
    op.create_table(
        "seatings",
        *_game("seatings"),
        sa.Column("name", sa.String(30), primary_key=True),
        *_person("seatings"),
    )
    op.create_index("ix_seatings_person_id", "seatings", ["person_id"])
    op.create_table(
        "former_names",
        sa.Column("id", sa.Integer, primary_key=True),
        *_person("former_names"),
        sa.Column("name", sa.String(30), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_former_names_person_id", "former_names", ["person_id"])
    op.create_table(
        "erasures",
        *_person("erasures", primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )


def _book() -> None:
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("first_day", sa.Date, nullable=False),
        sa.Column("last_day", sa.Date, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "club_settings",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )


def _tallies() -> None:
    op.create_table(
        "tallies",
        *_game("tallies"),
        sa.Column("head", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("ruleset", sa.String(60), nullable=False),
    )
    op.create_table(
        "hand_scores",
        *_game("hand_scores"),
        sa.Column("hand", sa.Integer, primary_key=True),
        *_person("hand_scores", primary_key=True),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("gain", sa.Integer, nullable=False),
        sa.Column("paid", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=True),
        sa.Column("kind", sa.String(80), nullable=True),
        sa.Column("run", sa.Integer, nullable=False),
    )
    op.create_index("ix_hand_scores_person_id", "hand_scores", ["person_id"])


def _seat_earlier_games() -> None:
    connection = op.get_bind()
    meta = sa.MetaData()
    meta.reflect(connection, only=("people", "game_revisions", "seatings"))
    people, revisions = meta.tables["people"], meta.tables["game_revisions"]
    known = {row.key: row.id for row in connection.execute(sa.select(people.c.key, people.c.id))}
    first = sa.select(revisions.c.game_id, revisions.c.book).where(revisions.c.number == 0)
    for game_id, book in connection.execute(first).all():
        for name in book["game"]["players"].values():
            key = name.casefold()[:60]
            if key not in known:
                known[key] = secrets.token_hex(16)
                row = {"id": known[key], "name": name, "key": key, "created_at": datetime.now(UTC)}
                connection.execute(people.insert().values(row))
            seat = {"game_id": game_id, "name": name, "person_id": known[key]}
            connection.execute(meta.tables["seatings"].insert().values(seat))


def downgrade() -> None:
    """Drop the seven tables."""
    for name in (
        "hand_scores", "tallies", "club_settings", "seasons", "erasures", "former_names",
        "seatings",
    ):  # fmt: skip
        op.drop_table(name)
