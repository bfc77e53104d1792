"""The archive: the whole database as one ZIP file that other programs can read, and back.

``kongbox.json`` names the format, the program and the version of the tables. Each table is a file
``tables/NAME.jsonl`` with one JSON object per row, in the order of the primary key; days and
moments are in ISO 8601, moments in UTC. Bytes are files of their own, ``bytes/TABLE/COLUMN/KEY``,
whose names stand in the rows.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final

from alembic import command
from sqlalchemy import (
    JSON,
    Connection,
    Date,
    DateTime,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    Table,
    create_engine,
    delete,
    func,
    insert,
    or_,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from vision.runtime.files import put_in_free_place
from webapp.backup.integrity import MAX_FAULTS
from webapp.backup.schema_check import MAX_ROW_BYTES
from webapp.database.base import Base
from webapp.database.engine import known_versions, migrations
from webapp.database.examination import examine
from webapp.database.pictures import whole
from webapp.database.sessions import writing
from webapp.database.tables.accounts import NOT_COPIED, AccountRow
from webapp.database.tables.association import OF_SERVERS, KeptFileRow
from webapp.runtime.untrusted import MAX_UNPACKED_BYTES, Unpacked, Unusable, opened_zip, parse_json

FORMAT: Final = 1
"""The version of the format of the archive."""

HEAD: Final = "kongbox.json"
"""The name of the file in the archive that describes it."""

VERSIONS: Final = "alembic_version"
"""The name of the table that holds the version of the schema."""

_APART: Final = NOT_COPIED | OF_SERVERS | {VERSIONS}
"""The tables that are not in an archive."""

MAX_HEAD_BYTES: Final = 64 * 1024
"""Maximum size in bytes of the file that describes an archive."""

MAX_PICTURE_BYTES: Final = 32 * 1024**2
"""Maximum size in bytes of a photo in an archive; the page takes in photos of up to 16 MB."""

BATCH_BYTES: Final = 2 * 1024**2
"""Size in bytes of the rows after which they are written to the database."""

_ROWS_AT_A_TIME: Final = 200
"""Number of rows that are read from or written to the database at once."""


class ArchiveRefused(RuntimeError):
    """The archive cannot be written or read; the message says why and what to do."""


class NotEmpty(ArchiveRefused):
    """There is something already in the database that an archive was to be read into."""


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
        put_in_free_place(part, target)
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
    if not sqlite:
        with engine.execution_options(isolation_level="REPEATABLE READ").connect() as connection:
            yield connection
        return
    reader = create_engine(engine.url, isolation_level="AUTOCOMMIT")
    try:
        with reader.connect() as connection:
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
    blobs = _blobs(table)
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
            for name in blobs:
                values[name] = _part(table, name, values) if row[name] else None
            lines.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
            count += 1
    for name in blobs:
        _write_bytes(connection, packed, table, name)
    return count


def _write_bytes(connection: Connection, packed: zipfile.ZipFile, table: Table, name: str) -> None:
    keys = list(table.primary_key)
    query = select(*keys, table.c[name]).where(table.c[name].is_not(None)).order_by(*keys)
    for row in connection.execution_options(yield_per=1).execute(query):
        values = row._asdict()
        data = whole(connection, str(values[keys[0].name]), values[name])
        packed.writestr(zipfile.ZipInfo(_part(table, name, values)), data or b"")


def _plain(value: Any) -> Any:  # noqa: ANN401 - a column holds any JSON value
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def read_archive(
    engine: Engine,
    source: Path,
    *,
    most: int = MAX_UNPACKED_BYTES,
    damaged: bool = False,
    beside_accounts: bool = False,
) -> int:
    """Read an archive into an empty database and return the number of rows.

    An archive of an earlier version of Kongbox is read as it is and then migrated to this version.

    Args:
        engine: the empty database.
        source: the archive.
        most: maximum size in bytes of the archive as it is unpacked.
        damaged: whether it is read even if entries in it are not as they were entered.
        beside_accounts: whether there may be accounts already. They stay as they are, and so do
            the files that servers share; accounts of the archive come beside them, except where the
            name is the same.

    Raises:
        NotEmpty: there is something in the database. Nothing was changed.
        ArchiveRefused: the file is not an archive, is damaged or was written by a newer version of
            Kongbox. Nothing was changed either.
    """
    try:
        with opened_zip(source, most) as packed, writing(engine).begin() as connection:
            accounts, files = _set_aside(connection) if beside_accounts else ((), ())
            _refuse_used(connection)
            rows = _fill(connection, packed)
            _bring_back(connection, accounts, files)
            if not damaged:
                _refuse_altered(connection, source)
    except OSError as error:
        raise ArchiveRefused(f"{source} cannot be read: {error.strerror or error}.") from error
    except Unusable as error:
        raise ArchiveRefused(f"{source} is no archive of Kongbox: {error}. {_OTHER}") from error
    except (*_WRONG_VALUES, SQLAlchemyError) as error:
        raise ArchiveRefused(
            f"{source} is damaged: a row in it is none of Kongbox. {_OTHER}"
        ) from error
    return rows


_OTHER: Final = "Use another copy."
"""What to do about an archive that cannot be read."""

_WRONG_VALUES: Final = (KeyError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What is raised where the values of a row are not those of its table."""


