"""What a file costs the process that reads it: processor time, and megabytes at its peak."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.errors import NoTilesFound, PhotoError, TooManyTiles
from webapp.photos.workers import WorkerFault, Workshop

LIMIT_S: Final = 3.0
"""The most seconds of processor time that a hostile file may cost."""
LIMIT_MB: Final = 300.0
"""The most megabytes that a file which is refused may add to its process."""
READ_MB: Final = 400.0
"""The most that a whole picture may add, which is read as a photo: 215 for 60 megapixels and their
half, 110 for the networks at work on any photo, and 50 for the file on its way."""
STEP_S: Final = 0.01
"""Time in seconds between two looks at a process that is reading."""


@dataclass(slots=True)
class Cost:
    """What reading one file cost; None where the system does not tell it.

    Attributes:
        waited: wall-clock time in seconds until the answer.
        seconds: processor time of the process.
        megabytes: growth of the process at its peak.
        answer: what people are told.
        read: whether it was taken for a photo and searched for tiles.
    """

    waited: float = 0.0
    seconds: float | None = None
    megabytes: float | None = None
    answer: str = ""
    read: bool = False

    @property
    def within(self) -> bool:
        """Whether it is within the limits."""
        most = READ_MB if self.read else LIMIT_MB
        return (self.seconds or 0.0) <= LIMIT_S and (self.megabytes or 0.0) <= most


def costs(
    workshop: Workshop, files: Mapping[str, Callable[[], bytes]]
) -> Iterator[tuple[str, Cost]]:
    """Have each file read by itself, with a copy to show, as the page does it."""
    for name, make in files.items():
        data = make()
        workshop.work(ready)
        with _watched(workshop.work(os.getpid)) as cost:
            cost.answer, cost.read = _answer(workshop, data)
        yield name, cost


def ready() -> None:
    """Open the shipped models, which a process keeps."""
    from vision import open_reader

    open_reader()


def _answer(workshop: Workshop, data: bytes) -> tuple[str, bool]:
    """What people are told, and whether the file was searched for tiles."""
    try:
        reading = workshop.read("photo", data, picture=True).reading
    except (NoTilesFound, TooManyTiles) as error:
        return str(error), True
    except (PhotoError, WorkerFault) as error:
        return str(error), False
    return f"read: {len(reading.tiles)} tiles", True


@contextmanager
def _watched(pid: int) -> Iterator[Cost]:
    """The cost of what a process does meanwhile, read from Linux's ``/proc`` until it ends."""
    process, cost, start = Path("/proc", str(pid)), Cost(), time.perf_counter()
    if not process.exists():
        yield cost
        cost.waited = time.perf_counter() - start
        return
    (process / "clear_refs").write_text("5")
    size, spent = _megabytes(process, "VmRSS"), _seconds(process)
    done = threading.Event()

    def look() -> None:
        try:
            cost.megabytes = _megabytes(process, "VmHWM") - size
            cost.seconds = _seconds(process) - spent
        except (OSError, StopIteration):
            done.set()

    def watch() -> None:
        while not done.wait(STEP_S):
            look()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield cost
    finally:
        cost.waited = time.perf_counter() - start
        done.set()
        watcher.join()
        look()


def _megabytes(process: Path, field: str) -> float:
    lines = (process / "status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def _seconds(process: Path) -> float:
    user, system = (process / "stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
