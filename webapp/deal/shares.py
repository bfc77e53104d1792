"""Links under which anybody who has them can look at a deal, and at nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.disputes import ShareRow


class Shares:
    """Makes, looks up and ends links in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def link(self, deal_id: str) -> str:
        """The token of the deal's link, which is made if there is none."""
        with self._sessions.begin() as session:
            row = _row_of(session, deal_id)
            if row is None:
                row = ShareRow(token=new_id(), deal_id=deal_id, created_at=datetime.now(UTC))
                session.add(row)
            return row.token

    def deal(self, token: str) -> str | None:
        """The id of the deal that a token gives access to; None if the link has ended."""
        with self._sessions() as session:
            row = session.get(ShareRow, token)
            return None if row is None or row.ended_at is not None else row.deal_id

    def closed(self, deal_id: str) -> bool:
        """Whether the deal was shown to strangers and is so no longer, at none of its addresses."""
        query = select(ShareRow.ended_at).where(ShareRow.deal_id == deal_id)
        with self._sessions() as session:
            ended = session.scalars(query).all()
        return bool(ended) and None not in ended

    def end(self, deal_id: str) -> None:
        """End the deal's link; until there is a new one, strangers can see the deal nowhere."""
        with self._sessions.begin() as session:
            row = _row_of(session, deal_id)
            if row is not None:
                row.ended_at = datetime.now(UTC)


def _row_of(session: Session, deal_id: str) -> ShareRow | None:
    query = select(ShareRow).where(ShareRow.deal_id == deal_id, ShareRow.ended_at.is_(None))
    return session.scalars(query).first()
