"""Drafts of tile sets that are being taught: their photos, and people's answers about the tiles.

Each draft is a folder beside the profiles, so that a restart loses nothing. A photo is deleted once
it was read, and a draft that nobody finished is deleted after a week.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from vision.errors import ModelError, PhotoError
from vision.runtime.files import put_in_place
from webapp.database.ids import new_id
from webapp.deal.photos import DONE, FAILED, READING, WAITING
from webapp.language.kept import kept
from webapp.photos.desk import BROKEN, PhotoQueue, words_for
from webapp.photos.workers import WorkerFault, Workshop
from webapp.runtime.data_folder import for_club
from webapp.runtime.steady_clock import steady_now
from webapp.tile_sets.tasks import labels_of, learn_set, look_at_set, take_over_set

if TYPE_CHECKING:
    from vision.tilesets.teaching import SetPhoto

MAX_PHOTOS: Final = 6
"""Maximum number of photos of one draft."""

KEPT_S: Final = 7 * 24 * 3600
"""How long an unfinished draft is kept, in seconds."""

LEFT_OUT: Final = "-"
"""The answer about a tile that is not to be learnt."""

Look = dict[str, Any]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DraftPhoto:
    """One photo of a draft.

    Attributes:
        stage: how far its reading has come, as for photos of deals.
        error: why it could not be read, as it is kept; None unless it failed.
        answers: the labels that people gave to tiles, by the tile's number in decimal.
    """

    stage: str = WAITING
    error: str | None = None
    answers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A tile set that is being taught."""

    id: str
    name: str
    photos: tuple[DraftPhoto, ...]

    @property
    def busy(self) -> bool:
        """Whether a photo waits to be read or is being read."""
        return any(photo.stage in (WAITING, READING) for photo in self.photos)

    def leaves_out(self, photo: int, tile: int) -> bool:
        """Whether a tile is not to be learnt, by the numbers of its photo and of itself."""
        return (self.photos[photo].answers or {}).get(str(tile)) == LEFT_OUT

    @property
    def read(self) -> tuple[int, ...]:
        """The numbers of the photos that were read."""
        return tuple(i for i, photo in enumerate(self.photos) if photo.stage == DONE)


