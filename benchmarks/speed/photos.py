"""The processor time of reading each photo of some COCO files, in passes of a known network.

Processor time is that of all threads of this process together. Between the photos the network of
YOLO11s's size makes a pass again and again; where the slowest of these passes takes much longer
than the fastest, the machine was busy with other work and the figures mean little.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from benchmarks.speed.limits import verdict
from datasets.photographs.benchmark import ANNOTATIONS
from datasets.sets.coco import Photo, load_photos
from vision.errors import PhotoError
from vision.photo.decode import open_photo


@dataclass(frozen=True, slots=True)
class Aims:
    """What reading a photo may cost, decoding excluded.

    Attributes:
        median: maximum median over all photos, in passes.
        worst: maximum of any photo, in passes.
        worst_s: maximum of any photo, in seconds of processor time.
        hand: maximum of a photo of one hand, in passes.
        hand_sizes: least and most tiles of a photo that counts as one of a hand.
    """

    median: float = 1.5
    worst: float = 6.0
    worst_s: float = 3.0
    hand: float = 1.0
    hand_sizes: tuple[int, int] = (14, 18)


AIMS: Final = Aims()
_PHOTOS_A_PASS: Final = 3
"""Number of photos after which another pass is made."""
_HEAD: Final = (
    f"{'passes of processor time':<36}{'photos':>7}{'median':>8}{'90 %':>8}{'99 %':>8}{'worst':>8}"
)


class Reader(Protocol):
    """What reads a photo."""

    def read(self, data: bytes, /) -> object:
        """Read a photo."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one photo cost.

    Attributes:
        name: name of the photo.
        tiles: number of true tiles in it.
        whole: seconds of processor time.
        decoding: those of them that its decoding takes, as it was timed by itself.
        error: whether it was refused, for showing no tiles or too many.
    """

    name: str
    tiles: int
    whole: float
    decoding: float
    error: bool

    @property
    def without_decoding(self) -> float:
        """Seconds of processor time of all stages but decoding."""
        return max(0.0, self.whole - self.decoding)


Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Measured:
    """The photos of each COCO file, and the seconds of processor time of each pass."""

    files: dict[str, list[Spent]]
    passes: list[float]

    @property
    def one_pass(self) -> float:
        """Median seconds of processor time of one pass."""
        return statistics.median(self.passes)


def photos_of(what: str) -> list[Photo]:
    """All photos of a COCO file; ``benchmark`` is the one shipped here.

    Raises:
        AnnotationError: it cannot be read.
    """
    return load_photos(ANNOTATIONS if what == "benchmark" else Path(what))


def measure(
    files: dict[str, list[Photo]],
    reader: Reader,
    one_pass: Callable[[], object],
    clock: Clock = time.process_time,
) -> Measured:
    """Read every photo once, with passes in between, and after a first reading that is not timed.

    Args:
        files: the photos of each file.
        reader: reads them from their bytes.
        one_pass: makes the pass that is compared with.
        clock: tells seconds of processor time.
    """
    _read(reader, next(photo for photos in files.values() for photo in photos).path.read_bytes())
    measured = Measured({}, [_seconds(clock, one_pass)])
    for what, photos in files.items():
        measured.files[what] = []
        for number, photo in enumerate(photos, 1):
            measured.files[what].append(_spent(photo, reader, clock))
            if number % _PHOTOS_A_PASS == 0 or number == len(photos):
                measured.passes.append(_seconds(clock, one_pass))
    return measured


def _spent(photo: Photo, reader: Reader, clock: Clock) -> Spent:
    data = photo.path.read_bytes()
    decoding = _seconds(clock, lambda: _decode(data))
    errors: list[bool] = []
    whole = _seconds(clock, lambda: errors.append(_read(reader, data)))
    return Spent(photo.path.name, len(photo.labels), whole, decoding, errors[0])


def _decode(data: bytes) -> None:
    try:
        open_photo(data)
    except PhotoError:
        return


def _read(reader: Reader, data: bytes) -> bool:
    """Read a photo; returns whether it was refused."""
    try:
        reader.read(data)
    except PhotoError:
        return True
    return False


def _seconds(clock: Clock, work: Callable[[], object]) -> float:
    start = clock()
    work()
    return clock() - start


def report(measured: Measured) -> str:
    """The table of all files, the slowest photo of each, and whether the aims are met."""
    fastest, slowest = min(measured.passes), max(measured.passes)
    lines = [
        f"one pass, YOLO11s-sized: {measured.one_pass:.3f} s of processor time",
        f"median of {len(measured.passes)} through the run, {fastest:.3f} to {slowest:.3f} s",
        _HEAD,
    ]
    for what, photos in measured.files.items():
        name = Path(what).name.removesuffix(".coco.json")
        lines.append(_row(name, [photo.without_decoding for photo in photos], measured.one_pass))
        lines.append(
            _row(f"{name}, with decoding", [photo.whole for photo in photos], measured.one_pass)
        )
        lines += _verdicts(name, photos, measured.one_pass)
    return "\n".join(lines)


def _row(name: str, seconds: Sequence[float], one_pass: float) -> str:
    shares = np.percentile(np.array(seconds) / one_pass, [50, 90, 99, 100])
    return f"{name:<36}{len(seconds):>7}" + "".join(f"{share:>8.2f}" for share in shares)


def _verdicts(name: str, photos: Sequence[Spent], one_pass: float) -> Iterator[str]:
    ranked = sorted(photos, key=lambda photo: photo.without_decoding)
    worst = ranked[-1]
    refused = sum(photo.error for photo in photos)
    if refused:
        yield f"{name}: {refused} photos refused, and counted all the same"
    median = statistics.median(photo.without_decoding for photo in ranked) / one_pass
    yield verdict(f"{name}, median", median, AIMS.median, "passes")
    seconds = worst.without_decoding
    yield verdict(f"{name}, worst, {worst.name}", seconds / one_pass, AIMS.worst, "passes")
    yield verdict(f"{name}, worst, {worst.name}", seconds, AIMS.worst_s, "s")
    least, most = AIMS.hand_sizes
    hands = [p.without_decoding / one_pass for p in ranked if least <= p.tiles <= most]
    if hands:
        what = f"{name}, {len(hands)} hands of {least} to {most} tiles"
        yield verdict(f"{what}, median", statistics.median(hands), AIMS.hand, "passes")
        yield verdict(f"{what}, worst", hands[-1], AIMS.hand, "passes")
