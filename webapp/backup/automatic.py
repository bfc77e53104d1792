"""The copies that Kongbox makes by itself while it is served, in a folder beside the database.

A copy gets its name once it has been proven: every page of the file, its references, and every
entry against its digest. Older ones go only after that.
"""

from __future__ import annotations

import filecmp
import json
import logging
import re
import shutil
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final

from flask_babel import LazyString, lazy_gettext
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from vision.runtime.files import delete, put_in_place
from webapp.backup.backup import BackupRefused, back_up, check, database_file
from webapp.backup.integrity import examine_file
from webapp.backup.retention import Copy, superfluous
from webapp.database.engine import default_url, only_read
from webapp.database.trouble import trouble_of
from webapp.runtime.data_folder import make_private
from webapp.runtime.steady_clock import steady_now
from webapp.security import disk

EVERY_S: Final = 900.0
"""Time in seconds between two looks whether there is something new to copy."""

LATE_AFTER: Final = timedelta(hours=1)
"""Age of the last good copy above which the secretary is warned if none can be made."""

REASONS: Final = MappingProxyType(
    {
        "full": lazy_gettext(
            "The disk is nearly full, and the last 500 MB are reserved for scores. Free some space."
        ),
        "busy": lazy_gettext("Another program is using Kongbox's data. Close it."),
        "read-only": lazy_gettext(
            "The computer does not let Kongbox write there. Allow it to write to this folder."
        ),
        "failing": lazy_gettext(
            "Kongbox cannot read its disk, or its data is damaged. Check that the disk is "
            "connected; if it is, restore the last good backup."
        ),
        "history": lazy_gettext("Some entries have been altered. Check all entries to see which."),
        "fault": lazy_gettext("Something went wrong in Kongbox; kongbox.log has the details."),
    }
)
"""Why a copy could not be made, and what to do about it."""

_FAILURE: Final = "failure.json"
"""The name of the file that says why there is no newer copy, also to other programs."""

_DAMAGED: Final = "damaged"
"""The end of the name of the last copy whose history is not whole, which counts as none."""

_FAILURES: Final = (RuntimeError, OSError, ValueError, sqlite3.Error, SQLAlchemyError)
"""What is raised where a copy cannot be made or is not sound."""

_log = logging.getLogger(__name__)


class AlteredHistory(RuntimeError):
    """Entries in the copy are not as they were entered."""


