"""Which of the kept photos are read again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import Engine, Select, select

from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import PhotoRow, removed
from webapp.deal.state import DealState
from webapp.deal.store import Store
from webapp.games.store import GameStore
from webapp.tile_sets.chosen import set_on_table

NOTHING: Final = "nothing"
"""Stands for no tile set in a condition."""


class WhereRefused(ValueError):
    """A condition cannot be understood; the message says what can be written."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which photos are meant.

    Attributes:
        since: the first day on which they were taken; None for the very first.
        until: the last day; None for today.
        tile_set: the set they are read with, empty for none; None for any.
        corrected: whether only those are meant in which someone put something right.
    """

    since: date | None = None
    until: date | None = None
    tile_set: str | None = None
    corrected: bool = False

    def told(self) -> dict[str, Any]:
        """The conditions as plain JSON values."""
        days = {"since": self.since, "until": self.until}
        told = {key: None if day is None else day.isoformat() for key, day in days.items()}
        return {**told, "set": self.tile_set, "corrected": self.corrected}


def read_where(conditions: Iterable[str]) -> Where:
    """The conditions as they were written, such as ``since=2026-09-01`` or ``corrected``.

    Raises:
        WhereRefused: one of them cannot be understood.
    """
    found: dict[str, Any] = {}
    for condition in conditions:
        key, _, value = (part.strip() for part in condition.partition("="))
        if key in ("since", "until"):
            found[key] = _day(value)
        elif key == "set" and value:
            found["tile_set"] = "" if value == NOTHING else value
        elif condition.strip() == "corrected":
            found["corrected"] = True
        else:
            raise WhereRefused(
                f"“{condition}” is not understood. Write since=2026-09-01, until=2026-12-31, "
                "set=NAME, set=nothing or corrected."
            )
    return Where(**found)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise WhereRefused(f"“{text}” is no day. Write it as 2026-09-01.") from error


@dataclass(frozen=True, slots=True)
class Kept:
    """A photo that is kept with its reading.

    Attributes:
        id: the id of the photo.
        picture: the copy that is kept.
        reading: its reading in JSON form.
        state: the deal as people left it.
        tile_set: the set with which it is read; empty for none.
    """

    id: str
    picture: bytes
    reading: dict[str, Any]
    state: DealState
    tile_set: str


class KeptPhotos:
    """Finds photos that are kept with their readings, in one short transaction per call.

    Args:
        engine: the club's database. Nothing is written to it.
    """

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)
        self._store, self._games = Store(engine), GameStore(engine)

    def taken(self, where: Where) -> list[str]:
        """The ids of the photos taken in these days, oldest first, whatever their tile set."""
        with self._sessions() as session:
            return list(session.scalars(_query(where).where(PhotoRow.picture.is_not(None))))

    def gone(self, where: Where) -> int:
        """The number of photos taken in these days of which no picture is left."""
        with self._sessions() as session:
            return len(session.scalars(_query(where).where(PhotoRow.picture.is_(None))).all())

    def photo(self, photo_id: str) -> Kept | None:
        """A photo with its deal; None if it was deleted meanwhile."""
        with self._sessions() as session:
            row = session.get(PhotoRow, photo_id)
            if row is None or row.reading is None:
                return None
        deal = self._store.deal(row.deal_id)
        picture = self._store.picture(photo_id)
        if deal is None or picture is None:
            return None
        tile_set = set_on_table(self._store, self._games, row.deal_id)
        return Kept(photo_id, picture, row.reading, deal.state, tile_set)


def _query(where: Where) -> Select[str]:
    query = select(PhotoRow.id).where(PhotoRow.deal_id.not_in(removed("deal")))
    if where.since is not None:
        query = query.where(PhotoRow.created_at >= _begin(where.since))
    if where.until is not None:
        query = query.where(PhotoRow.created_at < _begin(where.until + timedelta(days=1)))
    return query.order_by(PhotoRow.created_at, PhotoRow.id)


def _begin(day: date) -> datetime:
    """When a day begins here."""
    return datetime.combine(day, time()).astimezone(UTC)
