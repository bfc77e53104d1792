"""Reading photos in processes of their own, with a limit on time and memory.

Whatever a photo does to the decoder or to the recogniser, it does there: the page goes on, and a
process that crashed, hung or grew too large is replaced by a fresh one.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import traceback
from collections.abc import Callable
from concurrent.futures import TimeoutError as TooSlow
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from pebble import ProcessExpired, ProcessPool

from vision.errors import ModelError, PhotoError, PhotoRejected
from vision.messages import Message
from vision.runtime.process import limit_process
from webapp.language.noted import note, noted
from webapp.photos.copies import FileState, file_state
from webapp.photos.pictures import shown_copy
from webapp.runtime.data_folder import club_folder, in_folder

if TYPE_CHECKING:
    from vision import PhotoReader
    from vision.photo.decode import PhotoData
    from vision.vocabulary.readings import Reading

SECONDS: Final = 30.0
"""The longest that one photo is worked on, loading the models included."""

MEMORY_BYTES: Final = 2560 * 1024**2
"""The address space of one process; the largest photo needs about half of it."""

LEAST_PLACES: Final = 2
"""Photos that are read at one time on any computer, so that one that takes long holds nobody up.

A process has 200 MB once it has read a photo, and 130 MB more while it reads one of 12 megapixels.
"""

NICENESS: Final = 5
"""Photos wait for pages, not pages for photos."""

LATER_NICENESS: Final = 15
"""Photos for which nobody waits let those go first for which someone does."""

TOO_SLOW: Final = noted(
    "Reading this photo took too long, so Kongbox stopped. Take it again, closer "
    "and with the tiles on a plain background, or tap the tiles in."
)
TOO_MUCH: Final = noted(
    "This photo is too much for this computer to read. Send a smaller copy, take it"
    " again, or tap the tiles in."
)

_SETS_KEPT: Final = 4
"""For so many sets a process stays ready: that takes as long as reading a photo."""

_log = logging.getLogger(__name__)


Reader: TypeAlias = "Callable[..., Reading]"
"""Called with a photo, as bytes or decoded, and with ``tile_set``, a name, where that is known."""

Done = TypeVar("Done")


class PhotoGivenUp(PhotoError):
    """The photo used up its time or memory, or brought its process down."""


class WorkerFault(RuntimeError):
    """The program failed on a photo; the text is the traceback of the process that read it."""


@dataclass(frozen=True, slots=True)
class PhotoRead:
    """What was made of a photo.

    Attributes:
        reading: the recogniser's answer.
        picture: the JPEG to show; empty where none was asked for.
        shift: where the top left corner of the first photo lies in the reading of several.
    """

    reading: Reading
    picture: bytes = b""
    shift: tuple[int, int] = (0, 0)


class Workshop(Protocol):
    """Where photos are read."""

    places: int

    def start(self) -> None:
        """Get ready for the first photo, without waiting."""

    def read(self, name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        """Read a photo, with a copy to show if ``picture`` is set.

        Args:
            name: of the photo, under which its answer is kept where another machine reads it.
            data: the photo.
            picture: whether a copy to show is made.
            tile_set: the set profile to read it with; empty for none.

        Raises:
            PhotoError: the photo cannot be read.
            ModelError: a model is missing or damaged.
        """

    def work(self, task: Callable[..., Done], *args: object) -> Done:
        """What a function that can be imported by its name makes of the arguments.

        Raises:
            PhotoError: it took too long or needed too much.
            WorkerFault: it failed differently than by an error that is meant for people.
        """

    def close(self) -> None:
        """Stop; what is being read is given up."""


def set_unusable(tile_set: str, reason: Message) -> Message:
    """Why a photo cannot be read with the profile of that name."""
    return note(
        "The tile set “{name}” cannot be used ({reason}). Choose another set, or none.",
        name=tile_set,
        reason=reason,
    )


def default_reader(data: PhotoData, tile_set: str = "") -> Reading:
    """The project's own recogniser, loaded at its first use."""
    from vision import read_photo
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import profile_path

    if not tile_set:
        return read_photo(data)
    try:
        return _reader_of_set(tile_set, file_state(profile_path(tile_set))).read(data)
    except ProfileError as error:
        raise PhotoRejected(set_unusable(tile_set, error.message)) from error


@lru_cache(maxsize=_SETS_KEPT)
def _reader_of_set(tile_set: str, _state: FileState) -> PhotoReader:
    """The recogniser made ready for a set, whose profile's file is in that state.

    Raises:
        ProfileError: there is no such profile, or it is damaged.
        ModelError: a shipped model is missing or damaged.
    """
    from vision import open_reader
    from vision.tilesets.profile_file import load_profile

    return open_reader(load_profile(tile_set))


