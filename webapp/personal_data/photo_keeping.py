"""How long photos are kept: as long as the club decides, or until a player is erased."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Engine, func, select, update
from sqlalchemy.orm import Session

from webapp.club_settings.decisions import Decisions
from webapp.club_settings.groups import MAX_DAYS, PhotoDays
from webapp.database.pictures import OUTSIDE, delete_after_commit, pictures_of
from webapp.database.sessions import let_go_idle, sessions_on
from webapp.database.tables.deals import PhotoRow
from webapp.deal.photos import FAILED, READING, WAITING
from webapp.language.noted import noted
from webapp.runtime.steady_clock import steady_now

EVENING: Final = timedelta(hours=12)
"""How long photos are kept at least, so that hands can be checked during the evening."""

DELETED: Final = noted("This photo was deleted. The tiles read from it are kept.")
"""The message that replaces the reading error of a deleted photo."""


class PhotoKeeping:
    """Stores how long photos are kept and deletes older ones, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._sessions = engine, sessions_on(engine)
        self._decided = Decisions(engine)

    @property
    def days(self) -> int | None:
        """The number of days for which photos are kept: 0 for the evening only, None for ever."""
        return self._decided.of(PhotoDays).days

    def decide(self, days: int | None) -> None:
        """Keep photos for this number of days from now on: 0 for the evening only, None for ever.

        Raises:
            ValueError: the number is below 0 or above :data:`MAX_DAYS`.
        """
        if days is not None and not 0 <= days <= MAX_DAYS:
            raise ValueError(f"needs a number of days from 0 to {MAX_DAYS}, not {days}")
        self._decided.decide(PhotoDays(days))

    def clean(self, now: datetime | None = None) -> int:
        """Delete the photos that are older than the club keeps them and return their number.

        Args:
            now: the moment from which their age is counted, with its time zone; None for now.
        """
        days = self.days
        if days is None:
            return 0
        age = timedelta(days=days) if days else EVENING
        before = (now or steady_now()) - age
        with self._sessions.begin() as session:
            query = select(PhotoRow.id).where(PhotoRow.created_at < before, _has_bytes())
            old = list(session.scalars(query))
            delete_photos(session, old)
        return len(old)

    def delete(self, photo_id: str) -> bool:
        """Delete one photo now; False if it is waiting or being read and is therefore kept."""
        ready = PhotoRow.stage.not_in((WAITING, READING))
        with self._sessions.begin() as session:
            query = select(PhotoRow.id).where(PhotoRow.id == photo_id, ready)
            found = list(session.scalars(query.with_for_update()))
            delete_photos(session, found)
        return bool(found)

    def stored(self) -> tuple[int, int]:
        """The number of photos that are stored, and their total size in bytes."""
        pictures = pictures_of(self._engine)
        # To compare a picture the whole of it is read; its length stands at its beginning.
        here = PhotoRow.picture if pictures is None else func.nullif(PhotoRow.picture, OUTSIDE)
        size = func.coalesce(func.length(here), 0) + func.coalesce(
            func.length(PhotoRow.original), 0
        )
        query = select(func.count(), func.coalesce(func.sum(size), 0)).where(_has_bytes())
        with self._sessions() as session:
            count, total = session.execute(query).one()
        let_go_idle()
        outside = {} if pictures is None else pictures.sizes()
        return count, int(total) + sum(outside.values())


def _has_bytes() -> ColumnElement[bool]:
    return PhotoRow.picture.is_not(None) | PhotoRow.original.is_not(None)


def delete_photos(session: Session, photo_ids: Collection[str]) -> None:
    """Delete the pictures of these photos, wherever they lie, but keep their rows."""
    cleared = update(PhotoRow).where(PhotoRow.id.in_(list(photo_ids)))
    session.execute(
        cleared.values(
            stage=FAILED, original=None, picture=None, reading=None, name="", error=DELETED
        )
    )
    delete_after_commit(session, photo_ids)
