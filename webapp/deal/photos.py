"""The photos of deals in the database, from their bytes as sent to their readings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, and_, func, or_, select
from sqlalchemy.orm import Session, undefer

from vision.messages import Message
from webapp.database.ids import new_id
from webapp.database.pictures import whole
from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import PhotoRow
from webapp.language.kept import kept

WAITING: Final = "waiting"
"""The stage of a photo that was sent and waits to be read."""

READING: Final = "reading"
"""The stage of a photo that is being read."""

DONE: Final = "done"
"""The stage of a photo that was read."""

FAILED: Final = "failed"
"""The stage of a photo that could not be read."""

MAX_PHOTO_NAME: Final = 80
"""Maximum number of characters of a photo's name."""


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """A photo and how far its reading has come.

    Attributes:
        id: the id of the photo.
        deal_id: the deal that it belongs to.
        seat: the player whose tiles it shows.
        name: the name of the file that was sent.
        stage: ``waiting``, ``reading``, ``done`` or ``failed``.
        reading: the reading in JSON form; None until the photo was read.
        error: why it could not be read, as it is kept; None unless it failed.
    """

    id: str
    deal_id: str
    seat: str
    name: str
    stage: str
    reading: dict[str, Any] | None
    error: str | None


@dataclass(frozen=True, slots=True)
class PhotoStage:
    """How far the reading of a photo has come, without what was read.

    Attributes:
        id: the id of the photo.
        stage: ``waiting``, ``reading``, ``done`` or ``failed``.
        error: why it could not be read, as it is kept; None unless it failed.
    """

    id: str
    stage: str
    error: str | None


class PhotoStore:
    """Reads and writes photos in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._sessions = engine, sessions_on(engine)

    def add_photo(self, deal_id: str, seat: str, name: str, data: bytes) -> str:
        """Store a photo as it was sent, waiting to be read, and return its id."""
        photo_id = new_id()
        self._add_photo(deal_id, seat, name, id=photo_id, stage=WAITING, original=data)
        return photo_id

    def add_read_photo(
        self,
        photo_id: str,
        deal_id: str,
        seat: str,
        name: str,
        reading: dict[str, Any],
        picture: bytes,
    ) -> None:
        """Store a photo that was read already.

        Args:
            photo_id: the id that the photo gets.
            deal_id: the deal to which it belongs.
            seat: the player whose tiles it shows.
            name: the name of the photo.
            reading: its reading in JSON form.
            picture: the JPEG that pages show.
        """
        known = {"id": photo_id, "stage": DONE, "picture": picture, "reading": reading}
        self._add_photo(deal_id, seat, name, **known)

    def _add_photo(self, deal_id: str, seat: str, name: str, **known: object) -> None:
        with self._sessions.begin() as session:
            row = PhotoRow(deal_id=deal_id, seat=seat, name=name[:MAX_PHOTO_NAME], **known)
            row.created_at = _after_photos(session, deal_id)
            session.add(row)

    def photo(self, photo_id: str) -> StoredPhoto | None:
        """The photo with this id, without its picture; None if there is none."""
        with self._sessions() as session:
            row = session.get(PhotoRow, photo_id)
            return None if row is None else _photo(row)

    def photos_of(
        self, deal_id: str, seat: str, photo_id: str | None
    ) -> tuple[StoredPhoto | None, StoredPhoto | None]:
        """The photo with this id, and the newest photo of a player of the deal.

        Args:
            deal_id: the id of the deal.
            seat: the player's seat.
            photo_id: the id of the photo; None for none.
        """
        of_player = and_(PhotoRow.deal_id == deal_id, PhotoRow.seat == seat)
        query = select(PhotoRow).where(or_(PhotoRow.id == photo_id, of_player))
        with self._sessions() as session:
            rows = list(session.scalars(query.order_by(PhotoRow.created_at)))
        newest = [_photo(row) for row in rows if row.deal_id == deal_id and row.seat == seat]
        named = [_photo(row) for row in rows if row.id == photo_id]
        return (named[0] if named else None), (newest[-1] if newest else None)

    def latest_photos(self, deal_id: str) -> dict[str, StoredPhoto]:
        """The newest photo of each seat of a deal."""
        query = select(PhotoRow).where(PhotoRow.deal_id == deal_id).order_by(PhotoRow.created_at)
        with self._sessions() as session:
            return {row.seat: _photo(row) for row in session.scalars(query)}

    def stages(self, deal_id: str) -> dict[str, PhotoStage]:
        """How far the newest photo of each seat of a deal has come."""
        of_photo = select(PhotoRow.seat, PhotoRow.id, PhotoRow.stage, PhotoRow.error)
        query = of_photo.where(PhotoRow.deal_id == deal_id).order_by(PhotoRow.created_at)
        with self._sessions() as session:
            rows = session.execute(query).all()
        return {seat: PhotoStage(photo, stage, error) for seat, photo, stage, error in rows}

    def picture(self, photo_id: str) -> bytes | None:
        """The copy of a photo that pages show, an upright JPEG; None if there is none yet."""
        with self._sessions() as session:
            picture = session.scalar(select(PhotoRow.picture).where(PhotoRow.id == photo_id))
        return whole(self._engine, photo_id, picture)

    def unread(self, sent_before: datetime | None = None) -> list[str]:
        """The ids of the photos that were not read yet, oldest first, sent before a moment."""
        query = (
            select(PhotoRow.id)
            .where(PhotoRow.stage.in_((WAITING, READING)))
            .order_by(PhotoRow.created_at)
        )
        if sent_before is not None:
            query = query.where(PhotoRow.created_at < sent_before)
        with self._sessions() as session:
            return list(session.scalars(query))

    def start_reading(self, photo_id: str) -> bytes | None:
        """Mark a photo as being read and return its bytes; None if it was read already."""
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id, options=[undefer(PhotoRow.original)])
            if row is None or row.original is None:
                return None
            row.stage = READING
            return row.original

    def finish_photo(self, photo_id: str, reading: dict[str, Any], picture: bytes) -> None:
        """Store the reading of a photo and the copy that pages show; delete the bytes as sent.

        A photo that a restored copy does not have is let be.
        """
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id)
            if row is not None:
                row.stage, row.reading, row.picture, row.original = DONE, reading, picture, None

    def fail_photo(self, photo_id: str, message: Message | str) -> None:
        """If the photo still exists, store why it could not be read and delete its bytes."""
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id)
            if row is not None:
                row.stage, row.error, row.original = FAILED, kept(message, 500), None


def _photo(row: PhotoRow) -> StoredPhoto:
    return StoredPhoto(row.id, row.deal_id, row.seat, row.name, row.stage, row.reading, row.error)


def _after_photos(session: Session, deal_id: str) -> datetime:
    """The moment; where the clock was set back, one just after the newest photo of the deal."""
    query = select(func.max(PhotoRow.created_at)).where(PhotoRow.deal_id == deal_id)
    newest = session.scalar(query)
    if newest is None:
        return _now()
    return max(_now(), newest.replace(tzinfo=UTC) + timedelta(microseconds=1))


def _now() -> datetime:
    return datetime.now(UTC)
