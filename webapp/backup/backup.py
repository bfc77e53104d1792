"""Backups of an SQLite database that are complete even while the page is in use, and restoring.

Both use SQLite's online backup, because a copy of the file alone would lack what is still in the
write-ahead log beside it.
"""

from __future__ import annotations

import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, delete
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from vision.runtime.files import put_in_free_place, put_in_place
from webapp.backup.archive import ArchiveRefused, NewerArchive, read_archive
from webapp.backup.integrity import (
    Examined,
    examine_database,
    require_readable,
    told,
)
from webapp.backup.schema_check import OtherShape, UnknownVersion, require_shape, require_small_rows
from webapp.database.engine import (
    BUSY_TIMEOUT_MS,
    DatabaseError,
    NewerDatabase,
    address_to_read,
    default_url,
    open_database,
)
from webapp.database.history import statements
from webapp.database.ids import new_id
from webapp.database.sessions import writing
from webapp.database.tables.accounts import NOT_COPIED, LoginRow
from webapp.personal_data.brought_back import brought_back, promise, promised
from webapp.runtime.untrusted import MAX_UNPACKED_BYTES

_PAGES_AT_A_TIME: Final = 256
"""Number of pages that are copied before other connections get their turn."""


class BackupRefused(RuntimeError):
    """The copy cannot be made or restored; the message says why and what to do."""


class NewerBackup(BackupRefused):
    """The copy was made by a newer version of Kongbox."""


class AlteredCopy(BackupRefused):
    """Entries in the copy are not as they were entered.

    Args:
        message: says which, and what to do.
        entries: their number.
    """

    def __init__(self, message: str, entries: int) -> None:
        super().__init__(message)
        self.entries = entries


def database_file(url: str | None) -> Path:
    """The file of an SQLite database.

    Raises:
        BackupRefused: the address is wrong, or its database is not a file on this computer.
    """
    try:
        parsed = make_url(url or default_url())
    except ArgumentError as error:
        raise BackupRefused(f"{url} is no database address.") from error
    name = parsed.database or ""
    if parsed.get_backend_name() != "sqlite" or name in ("", ":memory:"):
        raise BackupRefused(
            "Only the SQLite database is copied by Kongbox. PostgreSQL has pg_dump and pg_restore."
        )
    return Path(name)


