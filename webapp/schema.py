"""The tables: a deal, its revisions (one per entry, never changed) and the photos."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The declarative base of every table."""


class DealRow(Base):
    """One deal; ``head`` is the number of the revision that counts now."""

    __tablename__ = "deals"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    updated_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    head: Mapped[int]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    result_head: Mapped[int | None]


class RevisionRow(Base):
    """The deal after one entry; ``parent`` is the revision that undo goes back to."""

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
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class PhotoRow(Base):
    """A photo: the bytes as sent until it has been read, then a smaller copy without metadata."""

    __tablename__ = "photos"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id", name="fk_photos_deal"), index=True)
    seat: Mapped[str] = mapped_column(String(1))
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    stage: Mapped[str] = mapped_column(String(16))
    original: Mapped[bytes | None] = mapped_column(LargeBinary)
    picture: Mapped[bytes | None] = mapped_column(LargeBinary)
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    error: Mapped[str | None] = mapped_column(String(500))
