"""What keeps Kongbox from storing or reading: told to people as what it is, with what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from flask_babel import lazy_gettext
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection


class Trouble(StrEnum):
    """What is wrong with disk, database or bucket; nothing of it is a fault in the program."""

    FULL = "full"
    BUSY = "busy"
    READ_ONLY = "read-only"
    FAILING = "failing"
    AWAY = "away"
    REPLACED = "replaced"


class PicturesAway(OSError):
    """The folder or bucket in which pictures lie cannot be reached, or one is missing there."""


class BookReplaced(SQLAlchemyError):
    """A copy was restored, or a player erased, while a request was answered that wants to write."""


TITLES: Final = MappingProxyType(
    {
        Trouble.FULL: lazy_gettext("The disk is full"),
        Trouble.BUSY: lazy_gettext("The book is in use"),
        Trouble.READ_ONLY: lazy_gettext("Kongbox cannot save changes"),
        Trouble.FAILING: lazy_gettext("The disk does not answer"),
        Trouble.AWAY: lazy_gettext("The photos cannot be reached"),
        Trouble.REPLACED: lazy_gettext("The club's data has just changed"),
    }
)
"""The heading for each trouble."""

DETAILS: Final = MappingProxyType(
    {
        Trouble.FULL: lazy_gettext(
            "The disk of the Kongbox computer is full, so this was not saved. Everything "
            "entered before is kept and can be viewed: free some space on that disk, then "
            "send this again."
        ),
        Trouble.BUSY: lazy_gettext(
            "Another program is using Kongbox's data, so this was not done. Everything "
            "entered before is kept: wait five seconds and try again. If that does not "
            "help, close the other program on the Kongbox computer."
        ),
        Trouble.READ_ONLY: lazy_gettext(
            "Kongbox can read its data but is not allowed to change it, so this was not "
            "saved. Everything entered before is kept and can be viewed: allow Kongbox to "
            "write to its file and folder, then send this again."
        ),
        Trouble.FAILING: lazy_gettext(
            "Kongbox cannot read its disk, or its data is damaged, so this was not done. "
            "Check that the disk is connected and restart Kongbox. If that does not help, "
            "restore the last backup."
        ),
        Trouble.AWAY: lazy_gettext(
            "The association's photo storage does not answer, so this was not done. "
            "Everything entered before is kept: wait a minute and try again. If that does "
            "not help, tell the person who looks after the server."
        ),
        Trouble.REPLACED: lazy_gettext(
            "Someone has just restored a backup or erased a player, so this was not done. "
            "If you go back, what you typed is still there: wait five seconds, check that "
            "your table is still there, and try again."
        ),
    }
)
"""What each trouble means, and what to do about it."""

_CODES: Final = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: Trouble.FULL,
        sqlite3.SQLITE_BUSY: Trouble.BUSY,
        sqlite3.SQLITE_LOCKED: Trouble.BUSY,
        sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
        sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
        sqlite3.SQLITE_IOERR: Trouble.FAILING,
        sqlite3.SQLITE_CANTOPEN: Trouble.FAILING,
        sqlite3.SQLITE_CORRUPT: Trouble.FAILING,
        sqlite3.SQLITE_NOTADB: Trouble.FAILING,
    }
)
"""The trouble that each of SQLite's result codes stands for."""

_PRIMARY: Final = 0xFF
"""The bits of one of SQLite's result codes that say the kind of it."""

_NUMBERS: Final = MappingProxyType(
    {
        errno.ENOSPC: Trouble.FULL,
        errno.EDQUOT: Trouble.FULL,
        errno.EROFS: Trouble.READ_ONLY,
        errno.EACCES: Trouble.READ_ONLY,
        errno.EPERM: Trouble.READ_ONLY,
        errno.EIO: Trouble.FAILING,
    }
)
"""The trouble that each of the system's error numbers stands for."""

_STATES: Final = MappingProxyType(
    {
        "53100": Trouble.FULL,
        "55P03": Trouble.BUSY,
        "25006": Trouble.READ_ONLY,
        "58030": Trouble.FAILING,
    }
)
"""The trouble that each of PostgreSQL's error codes stands for."""


def trouble_of(error: BaseException) -> Trouble | None:
    """The trouble that an error comes from; None if it is something else."""
    return next(filter(None, map(_trouble, _chain(error))), None)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it was raised from."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = getattr(found, "orig", None) or found.__cause__


def _trouble(error: BaseException) -> Trouble | None:
    if isinstance(error, NoConnection):
        return Trouble.BUSY
    if isinstance(error, BookReplaced):
        return Trouble.REPLACED
    if isinstance(error, PicturesAway):
        return Trouble.AWAY
    if isinstance(error, OSError):
        return _NUMBERS.get(error.errno or 0)
    if isinstance(error, sqlite3.Error):
        return _CODES.get(getattr(error, "sqlite_errorcode", 0) & _PRIMARY)
    return _STATES.get(str(getattr(error, "sqlstate", "")))
