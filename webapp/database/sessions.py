"""Sessions on a database, and what a page reads of it at once.

A page asks a dozen stores, each in a transaction of its own. With SQLite that costs nothing; with
PostgreSQL each transaction is three ways to the server and a turn at the pool. While a page is
made, all that is read there shares one transaction instead, and what many parts of it ask for, such
as the settings of the club, is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Connection, Engine, ExceptionContext, event
from sqlalchemy.orm import Session, SessionTransaction, SessionTransactionOrigin, sessionmaker

from webapp.database.schemas import schema_of

T = TypeVar("T")

_WRITES: Final = "kongbox_writes"
"""The name of the execution option that marks connections that may write."""

_NOTES: Final = "kongbox_notes"
"""The name of the execution option that marks connections that only write notes."""


def may_write(connection: Connection | Engine) -> bool:
    """Whether what is begun on a connection or an engine may write."""
    return bool(connection.get_execution_options().get(_WRITES))


def is_note(connection: Connection) -> bool:
    """Whether a connection writes only notes, not what people asked to be saved."""
    return bool(connection.get_execution_options().get(_NOTES))


def writing(engine: Engine) -> Engine:
    """An engine on the same database whose connections may write, one transaction at a time."""
    return engine.execution_options(**{_WRITES: True})


def noting(engine: Engine) -> Engine:
    """An engine whose writes are notes beside what people asked for: they do not wait for long."""
    return engine.execution_options(**{_NOTES: True})


_Place = tuple[int, str | None]
"""A part of a database: the pool of its connections, and the schema that they see."""


def _place(engine: Engine) -> _Place:
    return id(engine.pool), schema_of(engine)


@dataclass(eq=False)
class _Shared:
    """What a page reads on, and what it has read.

    Attributes:
        connections: one to each part of a database that it asks.
        known: what was read once for all of the page, by its name.
        readers: number of sessions that read on them now.
        failed: whether a statement has failed, after which a transaction answers no other.
    """

    connections: dict[_Place, Connection] = field(default_factory=dict)
    known: dict[tuple[_Place, str], object] = field(default_factory=dict)
    readers: int = 0
    failed: bool = False

    def to(self, engine: Engine) -> Connection:
        """The connection to a database, within a transaction."""
        if self.failed:
            self.let_go()
        place = _place(engine)
        if place not in self.connections:
            self.connections[place] = engine.connect()
            self.connections[place].begin()
        return self.connections[place]

    def let_go(self) -> None:
        """Give the connections back to their pools.

        Their transactions end with a commit, although nothing was written: psycopg forgets at a
        rollback which statements the server has prepared, and planning one takes longer than
        answering it.
        """
        failed, self.failed = self.failed, False
        while self.connections:
            connection = self.connections.popitem()[1]
            with connection:
                if not failed:
                    connection.commit()


_SHARED: Final[ContextVar[_Shared | None]] = ContextVar("kongbox_shared", default=None)
"""What the request that is answered now reads on; None where each transaction is by itself."""

_READS: Final = "kongbox_reads"
"""The name under which a session keeps on what it reads along."""


class _Reader(Session):
    """A session that reads on the connection of its page."""

    def get_bind(self, *args: Any, **named: Any) -> Engine | Connection:  # noqa: ANN401 - as there
        """The database, or the connection to it that the page shares."""
        bind, shared = super().get_bind(*args, **named), _SHARED.get()
        if shared is None or not isinstance(bind, Engine) or not _shareable(bind):
            return bind
        if _READS not in self.info:
            self.info[_READS] = shared
            shared.readers += 1
        return shared.to(bind)

    def close(self) -> None:
        """End the session; the connection stays with the page."""
        super().close()
        shared: _Shared | None = self.info.pop(_READS, None)
        if shared is not None:
            shared.readers -= 1


def _shareable(engine: Engine) -> bool:
    return engine.dialect.name == "postgresql" and not may_write(engine)


def sessions_on(engine: Engine) -> sessionmaker[Session]:
    """Makes sessions on a database; the objects that they read stay usable after the end."""
    return sessionmaker(engine, class_=_Reader, expire_on_commit=False)


def once_a_page(session: Session, name: str, read: Callable[[], T]) -> T:
    """What a page reads once; it is read again after something was written.

    Args:
        session: reads it.
        name: what it is called; the same for all that ask for it.
        read: reads it for the first who asks; the others get the same object.
    """
    shared, bind = _SHARED.get(), session.bind
    if shared is None or not isinstance(bind, Engine) or may_write(bind):
        return read()
    key = _place(bind), name
    if key not in shared.known:
        shared.known[key] = read()
    return cast("T", shared.known[key])


def share() -> None:
    """Let all that is read from now on share one transaction, until :func:`share_no_longer`."""
    share_no_longer()
    _SHARED.set(_Shared())


@contextmanager
def shared() -> Iterator[None]:
    """Let all that is read meanwhile share one transaction, unless it does so already."""
    if _SHARED.get() is not None:
        yield
        return
    share()
    try:
        yield
    finally:
        share_no_longer()


def share_no_longer() -> None:
    """Read each thing in a transaction of its own again."""
    shared = _SHARED.get()
    if shared is not None:
        _SHARED.set(None)
        shared.let_go()


def let_go_idle() -> None:
    """Give back what nobody reads on now: whoever writes, or waits for others, holds no second."""
    shared = _SHARED.get()
    if shared is not None and not shared.readers:
        shared.let_go()


def _forget_known() -> None:
    """Let the page read again what it has read before, because something is written."""
    shared = _SHARED.get()
    if shared is not None:
        shared.known.clear()


@event.listens_for(Session, "after_transaction_create")
def _write_where_begun(session: Session, transaction: SessionTransaction) -> None:
    """Let a session write only if its transaction was begun explicitly."""
    begun = transaction.origin is SessionTransactionOrigin.BEGIN
    if begun and isinstance(session.bind, Engine):
        _forget_known()
        let_go_idle()
        session.bind = writing(session.bind)


def note_failure(_context: ExceptionContext) -> None:
    """Remember that a statement has failed."""
    shared = _SHARED.get()
    if shared is not None:
        shared.failed = True
