"""The tables of an association: its clubs, and the standing that is made of those that agree.

They are in the association's own database and stay empty in that of a club.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKey, String
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
    """What a club that agrees tells the association: its players' results, as of a moment."""

    __tablename__ = "club_standings"

    club_id: Mapped[str] = mapped_column(
        ForeignKey("clubs.id", name="fk_club_standings_club"), primary_key=True
    )
    lines: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
