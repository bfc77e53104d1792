"""Reading photos in the background, a few at a time, so that the page can show how far it is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from vision.errors import ModelError, PhotoError
from vision.messages import Message
from webapp.database.trouble import DETAILS, trouble_of
from webapp.deal.names import of_player
from webapp.deal.state import DealState, Player
from webapp.deal.store import Store
from webapp.joint.decision import with_tiles
from webapp.language.noted import noted
from webapp.photos.copies import copies_of
from webapp.photos.from_reading import kept_reading, tiles_from_reading
from webapp.photos.workers import Workshop
from webapp.runtime.data_folder import for_club

if TYPE_CHECKING:
    from vision import View

MAX_QUEUE: Final = 8
"""Photos that may wait or be read at one time, whatever page or program they come from; more are
refused with a friendly 503."""

TABLE: Final = "T"
"""Stands for the seat of a photo that shows the tiles of all players."""

NO_TILES: Final = noted(
    "No tiles were found on this photo. Lay the tiles face up and take the photo "
    "from above, in good light, with the tiles filling the picture. Or tap the "
    "tiles in."
)

BROKEN: Final = noted(
    "This photo could not be read because of a fault in Kongbox, not your mistake. "
    "Try another photo, or tap the tiles in."
)

_log = logging.getLogger(__name__)


def words_for(error: BaseException) -> str:
    """Why a photo was not read, other than for what it shows."""
    trouble = trouble_of(error)
    return BROKEN if trouble is None else str(DETAILS[trouble])


class TooManyPhotos(RuntimeError):
    """As many photos as may are waiting already."""


def count_tiles(frame: bytes) -> View:
    """The tiles of a frame of a live picture; the recogniser is loaded at the first."""
    from vision import look_at

    return look_at(frame)


class PhotoQueue:
    """Counts the photos of all desks that wait or are being read."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0

    def enter(self, count: int = 1) -> None:
        """Take places for new photos before anything is stored of them.

        Raises:
            TooManyPhotos: fewer are free, and none was taken.
        """
        with self._lock:
            if self._inside + count > MAX_QUEUE:
                raise TooManyPhotos
            self._inside += count

    def take_up(self, count: int = 1) -> None:
        """Count photos that were accepted before the program last stopped, however many."""
        with self._lock:
            self._inside += count

    def leave(self, count: int = 1) -> None:
        """Give places back."""
        with self._lock:
            self._inside -= count

    @property
    def busy(self) -> bool:
        """Whether photos wait or are being read."""
        return self._inside > 0


class PhotoDesk:
    """Takes photos in, has them read in turn, and puts the tiles into the deal."""

    def __init__(
        self,
        store: Store,
        workshop: Workshop,
        set_of: Callable[[str], str] = lambda _deal: "",
        queue: PhotoQueue | None = None,
    ) -> None:
        self.queue = queue or PhotoQueue()
        self._store = store
        self._workshop = workshop
        self._set_of = set_of
        self._looking = Lock()
        self._reading: set[str] = set()
        self._pool = ThreadPoolExecutor(max_workers=workshop.places, thread_name_prefix="photos")

    def prepare(self) -> None:
        """Get ready to read, so that the first photo need not wait for it."""
        self._workshop.start()

    def resume(self, sent_before: datetime | None = None) -> None:
        """Take up the photos that were left unread when a program stopped.

        Args:
            sent_before: leaves those alone that were sent later, which another server may be
                having read; None takes up all.
        """
        for photo_id in self._store.unread(sent_before):
            if photo_id not in self._reading:
                self.queue.take_up()
                self._start(photo_id)

    def take(self, deal_id: str, seat: str, name: str, data: bytes) -> str:
        """Store a photo of a player's tiles and start reading it; gives the photo's id.

        The tiles of a photo of the whole table (seat :data:`TABLE`) are not put into the deal:
        first someone says who sits where.

        Raises:
            TooManyPhotos: too many are waiting; nothing was stored.
        """
        self.queue.enter()
        try:
            photo_id = self._store.add_photo(deal_id, seat, name, data)
        except BaseException:
            self.queue.leave()
            raise
        self._start(photo_id)
        return photo_id

    def read_now(self, name: str, data: bytes) -> dict[str, Any]:
        """Read a photo and wait for the answer.

        Raises:
            TooManyPhotos: too many are waiting.
            PhotoError: the photo cannot be read.
        """
        self.queue.enter()
        read = self._submit(lambda: self._workshop.read(name, data, picture=False)).result()
        told: dict[str, Any] = read.reading.to_json(name)
        return told

    def look(self, frame: bytes) -> View:
        """Find the tiles of a frame of a live picture, one frame at a time; photos go first.

        Raises:
            TooManyPhotos: photos wait or are being read, or another frame is looked at.
            PhotoError: the frame cannot be looked at.
        """
        if self.queue.busy or not self._looking.acquire(blocking=False):
            raise TooManyPhotos
        try:
            return self._workshop.work(count_tiles, frame)
        finally:
            self._looking.release()

    def lay(
        self,
        deal_id: str,
        photo_id: str,
        what: Message,
        players: Callable[[DealState], Iterable[Player]],
    ) -> None:
        """Put the tiles of a photo into the deal, all of whose tiles are then decided together.

        Args:
            deal_id: the id of the deal.
            photo_id: the id of the photo, which is put into a deal once.
            what: the entry in a few words.
            players: the players with their tiles, from the deal as it is now.

        Raises:
            KeyError: there is no such deal.
        """
        copies = copies_of(self._set_of(deal_id))
        self._store.edit(
            deal_id, lambda state: with_tiles(state, players(state), copies), what, entry=photo_id
        )

    @property
    def busy(self) -> bool:
        """Whether photos wait or are being read."""
        return self.queue.busy

    def close(self) -> None:
        """Wait for the photos that are being read; the waiting ones stay stored."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._workshop.close()

    def _start(self, photo_id: str) -> None:
        self._reading.add(photo_id)

        def after(future: Future[Any]) -> None:
            self._reading.discard(photo_id)
            error = None if future.cancelled() else future.exception()
            if error is not None:
                _log.error("reading photo %s failed", photo_id[:8], exc_info=error)
                self._store.fail_photo(photo_id, words_for(error))

        self._submit(lambda: self._read_into_deal(photo_id)).add_done_callback(after)

    def _submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Have a photo read that has a place, which it leaves when that is done."""
        try:
            future = self._pool.submit(for_club(work))
        except RuntimeError:
            self.queue.leave()
            raise
        future.add_done_callback(lambda _: self.queue.leave())
        return future

    def _read_into_deal(self, photo_id: str) -> None:
        data = self._store.start_reading(photo_id)
        photo = self._store.photo(photo_id)
        if data is None or photo is None:
            return
        try:
            tile_set = self._set_of(photo.deal_id)
            read = self._workshop.read(photo.name, data, picture=True, tile_set=tile_set)
        except (PhotoError, ModelError) as error:
            self._store.fail_photo(photo_id, error.message)
            return
        if self._store.photo(photo_id) is None:
            return
        if not read.reading.tiles:
            self._store.fail_photo(photo_id, NO_TILES)
            return
        seat = photo.seat

        def read_into(state: DealState) -> list[Player]:
            return [tiles_from_reading(state.player(seat), read.reading, photo_id)]

        if seat != TABLE:
            what = of_player(noted("Photo read"), seat)
            self.lay(photo.deal_id, photo_id, what, read_into)
        form = kept_reading(photo.name, read.reading)
        self._store.finish_photo(photo_id, form, read.picture)
