"""The tables of the people who may log in, and of those who are logged in."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import DateTime, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.base import Base


class AccountRow(Base):
    """Someone who may log in.

    ``key`` is the name in a form that ignores capitals. ``stamp`` changes with the password, which
    ends the sessions that were opened with the old one.
    """

    __tablename__ = "accounts"
    __table_args__ = (UniqueConstraint("key", name="uq_accounts_key"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(30))
    key: Mapped[str] = mapped_column(String(60))
    role: Mapped[str] = mapped_column(String(16))
    password: Mapped[str] = mapped_column(String(200))
    stamp: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class LoginRow(Base):
    """A browser in which someone is logged in; ``seen_at`` is when it last asked for a page.

    It is so only roughly, because not every page is worth writing it down.
    """

    __tablename__ = "logins"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


NOT_COPIED: Final = frozenset({LoginRow.__tablename__})
"""The tables that belong to this computer alone: copies bring none of their rows back."""