class SetDesk:
    """Stores drafts of tile sets, has their photos read, and makes profiles from them.

    Args:
        folder: returns the folder in which drafts are kept.
        workshop: runs the reading and the learning, outside this process if need be.
        look: reads the photos of a set together.
        learn: makes a profile from what the photos show.
        queue: counts the photos that wait or are being read, of all desks.
    """

    def __init__(
        self,
        folder: Callable[[], Path],
        workshop: Workshop,
        look: Callable[[Sequence[bytes]], list[Look]] = look_at_set,
        learn: Callable[..., None] = learn_set,
        queue: PhotoQueue | None = None,
    ) -> None:
        self._queue = queue or PhotoQueue()
        self._folder = folder
        self._workshop = workshop
        self.look, self.learn = look, learn
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sets")
        self._lock = Lock()
        self._running: set[tuple[str, int]] = set()

    def begin(self, name: str, photos: Sequence[bytes]) -> str:
        """Store a new draft, start reading its photos, and return its id.

        Raises:
            TooManyPhotos: too many are waiting; nothing was stored.
        """
        self._queue.enter(len(photos))
        try:
            draft_id = self._store(name, photos)
            self._start(draft_id)
        finally:
            self._queue.leave(len(photos))
        return draft_id

    def _store(self, name: str, photos: Sequence[bytes]) -> str:
        draft_id = new_id()
        folder = self._folder() / draft_id
        folder.mkdir(parents=True, mode=0o700)
        self._tidy()
        for number, data in enumerate(photos):
            (folder / f"{number}.photo").write_bytes(data)
        self._write(Draft(draft_id, name, tuple(DraftPhoto() for _ in photos)))
        return draft_id

    def draft(self, draft_id: str) -> Draft | None:
        """The draft as it is now; reading that a restart interrupted is continued."""
        draft = self._read(draft_id)
        if draft is not None and draft.busy:
            self._start(draft_id)
        return draft

    def looks(self, draft: Draft) -> dict[int, Look]:
        """What was seen on each photo that was read, by the photo's number."""
        return {
            number: json.loads((self._folder() / draft.id / f"{number}.json").read_text("utf-8"))
            for number in draft.read
        }

    def answer(self, draft_id: str, photo: int, tile: int, label: str) -> None:
        """Store a person's answer about a tile.

        Args:
            draft_id: the draft.
            photo: the number of the photo.
            tile: the number of the tile on the photo.
            label: the label, or :data:`LEFT_OUT`.

        Raises:
            KeyError: there is no such draft, photo or tile.
            SetRefused: two tiles of the photo would have the same face.
        """
        with self._lock:
            draft = self._read(draft_id)
            if draft is None or photo not in draft.read:
                raise KeyError(draft_id)
            looks = self.looks(draft)
            if not 0 <= tile < len(looks[photo]["tiles"]):
                raise KeyError(tile)
            photos = list(draft.photos)
            one_face = looks if _are_one_set(looks) else (photo,)
            for number in one_face if label != LEFT_OUT else ():
                earlier = photos[number].answers or {}
                others = {at: said for at, said in earlier.items() if said != label}
                photos[number] = replace(photos[number], answers=others)
            answers = {**(photos[photo].answers or {}), str(tile): label}
            photos[photo] = replace(photos[photo], answers=answers)
            draft = replace(draft, photos=tuple(photos))
            labelled(draft, looks)
            self._write(draft)

    def keep(self, draft: Draft, copies: Mapping[str, int]) -> None:
        """Make the profile from the draft and delete the draft.

        Raises:
            SetRefused: no tile is left, the name cannot be used, or the profile cannot be written.
            ModelError: a model is missing or damaged.
        """
        looks = self.looks(draft)
        labels = [
            [
                None if draft.leaves_out(number, at) else tile.label
                for at, tile in enumerate(photo.tiles)
            ]
            for number, photo in labelled(draft, looks).items()
        ]
        self._workshop.work(self.learn, draft.name, list(looks.values()), labels, dict(copies))
        self.drop(draft.id)

    def take_over(self, data: bytes) -> str:
        """Store a profile that was made elsewhere and return its name.

        Raises:
            SetRefused: the bytes are not a profile, or there is a set with its name already.
        """
        return self._workshop.work(take_over_set, data)

    def drop(self, draft_id: str) -> None:
        """Delete a draft."""
        if self._read(draft_id) is not None:
            shutil.rmtree(self._folder() / draft_id, ignore_errors=True)

    def close(self) -> None:
        """Stop reading; photos that wait are read when someone asks for their draft again."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _start(self, draft_id: str) -> None:
        """Have the photos read that wait; each keeps a place in the queue until then."""
        with self._lock:
            draft = self._read(draft_id)
            waiting = [
                (draft_id, number)
                for number, photo in enumerate(() if draft is None else draft.photos)
                if photo.stage in (WAITING, READING) and (draft_id, number) not in self._running
            ]
            self._running.update(waiting)
        self._queue.take_up(len(waiting))
        if waiting:
            numbers = [number for _, number in waiting]
            self._pool.submit(for_club(partial(self._look, draft_id, numbers)))

    def _look(self, draft_id: str, numbers: Sequence[int]) -> None:
        """Have photos of a draft read, whose tiles are decided together."""
        folder = self._folder() / draft_id
        try:
            for number in numbers:
                self._stage(draft_id, number, DraftPhoto(READING))
            photos = [(folder / f"{number}.photo").read_bytes() for number in numbers]
            for number, look in zip(numbers, self._look_safely(photos), strict=True):
                if "error" not in look:
                    (folder / f"{number}.json").write_text(json.dumps(look), "utf-8")
                error = look.get("error")
                self._stage(draft_id, number, DraftPhoto(FAILED if error else DONE, error))
                (folder / f"{number}.photo").unlink(missing_ok=True)
        except OSError as error:
            _log.warning("photos of a set are lost: %s", type(error).__name__)
            for number in numbers:
                self._stage(draft_id, number, DraftPhoto(FAILED, words_for(error)))
        finally:
            with self._lock:
                self._running.difference_update((draft_id, number) for number in numbers)
            self._queue.leave(len(numbers))

    def _look_safely(self, photos: Sequence[bytes]) -> list[Look]:
        """What each photo shows, or the ``error`` for which none of them could be read."""
        try:
            return self._workshop.work(self.look, photos)
        except (PhotoError, ModelError) as error:
            return [{"error": kept(error.message)} for _ in photos]
        except WorkerFault:
            _log.exception("photos of a set could not be read")
            return [{"error": BROKEN} for _ in photos]

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
        photos = (DraftPhoto(p["stage"], p["error"], p["said"]) for p in held["photos"])
        return Draft(held["id"], held["name"], tuple(photos))

    def _write(self, draft: Draft) -> None:
        path = self._folder() / draft.id / "draft.json"
        part = path.with_suffix(f".{os.getpid()}.part")
        photos = [
            {"stage": photo.stage, "error": photo.error, "said": photo.answers}
            for photo in draft.photos
        ]
        held = {"id": draft.id, "name": draft.name, "photos": photos}
        part.write_text(json.dumps(held), "utf-8")
        put_in_place(part, path)

    def _tidy(self) -> None:
        old = steady_now().timestamp() - KEPT_S
        for folder in self._folder().iterdir():
            if folder.is_dir() and folder.stat().st_mtime < old:
                shutil.rmtree(folder, ignore_errors=True)


def labelled(draft: Draft, looks: Mapping[int, Look]) -> dict[int, SetPhoto]:
    """Each photo of a draft with the labels of its tiles after people's answers.

    A face lies on one tile of all photos together, unless they show a whole box.

    Raises:
        SetRefused: two tiles would have the same face.
    """
    from vision.tilesets.teaching import SetPhoto

    groups = [tuple(looks)] if _are_one_set(looks) else [(number,) for number in looks]
    photos: dict[int, SetPhoto] = {}
    for numbers in groups:
        every: list[Any] = []
        said: dict[int, str] = {}
        for number in numbers:
            answers = draft.photos[number].answers or {}
            said |= {
                len(every) + int(at): label for at, label in answers.items() if label != LEFT_OUT
            }
            every += looks[number]["tiles"]
        left = iter(labels_of(every, said).tiles)
        for number in numbers:
            photos[number] = SetPhoto(tuple(islice(left, len(looks[number]["tiles"]))))
    return photos


def _are_one_set(looks: Mapping[int, Look]) -> bool:
    """Whether the photos show each face once together, and no whole box."""
    from vision.tilesets.teaching import is_box

    return not is_box(sum(len(look["tiles"]) for look in looks.values()))
