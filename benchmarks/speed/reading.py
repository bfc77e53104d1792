"""Measures the time of reading a photo: ``python -m benchmarks.speed.reading [--threads N]``.

Hands of 16 tiles are rendered as 12-megapixel photos that are read from their JPEG bytes, stage by
stage. The figures are those of the photo with the median time without decoding, since decoding
depends on the picture's grain. The slowest photo is also given, because some tables need more
views. In the same run a network of YOLO11s's size (:mod:`benchmarks.speed.yolo_sized`) makes
one pass with the same threads. The time to open the models and the memory for reading are measured
in a fresh process, ``kongbox read`` of one photo likewise.

With ``--coco FILE [FILE ...]`` the photos of COCO files are measured instead, each read once
(:mod:`benchmarks.speed.photos`); ``benchmark`` is the file that is shipped here.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from benchmarks.speed.cold_start import COLD_START_LIMIT_S, cold_start
from benchmarks.speed.limits import verdict
from benchmarks.speed.one_pass import open_pass
from benchmarks.speed.photos import measure, photos_of
from benchmarks.speed.photos import report as photos_report
from datasets.scenes.tables import LaidHand, LaidMeld, photograph_hand
from datasets.sets.faces import load_designs

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
PHOTO_SIZE: Final = (3024, 4032)
"""Height and width of the photos in pixels."""
MEMORY_LIMIT_MB: Final = 500
"""Maximum peak memory in megabytes."""
LOADING_LIMIT_S: Final = 1.0
"""Maximum time to open the models in seconds."""
END_TO_END_LIMIT_S: Final = 0.5
"""Maximum time of reading a photo in seconds."""
_HAND: Final = LaidHand(
    ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z"),
    (LaidMeld(("7z", "7z", "7z")),),
    ("1f", "3y"),
)
_STAGES: Final = ("decode", "detect", "classify", "layout")


@dataclass(frozen=True, slots=True)
class Timing:
    """Median seconds of each stage of reading a photo, and the number of tiles read."""

    stages: dict[str, float]
    tiles: int

    @property
    def total(self) -> float:
        """Seconds of all stages."""
        return sum(self.stages.values())

    @property
    def without_decoding(self) -> float:
        """Seconds of all stages except decoding the JPEG."""
        return self.total - self.stages["decode"]


def photo(seed: int = 0) -> bytes:
    """The JPEG bytes of a rendered 12-megapixel photo of 16 tiles."""
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    scene = photograph_hand(np.random.default_rng(seed), faces, _HAND, PHOTO_SIZE)
    done, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not done:
        raise RuntimeError("the photo could not be written as JPEG")
    return data.tobytes()


def read_timed(photos: Sequence[bytes], threads: int, rounds: int) -> list[Timing]:
    """Each photo timed ``rounds`` times after a first reading that does not count.

    The photos are sorted by their time without decoding, the fastest first.
    """
    from vision import PhotoReader
    from vision.classify.classifier import OnnxClassifier
    from vision.detect.search import OnnxDetector

    reader = PhotoReader(OnnxDetector.load(threads), OnnxClassifier.load(threads))
    timings = []
    for data in photos:
        reader.read(data)
        readings = [reader.read(data) for _ in range(rounds)]
        stages = {s: statistics.median(r.seconds[s] for r in readings) for s in _STAGES}
        timings.append(Timing(stages, len(readings[0].tiles)))
    return sorted(timings, key=lambda timing: timing.without_decoding)


def pass_timed(threads: int, rounds: int) -> float:
    """Median seconds of one pass of the network of YOLO11s's size."""
    return _median(open_pass(threads), rounds)


def _median(work: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def fresh_process(path: Path, threads: int) -> tuple[float, float]:
    """Seconds to import and open the models, and peak megabytes, of a new process that reads."""
    command = [sys.executable, "-m", "benchmarks.speed.fresh_read", str(path), str(threads)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603
    told = json.loads(done.stdout)
    return float(told["loading"]), float(told["megabytes"])


def report(timing: Timing, reference: float, loading: float, megabytes: float) -> str:
    """The table of seconds of each stage, with one pass of the network of YOLO11s's size."""
    rows = [(stage, seconds) for stage, seconds in timing.stages.items()]
    rows += [("without decoding", timing.without_decoding), ("end to end", timing.total)]
    lines = [f"{'stage':<28}{'ms':>8}{'of one pass':>14}"]
    lines += [f"{name:<28}{1000 * s:>8.0f}{s / reference:>14.2f}" for name, s in rows]
    lines.append(f"{'one pass, YOLO11s-sized':<28}{1000 * reference:>8.0f}{1:>14.2f}")
    lines.append(f"{timing.tiles} tiles read from a 12-megapixel JPEG")
    lines.append(verdict("end to end", timing.total, END_TO_END_LIMIT_S, "s"))
    lines.append(verdict("without decoding", timing.without_decoding, reference, "s"))
    lines.append(verdict("memory", megabytes, MEMORY_LIMIT_MB, "MB"))
    lines.append(verdict("loading", loading, LOADING_LIMIT_S, "s"))
    return "\n".join(lines)


def _of_rendered(threads: int, rounds: int, count: int) -> str:
    """The table of so many rendered photos."""
    photos = [photo(seed) for seed in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(photos[0])
        loading, megabytes = fresh_process(path, threads)
    timings = read_timed(photos, threads, rounds)
    reference = pass_timed(threads, rounds)
    head = f"Reading {len(photos)} photos, {threads} threads, medians of {rounds}"
    told = report(timings[len(timings) // 2], reference, loading, megabytes)
    slowest = max(timing.total for timing in timings)
    return f"{head}\n{told}\nslowest photo: {slowest:.3f} s end to end"


def _of_files(whats: Sequence[str], threads: int) -> str:
    """The table of the photos of some COCO files."""
    from vision import PhotoReader
    from vision.classify.classifier import OnnxClassifier
    from vision.detect.search import OnnxDetector

    files = {what: photos_of(what) for what in whats}
    reader = PhotoReader(OnnxDetector.load(threads), OnnxClassifier.load(threads))
    return photos_report(measure(files, reader, open_pass(threads)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--photos", type=int, default=9, help="each of another picture")
    parser.add_argument("--coco", nargs="+", help="COCO files of photos; 'benchmark' for ours")
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    if options.coco:
        told = _of_files(options.coco, options.threads)
    else:
        told = _of_rendered(options.threads, options.rounds, options.photos)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(photo())
        seconds = cold_start(path)
    cold = verdict("kongbox read, cold start", seconds, COLD_START_LIMIT_S, "s")
    sys.stdout.write(f"{told}\n{cold}\n")


if __name__ == "__main__":
    main()
