"""The tables of deals with their photos, and of the people, evenings and games they belong to.

A deal or game is one row and a list of revisions, one for each entry. Revisions are never changed;
an undo makes an earlier one count again.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Date,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    Select,
    String,
    UniqueConstraint,
    case,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Mapped, aliased, mapped_column

from webapp.database.author import author
from webapp.database.base import Base
from webapp.database.history import Entered


class DealRow(Base):
    """One deal; ``head`` is the number of the revision that counts now."""

    __tablename__ = "deals"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    updated_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    head: Mapped[int]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    result_head: Mapped[int | None]


class RevisionRow(Entered, Base):
    """The deal after one entry; ``parent`` is the revision that undo goes back to.

    ``who`` is the name of the account that made the entry; None if nobody was logged in.
    """

    __tablename__ = "revisions"
    __table_args__ = (
        UniqueConstraint("deal_id", "number", name="uq_revisions_deal_number"),
        UniqueConstraint("deal_id", "entry", name="uq_revisions_deal_entry"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id", name="fk_revisions_deal"))
    number: Mapped[int]
    parent: Mapped[int | None]
    entry: Mapped[str] = mapped_column(String(64))
    what: Mapped[str] = mapped_column(String(200))
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class PhotoRow(Base):
    """A photo of a deal.

    ``original`` holds the bytes as sent until the photo has been read; from then on ``picture``
    holds a smaller copy without metadata. Neither is fetched with the row.
    """

    __tablename__ = "photos"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id", name="fk_photos_deal"), index=True)
    seat: Mapped[str] = mapped_column(String(1))
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    stage: Mapped[str] = mapped_column(String(16))
    original: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    picture: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    error: Mapped[str | None] = mapped_column(String(500))


class PersonRow(Base):
    """A player of the club; ``key`` is the name in a form that ignores capitals, kept once.

    ``member`` is the member number as it was typed; None if none was given. ``guest``
    is true for anyone who is no member of the club.
    """

    __tablename__ = "people"
    __table_args__ = (
        UniqueConstraint("key", name="uq_people_key"),
        Index("ix_people_member", "member", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(30))
    key: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    member: Mapped[str | None] = mapped_column(String(20))
    guest: Mapped[bool] = mapped_column(default=False)


class EveningRow(Base):
    """A day on which the club plays, and where."""

    __tablename__ = "evenings"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    day: Mapped[date] = mapped_column(Date, index=True)
    place: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class VisitRow(Base):
    """A person who came to an evening.

    ``first_round`` is the round for which they come, ``last_round`` the one after which they leave;
    None for the start and the end of the evening. ``phone`` is the phone that checked them in; None
    if someone else did it.
    """

    __tablename__ = "visits"

    evening_id: Mapped[str] = mapped_column(
        ForeignKey("evenings.id", name="fk_visits_evening"), primary_key=True
    )
    person_id: Mapped[str] = mapped_column(
        ForeignKey("people.id", name="fk_visits_person"), primary_key=True
    )
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    first_round: Mapped[int | None]
    last_round: Mapped[int | None]
    phone: Mapped[str | None] = mapped_column(String(32))


class GameRow(Base):
    """A game at a table of an evening.

    ``number`` is the table in the room and ``round`` the round of the evening, both from 1.
    ``drawn`` is the number of the table in the drawing of that round; None where none was drawn.
    """

    __tablename__ = "games"
    __table_args__ = (UniqueConstraint("evening_id", "round", "number", name="uq_games_round"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    evening_id: Mapped[str] = mapped_column(ForeignKey("evenings.id", name="fk_games_evening"))
    number: Mapped[int]
    round: Mapped[int]
    drawn: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class GameRevisionRow(Entered, Base):
    """The game after one entry; the revision with the highest number counts.

    ``parent`` is the revision that undo goes back to; a revision made by undo ``restores`` an
    earlier one. ``who`` is the name of the account that made the entry; None if nobody was logged
    in.
    """

    __tablename__ = "game_revisions"
    __table_args__ = (
        UniqueConstraint("game_id", "number", name="uq_game_revisions_number"),
        UniqueConstraint("game_id", "entry", name="uq_game_revisions_entry"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", name="fk_game_revisions_game"))
    number: Mapped[int]
    parent: Mapped[int | None]
    restores: Mapped[int | None]
    entry: Mapped[str] = mapped_column(String(64))
    what: Mapped[str] = mapped_column(String(200))
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    book: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class ChangeRow(Entered, Base):
    """What was done with a whole table, evening or deal: removed, brought back, given another day.

    ``kind`` is ``table``, ``evening`` or ``deal`` and ``ref`` its id; a ``photo`` that is removed
    is one that stays with the club where photos are given away. ``removed`` is None for a
    change that leaves it where it is, such as a hand that someone confirmed; of the others the
    latest counts. No row is ever changed.
    """

    __tablename__ = "changes"
    __table_args__ = (Index("ix_changes_ref", "kind", "ref"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    ref: Mapped[str] = mapped_column(String(32))
    removed: Mapped[bool | None]
    what: Mapped[str] = mapped_column(String(200))
    who: Mapped[str | None] = mapped_column(String(30), default=author)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


@cache
def removed(kind: str) -> Select[str]:
    """A query for the ids of all tables, evenings or deals that were removed."""
    counts = ChangeRow.removed.is_not(None)
    latest = select(func.max(ChangeRow.id)).where(ChangeRow.kind == kind, counts)
    return select(ChangeRow.ref).where(
        ChangeRow.id.in_(latest.group_by(ChangeRow.ref)), ChangeRow.removed.is_(True)
    )


@cache
def games_removed() -> Select[str]:
    """A query for the ids of all games that do not count: their table or evening was removed."""
    with_evening = GameRow.evening_id.in_(removed("evening"))
    return select(GameRow.id).where(or_(GameRow.id.in_(removed("table")), with_evening))


def latest_round(evening_id: object) -> Select[int]:
    """A query for the latest round of an evening of which a table counts; it may give None."""
    game = aliased(GameRow)
    return select(func.max(game.round)).where(
        game.evening_id == evening_id, game.id.not_in(games_removed())
    )


def several_rounds(evenings: Collection[str]) -> Select[str]:
    """A query for the ids of those of these evenings that have a table after the first round."""
    counts = GameRow.id.not_in(games_removed())
    return select(GameRow.evening_id).where(
        GameRow.evening_id.in_(evenings), GameRow.round > 1, counts
    )


def round_told() -> ColumnElement[int | None]:
    """A column with the round of each game where its evening has several; None where it has one."""
    latest = latest_round(GameRow.evening_id).correlate(GameRow).scalar_subquery()
    return case((latest > 1, GameRow.round))


class GameDealRow(Base):
    """A deal that was opened for a hand of a game; ``hand`` was the hand's number at that time."""

    __tablename__ = "game_deals"
    __table_args__ = (Index("ix_game_deals_game_id", "game_id"),)

    deal_id: Mapped[str] = mapped_column(
        ForeignKey("deals.id", name="fk_game_deals_deal"), primary_key=True
    )
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", name="fk_game_deals_game"))
    hand: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
