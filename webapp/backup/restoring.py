"""Restoring a copy from the page: it is checked and shown before it replaces everything.

A copy is an archive or a database that ``kongbox backup`` wrote. It is kept beside the database, as
a database of the newest schema, until someone confirms that it replaces what is there. Another
copy that is sent meanwhile waits beside it.
"""

from __future__ import annotations

import logging
import re
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import IO, Final

from flask_babel import gettext, lazy_gettext, ngettext
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from webapp.backup.backup import (
    AlteredCopy,
    BackupRefused,
    NewerBackup,
    check,
    database_file,
    exchange,
    lay_ready,
    remove,
)
from webapp.database.engine import open_database
from webapp.database.ids import new_id
from webapp.database.tables.accounts import AccountRow
from webapp.database.tables.deals import (
    EveningRow,
    GameRevisionRow,
    GameRow,
    PersonRow,
    PhotoRow,
    RevisionRow,
)
from webapp.database.trouble import DETAILS, Trouble, trouble_of
from webapp.personal_data.brought_back import BroughtBack, brought_back, promised
from webapp.runtime.untrusted import Unusable, opened_zip
from webapp.security import disk
from webapp.security.accounts import Accounts

UNUSABLE: Final = lazy_gettext(
    "This file is not a Kongbox backup, or it is damaged. Nothing was changed: "
    "choose the ZIP file from “Take everything”, or an automatic backup."
)
"""The message for a file that is not a sound copy."""

NEWER: Final = lazy_gettext(
    "This file was made by a newer version of Kongbox. Nothing was changed: install that version "
    "here first."
)
"""The message for a copy of a newer version of Kongbox."""

NO_ROOM: Final = lazy_gettext(
    "There is not enough space on Kongbox's disk for this backup as well as the "
    "current data. Nothing was changed: free some space, or ask the person who "
    "looks after Kongbox to, and try again."
)
"""The message if the disk is too full to restore a copy."""

ELSEWHERE: Final = lazy_gettext(
    "This club's data is on a database server, which has its own tools for backup "
    "and restore. Ask the person who looks after it. They can also import the ZIP "
    "file above into a new club."
)
"""The message if the database is not a file on this computer."""

GONE: Final = lazy_gettext("This backup is no longer here. Please choose the file again.")
"""The message about a copy that was restored, left or forgotten meanwhile."""

MANY_WAIT: Final = lazy_gettext(
    "Several files are already waiting to be restored. Restore or cancel one of "
    "them, or try again in an hour, when they will have been discarded."
)
"""The message if as many copies wait as there may be."""

MAX_WAITING: Final = 3
"""Maximum number of copies that wait for an answer at the same time."""

KEPT_S: Final = 3600.0
"""Time in seconds after which a copy that waits for an answer is deleted."""

MAX_UNPACKED_BYTES: Final = 1024**3
"""Maximum size in bytes of an archive as it is unpacked: 17 times that of the largest one sent."""

_TROUBLES: Final[Mapping[Trouble | None, object]] = MappingProxyType(
    {
        Trouble.FULL: NO_ROOM,
        Trouble.BUSY: DETAILS[Trouble.BUSY],
        Trouble.READ_ONLY: DETAILS[Trouble.READ_ONLY],
    }
)
"""What is told where a copy is not to blame; other troubles are those of its own file."""

_COPIES: Final = 3
"""Number of copies that are on the disk at the same time while one is restored."""

_log = logging.getLogger(__name__)


class CopyRefused(RuntimeError):
    """The copy cannot be restored; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A summary of what a database holds.

    Attributes:
        evenings: number of evenings.
        tables: number of tables that were opened.
        players: number of players.
        photos: number of photos that are stored.
        accounts: number of people who may log in.
        secretary: whether there is a secretary's account.
        last: the moment of the last entry in UTC; None if there is none.
    """

    evenings: int
    tables: int
    players: int
    photos: int
    accounts: int
    secretary: bool
    last: datetime | None


def contents(engine: Engine) -> Contents:
    """The summary of what a database holds."""
    counted = (
        select(func.count(EveningRow.id)),
        select(func.count(GameRow.id)),
        select(func.count(PersonRow.id)),
        select(func.count(PhotoRow.id)).where(PhotoRow.picture.is_not(None)),
        select(func.count(AccountRow.id)),
    )
    latest = (select(func.max(row.created_at)) for row in (GameRevisionRow, RevisionRow))
    with Session(engine) as session:
        evenings, tables, players, photos, accounts = (
            session.scalars(query).one() for query in counted
        )
        moments = [session.scalars(query).one_or_none() for query in latest]
    last = max((moment for moment in moments if moment is not None), default=None)
    return Contents(
        evenings,
        tables,
        players,
        photos,
        accounts,
        secretary=Accounts(engine).has_secretary(),
        last=None if last is None else last.replace(tzinfo=UTC),
    )


