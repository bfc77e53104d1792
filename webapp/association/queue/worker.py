"""A worker: takes photos from the queue, reads them with the limits of any reading, and answers."""

from __future__ import annotations

import logging
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import UniqueViolation
from procrastinate.job_context import JobContext
from procrastinate.jobs import Status
from sqlalchemy import Engine

from vision.errors import ModelError, PhotoError
from vision.messages import Message
from webapp.association.machines.signals import Signals, connection_string
from webapp.association.queue.metrics import OTHER_MODELS, PHOTOS, STAGE_S
from webapp.association.queue.tasks import (
    KEPT_FOR,
    QUEUE,
    READ,
    READ_DONE,
    Asked,
    Priority,
    Tasks,
    models_mark,
)
from webapp.photos.workers import PhotoRead, Workshop
from webapp.runtime.data_folder import in_folder

TRIES: Final = 3
"""How often a photo is tried on which the program failed, until it is given up."""

SIGN_S: Final = 2.0
"""Seconds between two signs of life of a worker."""

SILENT_S: Final = 10.0
"""Seconds without a sign of life after which a worker counts as dead."""

FINISH_S: Final = 40.0
"""Seconds that a worker has to finish what it reads once it is asked to stop."""

OFTEN: Final = "* * * * * */10"
"""When it is looked after photos that a dead worker has left, as a line of cron with seconds."""

_log = logging.getLogger(__name__)


class Worker:
    """Reads the photos of the queue until it is stopped.

    Args:
        engine: the association's database.
        workshop: reads photos, in processes with limits.
    """

    def __init__(self, engine: Engine, workshop: Workshop) -> None:
        self._engine, self._workshop = engine, workshop
        self.tasks, self._signals = Tasks(engine), Signals(engine)
        self.app = App(connector=PsycopgConnector(conninfo=connection_string(engine)))
        again = RetryStrategy(max_attempts=TRIES, linear_wait=2)
        self.app.task(name=READ, queue=QUEUE, retry=again, pass_context=True)(self.read)
        keeping = self.app.task(name="look_after", queue=QUEUE, queueing_lock="look_after")
        self.app.periodic(cron=OFTEN)(keeping(self.look_after))

    def run(self, *, until_empty: bool = False) -> None:
        """Take photos until the program is asked to stop, or until none is left."""
        with self.app.open():
            self.app.run_worker(
                queues=[QUEUE],
                concurrency=self._workshop.places,
                wait=not until_empty,
                delete_jobs="always",
                fetch_job_polling_interval=2.0,
                update_heartbeat_interval=SIGN_S,
                stalled_worker_timeout=SILENT_S,
                shutdown_graceful_timeout=FINISH_S,
            )

    def close(self) -> None:
        """End the processes and give the connections back."""
        self._workshop.close()
        self.tasks.close()

    def read(self, context: JobContext, task_id: str) -> None:
        """Read the photo of a task and keep the answer; what was answered is let be."""
        found = self.tasks.asked(task_id)
        if found is None:
            return
        asked, waited_s = found
        if not task_id.startswith(models_mark()) and not self._reads_for_others(
            task_id, Priority(context.job.priority), waited_s
        ):
            return
        STAGE_S.labels("waiting").observe(waited_s)
        try:
            with STAGE_S.labels("reading").time():
                read = self._read(asked)
        except (PhotoError, ModelError) as error:
            self._answer(task_id, "refused", error=error.message)
        except RuntimeError as fault:
            if context.job.attempts + 1 < TRIES:
                raise
            _log.error("a photo was given up after %d tries", TRIES)
            self._answer(task_id, "fault", fault=str(fault))
        else:
            self._answer(task_id, "read", read)

    def _reads_for_others(self, task_id: str, priority: Priority, waited_s: float) -> bool:
        """Whether a photo is read here that a machine with other models asked for.

        For someone at a table any reading is better than none. What an archive is read again for is
        left to a worker with the right models; it comes back until nobody can wait for it any more.
        """
        then = "read" if priority >= Priority.NOW else "left"
        OTHER_MODELS.labels(then).inc()
        _log.warning("a machine with other models asked for a photo, which was %s here", then)
        if then == "left" and waited_s > KEPT_FOR.total_seconds():
            self.tasks.drop(task_id)
        return then == "read"

    def _answer(
        self,
        task_id: str,
        outcome: str,
        read: PhotoRead | None = None,
        error: Message | None = None,
        fault: str | None = None,
    ) -> None:
        """Keep an answer, count it, and tell whoever waits for it."""
        with STAGE_S.labels("answering").time():
            self.tasks.finish(task_id, read, error, fault)
            self._signals.send(READ_DONE, task_id)
        PHOTOS.labels(outcome).inc()

    def _read(self, asked: Asked) -> PhotoRead:
        with tempfile.TemporaryDirectory() if asked.profile else nullcontext() as folder:
            if folder is None:
                return self._workshop.read(asked.name, asked.photo, picture=asked.with_picture)
            sets = Path(folder) / "sets"
            sets.mkdir()
            (sets / f"{asked.tile_set}.kongset").write_bytes(asked.profile)
            with in_folder(Path(folder)):
                return self._workshop.read(
                    asked.name, asked.photo, picture=asked.with_picture, tile_set=asked.tile_set
                )

    async def look_after(self, timestamp: int) -> None:
        """Put photos back into the queue that a dead worker has left, and forget old answers."""
        _log.debug("looked after the queue at %d", timestamp)
        manager = self.app.job_manager
        for job in await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=SILENT_S):
            _log.warning("a worker has died; its photo is read by another")
            try:
                await manager.retry_job(job)
            except UniqueViolation:  # It waits in the queue a second time already.
                await manager.finish_job(job, Status.FAILED, delete_job=True)
        for task_id in self.tasks.unanswered():
            self.tasks.put_in_line(task_id, Priority.LATER)
        self.tasks.forget_old()
