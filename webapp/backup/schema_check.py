"""Whether an SQLite file holds the tables of Kongbox, and nothing else that could act in it.

A trigger runs with the next entry, a view may be a question without end, and a virtual table is
code of its own. So a copy has exactly what the migrations make of an empty file.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from alembic import command
from sqlalchemy import create_engine

from webapp.database.engine import known_versions, migrations

MAX_ROW_BYTES: Final = 2 * 1024**2
"""Maximum size in bytes of a row of a copy without its pictures; as objects it takes up to 25 times
as much. A game of twenty hands has 9 kB."""

MAX_THINGS: Final = 1000
"""Maximum number of tables, indexes and triggers of a copy; Kongbox makes about a hundred."""

_BY_SQLITE: Final = re.compile(r"sqlite_(autoindex_\w+|sequence|stat[14])")
"""The names of what SQLite makes on its own."""

_CHECK: Final = re.compile(r"\bcheck\b", re.IGNORECASE)
"""The word that gives a table a condition, which may be any calculation."""

_FOREIGN: Final = "there is something in it that Kongbox never makes"
"""What is told of a table, a view or a trigger that the migrations do not make."""

Question = Callable[[str], list[tuple[Any, ...]]]
"""Asks a database a question and returns all rows of the answer."""


class UnknownVersion(ValueError):
    """The version of the tables is not one that this Kongbox knows."""


class OtherShape(ValueError):
    """The file does not hold what Kongbox makes; the message says what, as a sentence's end."""


def require_shape(connection: sqlite3.Connection) -> None:
    """Check that a file holds the tables of Kongbox and nothing else.

    Raises:
        OtherShape: it does not; nothing in it was asked that could take long.
        UnknownVersion: a newer Kongbox made it.
        sqlite3.Error: it is not a database, or damaged.
    """

    def asked(question: str) -> list[tuple[Any, ...]]:
        return connection.execute(question).fetchmany(MAX_THINGS + 1)

    found = _shape(asked)
    versions = asked("SELECT version_num FROM alembic_version")
    if len(versions) != 1:
        raise OtherShape("it does not tell the version of its tables")
    if versions[0][0] not in known_versions():
        raise UnknownVersion
    made = _made(versions[0][0])
    if found.keys() - made.keys():
        raise OtherShape(_FOREIGN)
    if made.keys() - found.keys():
        raise OtherShape("a part of it is missing")
    if found != made:
        raise OtherShape("a part of it is not as Kongbox makes it")


def require_small_rows(connection: sqlite3.Connection) -> None:
    """Check that no row is larger than :data:`MAX_ROW_BYTES`, in tables that Kongbox made.

    Raises:
        OtherShape: one is.
        sqlite3.Error: the file is damaged.
    """
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        columns = connection.execute(
            "SELECT name FROM pragma_table_info(?) WHERE upper(type) != 'BLOB'", (table,)
        )
        sizes = " + ".join(f'ifnull(length(CAST("{name}" AS BLOB)), 0)' for (name,) in columns)
        query = f'SELECT 1 FROM "{table}" WHERE {sizes} > ? LIMIT 1'  # noqa: S608 - Kongbox's own
        if connection.execute(query, (MAX_ROW_BYTES,)).fetchone() is not None:
            raise OtherShape("a row in it is too large")


def _shape(asked: Question) -> Mapping[str, object]:
    """What a database holds, by name."""
    things = asked("SELECT type, name, sql FROM sqlite_master")
    if len(things) > MAX_THINGS:
        raise OtherShape("there is too much in it")
    shape: dict[str, object] = {}
    for kind, name, sql in things:
        table = str(sql).startswith("CREATE TABLE ")
        if _BY_SQLITE.fullmatch(name) and (sql is None or table):
            continue
        if kind not in ("table", "index", "trigger") or (kind == "table") != table:
            raise OtherShape(_FOREIGN)
        shape[name] = _table(asked, name, sql) if table else re.sub(r'[\s"]', "", sql)
    if "alembic_version" not in shape:
        raise OtherShape("a part of it is missing")
    return shape


def _table(asked: Question, name: str, sql: str) -> object:
    """The columns of a table, where they refer to, and its number of conditions."""
    quoted = name.replace("'", "''")
    columns = asked(
        f'SELECT name, upper(type), "notnull", dflt_value, pk, hidden '  # noqa: S608 - quoted
        f"FROM pragma_table_xinfo('{quoted}')"
    )
    refers = asked(
        f'SELECT "table", "from", "to", on_update, on_delete '  # noqa: S608 - quoted
        f"FROM pragma_foreign_key_list('{quoted}')"
    )
    return sorted(columns), sorted(refers, key=str), len(_CHECK.findall(sql))


@lru_cache(maxsize=4)
def _made(version: str) -> Mapping[str, object]:
    """What the migrations make of an empty file."""
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            command.upgrade(migrations(connection), version)
            return _shape(lambda asked: [tuple(r) for r in connection.exec_driver_sql(asked)])
    finally:
        engine.dispose()
