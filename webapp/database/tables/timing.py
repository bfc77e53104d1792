"""The table of the steps of deals and their times, without who made them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.base import Base


class DealStepRow(Base):
    """A step of a deal on its way to a score, made ``count`` times; it holds no names or tiles."""

    __tablename__ = "deal_steps"
    __table_args__ = (Index("ix_deal_steps_deal_id", "deal_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    deal_id: Mapped[str] = mapped_column(String(32))
    kind: Mapped[str] = mapped_column(String(12))
    count: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
