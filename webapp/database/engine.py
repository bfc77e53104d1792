"""Opening the database, SQLite with full durability or PostgreSQL, at the newest schema."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from webapp.database.base import Base
from webapp.database.schemas import enter, in_schema, make_schema
from webapp.database.sessions import is_note, may_write, note_failure, writing
from webapp.database.trouble import DETAILS, Trouble, trouble_of
from webapp.runtime.data_folder import data_folder, make_private

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"
"""The folder of the migrations that bring an older database to the newest schema."""

BUSY_TIMEOUT_MS: Final = 5000
"""How long SQLite waits for another transaction to end, in milliseconds."""

NOTE_TIMEOUT_MS: Final = 1000
"""How long a note waits for another transaction to end, in milliseconds: 20 times a usual one."""

RESTED_S: Final = 1.0
"""Seconds after which a connection to PostgreSQL is asked whether it is still there: a form that is
sent takes one after another from the pool, and each question costs a way to the server."""

_RESTS: Final = "kongbox_rests"
"""The name under which a connection of the pool keeps since when it rests."""

_TURN: Final = 0x6B6F6E67
"""The number of the advisory lock in PostgreSQL that lets one transaction write at a time."""


class DatabaseError(RuntimeError):
    """The database cannot be opened; the message names it and says what to do."""


class NewerDatabase(DatabaseError):
    """The database was written by a newer version of Kongbox."""


def default_url() -> str:
    """The address of the SQLite database in the user's data folder."""
    return f"sqlite:///{data_folder() / 'kongbox.sqlite3'}"


def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "fullfsync=ON",  # a Mac's disk keeps what it is given in memory else
        "checkpoint_fullfsync=ON",
        "foreign_keys=ON",
        "secure_delete=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _on_connect_to_read(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def _on_begin(connection: Connection) -> None:
    """Begin a transaction: one that may write takes the lock now, one that reads needs none."""
    if not may_write(connection):
        connection.exec_driver_sql("BEGIN")
    elif not is_note(connection):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={NOTE_TIMEOUT_MS}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")


def _in_turn(connection: Connection) -> None:
    """Let one transaction of a club write at a time, as SQLite does: entries are in order."""
    enter(connection)
    if may_write(connection):
        connection.exec_driver_sql(
            "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", (_TURN,)
        )


def _put_back(_connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
    """Remember since when a connection rests."""
    record.info[_RESTS] = time.monotonic()


def _take_out(
    connection: DBAPIConnection, record: ConnectionPoolEntry, _proxy: PoolProxiedConnection
) -> None:
    """Ask a connection that has rested for long whether the server still has it.

    Raises:
        DisconnectionError: it has not; another connection is made.
    """
    if time.monotonic() - record.info.get(_RESTS, 0.0) < RESTED_S:
        return
    try:
        with closing(connection.cursor()) as cursor:
            cursor.execute("SELECT 1")
        connection.rollback()
    except Exception as error:
        raise DisconnectionError from error


def _keep_private(file: str | None) -> None:
    """Let nobody but its owner read an SQLite database; it is made if it does not exist.

    The files that SQLite puts beside it get its mode.
    """
    if not file or file == ":memory:" or file.startswith("file:"):
        return
    with suppress(OSError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for end in ("", "-wal", "-shm"):
        make_private(Path(file + end))


def only_read(address: URL) -> bool:
    """Whether a database is a file that Kongbox may read but not write, or not beside it.

    SQLite writes beside a database too, and cannot keep an entry safely where it must not.
    """
    file = Path(address.database or "")
    if address.get_backend_name() != "sqlite" or not file.is_file():
        return False
    return not (os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK))


def address_to_read(path: Path) -> str:
    """The address under which SQLite reads a file, changing neither it nor what lies beside it.

    A file with something in its write-ahead log is in use, or was when its computer stopped: its
    last entries are in the log, without which it is never read. Other files are read as they would
    be from a disk that cannot be written, because SQLite would else begin such a log.
    """
    log = path.with_name(path.name + "-wal")
    in_use = log.exists() and log.stat().st_size > 0
    return f"file:{quote(str(path))}?mode=ro{'' if in_use else '&immutable=1'}"


def _engine_to_read(address: URL) -> Engine:
    """An engine on a file that can only be read; each connection looks whether it is in use."""
    path = Path(address.database or "")

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address_to_read(path), uri=True, check_same_thread=False)

    engine = create_engine(address, creator=connect)
    event.listen(engine, "connect", _on_connect_to_read)
    event.listen(engine, "begin", _on_begin)
    return engine


def _engine(address: URL) -> Engine:
    if only_read(address):
        return _engine_to_read(address)
    if address.get_backend_name() == "postgresql":
        engine = create_engine(address, connect_args={"options": "-c timezone=UTC"})
        event.listen(engine, "checkin", _put_back)
        event.listen(engine, "checkout", _take_out)
        event.listen(engine, "begin", _in_turn)
        event.listen(engine, "handle_error", note_failure)
        return engine
    engine = create_engine(address)
    if address.get_backend_name() == "sqlite":
        _keep_private(address.database)
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
    return engine


