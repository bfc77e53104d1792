"""Reading photos on any machine that takes part, beside the two workshops of one machine."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition
from typing import Final, TypeVar

from vision.messages import Message
from vision.tilesets.profile import ProfileError
from webapp.association.queue.tasks import Asked, Priority, Tasks
from webapp.photos.desk import PhotoQueue, TooManyPhotos
from webapp.photos.workers import TOO_SLOW, PhotoGivenUp, PhotoRead, Workshop

PLACES: Final = 8
"""Photos of one club for whose answers it is waited at one time."""

DEADLINE_S: Final = 120.0
"""The longest time in seconds that is waited for an answer; a worker gives up after 30."""

LATER_DEADLINE_S: Final = 5.0
"""Seconds after which whoever reads an archive again asks whether it should go on."""

LOOK_S: Final = 1.0
"""Seconds after which it is looked for an answer even if no signal told of it."""

MOST_IN_LINE: Final = 200
"""Photos of all clubs that may wait to be taken: two workers read so many in less than a minute."""

Done = TypeVar("Done")

_log = logging.getLogger(__name__)


class Arrivals:
    """Wakes those who wait for a task when a signal says that it is done."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._done: dict[str, int] = {}

    def heard(self, task_id: str) -> None:
        """Wake whoever waits for a task."""
        with self._changed:
            if task_id in self._done:
                self._done[task_id] += 1
                self._changed.notify_all()

    def wait(self, task_id: str, seconds: float) -> None:
        """Wait until a task is told to be done, at most so long."""
        with self._changed:
            before = self._done.setdefault(task_id, 0)
            self._changed.wait_for(lambda: self._done.get(task_id) != before, seconds)

    def forget(self, task_id: str) -> None:
        """Wait for a task no longer."""
        with self._changed:
            self._done.pop(task_id, None)


class BoundQueue(PhotoQueue):
    """Takes in photos of a club as long as not too many of all clubs wait on all machines.

    Args:
        tasks: the photos to be read.
    """

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks

    def enter(self, count: int = 1) -> None:
        """See :meth:`PhotoQueue.enter`."""
        if self._tasks.in_line() + count > MOST_IN_LINE:
            raise TooManyPhotos
        super().enter(count)


class QueuedWorkshop:
    """Puts photos into the queue that all machines share, and waits for the answers.

    Args:
        tasks: the photos to be read.
        arrivals: is told by signals which have been.
        local: does what is no reading of a photo, such as looking at a live picture.
        deadline: the longest time in seconds that is waited for an answer.
        priority: which of all photos in the queue are read first.
    """

    places = PLACES

    def __init__(
        self,
        tasks: Tasks,
        arrivals: Arrivals,
        local: Workshop,
        deadline: float = DEADLINE_S,
        priority: Priority = Priority.NOW,
    ) -> None:
        self._tasks, self._arrivals, self._local = tasks, arrivals, local
        self._deadline, self._priority = deadline, priority

    def start(self) -> None:
        """Nothing to get ready: the workers are."""

    def read(self, name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        """See :meth:`Workshop.read`."""
        asked = Asked(name, data, picture, tile_set, _profile(tile_set))
        until = time.monotonic() + self._deadline
        try:
            task_id = self._tasks.ask(asked, self._priority)
            while (answer := self._tasks.answer(task_id)) is None:
                left = until - time.monotonic()
                if left <= 0:
                    _log.warning("no worker has read a photo within %.0f s", self._deadline)
                    raise PhotoGivenUp(Message(TOO_SLOW))
                self._arrivals.wait(task_id, min(left, LOOK_S))
        finally:
            self._arrivals.forget(asked.id)
        return answer

    def work(self, task: Callable[..., Done], *args: object) -> Done:
        """See :meth:`Workshop.work`."""
        return self._local.work(task, *args)

    def close(self) -> None:
        """Stop what is done on this machine."""
        self._local.close()


def _profile(tile_set: str) -> bytes:
    """The file of a set's profile, which a worker does not have; empty if there is none."""
    from vision.tilesets.profile_file import profile_path

    if tile_set:
        with suppress(OSError, ProfileError):
            return profile_path(tile_set).read_bytes()
    return b""
