"""Links under which a deal can be looked at by whoever is given them, and no more than that."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, sessionmaker

from webapp.database.disputes import ShareRow
from webapp.database.ids import new_id


class Shares:
    """Makes, finds and ends links; one short transaction per call, usable from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    def link(self, deal_id: str) -> str:
        """The token of the deal's link, made if it has none."""
        with self._sessions.begin() as session:
            row = _row_of(session, deal_id)
            if row is None:
                row = ShareRow(token=new_id(), deal_id=deal_id, created_at=datetime.now(UTC))
                session.add(row)
            return row.token

    def deal(self, token: str) -> str | None:
        """The id of the deal that a token shows; None when there is no such link any more."""
        with self._sessions() as session:
            row = session.get(ShareRow, token)
            return None if row is None or row.ended_at is not None else row.deal_id

    def end(self, deal_id: str) -> None:
        """Let the deal's link lead nowhere from now on."""
        with self._sessions.begin() as session:
            row = _row_of(session, deal_id)
            if row is not None:
                row.ended_at = datetime.now(UTC)


def _row_of(session: Session, deal_id: str) -> ShareRow | None:
    query = select(ShareRow).where(ShareRow.deal_id == deal_id, ShareRow.ended_at.is_(None))
    return session.scalars(query).first()
