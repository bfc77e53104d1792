"""The queue of photos, which Procrastinate keeps in the association's PostgreSQL.

The queue holds ids only; what is to be read and the answers are in the table ``photo_tasks``. The
id of a task is made of all that its answer depends on, so that a photo that is asked for twice, as
by two servers after a crash, is read once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from functools import cache
from typing import Final

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from sqlalchemy import Engine, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from vision.errors import PhotoRejected
from vision.messages import Message, verbatim
from vision.runtime.registry import read_registry
from webapp.association.machines.signals import connection_string
from webapp.database.sessions import sessions_on
from webapp.database.tables.association import PhotoTaskRow
from webapp.language.kept import brought_back, kept
from webapp.photos.from_reading import kept_reading, reading_kept
from webapp.photos.workers import PhotoRead, WorkerFault
from webapp.runtime.steady_clock import steady_now

QUEUE: Final = "photos"
"""The name of the queue."""

READ: Final = "read_photo"
"""The name of the task that reads a photo."""

READ_DONE: Final = "read"
"""The kind of the signal that a photo was read; its text is the id of the task."""

CONNECTIONS: Final = 4
"""Most connections of one machine with which tasks are put into the queue."""

KEPT_FOR: Final = timedelta(hours=1)
"""For how long an answer is kept for anyone who asks for the same photo again."""

MARK: Final = 16
"""Number of letters at the beginning of a task's id that tell with which models it is asked for."""

_MAKING: Final = 0x6B6F6E69
"""The number of the advisory lock under which the tables of the queue are made."""


@cache
def models_mark() -> str:
    """What tells the models and fitted numbers of this machine from all others.

    Raises:
        ModelError: the list of models is missing or damaged.
    """
    told = sorted((entry.name, entry.sha256) for entry in read_registry().values())
    return hashlib.sha256(repr(told).encode()).hexdigest()[:MARK]


class Priority(IntEnum):
    """What is read first: the highest number."""

    LATER = 0
    """Nobody waits, as when an archive is read again."""

    NOW = 10
    """Someone at a table waits."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A photo that is to be read.

    Attributes:
        name: what the photo is called in its reading.
        photo: its bytes.
        with_picture: whether a copy to show is made.
        tile_set: the name of the set's profile; empty for none.
        profile: the profile's file; empty for none.
    """

    name: str
    photo: bytes
    with_picture: bool
    tile_set: str = ""
    profile: bytes = b""

    @property
    def id(self) -> str:
        """The same for all photos of which the answer, by the same models, is the same."""
        parts = (self.name.encode(), self.tile_set.encode(), self.profile, self.photo)
        digests = b"".join(hashlib.sha256(part).digest() for part in parts)
        digest = hashlib.sha256(digests + bytes([self.with_picture])).hexdigest()
        return models_mark() + digest[MARK:]


