"""Sets that are being taught: their photos are read in turn, and what people said is kept.

Each draft is a folder beside the profiles, so that a restart loses nothing; the photo itself is
deleted once it was read, and a draft that nobody finished after a week.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final

from vision.errors import ModelError, PhotoError
from webapp.database.ids import new_id
from webapp.deal.store import DONE, FAILED, READING, WAITING
from webapp.photos.desk import BROKEN, TooManyPhotos
from webapp.photos.workers import WorkerFault, Workshop
from webapp.tile_sets.tasks import labels_of, learn_set, look_at_set, take_over_set

MAX_OPEN: Final = 6
"""Photos of sets that may wait or be read at one time."""

MAX_PHOTOS: Final = 6
"""Photos of one draft."""

KEPT_S: Final = 7 * 24 * 3600
LEFT_OUT: Final = "-"
"""What people say of a tile that is not to be learnt."""

Look = dict[str, Any]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DraftPhoto:
    """One photo of a draft: how far it is, and what people said of its tiles, by their numbers."""

    stage: str = WAITING
    error: str | None = None
    said: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A set that is being taught."""

    id: str
    name: str
    photos: tuple[DraftPhoto, ...]

    @property
    def busy(self) -> bool:
        """Whether a photo waits or is being read."""
        return any(photo.stage in (WAITING, READING) for photo in self.photos)

    @property
    def read(self) -> tuple[int, ...]:
        """The numbers of the photos that were read."""
        return tuple(i for i, photo in enumerate(self.photos) if photo.stage == DONE)


