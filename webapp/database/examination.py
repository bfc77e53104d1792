"""Comparing entries with their links, and rewriting some of them where a person must be erased."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, Table, select, update

from webapp.database.base import Base
from webapp.database.history import (
    LINKS,
    Key,
    append_link,
    content_of,
    digest_of,
    end_of_chain,
    fingerprint_of,
    rows_of,
    statements,
)
from webapp.database.tables.book import DecisionRow, PersonEntryRow
from webapp.database.tables.deals import ChangeRow, GameRevisionRow, RevisionRow
from webapp.database.tables.disputes import DisputeEventRow

TABLES: Final = tuple(
    Base.metadata.tables[row.__tablename__]
    for row in (
        RevisionRow,
        GameRevisionRow,
        DisputeEventRow,
        PersonEntryRow,
        ChangeRow,
        DecisionRow,
    )
)
"""The tables whose rows are entries."""

ERASED: Final = "erased"
"""The reason of a link for an entry that was rewritten because a person was erased."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry that is not as it was entered.

    Attributes:
        kind: the entry was changed, is missing, was never entered, or its link is damaged.
        table: the table of the entry.
        row_id: its id in there.
    """

    kind: Literal["changed", "missing", "foreign", "link"]
    table: str
    row_id: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an examination of the history found.

    Attributes:
        entries: number of entries that were examined.
        rewritten: number of links of entries that were rewritten to erase a person.
        fingerprint: the fingerprint of the last link; empty if there is none.
        faults: the entries that are not as they were entered.
    """

    entries: int
    rewritten: int
    fingerprint: str
    faults: tuple[Fault, ...]

    @property
    def short(self) -> str:
        """The fingerprint as sixteen digits that people can compare."""
        digits = f"{int(self.fingerprint or '0', 16) % 10**16:016}"
        return " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def examine(connection: Connection, most: float = math.inf) -> Verdict:
    """Compare all entries with their links, and the links with each other.

    Args:
        connection: the database.
        most: number of faults after which no more are looked for.
    """
    links, faults, rewritten, last = _links(connection, most)
    rows = 0
    for table in TABLES:
        for row in rows_of(connection, table):
            if len(faults) >= most:
                return Verdict(rows, rewritten, last, tuple(faults))
            rows += 1
            key = table.name, row["id"]
            link = links.pop(key, None)
            if link is None:
                faults.append(Fault("foreign", *key))
            elif link[1] != digest_of(link[0], content_of(row)):
                faults.append(Fault("changed", *key))
    faults += (Fault("missing", *key) for key in links)
    return Verdict(rows, rewritten, last, tuple(faults))


def _links(
    connection: Connection, most: float = math.inf
) -> tuple[dict[Key, tuple[str | None, str]], list[Fault], int, str]:
    """The last link of each entry, the damaged links, how many tell a rewriting, and the end."""
    links: dict[Key, tuple[str | None, str]] = {}
    faults: list[Fault] = []
    before, expected, rewritten = "", 1, 0
    for link in rows_of(connection, LINKS):
        if len(faults) >= most:
            break
        key = link["kind"], link["row_id"]
        if link["number"] != expected or link["fingerprint"] != fingerprint_of(before, link):
            faults.append(Fault("link", *key))
        links[key] = link["salt"], link["digest"]
        before, expected = link["fingerprint"], link["number"] + 1
        rewritten += link["reason"] is not None
    return links, faults, rewritten, before


def damaged(connection: Connection, table: Table, where: ColumnElement[bool]) -> int:
    """How many of these entries of a table do not match their links.

    Args:
        connection: the database.
        table: the table of the entries.
        where: which of its rows are compared.
    """
    query = select(LINKS.c.row_id, LINKS.c.salt, LINKS.c.digest).order_by(LINKS.c.number)
    query = query.where(
        LINKS.c.kind == table.name, LINKS.c.row_id.in_(select(table.c.id).where(where))
    )
    links = {row_id: (salt, digest) for row_id, salt, digest in connection.execute(query)}
    return sum(
        row["id"] not in links
        or links[row["id"]][1] != digest_of(links[row["id"]][0], content_of(row))
        for row in rows_of(connection, table, where)
    )


@contextmanager
def rewriting(connection: Connection, reason: str) -> Iterator[None]:
    """Let entries be changed inside; those that were get a further link with the reason.

    Entries that did not match their links before do not match them afterwards either.
    """
    unsound = {(fault.table, fault.row_id) for fault in examine(connection).faults}
    for statement in statements(connection.dialect.name, "unlock"):
        connection.exec_driver_sql(statement)
    yield
    links, end = _links(connection)[0], end_of_chain(connection)
    for table in TABLES:
        for row in rows_of(connection, table):
            key, content = (table.name, row["id"]), content_of(row)
            if key in unsound or links[key][1] == digest_of(links[key][0], content):
                continue
            its = (LINKS.c.kind == key[0], LINKS.c.row_id == key[1])
            connection.execute(update(LINKS).where(*its).values(salt=None))
            end = append_link(connection, end, key, content, reason)
    for statement in statements(connection.dialect.name, "lock"):
        connection.exec_driver_sql(statement)