def read_with(reader: Reader, data: bytes, *, picture: bool, tile_set: str = "") -> PhotoRead:
    """Read a photo in this process; raises what the reader raises."""
    from vision.photo.decode import open_photo

    known = {"tile_set": tile_set} if tile_set else {}
    if not picture:
        return PhotoRead(reader(data, **known))
    photo = open_photo(data)
    return PhotoRead(reader(photo, **known), shown_copy(photo.image))


class SameProcess:
    """Reads photos where it is asked to, for readers that need no guard."""

    places = 1

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def start(self) -> None:
        """Nothing to get ready."""

    def read(self, _name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        """See :meth:`Workshop.read`."""
        return read_with(self._reader, data, picture=picture, tile_set=tile_set)

    def work(self, task: Callable[..., Done], *args: object) -> Done:
        """See :meth:`Workshop.work`."""
        return task(*args)

    def close(self) -> None:
        """Nothing to stop."""


class Lent:
    """A workshop that several applications use; none of them can close it."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self.places = workshop.places

    def start(self) -> None:
        """See :meth:`Workshop.start`."""
        self._workshop.start()

    def read(self, name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        """See :meth:`Workshop.read`."""
        return self._workshop.read(name, data, picture=picture, tile_set=tile_set)

    def work(self, task: Callable[..., Done], *args: object) -> Done:
        """See :meth:`Workshop.work`."""
        return self._workshop.work(task, *args)

    def close(self) -> None:
        """Leave it to the one who lent it."""


class WorkerProcesses:
    """Reads photos in processes with limits.

    Args:
        reader: a function that can be imported by its name.
        places: how many photos are read at a time; None for one per two cores, and no fewer than
            :data:`LEAST_PLACES`.
        seconds: the longest time for one photo.
        memory: the address space of a process, in bytes.
        niceness: by how much a process stands back behind others for the processor.
    """

    def __init__(
        self,
        reader: Reader = default_reader,
        places: int | None = None,
        seconds: float = SECONDS,
        memory: int = MEMORY_BYTES,
        niceness: int = NICENESS,
    ) -> None:
        self.places = places or max(LEAST_PLACES, (os.cpu_count() or 1) // 2)
        self._reader = reader
        self._seconds = seconds
        self._pool = ProcessPool(
            max_workers=self.places,
            context=multiprocessing.get_context("spawn"),
            initializer=limit_process,
            initargs=(memory, niceness),
        )

    def start(self) -> None:
        """Start the processes and let the first one load the recogniser."""
        self._pool.schedule(_warm_up if self._reader is default_reader else _nothing)

    def read(self, _name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        """See :meth:`Workshop.read`; :class:`WorkerFault` is raised for any other error."""
        task = partial(read_with, picture=picture, tile_set=tile_set)
        return self.work(task, self._reader, data)

    def work(self, task: Callable[..., Done], *args: object) -> Done:
        """See :meth:`Workshop.work`."""
        given = (club_folder(), task, *args)
        future = self._pool.schedule(_guarded, args=given, timeout=self._seconds)
        try:
            done: Done = future.result()
        except TooSlow as error:
            _log.warning("a photo was given up after %.0f s", self._seconds)
            raise PhotoGivenUp(Message(TOO_SLOW)) from error
        except (MemoryError, ProcessExpired) as error:
            _log.warning("a photo was given up: %s", type(error).__name__)
            raise PhotoGivenUp(Message(TOO_MUCH)) from error
        return done

    def close(self) -> None:
        """End the processes."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


def _warm_up() -> None:
    try:
        from vision import open_reader

        open_reader()
    except (ImportError, ModelError) as error:
        _log.warning("the recogniser is not ready: %s", error)


def _nothing() -> None:
    """A process is started by its first piece of work."""


def _guarded(folder: Path | None, task: Callable[..., Done], *args: object) -> Done:
    """Do a task; errors meant for people pass, any other is told by its traceback.

    The folder is that of the club for which it is done, where the program serves several.

    An error is kept until the next task is done, so it lets go of the photo.
    """
    try:
        with nullcontext() if folder is None else in_folder(folder):
            return task(*args)
    except (PhotoError, ModelError, MemoryError) as error:
        traceback.clear_frames(error.__traceback__)
        del args
        raise
    except Exception as error:
        raise WorkerFault(traceback.format_exc()) from error