class SetDesk:
    """Takes photos of sets in, has them read, and keeps what was learnt.

    Args:
        folder: where drafts are kept.
        workshop: where photos are looked at.
        look: what is done with a photo there.
        learn: what makes a profile of what was seen.
    """

    def __init__(
        self,
        folder: Callable[[], Path],
        workshop: Workshop,
        look: Callable[[bytes], Look] = look_at_set,
        learn: Callable[..., None] = learn_set,
    ) -> None:
        self._folder = folder
        self._workshop = workshop
        self.look, self.learn = look, learn
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sets")
        self._lock = Lock()
        self._running: set[tuple[str, int]] = set()

    def begin(self, name: str, photos: Sequence[bytes]) -> str:
        """Keep a new draft and start reading its photos; gives its id.

        Raises:
            TooManyPhotos: too many wait to be read.
        """
        draft_id = new_id()
        folder = self._folder() / draft_id
        if self._waiting() + len(photos) > MAX_OPEN:
            raise TooManyPhotos
        folder.mkdir(parents=True, mode=0o700)
        self._tidy()
        for number, data in enumerate(photos):
            (folder / f"{number}.photo").write_bytes(data)
        self._write(Draft(draft_id, name, tuple(DraftPhoto() for _ in photos)))
        self._start(draft_id)
        return draft_id

    def draft(self, draft_id: str) -> Draft | None:
        """The draft as it stands; one that a restart interrupted goes on being read."""
        draft = self._read(draft_id)
        if draft is not None and draft.busy:
            self._start(draft_id)
        return draft

    def looks(self, draft: Draft) -> dict[int, Look]:
        """What the photos that were read show, by their numbers."""
        return {
            number: json.loads((self._folder() / draft.id / f"{number}.json").read_text("utf-8"))
            for number in draft.read
        }

    def say(self, draft_id: str, photo: int, tile: int, label: str) -> None:
        """Keep what people said of a tile.

        Raises:
            KeyError: there is no such draft or photo.
            SetRefused: one face was given to two tiles of the photo.
        """
        with self._lock:
            draft = self._read(draft_id)
            if draft is None or photo not in draft.read:
                raise KeyError(draft_id)
            look = self.looks(draft)[photo]
            if not 0 <= tile < len(look["tiles"]):
                raise KeyError(tile)
            said = dict(draft.photos[photo].said or {})
            said = {key: told for key, told in said.items() if told != label or label == LEFT_OUT}
            said[str(tile)] = label
            labels_of(look, told_labels(said))
            self._put(draft, photo, replace(draft.photos[photo], said=said))

    def keep(self, draft: Draft, copies: Mapping[str, int]) -> None:
        """Make the profile, and forget the draft.

        Raises:
            SetRefused: no tile is left, the name will not do, or nothing can be written.
            ModelError: a model is missing or damaged.
        """
        looks = self.looks(draft)
        labels = [final_labels(look, draft.photos[number]) for number, look in looks.items()]
        self._workshop.work(self.learn, draft.name, list(looks.values()), labels, dict(copies))
        self.drop(draft.id)

    def take_over(self, data: bytes) -> str:
        """Keep a profile that was made elsewhere; gives its name.

        Raises:
            SetRefused: it is no profile, or one of its name is known.
        """
        return self._workshop.work(take_over_set, data)

    def drop(self, draft_id: str) -> None:
        """Forget a draft."""
        if self._read(draft_id) is not None:
            shutil.rmtree(self._folder() / draft_id, ignore_errors=True)

    def close(self) -> None:
        """Stop; what waits is taken up when somebody asks for it."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _waiting(self) -> int:
        with self._lock:
            return len(self._running)

    def _start(self, draft_id: str) -> None:
        with self._lock:
            draft = self._read(draft_id)
            waiting = [
                (draft_id, number)
                for number, photo in enumerate(() if draft is None else draft.photos)
                if photo.stage in (WAITING, READING) and (draft_id, number) not in self._running
            ]
            self._running.update(waiting)
        for _, number in waiting:
            self._pool.submit(self._look, draft_id, number)

    def _look(self, draft_id: str, number: int) -> None:
        folder = self._folder() / draft_id
        try:
            self._stage(draft_id, number, DraftPhoto(READING))
            found = self._look_safely(folder / f"{number}.photo")
            if isinstance(found, DraftPhoto):
                self._stage(draft_id, number, found)
            else:
                (folder / f"{number}.json").write_text(json.dumps(found), "utf-8")
                self._stage(draft_id, number, DraftPhoto(DONE))
            (folder / f"{number}.photo").unlink(missing_ok=True)
        except OSError as error:
            _log.warning("a photo of a set is lost: %s", type(error).__name__)
            self._stage(draft_id, number, DraftPhoto(FAILED, BROKEN))
        finally:
            with self._lock:
                self._running.discard((draft_id, number))

    def _look_safely(self, path: Path) -> Look | DraftPhoto:
        try:
            return self._workshop.work(self.look, path.read_bytes())
        except (PhotoError, ModelError) as error:
            return DraftPhoto(FAILED, str(error))
        except WorkerFault:
            _log.exception("a photo of a set could not be read")
            return DraftPhoto(FAILED, BROKEN)

    def _stage(self, draft_id: str, number: int, photo: DraftPhoto) -> None:
        with self._lock:
            draft = self._read(draft_id)
            if draft is not None:
                self._put(draft, number, photo)

    def _put(self, draft: Draft, number: int, photo: DraftPhoto) -> None:
        photos = (*draft.photos[:number], photo, *draft.photos[number + 1 :])
        self._write(replace(draft, photos=photos))

    def _read(self, draft_id: str) -> Draft | None:
        if not draft_id.isalnum():
            return None
        try:
            held = json.loads((self._folder() / draft_id / "draft.json").read_text("utf-8"))
        except FileNotFoundError:
            return None
        return Draft(held["id"], held["name"], tuple(DraftPhoto(**p) for p in held["photos"]))

    def _write(self, draft: Draft) -> None:
        path = self._folder() / draft.id / "draft.json"
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(asdict(draft)), "utf-8")
        part.replace(path)

    def _tidy(self) -> None:
        old = time.time() - KEPT_S
        for folder in self._folder().iterdir():
            if folder.is_dir() and folder.stat().st_mtime < old:
                shutil.rmtree(folder, ignore_errors=True)


def told_labels(said: Mapping[str, str] | None) -> dict[int, str]:
    """What people said of tiles, by their numbers, those left out apart."""
    return {int(tile): label for tile, label in (said or {}).items() if label != LEFT_OUT}


def final_labels(look: Look, photo: DraftPhoto) -> list[str | None]:
    """The label of each tile of a photo; None for those left out."""
    told = labels_of(look, told_labels(photo.said))
    return [
        None if (photo.said or {}).get(str(number)) == LEFT_OUT else tile.label
        for number, tile in enumerate(told.tiles)
    ]
