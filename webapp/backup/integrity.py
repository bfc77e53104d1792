"""Whether the history is whole: every entry as it was entered, in the database or in a copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, LargeBinary, NullPool, create_engine, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.database.base import Base
from webapp.database.engine import address_to_read
from webapp.database.examination import TABLES, Fault, Verdict, examine
from webapp.database.history import LINKS
from webapp.database.tables.deals import EveningRow, GameDealRow, GameRow, round_told

MAX_TOLD: Final = 10
"""Maximum number of damaged entries that are reported one by one."""

MAX_FAULTS: Final = 1000
"""Number of damaged entries after which no more are looked for."""

_ROWS_AT_A_TIME: Final = 200
"""Number of rows that are read from the database at once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A damaged entry, and where it was made; the place is None where it cannot be told.

    Attributes:
        fault: what is wrong with it.
        game_id: the game at whose table it was made.
        table: the number of that table.
        day: the day of its evening.
        entry: the number of the entry within the game or the deal, from 1.
        round: the round of the evening; None where the evening has one.
    """

    fault: Fault
    game_id: str | None = None
    table: int | None = None
    day: date | None = None
    entry: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Examined:
    """What an examination found, with the places of the first damaged entries."""

    verdict: Verdict
    findings: tuple[Finding, ...]

    @property
    def whole(self) -> bool:
        """Whether every entry is as it was entered."""
        return not self.verdict.faults


def examine_database(engine: Engine) -> Examined | None:
    """Examine the history of a database; None if it is older than the chain.

    Raises:
        SQLAlchemyError: the database cannot be read at all.
    """
    with engine.connect() as connection:
        if not inspect(connection).has_table(LINKS.name):
            return None
        verdict = examine(connection, MAX_FAULTS)
        told = verdict.faults[:MAX_TOLD]
        return Examined(verdict, tuple(_finding(connection, fault) for fault in told))


def examine_file(path: Path) -> Examined | None:
    """Examine the history of an SQLite file without changing it; None if older than the chain.

    Raises:
        SQLAlchemyError: the file is not a database, or it cannot be read at all.
    """
    with _reading(path) as engine:
        return examine_database(engine)


def require_readable(engine: Engine) -> None:
    """Read every row of the tables of this Kongbox, pictures apart.

    Raises:
        SQLAlchemyError: a row cannot be read from the database.
        ValueError: a row holds something that its table cannot hold.
    """
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            columns = [c for c in table.c if not isinstance(c.type, LargeBinary)]
            query = select(*columns).execution_options(yield_per=_ROWS_AT_A_TIME)
            try:
                for row in connection.execute(query):
                    del row
            except (TypeError, RecursionError) as error:
                raise ValueError(table.name) from error


@contextmanager
def _reading(path: Path) -> Iterator[Engine]:
    address = address_to_read(path)
    engine = create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(address, uri=True), poolclass=NullPool
    )
    try:
        yield engine
    finally:
        engine.dispose()


def _finding(connection: Connection, fault: Fault) -> Finding:
    """The fault with its place, as far as the rows that lead there can still be read."""
    try:
        entry = {table.name: table for table in TABLES}[fault.table]
        query = select(GameRow.id, GameRow.number, EveningRow.day, entry.c.number, round_told())
        query = query.join(EveningRow, EveningRow.id == GameRow.evening_id)
        if "game_id" in entry.c:
            query = query.join(entry, entry.c.game_id == GameRow.id)
        else:
            query = query.join(GameDealRow, GameDealRow.game_id == GameRow.id)
            query = query.join(entry, entry.c.deal_id == GameDealRow.deal_id)
        found = connection.execute(query.where(entry.c.id == fault.row_id)).first()
    except (AttributeError, KeyError, SQLAlchemyError, ValueError):
        found = None
    if found is None:
        return Finding(fault)
    return Finding(fault, found[0], found[1], found[2], found[3] + 1, found[4])


def told(examined: Examined | None) -> list[str]:
    """What was found as English lines, as the commands print them."""
    if examined is None:
        return ["History: from before Kongbox kept digests; they begin when it is next opened."]
    verdict = examined.verdict
    if examined.whole:
        return [f"History: {verdict.entries} entries, each as it was entered ({verdict.short})."]
    count = len(verdict.faults)
    more = " or more" if count >= MAX_FAULTS else ""
    entries = "1 entry is" if count == 1 else f"{count} entries{more} are"
    todo = "Put back a copy from before (kongbox restore), or look at these and correct them:"
    return [
        f"History: {entries} not as entered. {todo}",
        *map(_line, examined.findings),
        *(["and more."] if count > MAX_TOLD else []),
    ]


_WORDS: Final = {
    "changed": "was changed after it was entered",
    "missing": "is missing",
    "foreign": "was not entered with Kongbox",
    "link": "has a damaged digest",
}
"""What is wrong with an entry, for each kind of fault."""

_SUBJECTS: Final = {
    "revisions": "of a deal",
    "dispute_events": "of a dispute",
    "person_entries": "about players joined or split",
    "changes": "about a whole table, evening or deal",
    "decisions": "about what the club has decided",
}
"""What an entry belongs to where it is not the table itself."""


def _line(finding: Finding) -> str:
    subject = _SUBJECTS.get(finding.fault.table, "")
    words = ("an entry" if finding.entry is None else f"entry {finding.entry}", subject)
    entry = " ".join(filter(None, words))
    round_ = "" if finding.round is None else f"round {finding.round}, "
    table = f"{round_}table {finding.table}"
    place = "" if finding.day is None else f"{finding.day.isoformat()}, {table}: "
    return f"  {place}{entry} {_WORDS[finding.fault.kind]}"