class NoRoom(RuntimeError):
    """There is too little room on the disk."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no newer copy.

    Attributes:
        reason: a key of :data:`REASONS`.
        at: the moment of the last attempt in UTC.
    """

    reason: str
    at: datetime

    @property
    def words(self) -> LazyString:
        """The reason in words, with what to do."""
        return REASONS[self.reason]


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the copies.

    Attributes:
        folder: where they lie.
        newest: the newest one; None if there is none.
        count: their number.
        size: their size in bytes.
        failure: why the last attempt failed; None if it did not.
        late: whether the secretary is to be warned.
    """

    folder: Path
    newest: Copy | None
    count: int
    size: int
    failure: Failure | None
    late: bool


class Backups:
    """Makes copies of a database when something has changed, and says how they are.

    Args:
        url: the address of the database; nothing is done for one that is not a file here, or that
            can only be read.
    """

    def __init__(self, url: str | None) -> None:
        try:
            file = database_file(url)
            self._file: Path | None = None if only_read(make_url(url or default_url())) else file
        except BackupRefused:
            self._file = None
        self._url = url
        self._copied: object = None
        self._failure = self._read_failure()

    @property
    def failing(self) -> bool:
        """Whether the last attempt to make a copy failed."""
        return self._failure is not None

    def state(self) -> State | None:
        """What is known of the copies; None if the database is not a file on this computer."""
        if self._file is None:
            return None
        copies = self._all()
        newest = copies[-1] if copies else None
        old = newest is None or steady_now() - newest.at > LATE_AFTER
        late = self._failure is not None and old
        size = sum(copy.size for copy in copies)
        return State(self._folder(self._file), newest, len(copies), size, self._failure, late)

    def round(self) -> None:
        """Make a copy if something has changed since the last one; a failure is kept in mind."""
        file = self._file
        if file is None or (looks := _looks(file)) == self._copied:
            return
        try:
            self._make(file)
        except _FAILURES as error:
            self._fail(_reason(error))
            _log.exception("no copy could be made")
            return
        self._copied = looks
        self._failure = None
        with suppress(OSError):
            (self._folder(file) / _FAILURE).unlink(missing_ok=True)

    def _make(self, file: Path) -> None:
        folder = self._folder(file)
        folder.mkdir(mode=0o700, exist_ok=True)
        make_private(folder)
        new = folder / f"{file.stem}.new"
        for left in folder.glob(f"{new.name}*"):
            left.unlink()
        _refuse_without_room(file)
        back_up(self._url, new)
        check(new)
        examined = examine_file(new)
        if examined is not None and not examined.whole:
            put_in_place(new, folder / f"{file.stem}-{_DAMAGED}.sqlite3")
            raise AlteredHistory
        self._take_in(file, new)

    def _take_in(self, file: Path, new: Path) -> None:
        """Give a proven copy its name, unless it is the same as the last, and thin out the rest."""
        copies = self._all()
        if copies and filecmp.cmp(copies[-1].path, new, shallow=False):
            new.unlink()
            return
        at = steady_now()
        if copies:
            at = max(at, copies[-1].at + timedelta(seconds=1))
        put_in_place(new, new.with_name(f"{file.stem}-{at:%Y%m%d-%H%M%S}.sqlite3"))
        for copy in superfluous(self._all()):
            with suppress(PermissionError):  # Windows keeps it while it is sent: the next time
                delete(copy.path)

    def _all(self) -> list[Copy]:
        """All good copies, the oldest first."""
        file = self._file
        if file is None:
            return []
        name = re.compile(re.escape(file.stem) + r"-(\d{8}-\d{6})\.sqlite3")
        found = []
        with suppress(OSError):
            for path in self._folder(file).iterdir():
                if matched := name.fullmatch(path.name):
                    at = datetime.strptime(matched[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
                    found.append(Copy(at, path, path.stat().st_size))
        return sorted(found)

    @staticmethod
    def _folder(file: Path) -> Path:
        return file.with_name(f"{file.stem}-copies")

    def _fail(self, reason: str) -> None:
        self._failure = Failure(reason, steady_now())
        kept = {"reason": reason, "at": self._failure.at.isoformat()}
        if self._file is not None:
            with suppress(OSError):
                (self._folder(self._file) / _FAILURE).write_text(json.dumps(kept), "utf-8")

    def _read_failure(self) -> Failure | None:
        if self._file is None:
            return None
        try:
            kept = json.loads((self._folder(self._file) / _FAILURE).read_text("utf-8"))
            failure = Failure(str(kept["reason"]), datetime.fromisoformat(kept["at"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return failure if failure.reason in REASONS else replace(failure, reason="fault")


def _looks(file: Path) -> object:
    """What changes with whatever is written to a database."""
    found = []
    for end in ("", "-wal"):
        with suppress(FileNotFoundError):
            stat = file.with_name(file.name + end).stat()
            found.append((end, stat.st_mtime_ns, stat.st_size))
    return found


def _refuse_without_room(file: Path) -> None:
    size = sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*") if path.is_file())
    if shutil.disk_usage(file.parent).free < size + disk.LEAST_FREE_BYTES:
        raise NoRoom


def _reason(error: Exception) -> str:
    """The key of the words for what kept a copy from being made."""
    if isinstance(error, NoRoom):
        return "full"
    if isinstance(error, AlteredHistory):
        return "history"
    trouble = trouble_of(error)
    if trouble is not None:
        return str(trouble)
    return "failing" if isinstance(error, BackupRefused) else "fault"


def told(state: State | None) -> list[str]:
    """How the copies are as English lines, as the commands print them."""
    if state is None:
        return []
    lines = ["Copies: none yet; kongbox serve makes one every 15 minutes if something has changed."]
    if state.newest is not None:
        at = state.newest.at.astimezone()
        lines = [f"Copies: {state.count}, the last of {at:%Y-%m-%d %H:%M}, in {state.folder}."]
    if state.failure is not None:
        at = state.failure.at.astimezone()
        lines.append(f"No newer copy ({at:%Y-%m-%d %H:%M}): {state.failure.words}")
    return lines
