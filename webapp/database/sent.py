"""Forms that were sent: each is noted together with the first thing that is stored for it.

The note and what it stands for are one transaction, so that a form whose sender never got an answer
can be sent again without being stored twice, also after the program was killed in between.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import g, has_request_context
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
    String,
    Table,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, SessionTransaction, mapped_column

from webapp.database.base import Base
from webapp.database.sessions import may_write, writing
from webapp.runtime.steady_clock import steady_now

KEPT_FOR: Final = timedelta(days=30)
"""For how long a form that was sent is remembered."""

ALWAYS_KEPT: Final = 5000
"""Number of forms sent last that are remembered however old they seem: some ten evenings'."""

MAX_LOCATION: Final = 500
"""Maximum number of characters of the address to which a form led."""

_NOTED: Final = "kongbox_form_noted"
"""The name under which a session, and then its request, keeps that the form is noted."""


class SentRow(Base):
    """A form that was sent; ``location`` is where it led, None while it is being answered."""

    __tablename__ = "sent_forms"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    location: Mapped[str | None] = mapped_column(String(MAX_LOCATION))


_SENT: Final[Table] = Base.metadata.tables[SentRow.__tablename__]


class Repeated(RuntimeError):
    """The form of this request was stored before; nothing was stored now."""


def expect(key: str | None) -> None:
    """Have the form of this request noted with the first thing that the request stores."""
    g.kongbox_form = key


def expected() -> str | None:
    """The key of the form that this request has to note; None if there is none."""
    key: str | None = g.get("kongbox_form")
    return key


def is_noted() -> bool:
    """Whether this request has stored something, and its form with it."""
    return bool(g.get(_NOTED))


@event.listens_for(Session, "after_begin")
def _note(session: Session, _transaction: SessionTransaction, connection: Connection) -> None:
    key = expected() if has_request_context() else None
    if key is None or is_noted() or not may_write(connection):
        return
    if connection.execute(select(_SENT.c.key).where(_SENT.c.key == key)).first() is not None:
        raise Repeated
    connection.execute(insert(_SENT).values(key=key, at=datetime.now(UTC)))
    session.info[_NOTED] = True


@event.listens_for(Session, "after_commit")
def _keep_in_mind(session: Session) -> None:
    if session.info.pop(_NOTED, False):
        setattr(g, _NOTED, True)


def where_it_led(engine: Engine, key: str) -> tuple[bool, str | None]:
    """Whether a form was sent before, and the address to which it led if it was answered."""
    with engine.connect() as connection:
        row = connection.execute(select(_SENT.c.location).where(_SENT.c.key == key)).first()
    return row is not None, None if row is None else row[0]


def keep(engine: Engine, key: str, location: str) -> None:
    """Store where a form led."""
    answered = update(_SENT).where(_SENT.c.key == key).values(location=location[:MAX_LOCATION])
    with writing(engine).begin() as connection:
        if connection.execute(answered).rowcount == 0:
            values = {"key": key, "at": datetime.now(UTC), "location": location[:MAX_LOCATION]}
            connection.execute(insert(_SENT).values(values))


def forget(engine: Engine, key: str) -> None:
    """Let a form be sent again, because it was refused."""
    with writing(engine).begin() as connection:
        connection.execute(delete(_SENT).where(_SENT.c.key == key))


def forget_old(engine: Engine) -> None:
    """Forget the forms that were sent long ago, except those sent last.

    A clock that is set a year fast makes all of them old, and none must count twice by that.
    """
    last = select(_SENT.c.key).order_by(_SENT.c.at.desc()).limit(ALWAYS_KEPT)
    old = delete(_SENT).where(_SENT.c.at < steady_now() - KEPT_FOR, _SENT.c.key.not_in(last))
    with writing(engine).begin() as connection:
        connection.execute(old)
