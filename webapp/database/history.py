"""The history: entries that the database refuses to change, and a chain over their digests.

Each entry of a deal, a game or a dispute gets a link: the digest of what was entered, tied by its
fingerprint to the link before. A byte that changes later, in the file or in a copy of it, shows as
an entry that does not match its link. Erasing a person rewrites entries on purpose: each gets a
further link with the reason, and what was entered before cannot be guessed from the earlier digest,
because the random text that went into it is deleted. The form of digests and links never changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    cast,
    event,
    insert,
    select,
)
from sqlalchemy.orm import Mapped, Mapper, mapped_column

from webapp.database.base import Base
from webapp.database.ids import new_id

ENTRIES: Final = (
    "revisions",
    "game_revisions",
    "dispute_events",
    "person_entries",
    "changes",
    "decisions",
)
"""The tables whose rows are entries and are never changed."""

_ROWS_AT_A_TIME: Final = 200
"""Number of rows that are read from the database at once."""

Key = tuple[str, int]
"""The table of an entry and its id in there."""

End = tuple[int, str]
"""The number and the fingerprint of the last link."""


class LinkRow(Base):
    """A link of the chain: the digest of one entry, tied to the link before.

    ``reason`` is None when the entry was made, else why it was rewritten. ``salt`` is random text
    that went into the digest; None once the entry was rewritten.
    """

    __tablename__ = "links"
    __table_args__ = (Index("ix_links_row", "kind", "row_id"),)

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(20))
    row_id: Mapped[int]
    salt: Mapped[str | None] = mapped_column(String(32))
    digest: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str | None] = mapped_column(String(20))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    fingerprint: Mapped[str] = mapped_column(String(64))


LINKS: Final[Table] = Base.metadata.tables[LinkRow.__tablename__]
"""The table of the links."""


class Entered:
    """A row that is an entry: it gets its link as it is stored."""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_of(salt: str | None, content: str) -> str:
    """The digest of an entry."""
    return _sha256(f"{salt}\n{content}")


def fingerprint_of(before: str, link: Mapping[str, Any]) -> str:
    """The fingerprint of a link, into which goes that of the link before."""
    parts = (link[name] for name in ("number", "kind", "row_id", "digest"))
    moment = _plain(link["at"])
    return _sha256("\n".join(map(str, (before, *parts, link["reason"] or "", moment))))


def content_of(values: Mapping[str, Any]) -> str:
    """What an entry holds as one text; columns that are empty are left out."""
    told = {k: _plain(value) for k, value in values.items() if value is not None and k != "id"}
    return json.dumps(told, sort_keys=True, ensure_ascii=False)


def _plain(value: Any) -> Any:  # noqa: ANN401 - a column holds any JSON value
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat()
    # As it is read again: with texts as keys and lists for tuples.
    return json.loads(json.dumps(value)) if isinstance(value, dict | list) else value


def _parsed(column: Column[Any], stored: bytes | str | None) -> Any:  # noqa: ANN401 - any value
    """A stored value, however damaged: what cannot be parsed is returned as plain text."""
    if stored is None:
        return None
    text = stored.decode(errors="replace") if isinstance(stored, bytes) else stored
    try:
        if isinstance(column.type, JSON):
            return json.loads(text)
        if isinstance(column.type, DateTime):
            return datetime.fromisoformat(text)
        if isinstance(column.type, Boolean):
            return {"1": True, "true": True, "0": False, "false": False}.get(text, text)
        return int(text) if isinstance(column.type, Integer) else text
    except ValueError:
        return text


def rows_of(
    connection: Connection, table: Table, *where: ColumnElement[bool]
) -> Iterator[dict[str, Any]]:
    """The rows of a table in order, each value read leniently."""
    raw = LargeBinary if connection.dialect.name == "sqlite" else Text
    columns = list(table.c)
    query = select(*(cast(column, raw).label(column.name) for column in columns))
    query = (
        query.where(*where)
        .order_by(*table.primary_key)
        .execution_options(yield_per=_ROWS_AT_A_TIME)
    )
    for row in connection.execute(query):
        yield {c.name: _parsed(c, value) for c, value in zip(columns, row, strict=True)}


def end_of_chain(connection: Connection) -> End:
    """The number and the fingerprint of the last link."""
    query = select(LINKS.c.number, LINKS.c.fingerprint).order_by(LINKS.c.number.desc()).limit(1)
    found = connection.execute(query).first()
    return (0, "") if found is None else (found[0], found[1])


def append_link(
    connection: Connection, end: End, key: Key, content: str, reason: str | None = None
) -> End:
    """Add a link after the last one, and return it as the new end."""
    salt = new_id()
    link = {
        "number": end[0] + 1,
        "kind": key[0],
        "row_id": key[1],
        "digest": digest_of(salt, content),
        "reason": reason,
        "at": datetime.now(UTC),
    }
    fingerprint = fingerprint_of(end[1], link)
    connection.execute(insert(LINKS).values(**link, salt=salt, fingerprint=fingerprint))
    return end[0] + 1, fingerprint


@event.listens_for(Entered, "after_insert", propagate=True)
def _link(mapper: Mapper[Any], connection: Connection, entry: Any) -> None:  # noqa: ANN401
    """Give an entry that was stored its link, in the same transaction."""
    table = mapper.local_table
    values = {column.name: getattr(entry, column.name) for column in table.c}
    append_link(connection, end_of_chain(connection), (str(table), entry.id), content_of(values))


def start_chain(connection: Connection, tables: Iterable[Table]) -> None:
    """Give all entries of a database from before the chain their links."""
    end = end_of_chain(connection)
    for table in tables:
        for row in rows_of(connection, table):
            end = append_link(connection, end, (table.name, row["id"]), content_of(row))


def statements(
    dialect: str, what: Literal["lock", "unlock"], tables: Sequence[str] = (*ENTRIES, "links")
) -> list[str]:
    """The SQL after which the database refuses to change or delete rows, or no longer does."""
    if dialect == "sqlite":
        names = [(f"{table}_no_{verb}", verb, table) for table in tables for verb in _VERBS]
        if what == "unlock":
            return [f"DROP TRIGGER IF EXISTS {name}" for name, _, _ in names]
        return [
            f"CREATE TRIGGER {name} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            for name, verb, table in names
        ]
    if what == "unlock":
        return [f"DROP TRIGGER IF EXISTS {table}_kept ON {table}" for table in tables]
    refusing = f"LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    return [
        f"CREATE OR REPLACE FUNCTION entries_are_kept() RETURNS trigger {refusing}",
        *(
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION entries_are_kept()"
            for table in tables
        ),
    ]


_VERBS: Final = ("update", "delete")
"""What the database refuses to do to entries."""

_REFUSAL: Final = "entries are never changed or deleted"
"""What the database answers to someone who tries."""