def _fill(connection: Connection, packed: Unpacked) -> int:
    """Fill an empty database with what is in an archive, and return the number of rows."""
    tables_version, announced = _head(packed)
    command.downgrade(migrations(connection), tables_version)
    rows = sum(_read_table(connection, packed, table) for table in _tables(connection))
    if rows != announced:
        raise Unusable("rows are missing in it")
    command.upgrade(migrations(connection), "head")
    return rows


_Rows = Sequence[RowMapping]


def _set_aside(connection: Connection) -> tuple[_Rows, _Rows]:
    """Take accounts and shared files out of a database, which has older tables for a while."""

    def taken(row: type[Base]) -> _Rows:
        found = connection.execute(select(row.__table__)).mappings().all()
        connection.execute(delete(row))
        return found

    return taken(AccountRow), taken(KeptFileRow)


def _bring_back(connection: Connection, accounts: _Rows, files: _Rows) -> None:
    """Put accounts in again, in the place of those that came with the same names, and files."""
    for row in accounts:
        same = or_(AccountRow.id == row["id"], AccountRow.key == row["key"])
        connection.execute(delete(AccountRow).where(same))
        connection.execute(insert(AccountRow).values(dict(row)))
    for row in files:
        connection.execute(insert(KeptFileRow).values(dict(row)))


def _refuse_altered(connection: Connection, source: Path) -> None:
    altered = len(examine(connection, MAX_FAULTS).faults)
    if altered:
        entries = "1 entry in it is" if altered == 1 else f"{altered} entries in it are"
        raise ArchiveRefused(
            f"{source} is damaged: {entries} not as entered. Use an earlier copy, or take this one "
            "all the same with --damaged."
        )


def _head(packed: Unpacked) -> tuple[str, int]:
    """The version of the tables, and the number of rows."""
    head: Any = _parsed(packed.read(HEAD, MAX_HEAD_BYTES))
    try:
        program = str(head["program"])
        if head["format"] != FORMAT or head["tables_version"] not in known_versions():
            named = f" {program}" if re.fullmatch(r"[0-9a-z.+]{1,20}", program) else ""
            raise NewerArchive(
                f"This archive was written by Kongbox{named}, which is newer than this one. "
                "Install that one first."
            )
        return head["tables_version"], sum(head["rows"].values())
    except (KeyError, TypeError, AttributeError):
        raise Unusable(f"{HEAD} in it is none of Kongbox") from None


def _parsed(data: bytes) -> object:
    try:
        return parse_json(data.decode())
    except Unusable:
        raise
    except ValueError as error:
        raise Unusable("a part of it is no JSON") from error


def _refuse_used(connection: Connection) -> None:
    for table in _tables(connection):
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise NotEmpty(
                f"The database is not empty: there is something in {table.name}. Give the address "
                "of a new one with --db."
            )


def _read_table(connection: Connection, packed: Unpacked, table: Table) -> int:
    count = size = 0
    batch: list[dict[str, Any]] = []
    for line in packed.lines(f"tables/{table.name}.jsonl", MAX_ROW_BYTES):
        row = _row(packed, table, _parsed(line))
        batch.append(row)
        count += 1
        size += len(line) + sum(len(row[name]) for name in _blobs(table) if row[name])
        if len(batch) == _ROWS_AT_A_TIME or size > BATCH_BYTES:
            connection.execute(table.insert(), batch)
            batch, size = [], 0
    if batch:
        connection.execute(table.insert(), batch)
    if count:
        _count_on(connection, table)
    return count


def _row(packed: Unpacked, table: Table, values: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A row of the archive as values for the database."""
    if not isinstance(values, dict) or values.keys() != set(table.c.keys()):
        raise Unusable(f"a row of {table.name} in it has other columns")
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
            if value != _part(table, column.name, values):
                raise Unusable("a photo in it stands at a wrong place")
            row[column.name] = packed.read(value, MAX_PICTURE_BYTES)
    return row


def _part(table: Table, column: str, values: Mapping[str, Any]) -> str:
    """The name of the part of an archive that holds the bytes of a column of a row."""
    key = "-".join(str(values[part.name]) for part in table.primary_key)
    return f"bytes/{table.name}/{column}/{key}"


def _blobs(table: Table) -> list[str]:
    return [column.name for column in table.c if isinstance(column.type, LargeBinary)]


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that were read."""
    key = list(table.primary_key)
    if connection.dialect.name != "postgresql" or len(key) != 1:
        return
    if isinstance(key[0].type, Integer):
        last = select(func.max(key[0])).scalar_subquery()
        sequence = func.pg_get_serial_sequence(table.name, key[0].name)
        connection.execute(select(func.setval(sequence, last)))
