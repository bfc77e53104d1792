"""People who were erased and came back with a restored copy that was made before.

A database knows whom it has erased by their ids alone. What a copy is restored over knows it, and
the copy does not: so the ids go over into it as a promise that is still to be kept.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ClubSettingRow, ErasureRow
from webapp.database.tables.deals import PersonRow
from webapp.people.names import standing_for

KEY: Final = "erase_again"
"""The key of the setting with the ids of the people who are to be erased again."""


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """Someone who was erased and is in a copy again.

    Attributes:
        id: the person's id.
        name: what the copy calls them.
        under: the id of the player under whose name the copy shows them, who was never erased; None
            if there is none. Erasing one would erase the other too.
    """

    id: str
    name: str
    under: str | None


def promised(connection: sqlite3.Connection, schema: str = "main") -> set[str]:
    """The ids of the people who were erased in a database, or are to be erased again.

    Args:
        connection: to a database of any version.
        schema: the name of the database on that connection.

    Raises:
        sqlite3.Error: the database cannot be read.
    """
    query = f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'"  # noqa: S608 - our own
    tables, ids = {name for (name,) in connection.execute(query)}, set[str]()
    if ErasureRow.__tablename__ in tables:
        ids |= {who for (who,) in connection.execute(f"SELECT person_id FROM {schema}.erasures")}  # noqa: S608
    if ClubSettingRow.__tablename__ in tables:
        query = f"SELECT value FROM {schema}.club_settings WHERE key = ?"  # noqa: S608
        for (value,) in connection.execute(query, (KEY,)):
            ids |= set(_ids(json.loads(value)))
    return ids


def promise(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Keep in a restored database whom of these people it has brought back."""
    query = "SELECT id FROM people WHERE id NOT IN (SELECT person_id FROM erasures) ORDER BY key"
    back = [who for (who,) in connection.execute(query) if who in ids]
    connection.execute("DELETE FROM club_settings WHERE key = ?", (KEY,))
    if back:
        values = (KEY, json.dumps(back))
        connection.execute("INSERT INTO club_settings (key, value) VALUES (?, ?)", values)


def brought_back(engine: Engine, ids: Collection[str]) -> list[BroughtBack]:
    """Those of these people whom a database of the newest schema knows by name, sorted by it."""
    with sessions_on(engine)() as session:
        return _brought_back(session, ids)


def still_back(engine: Engine) -> list[BroughtBack]:
    """The people whom a restored copy has brought back and who were not erased again since."""
    with sessions_on(engine)() as session:
        return _brought_back(session, _ids(ClubSettingRow.told(session, KEY)))


def _brought_back(session: Session, ids: Collection[str]) -> list[BroughtBack]:
    if not ids:
        return []
    erased = select(ErasureRow.person_id)
    query = select(PersonRow).where(PersonRow.id.not_in(erased)).order_by(PersonRow.key)
    found = []
    for row in session.scalars(query):
        standing = standing_for(session, row.id) if row.id in ids else None
        if standing == row.id or (standing is not None and standing not in ids):
            under = None if standing == row.id else standing
            found.append(BroughtBack(row.id, row.name, under))
    return found


def _ids(told: object) -> list[str]:
    """The ids in a setting, which a foreign copy may hold in any form."""
    return [who for who in told if isinstance(who, str)] if isinstance(told, list) else []