class Tasks:
    """Reads and writes the photos to be read, in short transactions, from any thread.

    Args:
        engine: the association's database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._sessions = sessions_on(engine)
        make_queue(engine)
        self._queue = App(
            connector=SyncPsycopgConnector(
                conninfo=connection_string(engine), min_size=0, max_size=CONNECTIONS
            )
        )
        self._queue.open()

    def close(self) -> None:
        """Give the connections back."""
        self._queue.close()

    def ask(self, asked: Asked, priority: Priority = Priority.NOW) -> str:
        """Have a photo read, unless it is being read or was read lately; gives its id."""
        row = {
            "id": asked.id, "name": asked.name, "photo": asked.photo, "tile_set": asked.tile_set,
            "profile": asked.profile or None, "with_picture": asked.with_picture,
            "asked_at": steady_now(),
        }  # fmt: skip
        with self._sessions.begin() as session:
            session.execute(insert(PhotoTaskRow).values(row).on_conflict_do_nothing())
        self.put_in_line(asked.id, priority)
        return asked.id

    def put_in_line(self, task_id: str, priority: Priority = Priority.NOW) -> None:
        """Put a task into the queue if it has no answer yet and does not wait there already."""
        if self.is_done(task_id):
            return
        job = self._queue.configure_task(
            READ, queue=QUEUE, queueing_lock=task_id, lock=task_id, priority=int(priority)
        )
        try:
            job.defer(task_id=task_id)
        except AlreadyEnqueued:
            return

    def is_done(self, task_id: str) -> bool:
        """Whether a task has its answer."""
        done = select(PhotoTaskRow.done_at).where(PhotoTaskRow.id == task_id)
        with self._sessions() as session:
            return session.scalar(done) is not None

    def answer(self, task_id: str) -> PhotoRead | None:
        """The answer of a task; None if there is none yet.

        Raises:
            PhotoError: the photo cannot be read.
            WorkerFault: the program failed on it.
        """
        with self._sessions() as session:
            row = session.get(PhotoTaskRow, task_id)
        if row is None or row.done_at is None:
            return None
        if row.fault is not None:
            raise WorkerFault(row.fault)
        if row.error is not None:
            told = brought_back(row.error)
            raise PhotoRejected(told if isinstance(told, Message) else verbatim(told))
        return PhotoRead(reading_kept(row.reading), row.picture or b"")

    def asked(self, task_id: str) -> tuple[Asked, float] | None:
        """What is to be read, and for how many seconds that has waited; None if it was done."""
        with self._sessions() as session:
            row = session.get(PhotoTaskRow, task_id)
        if row is None or row.photo is None:
            return None
        asked = Asked(row.name, row.photo, row.with_picture, row.tile_set, row.profile or b"")
        return asked, max(0.0, (steady_now() - row.asked_at).total_seconds())

    def finish(
        self,
        task_id: str,
        read: PhotoRead | None = None,
        error: Message | None = None,
        fault: str | None = None,
    ) -> None:
        """Keep the answer of a task, unless it has one, and delete the photo."""
        with self._sessions.begin() as session:
            row = session.get(PhotoTaskRow, task_id)
            if row is None or row.done_at is not None:
                return
            row.done_at, row.photo, row.profile = steady_now(), None, None
            row.error = None if error is None else kept(error, 2000)
            row.fault = None if fault is None else fault[-8000:]
            if read is not None:
                row.reading = kept_reading(row.name, read.reading)
                row.picture = read.picture or None

    def drop(self, task_id: str) -> None:
        """Forget a task that nobody waits for any more."""
        with self._sessions.begin() as session:
            session.execute(delete(PhotoTaskRow).where(PhotoTaskRow.id == task_id))

    def waiting(self) -> int:
        """The number of photos that wait or are being read."""
        query = select(func.count()).where(PhotoTaskRow.done_at.is_(None))
        with self._sessions() as session:
            return session.scalar(query) or 0

    def in_line(self) -> int:
        """The number of photos for which someone waits and which no worker has taken yet."""
        query = (
            "SELECT count(*) FROM procrastinate_jobs "
            "WHERE queue_name = %s AND status = 'todo' AND priority >= %s"
        )
        with self._engine.connect() as connection:
            found: int = connection.exec_driver_sql(query, (QUEUE, int(Priority.NOW))).scalar_one()
        return found

    def oldest_s(self) -> float:
        """How long the photo has waited that has waited longest, in seconds; 0 if none does."""
        query = select(func.min(PhotoTaskRow.asked_at)).where(PhotoTaskRow.done_at.is_(None))
        with self._sessions() as session:
            oldest = session.scalar(query)
        return 0.0 if oldest is None else max(0.0, (steady_now() - oldest).total_seconds())

    def unanswered(self) -> list[str]:
        """The tasks without an answer, the oldest first."""
        query = select(PhotoTaskRow.id).where(PhotoTaskRow.done_at.is_(None))
        with self._sessions() as session:
            return list(session.scalars(query.order_by(PhotoTaskRow.asked_at)))

    def forget_old(self) -> None:
        """Delete the answers that nobody will ask for any more."""
        old = PhotoTaskRow.done_at < steady_now() - KEPT_FOR
        with self._sessions.begin() as session:
            session.execute(delete(PhotoTaskRow).where(old))


def make_queue(engine: Engine) -> None:
    """Make the tables of the queue, unless they are there."""
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING})")
        there = connection.exec_driver_sql("SELECT to_regclass('procrastinate_jobs')").scalar()
        if there is None:
            schema = App(connector=SyncPsycopgConnector()).schema_manager.get_schema()
            connection.exec_driver_sql(schema.replace("%", "%%"))
