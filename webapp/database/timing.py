"""The table of what happened to a deal and when, without who did it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database.deals import Base


class DealStepRow(Base):
    """One or ``count`` steps on the way of a deal to its score; no names, no tiles."""

    __tablename__ = "deal_steps"
    __table_args__ = (Index("ix_deal_steps_deal_id", "deal_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    deal_id: Mapped[str] = mapped_column(String(32))
    kind: Mapped[str] = mapped_column(String(12))
    count: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