def back_up(url: str | None, target: Path) -> int:
    """Copy the database to a new file, check the copy and return its size in bytes.

    Raises:
        BackupRefused: there is no database, or the file exists already or cannot be written.
    """
    source = database_file(url)
    if not source.exists():
        raise BackupRefused(f"There is no database {source} yet.")
    if target.exists():
        raise BackupRefused(f"{target} is there already. Choose another name.")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with _opened(source) as old, _opened(part) as new:
                old.backup(new, pages=_PAGES_AT_A_TIME, sleep=0.01)
                new.execute("PRAGMA journal_mode=DELETE")
            if not _sound(part):
                raise BackupRefused(f"{source} is damaged. Put an earlier copy back.")
            put_in_free_place(part, target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise BackupRefused(f"{target} cannot be written: {error}.") from error
    return target.stat().st_size


def restore(
    url: str | None,
    source: Path,
    *,
    damaged: bool = False,
    agreed: Callable[[list[str]], None] | None = None,
) -> Path | None:
    """Replace the database by a copy, after the copy was proven and the database itself copied.

    Args:
        url: the database.
        source: a copy that :func:`back_up` made, or an archive.
        damaged: whether the copy is taken even if rows in it are not as they were entered.
        agreed: called before anything is replaced with what is told of the copy: its history, and
            who was erased and comes back with it.

    Returns:
        The file beside the database that holds what was there before; None if there was nothing. A
        damaged database is moved there as it is.

    Raises:
        BackupRefused: the file is not a sound copy, or was made by a newer version of Kongbox.
    """
    target = database_file(url)
    with laid_ready(source, target, damaged=damaged) as (ready, examined):
        kept, whole = None, target.exists() and _sound(target)
        if target.exists():
            lines = [*told(examined), *_promises_kept(target, ready)]
            if agreed is not None:
                agreed(lines)
            kept = _kept_name(target)
            if whole:
                back_up(url, kept)
            else:
                _move_aside(target, kept)
        try:
            with _opened(ready) as old, _opened(target) as new:
                old.backup(new)
            target.chmod(0o600)
        except (OSError, sqlite3.Error) as error:
            if kept is not None and not whole:
                _move_aside(kept, target)
            raise BackupRefused(
                f"{source} cannot be put in the place of {target}: {error}. "
                "Stop the page and try again."
            ) from error
    return kept


@contextmanager
def laid_ready(
    source: Path, target: Path, *, damaged: bool = False
) -> Iterator[tuple[Path, Examined | None]]:
    """Make a copy ready beside a database, and delete it afterwards.

    Raises:
        BackupRefused: as for :func:`lay_ready`.
    """
    ready = target.with_name(f"{target.stem}-ready-{new_id()}.sqlite3")
    try:
        yield ready, lay_ready(source, ready, damaged=damaged)
    finally:
        remove(ready)


def lay_ready(
    source: Path, ready: Path, *, most: int = MAX_UNPACKED_BYTES, damaged: bool = False
) -> Examined | None:
    """Make a database of the newest schema of a copy, prove it, and return what its history tells.

    Args:
        source: a copy that :func:`back_up` made, or an archive; it is not changed.
        ready: the new file.
        most: maximum size in bytes of an archive as it is unpacked.
        damaged: whether the copy is taken even if rows in it are not as they were entered.

    Raises:
        BackupRefused: it is not a sound copy, or a newer version of Kongbox made it.
    """
    try:
        archive = zipfile.is_zipfile(source)
        if not archive:
            check(source)
            os.close(os.open(ready, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with _opened(source, read_only=True) as old, _opened(ready) as new:
                old.backup(new)
        engine = open_database(f"sqlite:///{ready}")
        try:
            if archive:
                read_archive(engine, source, most=most, damaged=True)
            return _proven(engine, source, damaged=damaged)
        finally:
            engine.dispose()
    except (NewerArchive, NewerDatabase) as error:
        raise NewerBackup(str(error)) from error
    except (ArchiveRefused, DatabaseError) as error:
        raise BackupRefused(str(error)) from error
    except (OSError, sqlite3.Error) as error:
        raise BackupRefused(f"{source} cannot be read or kept: {error}.") from error


def _proven(engine: Engine, source: Path, *, damaged: bool) -> Examined | None:
    """What the history of a database says that was made of a copy; nobody is logged in there."""
    try:
        with writing(engine).begin() as connection:
            connection.execute(delete(LoginRow))
        examined = examine_database(engine)
        if damaged:
            return examined
        if examined is not None and not examined.whole:
            words = "\n".join([f"{source} is damaged.", *told(examined)])
            raise AlteredCopy(words, len(examined.verdict.faults))
        require_readable(engine)
    except (SQLAlchemyError, ValueError) as error:
        raise BackupRefused(f"{source} is damaged. Use an earlier copy.") from error
    return examined


def _promises_kept(target: Path, ready: Path) -> list[str]:
    """Note in a copy who was erased in the database that it replaces, and tell who comes back."""
    try:
        with _opened(target) as here, _opened(ready) as copy:
            ids = promised(here) | promised(copy)
            promise(copy, ids)
    except (sqlite3.Error, ValueError):
        unknown = (
            f"Whom you erased cannot be read from {target}: if that was after this backup was "
        )
        return [unknown + "made, restoring it brings them back. Erase them once more."]
    engine = open_database(f"sqlite:///{ready}")
    try:
        return [
            f"This backup was made before {one.name} was erased; restoring it brings them back."
            for one in brought_back(engine, ids)
        ]
    finally:
        engine.dispose()


def remove(database: Path) -> None:
    """Delete the file of a database that nobody uses, and what lies beside it."""
    for end in ("-wal", "-shm", ""):
        database.with_name(database.name + end).unlink(missing_ok=True)


def exchange(url: str | None, source: Path) -> Path:
    """Replace all rows by those of another database while the page is in use.

    It is one transaction, for which other writers wait. So each entry is either in the copy of what
    was there before or comes after the exchange. Whom the database has erased it knows afterwards
    too: see :mod:`webapp.personal_data.brought_back`.

    Args:
        url: the database, at the newest schema.
        source: the file of the other database, at the newest schema too.

    Returns:
        The file beside the database that holds what was there before.

    Raises:
        BackupRefused: the copy cannot be made, or the rows cannot be written; nothing was changed.
    """
    target = database_file(url)
    kept = _kept_name(target)
    with _opened(target) as connection:
        try:
            connection.execute("ATTACH ? AS source", (str(source),))
            connection.execute("BEGIN IMMEDIATE")
            back_up(url, kept)
            ids = promised(connection) | promised(connection, "source")
            for statement in statements("sqlite", "unlock"):
                connection.execute(statement)
            for table in _tables(connection):
                _take_rows(connection, table)
            promise(connection, ids)
            if connection.execute("PRAGMA main.foreign_key_check").fetchone() is not None:
                raise BackupRefused(f"{source} is damaged. Use an earlier copy.")
            for statement in statements("sqlite", "lock"):
                connection.execute(statement)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise BackupRefused(
                f"{source} cannot be put in the place of {target}: {error}."
            ) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
                kept.unlink(missing_ok=True)
    return kept


def _kept_name(target: Path) -> Path:
    """The name of the file that keeps what was there before."""
    return target.with_name(f"{target.stem}-before-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.sqlite3")


def _sound(path: Path) -> bool:
    """Whether a database is intact; one that is in use or cannot be opened counts as intact."""
    try:
        with _opened(path) as connection:
            return bool(connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:
        return False


def _move_aside(damaged: Path, kept: Path) -> None:
    """Rename a damaged database together with its write-ahead log.

    Raises:
        BackupRefused: the page uses it on Windows, or the folder cannot be written to.
    """
    for end in ("-wal", "-shm", ""):
        part = damaged.with_name(damaged.name + end)
        try:
            if part.exists():
                put_in_place(part, kept.with_name(kept.name + end))
        except OSError as error:
            raise BackupRefused(
                f"{damaged} cannot be put aside: {error}. Stop the page and try again."
            ) from error


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
    return [name for (name,) in rows if not name.startswith("sqlite_") and name not in NOT_COPIED]


def _take_rows(connection: sqlite3.Connection, table: str) -> None:
    columns = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    names = ", ".join(f'"{name}"' for (name,) in columns)
    connection.execute(f'DELETE FROM main."{table}"')  # noqa: S608 - a table of Kongbox's own
    connection.execute(
        f'INSERT INTO main."{table}" ({names}) SELECT {names} FROM source."{table}"'  # noqa: S608
    )


@contextmanager
def _opened(path: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    name = address_to_read(path) if read_only else path
    connection = sqlite3.connect(
        name, uri=read_only, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None
    )
    try:
        connection.execute("PRAGMA trusted_schema=OFF")
        yield connection
    finally:
        connection.close()


def check(path: Path) -> None:
    """Check that a file is a sound database of Kongbox, without changing it.

    Raises:
        BackupRefused: it is not, or a newer version of Kongbox made it.
    """
    if not path.is_file():
        raise BackupRefused(f"There is no file {path}.")
    try:
        with _opened(path, read_only=True) as connection:
            require_shape(connection)
            sound = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            orphans = connection.execute("PRAGMA foreign_key_check").fetchone()
            if sound:
                require_small_rows(connection)
    except UnknownVersion as error:
        raise NewerBackup(f"{path} was made by a newer Kongbox. Install that one first.") from error
    except OtherShape as error:
        raise BackupRefused(
            f"{path} is no copy of a Kongbox database: {error}. Use another copy."
        ) from error
    except (sqlite3.Error, ValueError) as error:
        raise BackupRefused(
            f"{path} is no copy of a Kongbox database, or it is damaged. Use another copy."
        ) from error
    if not sound or orphans is not None:
        raise BackupRefused(f"{path} is damaged. Use an earlier copy.")
