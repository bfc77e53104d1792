"""Measures the rate of live reading: ``python -m benchmarks.speed.watch [--threads N]``.

A rendered film of 1280x720 pixels is read frame by frame; in it a hand of 14 tiles is laid in four
groups, and then the camera moves. The table gives readings per second for frames that are searched
with all tiles classified, for frames in which known tiles are only tracked, and at rest.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_cloth
from datasets.scenes.films import Film, laying_film, moved, noisy
from datasets.scenes.layouts import row_of
from datasets.scenes.tables import phone_camera
from datasets.sets.faces import FaceSet, load_designs
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import OnnxDetector
from vision.multiview.watcher import SEARCHED, Watcher

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
SIZE: Final = (720, 1280)
"""Height and width of the frames in pixels."""
LEAST: Final = 5.0
"""Required number of readings per second."""
HAND: Final = ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "7z", "7z", "7z")
_STILL: Final = 14
"""Number of frames without motion after each group of tiles."""
_CLOTH: Final = (62, 104, 38)

Image = NDArray[np.uint8]
Spent = tuple[float, float]


@dataclass
class Tally:
    """Seconds and processor seconds of the frames of each kind, and the result of the film."""

    seconds: dict[str, list[Spent]] = field(default_factory=dict)
    settled: list[tuple[str, ...]] = field(default_factory=list)
    looks: int = 0
    searches: int = 0


def film(faces: FaceSet) -> Film:
    """The film of a hand laid in four groups, then of a camera that moves to and fro."""
    rng = np.random.default_rng(1)
    tiles = row_of(HAND, 0, 0)
    groups = [tiles[:4], tiles[4:7], tiles[7:11], tiles[11:]]
    table = draw_cloth(rng, SIZE, np.array(_CLOTH, np.float32))
    laid = laying_film(rng, faces, groups, phone_camera(rng, tiles, SIZE), table, _STILL)
    path = [(float(x), 0.0) for x in (*range(0, 48, 3), *range(48, 0, -3))]
    swaying = moved(rng, laid.frames[-1], path, SIZE)
    still = [noisy(rng, laid.frames[-1]) for _ in range(_STILL)]
    return Film((*laid.frames, *swaying, *still), laid.labels, laid.rate)


def watched(frames: Sequence[Image], threads: int, rate: float) -> Tally:
    """The measurements of watching the film from its first frame to its last."""
    eye = Watcher(*_models(threads))
    eye.look(frames[0], -1 / rate)
    tally = Tally()
    for number, frame in enumerate(frames):
        searches, looks = eye.searched, eye.looked
        start = _now()
        sight = eye.look(frame, number / rate)
        spent = _since(start)
        tally.seconds.setdefault(_kind(eye, searches, looks), []).append(spent)
        labels = () if sight.reading is None else tuple(t.label for t in sight.reading.tiles)
        if sight.state == "settled" and tally.settled[-1:] != [labels]:
            tally.settled.append(labels)
    tally.looks, tally.searches = eye.looked, eye.searched
    return tally


def _models(threads: int) -> tuple[OnnxDetector, OnnxClassifier]:
    return OnnxDetector.load(threads).searching_at(SEARCHED), OnnxClassifier.load(threads)


def _kind(eye: Watcher, searches: int, looks: int) -> str:
    if eye.looked > looks:
        return "searched, tiles looked at"
    return "searched, all known" if eye.searched > searches else "nothing new"


def _now() -> Spent:
    return time.perf_counter(), time.process_time()


def _since(start: Spent) -> Spent:
    now = _now()
    return now[0] - start[0], now[1] - start[1]


def worst_case(frames: Sequence[Image], threads: int) -> list[Spent]:
    """Seconds of a reading that detects and classifies every tile in one frame."""
    models = _models(threads)
    seconds = []
    for frame in frames:
        eye = Watcher(*models)
        eye.look(frame, 0.0)
        start = _now()
        eye.look(frame, 0.1)
        seconds.append(_since(start))
    return seconds[1:]


def report(tally: Tally, worst: Sequence[Spent], tiles: int) -> str:
    """The table, and whether the slowest kind of frame is fast enough."""
    lines = [f"{'frames':<28}{'number':>8}{'median ms':>11}{'processor ms':>14}{'a second':>10}"]
    rows = {"whole hand in one frame": list(worst)} | tally.seconds
    for name, seconds in rows.items():
        wall, cpu = (1000 * statistics.median(column) for column in zip(*seconds, strict=True))
        lines.append(f"{name:<28}{len(seconds):>8}{wall:>11.0f}{cpu:>14.0f}{1000 / wall:>10.1f}")
    lines.append(f"{tally.looks} looks at {tiles} tiles, {tally.searches} frames searched")
    rate = 1 / statistics.median(wall for wall, _ in worst)
    verdict = "at least" if rate >= LEAST else "LESS THAN"
    lines.append(f"{rate:.1f} readings a second, {verdict} {LEAST:.0f}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    shown = film(faces)
    tally = watched(shown.frames, options.threads, shown.rate)
    worst = worst_case(shown.frames[-8:], options.threads)
    head = f"Reading live, {SIZE[1]}x{SIZE[0]}, {options.threads} threads"
    sys.stdout.write(f"{head}\n{report(tally, worst, len(HAND))}\n")


if __name__ == "__main__":
    main()
