"""The tables of disputes, and of the links under which a deal can be seen without a login."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.author import author
from webapp.database.base import Base
from webapp.database.history import Entered


class DisputeEventRow(Entered, Base):
    """One step of a dispute about a deal; step 0 opened the dispute, and no step is ever changed.

    ``who`` is the person who speaks, ``account`` the account under which it was entered, if any.
    """

    __tablename__ = "dispute_events"
    __table_args__ = (
        UniqueConstraint("dispute_id", "number", name="uq_dispute_events_number"),
        UniqueConstraint("deal_id", "entry", name="uq_dispute_events_entry"),
        Index("ix_dispute_events_deal_id", "deal_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    dispute_id: Mapped[str] = mapped_column(String(32))
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id", name="fk_dispute_events_deal"))
    number: Mapped[int]
    kind: Mapped[str] = mapped_column(String(12))
    who: Mapped[str] = mapped_column(String(30))
    account: Mapped[str | None] = mapped_column(String(30), default=author)
    text: Mapped[str] = mapped_column(String(500))
    entry: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class ShareRow(Base):
    """A link under which a deal can be seen without a login, until ``ended_at``."""

    __tablename__ = "shares"
    __table_args__ = (Index("ix_shares_deal_id", "deal_id"),)

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    deal_id: Mapped[str] = mapped_column(ForeignKey("deals.id", name="fk_shares_deal"))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ended_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
