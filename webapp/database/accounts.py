"""The table of the people who may log in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.base import Base


class AccountRow(Base):
    """Somebody who may log in.

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
