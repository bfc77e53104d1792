"""Photos that stay with the club even where it gives photos away, and who said so."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Engine

from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import ChangeRow, removed
from webapp.language.kept import kept
from webapp.language.noted import noted

KIND: Final = "photo"
"""The kind of the changes that say of a photo whether it may be given away."""


class LeftOut:
    """Which photos are left out, in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def all(self) -> frozenset[str]:
        """The ids of the photos that stay with the club."""
        with self._sessions() as session:
            return frozenset(session.scalars(removed(KIND)))

    def say(self, photo_id: str, *, stays: bool) -> None:
        """Let a photo stay with the club, or be given with the others; it is kept who said so."""
        what = (
            noted("The photo stays with the club")
            if stays
            else noted("The photo may be used by the project")
        )
        with self._sessions.begin() as session:
            there = session.scalars(removed(KIND).where(ChangeRow.ref == photo_id)).first()
            if (there is not None) != stays:
                row = ChangeRow(kind=KIND, ref=photo_id, removed=stays, at=datetime.now(UTC))
                row.what = kept(what, 200)
                session.add(row)
