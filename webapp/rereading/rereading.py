"""Reads kept photos again, several at a time, and notes of each what is different."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Final

from vision.errors import PhotoError
from webapp.photos.pictures import MAX_SHOWN_SIDE
from webapp.photos.workers import PhotoGivenUp, WorkerFault, Workshop
from webapp.rereading.choosing import Kept, KeptPhotos, Where
from webapp.rereading.comparison import Compared, compare, was_corrected
from webapp.rereading.progress import Progress
from webapp.runtime.data_folder import for_club

READ_FROM: Final = (
    f"the copies that are kept, of at most {MAX_SHOWN_SIDE} pixels and without metadata"
)
"""From what photos are read again: what was sent is deleted once it is read."""

SETTLE_S: Final = 0.2
"""Seconds within which Ctrl+C that ended the processes of a photo has reached this one too."""


class Paused(Exception):
    """The re-reading was asked to stop; the file of its progress says how far it came."""


@dataclass(frozen=True)
class Rereading:
    """Reads the photos of a club again. Nothing is written to its database.

    Attributes:
        photos: the photos that the club keeps.
        workshop: where they are read.
        progress: what was read already.
        club: the address of the club; empty where there is one only.
        patient: whether a photo that nobody has read in time is asked for again, as where workers
            read first what someone at a table waits for.
    """

    photos: KeptPhotos
    workshop: Workshop
    progress: Progress
    club: str = ""
    patient: bool = False

    def run(self, ids: Iterable[str], where: Where, told: Callable[[], object]) -> None:
        """Read these photos again.

        Args:
            ids: the photos.
            where: those that do not meet it are passed over.
            told: called for each photo once it is read, or need not be.

        Raises:
            ModelError: a model is missing or damaged.
            Paused: by Ctrl+C; what is being read is finished first.
        """
        stop, running = Event(), set[Future[Compared | None]]()
        with ThreadPoolExecutor(self.workshop.places, thread_name_prefix="anew") as pool:
            try:
                for photo_id in ids:
                    if (self.club, photo_id) in self.progress.done:
                        told()
                        continue
                    running.add(pool.submit(for_club(self._work(photo_id, where, stop))))
                    if len(running) >= self.workshop.places:
                        running = self._finished(running, told)
                while running:
                    running = self._finished(running, told)
            except (KeyboardInterrupt, SystemExit) as asked:
                stop.set()
                for future in wait(running).done:
                    if future.exception() is None:
                        self._keep(future)
                raise Paused from asked
            finally:
                stop.set()

    def _finished(
        self, running: set[Future[Compared | None]], told: Callable[[], object]
    ) -> set[Future[Compared | None]]:
        """Keep what was read first; gives what is still being read."""
        done, left = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            self._keep(future)
            told()
        return left

    def _keep(self, future: Future[Compared | None]) -> None:
        compared = future.result()
        if compared is not None:
            self.progress.add(compared)

    def _work(self, photo_id: str, where: Where, stop: Event) -> Callable[[], Compared | None]:
        def work() -> Compared | None:
            kept = self.photos.photo(photo_id)
            if kept is None or not _meets(kept, where):
                return None
            while not stop.is_set():
                try:
                    return self._read(kept)
                except PhotoGivenUp as error:
                    if stop.wait(SETTLE_S):
                        return None
                    if not self.patient:
                        return compare(kept, None, self.club, str(error))
            return None

        return work

    def _read(self, kept: Kept) -> Compared:
        try:
            read = self.workshop.read(
                kept.id, kept.picture, picture=True, tile_set=kept.tile_set
            ).reading
        except PhotoGivenUp:
            raise
        except PhotoError as error:
            return compare(kept, None, self.club, str(error))
        except WorkerFault:
            return compare(kept, None, self.club, "A fault in the program.")
        return compare(kept, read, self.club)


def _meets(kept: Kept, where: Where) -> bool:
    """Whether a photo meets what is not asked of its day."""
    if where.tile_set is not None and kept.tile_set != where.tile_set:
        return False
    return not where.corrected or was_corrected(kept)


def models() -> dict[str, str]:
    """The versions of the models and fitted numbers that are shipped.

    Raises:
        ModelError: the list of models is missing or damaged.
    """
    from vision.runtime.registry import read_registry

    return {entry.name: entry.version for entry in read_registry().values()}
