"""The archive: the whole database as one ZIP file that other programs can read, and back.

``kongbox.json`` names the format, the program and the version of the tables. Each table is a file
``tables/NAME.jsonl`` with one JSON object per row, in the order of the primary key; days and
moments are in ISO 8601, moments in UTC. Bytes are files of their own, ``bytes/TABLE/COLUMN/KEY``,
whose names stand in the rows.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    Connection,
    Date,
    DateTime,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    create_engine,
    func,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from webapp.database.accounts import NOT_COPIED
from webapp.database.engine import MIGRATIONS, writing

FORMAT: Final = 1
"""The version of the format of the archive."""

HEAD: Final = "kongbox.json"
"""The name of the file in the archive that describes it."""

VERSIONS: Final = "alembic_version"
"""The name of the table that holds the version of the schema."""

_APART: Final = NOT_COPIED | {VERSIONS}
"""The tables that are not in an archive."""

MAX_LINE: Final = 64 * 1024 * 1024
"""Maximum size of a row in bytes."""

MAX_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a photo in bytes."""

_ROWS_AT_A_TIME: Final = 200
"""Number of rows that are read from or written to the database at once."""


class ArchiveRefused(RuntimeError):
    """The archive cannot be written or read; the message says why and what to do."""


class NewerArchive(ArchiveRefused):
    """The archive was written by a newer version of Kongbox."""


