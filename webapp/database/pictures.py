"""Where the pictures of photos lie: in the database, or outside in a folder or bucket.

Each picture is taken in by the database, in one transaction with its reading. Where an association
keeps pictures outside, :func:`move_out` lays it there: first its bytes, then the row says so. What
is deleted goes the other way, out of the row first; what a crash leaves outside is deleted by
:func:`sweep`.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Final, Protocol

from sqlalchemy import Connection, Engine, event, select, update
from sqlalchemy.orm import Session

from webapp.database.sessions import let_go_idle, sessions_on
from webapp.database.tables.deals import PhotoRow
from webapp.database.trouble import PicturesAway

OUTSIDE: Final = b"outside"
"""What the row of a photo holds whose picture lies outside, under the id of the photo."""

_PICTURES: Final = "kongbox_pictures"
"""The name of the execution option that holds the place of a club's pictures."""

_log = logging.getLogger(__name__)


class Pictures(Protocol):
    """The pictures of one club outside its database, each under the id of its photo.

    Everything raises PicturesAway where the place cannot be reached.
    """

    def put(self, photo_id: str, picture: bytes) -> None:
        """Lay a picture there for good, in the place of an earlier one, whole or not at all."""

    def get(self, photo_id: str) -> bytes:
        """The bytes of a picture; PicturesAway also where it is missing."""

    def delete(self, photo_ids: Collection[str]) -> None:
        """Delete these pictures; those that are not there are none of its business."""

    def sizes(self) -> dict[str, int]:
        """The size in bytes of each picture that lies there, by the id of its photo."""


def with_pictures(engine: Engine, pictures: Pictures) -> Engine:
    """An engine on the same database whose pictures lie outside."""
    return engine.execution_options(**{_PICTURES: pictures})


def pictures_of(bind: Engine | Connection) -> Pictures | None:
    """Where the pictures of a database lie; None if that is the database itself."""
    return bind.get_execution_options().get(_PICTURES)


def whole(bind: Engine | Connection, photo_id: str, picture: bytes | None) -> bytes | None:
    """The picture of a photo, wherever it lies; None if there is none.

    Args:
        bind: the database.
        photo_id: the id of the photo.
        picture: what its row holds.

    Raises:
        PicturesAway: it lies outside and cannot be reached.
    """
    if picture != OUTSIDE:
        return picture
    pictures = pictures_of(bind)
    if pictures is None:
        raise PicturesAway("pictures lie outside, and it is not said where")
    let_go_idle()
    return pictures.get(photo_id)


def delete_after_commit(session: Session, photo_ids: Collection[str]) -> None:
    """Delete pictures outside once the transaction that clears their rows has ended well.

    What cannot be reached then is left to :func:`sweep`.
    """
    pictures = pictures_of(session.get_bind())
    if pictures is None or not photo_ids:
        return

    def delete(_: Session) -> None:
        try:
            pictures.delete(photo_ids)
        except PicturesAway:
            _log.warning("%d pictures are deleted later", len(photo_ids), exc_info=True)

    event.listen(session, "after_commit", delete, once=True)


def move_out(engine: Engine) -> int:
    """Lay the pictures outside that the database has taken in; gives their number.

    Raises:
        PicturesAway: the place cannot be reached; they stay in the database.
    """
    pictures, moved = pictures_of(engine), 0
    if pictures is None:
        return moved
    sessions = sessions_on(engine)
    inside = PhotoRow.picture != OUTSIDE
    with sessions() as session:
        ids = session.scalars(select(PhotoRow.id).where(inside).order_by(PhotoRow.created_at)).all()
    for photo_id in ids:
        this = PhotoRow.id == photo_id
        with sessions() as session:
            picture = session.scalar(select(PhotoRow.picture).where(this, inside))
        if picture is not None:
            pictures.put(photo_id, picture)
            with sessions.begin() as session:
                unchanged = update(PhotoRow).where(this, PhotoRow.picture == picture)
                session.execute(unchanged.values(picture=OUTSIDE))
            moved += 1
    return moved


def sweep(engine: Engine) -> int:
    """Delete the pictures outside whose rows were cleared; gives their number.

    What no row knows is let be: this may be an older copy of the database, or the wrong one.

    Raises:
        PicturesAway: the place cannot be reached.
    """
    pictures = pictures_of(engine)
    if pictures is None:
        return 0
    lying = pictures.sizes().keys()  # Before the rows: a row that is cleared by then stays so.
    query = select(PhotoRow.id, PhotoRow.picture.is_(None).label("cleared"))
    with sessions_on(engine)() as session:
        rows = {row.id: row.cleared for row in session.execute(query)}
    cleared = [photo_id for photo_id in lying if rows.get(photo_id)]
    pictures.delete(cleared)
    unknown = len(lying - rows.keys())
    if unknown:
        _log.warning("%d pictures lie outside of which the database knows no photo", unknown)
    return len(cleared)
