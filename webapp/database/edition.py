"""Whether all of the book was exchanged while a request was answered.

A request reads and writes in several transactions. If a copy is restored or a player erased between
two of them, what it read before is of another book: then an entry is not stored, but told so. Both
change the schema of an SQLite database for a moment, so that SQLite counts them, whichever program
does it; copies are restored into no other database.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from flask import g, has_request_context, request
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from webapp.database.sessions import may_write
from webapp.database.trouble import BookReplaced

_FOUND: Final = "kongbox_edition"
"""The name under which a request keeps the database and the edition that it found there."""

_CHECKED: Final = "kongbox_edition_checked"
"""The name under which a session keeps that what it writes belongs to the request's edition."""


def begin(engine: Engine) -> None:
    """Remember the edition that a request finds, or has made itself, if it can be read at all."""
    if engine.dialect.name == "sqlite" and request.endpoint != "static":
        with suppress(SQLAlchemyError), engine.connect() as connection:
            setattr(g, _FOUND, (engine, _edition(connection)))


def exchanged() -> bool:
    """Whether the book is another one than the one that this request found."""
    found: tuple[Engine, int] | None = g.get(_FOUND) if has_request_context() else None
    if found is None:
        return False
    with found[0].connect() as connection:
        return _edition(connection) != found[1]


def _edition(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA schema_version").scalar_one())


@event.listens_for(Session, "after_begin")
def _require_same(session: Session, _transaction: object, connection: Connection) -> None:
    found: tuple[Engine, int] | None = g.get(_FOUND) if has_request_context() else None
    if found is None or request.method != "POST" or not may_write(connection):
        return
    if connection.engine.pool is not found[0].pool:
        return
    if _edition(connection) != found[1]:
        raise BookReplaced
    session.info[_CHECKED] = True


@event.listens_for(Session, "before_commit")
def _keep_own(session: Session) -> None:
    """Take what the request itself has made of the book for its own."""
    if session.info.pop(_CHECKED, False):
        setattr(g, _FOUND, (getattr(g, _FOUND)[0], _edition(session.connection())))