def write_archive(engine: Engine, file: IO[bytes]) -> int:
    """Write everything in the database to a ZIP file and return the number of rows.

    Args:
        engine: the database, which may be in use; it is read as it is at one moment.
        file: the file, which is written from its beginning.
    """
    with (
        _snapshot(engine) as connection,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        tables, revision = _tables(connection), _revision(connection)
        rows = {table.name: _write_table(connection, packed, table) for table in tables}
        head = {
            "format": FORMAT,
            "program": version("kongbox"),
            "tables_version": revision,
            "written": datetime.now(UTC).isoformat(),
            "rows": rows,
        }
        packed.writestr(HEAD, json.dumps(head, indent=1))
    return sum(rows.values())


def write_archive_file(engine: Engine, target: Path) -> int:
    """Write an archive to a new file that nobody else can read and return the number of rows.

    Raises:
        ArchiveRefused: the file is there already, or cannot be written.
    """
    if target.exists():
        raise ArchiveRefused(f"{target} is there already. Choose another name.")
    part = target.with_name(target.name + ".part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            rows = write_archive(engine, file)
            file.flush()
            os.fsync(file.fileno())
        part.rename(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ArchiveRefused(f"{target} cannot be written: {error.strerror or error}.") from error
    return rows


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that sees the database as it is now and does not make others wait.

    The application's own transactions take turns; this one must not, because it may last minutes.
    """
    sqlite = engine.dialect.name == "sqlite"
    reader = create_engine(
        engine.url, isolation_level="AUTOCOMMIT" if sqlite else "REPEATABLE READ"
    )
    try:
        with reader.connect() as connection:
            if sqlite:
                connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        reader.dispose()


def _tables(connection: Connection) -> list[Table]:
    """The tables of the database, ordered so that references only point to earlier ones."""
    meta = MetaData()
    meta.reflect(connection)
    tables = [table for table in meta.sorted_tables if table.name not in _APART]
    for column in (column for table in tables for column in table.c if column.nullable):
        if isinstance(column.type, JSON):
            column.type.none_as_null = True
    return tables


def _revision(connection: Connection) -> str:
    found: str = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    return found


def _write_table(connection: Connection, packed: zipfile.ZipFile, table: Table) -> int:
    blobs = [column.name for column in table.c if isinstance(column.type, LargeBinary)]
    plain = [column for column in table.c if column.name not in blobs]
    keys = list(table.primary_key)
    count = 0
    with packed.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as lines:
        rows = connection.execution_options(yield_per=_ROWS_AT_A_TIME).execute(
            select(*plain, *(table.c[name].is_not(None).label(name) for name in blobs)).order_by(
                *keys
            )
        )
        for row in rows.mappings():
            values = {column.name: _plain(row[column.name]) for column in plain}
            key = "-".join(str(row[column.name]) for column in keys)
            for name in blobs:
                values[name] = f"bytes/{table.name}/{name}/{key}" if row[name] else None
            lines.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
            count += 1
    for name in blobs:
        _write_bytes(connection, packed, table, name)
    return count


def _write_bytes(connection: Connection, packed: zipfile.ZipFile, table: Table, name: str) -> None:
    keys = list(table.primary_key)
    query = select(*keys, table.c[name]).where(table.c[name].is_not(None)).order_by(*keys)
    for row in connection.execution_options(yield_per=1).execute(query):
        key = "-".join(str(part) for part in row[:-1])
        packed.writestr(zipfile.ZipInfo(f"bytes/{table.name}/{name}/{key}"), row[-1])


def _plain(value: Any) -> Any:  # noqa: ANN401 - a column holds any JSON value
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def read_archive(engine: Engine, source: Path) -> int:
    """Read an archive into an empty database and return the number of rows.

    An archive of an earlier version of Kongbox is read as it is and then migrated to this version.

    Raises:
        ArchiveRefused: the file is not an archive, is damaged or was written by a newer version of
            Kongbox, or the database is not empty. Then nothing was changed.
    """
    try:
        with zipfile.ZipFile(source) as packed, writing(engine).begin() as connection:
            head = _head(packed)
            _refuse_used(connection)
            _migrate(connection, head["tables_version"])
            rows = sum(_read_table(connection, packed, table) for table in _tables(connection))
            if rows != sum(head["rows"].values()):
                raise ArchiveRefused(f"{source} is damaged: rows are missing. Use another copy.")
            _migrate(connection, "head")
    except (OSError, zipfile.BadZipFile) as error:
        raise ArchiveRefused(f"{source} cannot be read: {error}.") from error
    except (KeyError, ValueError, TypeError, AttributeError, SQLAlchemyError) as error:
        raise ArchiveRefused(
            f"{source} is no archive of Kongbox, or it is damaged ({error})."
        ) from error
    return rows


def _head(packed: zipfile.ZipFile) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(packed.read(HEAD))
    if head["format"] != FORMAT or head["tables_version"] not in _known():
        raise NewerArchive(
            f"This archive was written by Kongbox {head['program']}, which is newer than this "
            "one. Install that one first."
        )
    return head


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _known() -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def _migrate(connection: Connection, revision: str) -> None:
    if revision == "head":
        command.upgrade(_config(connection), "head")
    else:
        command.downgrade(_config(connection), revision)


def _refuse_used(connection: Connection) -> None:
    for table in _tables(connection):
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise ArchiveRefused(
                f"The database is not empty: there is something in {table.name}. Give the address "
                "of a new one with --db."
            )


def _read_table(connection: Connection, packed: zipfile.ZipFile, table: Table) -> int:
    count = 0
    batch: list[dict[str, Any]] = []
    for values in _lines(packed, table):
        batch.append(_row(packed, table, values))
        count += 1
        if len(batch) == _ROWS_AT_A_TIME:
            connection.execute(table.insert(), batch)
            batch = []
    if batch:
        connection.execute(table.insert(), batch)
    if count:
        _count_on(connection, table)
    return count


def _lines(packed: zipfile.ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    name = f"tables/{table.name}.jsonl"
    if name not in packed.namelist():
        raise ArchiveRefused(f"The archive is damaged: {name} is missing.")
    with packed.open(name) as file:
        while line := file.readline(MAX_LINE):
            values = json.loads(line)
            if values.keys() != set(table.c.keys()):
                raise ArchiveRefused(f"The archive is damaged: a row of {name} has other columns.")
            yield values


def _row(packed: zipfile.ZipFile, table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """A row of the archive as values for the database."""
    row = dict(values)
    for column in table.c:
        value = values[column.name]
        if value is None:
            continue
        if isinstance(column.type, DateTime):
            row[column.name] = datetime.fromisoformat(value)
        elif isinstance(column.type, Date):
            row[column.name] = date.fromisoformat(value)
        elif isinstance(column.type, LargeBinary):
            row[column.name] = _bytes(packed, value)
    return row


def _bytes(packed: zipfile.ZipFile, name: str) -> bytes:
    with packed.open(name) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ArchiveRefused(f"The archive is damaged: {name} is too large.")
    return data


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that were read."""
    key = list(table.primary_key)
    if connection.dialect.name != "postgresql" or len(key) != 1:
        return
    if isinstance(key[0].type, Integer):
        last = select(func.max(key[0])).scalar_subquery()
        sequence = func.pg_get_serial_sequence(table.name, key[0].name)
        connection.execute(select(func.setval(sequence, last)))