class Restorer:
    """Keeps copies ready beside the database, and restores the one that is confirmed.

    Args:
        engine: the database that is in use.
    """

    def __init__(self, engine: Engine) -> None:
        self._turn = Lock()
        self._engine = engine
        self._url = engine.url.render_as_string(hide_password=False)

    @property
    def possible(self) -> bool:
        """Whether the database is a file on this computer, so that copies can be restored."""
        try:
            database_file(self._url)
        except BackupRefused:
            return False
        return True

    def lay_ready(self, file: IO[bytes]) -> str:
        """Store and check a copy that was sent, and return its id.

        Raises:
            CopyRefused: it is not a copy, is damaged, was made by a newer version of Kongbox, or
                does not fit on the disk; or too many copies wait already.
        """
        if not self.possible:
            raise CopyRefused(str(ELSEWHERE))
        copy_id = new_id()
        sent = self._path(copy_id).with_suffix(".sent")
        with self._turn:
            self._tidy()
            try:
                with _told():
                    self._refuse_without_room(_size(file))
                    with sent.open("wb") as kept:
                        sent.chmod(0o600)
                        shutil.copyfileobj(file, kept)
                    self._refuse_bomb(sent)
                    lay_ready(sent, self._path(copy_id), most=MAX_UNPACKED_BYTES)
            except CopyRefused:
                self._remove(copy_id)
                raise
            finally:
                sent.unlink(missing_ok=True)
        return copy_id

    def ready(self, copy_id: str) -> Contents | None:
        """What the copy with this id holds; None if it is not ready any more."""
        if not self._waits(copy_id):
            return None
        engine = open_database(f"sqlite:///{self._path(copy_id)}")
        try:
            return contents(engine)
        finally:
            engine.dispose()

    def brought_back(self, copy_id: str) -> list[BroughtBack]:
        """Who was erased and would come back with the copy with this id, which is ready."""
        with closing(self._engine.raw_connection()) as here:
            ids = promised(here.driver_connection)  # type: ignore[arg-type]  # SQLite's own
        engine = open_database(f"sqlite:///{self._path(copy_id)}")
        try:
            return brought_back(engine, ids)
        finally:
            engine.dispose()

    def take_over(self, copy_id: str) -> Path:
        """Replace everything by the copy and return the file that keeps what was there before.

        Raises:
            CopyRefused: the copy cannot be restored; nothing was changed.
        """
        with self._turn, _told():
            if not self._waits(copy_id):
                raise CopyRefused(str(GONE))
            check(self._path(copy_id))
            kept = exchange(self._url, self._path(copy_id))
            self._remove(copy_id)
        return kept

    def drop(self, copy_id: str) -> None:
        """Delete a copy that is ready, if there is one with this id."""
        with self._turn:
            if self._waits(copy_id):
                self._remove(copy_id)

    def _waits(self, copy_id: str) -> bool:
        sound = self.possible and re.fullmatch("[0-9a-f]{32}", copy_id)
        return bool(sound) and self._path(copy_id).is_file()

    def _path(self, copy_id: str) -> Path:
        database = database_file(self._url)
        return database.with_name(f"{database.stem}-ready-{copy_id}.sqlite3")

    def _remove(self, copy_id: str) -> None:
        remove(self._path(copy_id))

    def _tidy(self) -> None:
        """Delete what has waited too long, and refuse a further copy beside many."""
        database = database_file(self._url)
        for path in database.parent.glob(f"{database.stem}-ready-*"):
            if path.stat().st_mtime < time.time() - KEPT_S:
                path.unlink(missing_ok=True)
        if len(list(database.parent.glob(f"{database.stem}-ready-*.sqlite3"))) >= MAX_WAITING:
            raise CopyRefused(str(MANY_WAIT))

    def _refuse_bomb(self, sent: Path) -> None:
        if zipfile.is_zipfile(sent):
            with opened_zip(sent, MAX_UNPACKED_BYTES) as packed:
                self._refuse_without_room(packed.size)

    def _refuse_without_room(self, size: int) -> None:
        database = database_file(self._url)
        free = shutil.disk_usage(database.parent).free
        if free < _COPIES * size + database.stat().st_size + disk.LEAST_FREE_BYTES:
            raise CopyRefused(str(NO_ROOM))


@contextmanager
def _told() -> Iterator[None]:
    """Raise errors about a copy as :class:`CopyRefused` in words, and log their kind."""
    try:
        yield
    except NewerBackup as error:
        raise CopyRefused(str(NEWER)) from error
    except AlteredCopy as error:
        raise CopyRefused(_altered(error.entries)) from error
    except (BackupRefused, Unusable) as error:
        _log.warning("a copy was refused: %s", type(error.__cause__ or error).__name__)
        raise CopyRefused(str(_TROUBLES.get(trouble_of(error), UNUSABLE))) from error
    except OSError as error:
        _log.warning("a copy could not be kept: %s", error.strerror)
        reason = gettext("The backup could not be saved: %(reason)s.", reason=error.strerror)
        raise CopyRefused(reason) from error


def _altered(entries: int) -> str:
    words: str = ngettext(
        "%(num)d entry in this file has been altered: the file is damaged. Use an "
        "earlier backup instead.",
        "%(num)d entries in this file have been altered: the file is damaged. Use an "
        "earlier backup instead.",
        entries,
    )
    return words


def _size(file: IO[bytes]) -> int:
    size = file.seek(0, 2)
    file.seek(0)
    return size
