"""The club's book: people, evenings, and the games at their tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the six tables; deals, revisions and photos stay as they are."""
    _club()
    _games()


def _club() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(30), nullable=False),
        sa.Column("key", sa.String(60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("key", name="uq_people_key"),
    )
    op.create_table(
        "evenings",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("place", sa.String(60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_evenings_day", "evenings", ["day"])
    op.create_table(
        "visits",
        sa.Column("evening_id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["evening_id"], ["evenings.id"], name="fk_visits_evening"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_visits_person"),
    )


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("evening_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["evening_id"], ["evenings.id"], name="fk_games_evening"),
        sa.UniqueConstraint("evening_id", "number", name="uq_games_evening_number"),
    )
    op.create_table(
        "game_revisions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("parent", sa.Integer, nullable=True),
        sa.Column("restores", sa.Integer, nullable=True),
        sa.Column("entry", sa.String(64), nullable=False),
        sa.Column("what", sa.String(200), nullable=False),
        sa.Column("book", sa.JSON, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_revisions_game"),
        sa.UniqueConstraint("game_id", "number", name="uq_game_revisions_number"),
        sa.UniqueConstraint("game_id", "entry", name="uq_game_revisions_entry"),
    )
    op.create_table(
        "game_deals",
        sa.Column("deal_id", sa.String(32), primary_key=True),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_game_deals_deal"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_game_deals_game"),
    )
    op.create_index("ix_game_deals_game_id", "game_deals", ["game_id"])


def downgrade() -> None:
    """Drop the six tables."""
    for name in ("game_deals", "game_revisions", "games", "visits", "evenings", "people"):
        op.drop_table(name)