def _shown(url: str) -> str:
    """The address with its password hidden."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url


def migrations(connection: Connection | None = None) -> Config:
    """The migrations, as Alembic wants them told, to be run on a connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


@cache
def known_versions() -> frozenset[str]:
    """The versions of the tables that this Kongbox knows."""
    scripts = ScriptDirectory.from_config(migrations()).walk_revisions()
    return frozenset(script.revision for script in scripts)


def _bring_up(engine: Engine, shown: str) -> None:
    """Migrate a database to the newest schema.

    Raises:
        NewerDatabase: it has a newer one.
        DatabaseError: it says that it has the newest, but parts of its tables are missing.
    """
    if only_read(engine.url):
        with engine.connect() as connection:
            _require_newest(connection, shown)
        return
    with writing(engine).begin() as connection:
        _migrate(connection, shown)


def _require_newest(connection: Connection, shown: str) -> None:
    """Refuse a database that would have to be migrated first and can only be read."""
    versions = _known_versions_of(connection, shown)
    newest = ScriptDirectory.from_config(migrations()).get_heads()
    if set(versions) != set(newest):
        raise DatabaseError(
            f"The database {shown} was written by an older Kongbox and can only be read here, so "
            "it cannot be brought up to this one. Copy it to a folder that you can write to, and "
            "open it there."
        )


def _known_versions_of(connection: Connection, shown: str) -> tuple[str, ...]:
    """The versions of a database's tables; a version that is not known here is refused."""
    versions = MigrationContext.configure(connection).get_current_heads()
    if not known_versions().issuperset(versions):
        raise NewerDatabase(
            f"The database {shown} was written by a newer Kongbox, which needs to be installed "
            "here first. Nothing was changed."
        )
    return versions


def _migrate(connection: Connection, shown: str) -> None:
    _known_versions_of(connection, shown)
    command.upgrade(migrations(connection), "head")
    there = {
        (table, column["name"])
        for (_, table), columns in inspect(connection).get_multi_columns().items()
        for column in columns
    }
    if not there.issuperset((t.name, c.name) for t in Base.metadata.sorted_tables for c in t.c):
        raise DatabaseError(
            f"The database {shown} is damaged: a part of its tables is missing. Put a copy back "
            "with kongbox restore."
        )


def open_database(url: str | None = None) -> Engine:
    """Open the database at ``url`` and migrate it to the newest schema.

    A file that can only be read is opened to be read, and nothing is written beside it.

    Args:
        url: an SQLAlchemy address; None for the SQLite file in the user's data folder.

    Raises:
        NewerDatabase: a newer version of Kongbox wrote it; nothing was changed.
        DatabaseError: the address is wrong, or the database is damaged or cannot be opened.
    """
    url = url or default_url()
    engine = None
    try:
        engine = _engine(make_url(url))
        _bring_up(engine, _shown(url))
    except DatabaseError:
        _dispose(engine)
        raise
    except (ArgumentError, CommandError, ImportError, SQLAlchemyError) as error:
        _dispose(engine)
        trouble = _trouble(error, url)
        if trouble is not None and trouble is not Trouble.FAILING:
            raise DatabaseError(f"{_shown(url)}: {DETAILS[trouble]}") from error
        raise DatabaseError(
            f"Cannot open the database {_shown(url)}: {getattr(error, 'orig', None) or error}. "
            "Give an address such as sqlite:////home/me/kongbox.sqlite3 in a folder you can write, "
            "or postgresql+psycopg://user@host/name (needs the extra kongbox[postgres])."
        ) from error
    return engine


def open_schema(engine: Engine, schema: str) -> Engine:
    """Open the database of one club in PostgreSQL and migrate it to the newest schema.

    Args:
        engine: the PostgreSQL database that all clubs share, of :func:`open_database`.
        schema: what the club's part of it is called; it is made if it is not there.

    Raises:
        NewerDatabase: a newer version of Kongbox wrote it; nothing was changed.
        DatabaseError: it is damaged, or the user of the database may not make it.
    """
    shown = f"{engine.url.render_as_string(hide_password=True)}, {schema}"
    try:
        make_schema(engine, schema)
        own = in_schema(engine, schema)
        _bring_up(own, shown)
    except SQLAlchemyError as error:
        raise DatabaseError(
            f"The part {schema} of {shown} cannot be opened: {getattr(error, 'orig', error)}. Its "
            "user must be allowed to make roles and schemas: ALTER ROLE ... CREATEROLE."
        ) from error
    return own


def _trouble(error: BaseException, url: str) -> Trouble | None:
    """The trouble that keeps a database from being opened; None if it is something else."""
    trouble = trouble_of(error)
    if trouble is Trouble.FAILING:
        file = Path(make_url(url).database or "")
        if file.is_file() and not os.access(file.parent, os.W_OK):
            return Trouble.READ_ONLY
    return trouble


def _dispose(engine: Engine | None) -> None:
    if engine is not None:
        engine.dispose()
