"""The tables of an association: its clubs, what those that agree tell it, and photos to be read.

They are in the association's own database and stay empty in that of a club.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, DateTime, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.base import Base


class ClubRow(Base):
    """A club of the association; ``id`` is the part of the address below which its page is."""

    __tablename__ = "clubs"

    id: Mapped[str] = mapped_column(String(30), primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    closed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class ClubStandingRow(Base):
    """What a club that agrees tells the association: its players' results, as of a moment.

    ``lines`` holds those of all time and of each of the association's seasons by its days; what was
    told to an earlier version is the list for all time alone.
    """

    __tablename__ = "club_standings"

    club_id: Mapped[str] = mapped_column(
        ForeignKey("clubs.id", name="fk_club_standings_club"), primary_key=True
    )
    lines: Mapped[dict[str, list[dict[str, Any]]] | list[dict[str, Any]]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class PhotoTaskRow(Base):
    """A photo that a worker on any machine reads; ``id`` is made of all that the answer depends on.

    ``photo`` and ``profile`` are deleted once it is read, and the row with the answer soon after.
    ``reading``, ``picture`` and the rest of the answer are as in
    :class:`webapp.photos.workers.PhotoRead`; ``error`` is why it could not be read, as it is kept,
    and ``fault`` the traceback where the program failed.
    """

    __tablename__ = "photo_tasks"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    photo: Mapped[bytes | None] = mapped_column(LargeBinary)
    tile_set: Mapped[str] = mapped_column(String(60))
    profile: Mapped[bytes | None] = mapped_column(LargeBinary)
    with_picture: Mapped[bool]
    asked_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    done_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), index=True)
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    picture: Mapped[bytes | None] = mapped_column(LargeBinary)
    error: Mapped[str | None] = mapped_column(String(2000))
    fault: Mapped[str | None] = mapped_column(String(8000))


class CountedRow(Base):
    """Something that one phone did lately, as every machine counts it; ``event`` has all its keys.

    ``kind`` tells apart what is counted for different limits.
    """

    __tablename__ = "counted"
    __table_args__ = (Index("ix_counted_key", "kind", "key", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(String(32), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    key: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class KeptFileRow(Base):
    """A file of a club, such as a tile set, that every machine lays into its own folder.

    ``path`` is relative to the club's folder. ``data`` is None once the file was deleted.
    """

    __tablename__ = "kept_files"

    path: Mapped[str] = mapped_column(String(200), primary_key=True)
    data: Mapped[bytes | None] = mapped_column(LargeBinary)
    digest: Mapped[str] = mapped_column(String(64))


OF_SERVERS: Final = frozenset(row.__tablename__ for row in (PhotoTaskRow, CountedRow, KeptFileRow))
"""The tables that servers share as they run, the key that signs cookies among it: no copies."""
