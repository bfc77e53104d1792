"""Measure the whole reader on annotated photographs or rendered scenes it was never trained on.

``python -m models.evaluate sheets --photos DIR`` (or ``scenes``, or ``rendered``) prints tiles
found and read right, with counts, by physical set, and can draw the failures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.coco import load_photos
from datasets.scenes import Scene
from datasets.sources import Sources, load_face_sets
from datasets.table_scenes import hand_scene
from scorer.tiles import BACK
from vision import NoTilesFound, Reading, read_photo
from vision.rectify import rectify

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

MIN_IOU: Final = 0.5
IGNORE: Final = "ignore"
_MIN_VISIBLE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Example:
    """A picture with its truth; tiles labelled ``ignore`` are neither required nor punished."""

    name: str
    group: str
    image: Image
    labels: tuple[str, ...]
    quads: Floats


@dataclass(slots=True)
class Tally:
    """Counts over some pictures; confidences of the found tiles with whether they were right."""

    tiles: int = 0
    found: int = 0
    right: int = 0
    in_top3: int = 0
    spurious: int = 0
    pictures: int = 0
    perfect: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count the other's pictures too."""
        for name in ("tiles", "found", "right", "in_top3", "spurious", "pictures", "perfect"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.confidences.extend(other.confidences)

    def summary(self) -> dict[str, float]:
        """Shares in 0..1 with their counts."""
        return {
            "pictures": self.pictures,
            "tiles": self.tiles,
            "found": round(self.found / max(1, self.tiles), 4),
            "read_right": round(self.right / max(1, self.found), 4),
            "top3": round(self.in_top3 / max(1, self.found), 4),
            "spurious": self.spurious,
            "perfect_pictures": self.perfect,
            "ece": round(expected_calibration_error(self.confidences), 4),
        }


def expected_calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Mean gap between confidence and accuracy over equal bins (arXiv 1706.04599)."""
    if not pairs:
        return 0.0
    sure, right = np.array([p for p, _ in pairs]), np.array([r for _, r in pairs], float)
    which = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[which == b].mean() - right[which == b].mean()) * (which == b).mean()
        for b in range(bins)
        if np.any(which == b)
    ]
    return float(np.sum(gaps))


def overlap(a: Floats, b: Floats) -> float:
    """Intersection over union of two convex quads (4, 2)."""
    shared = float(cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))[0])
    union = float(cv2.contourArea(cv2.convexHull(a)) + cv2.contourArea(cv2.convexHull(b))) - shared
    return shared / union if union > 0 else 0.0


def match(truth: Floats, found: Floats) -> list[tuple[int, int]]:
    """Pairs (truth index, found index) with an overlap of at least 0.5, best first, one to one."""
    pairs = []
    for i, wanted in enumerate(truth):
        reach = np.linalg.norm(wanted - wanted.mean(axis=0), axis=1).max() * 2
        for j, quad in enumerate(found):
            if np.linalg.norm(quad.mean(axis=0) - wanted.mean(axis=0)) < reach:
                iou = overlap(wanted, quad)
                if iou >= MIN_IOU:
                    pairs.append((iou, i, j))
    taken_truth: set[int] = set()
    taken_found: set[int] = set()
    chosen = []
    for _, i, j in sorted(pairs, reverse=True):
        if i not in taken_truth and j not in taken_found:
            taken_truth.add(i)
            taken_found.add(j)
            chosen.append((i, j))
    return chosen


@dataclass(frozen=True, slots=True)
class Failure:
    """A tile that was missed, invented or misread: its crop and what should have been."""

    crop: Image
    wanted: str
    got: str
    confidence: float
    where: str


def measure(example: Example, *, spare_as_white: bool) -> tuple[Tally, list[Failure]]:
    """Read one picture and compare.

    Args:
        example: the picture with its truth.
        spare_as_white: count ``blank`` for a white dragon as right, as a set profile would say.
    """
    try:
        reading: Reading | None = read_photo(example.image)
    except NoTilesFound:
        reading = None
    tiles = reading.tiles if reading else ()
    quads = np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)
    pairs = match(example.quads, quads)
    tally = Tally(pictures=1)
    failures = []

    def fail(quad: Floats, wanted: str, got: str, confidence: float) -> None:
        crop = rectify(example.image, quad[np.newaxis], (96, 72))[0]
        failures.append(Failure(crop, wanted, got, confidence, example.name))

    by_truth = dict(pairs)
    for i, label in enumerate(example.labels):
        if label == IGNORE:
            continue
        tally.tiles += 1
        if i not in by_truth:
            fail(example.quads[i], label, "missed", 0.0)
            continue
        tile = tiles[by_truth[i]]
        accepted = {label, "blank"} if spare_as_white and label == "5z" else {label}
        right = tile.label in accepted
        tally.found += 1
        tally.right += right
        tally.in_top3 += any(name in accepted for name, _ in tile.alternatives[:3])
        tally.confidences.append((tile.confidence, right))
        if not right:
            fail(np.array(tile.quad, np.float32), label, tile.label, tile.confidence)
    used = {j for _, j in pairs}
    ignored = [q for q, label in zip(example.quads, example.labels, strict=True) if label == IGNORE]
    for j, tile in enumerate(tiles):
        near = any(overlap(quads[j], quad) > 0.2 for quad in ignored)
        if j not in used and not near and tile.label != BACK:
            tally.spurious += 1
            fail(quads[j], "nothing", tile.label, tile.confidence)
    tally.perfect = int(not failures)
    return tally, failures


def photographed(annotations: Path, split: str) -> Iterator[Example]:
    """The photographs of a COCO file; visible tiles without a label are ignored."""
    for photo in load_photos(annotations, split):
        quads = np.concatenate([photo.quads, photo.unlabelled])
        labels = (*photo.labels, *(IGNORE for _ in photo.unlabelled))
        yield Example(photo.path.name, photo.set_name, photo.load_image(), labels, quads)


def rendered(designs: Path, count: int, seed: int = 7_000_000) -> Iterator[Example]:
    """Rendered players' hands from designs kept out of training, at 1600x1200 pixels."""
    sets = load_face_sets(Sources(None, designs), "val")
    for index in range(count):
        faces = sets[index % len(sets)]
        scene: Scene = hand_scene(np.random.default_rng(seed + index), faces, (1200, 1600))
        labels = tuple(
            label if seen >= _MIN_VISIBLE else IGNORE
            for label, seen in zip(scene.labels, scene.visible, strict=True)
        )
        yield Example(f"rendered-{index:04d}", faces.name, scene.image, labels, scene.quads)


def gallery(failures: Sequence[Failure], columns: int = 12) -> Image:
    """The failures as a contact sheet: wanted > got, confidence, photo."""
    cells = []
    for failure in failures:
        cell = np.full((140, 110, 3), 255, np.uint8)
        cell[2:98, 19:91] = failure.crop
        text = f"{failure.wanted}>{failure.got} {failure.confidence:.2f}"
        for line, words in enumerate((text, failure.where[:17])):
            place = (2, 112 + 16 * line)
            cv2.putText(cell, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1)
        cells.append(cell)
    cells += [np.full((140, 110, 3), 255, np.uint8)] * (-len(cells) % columns)
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    return np.vstack(rows) if rows else np.full((140, 110, 3), 255, np.uint8)


def _examples(options: argparse.Namespace) -> Iterator[Example]:
    if options.what == "rendered":
        return rendered(options.designs, options.count)
    return photographed(options.photos / f"{options.what}.coco.json", options.split)


def main() -> None:
    """Measure, print the figures as JSON, and draw the failures where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sheets", "scenes", "rendered"])
    parser.add_argument("--photos", type=Path, help="folder of annotated photographs")
    parser.add_argument("--designs", type=Path, help="folder of drawn designs")
    parser.add_argument("--split", default="val")
    parser.add_argument("--count", type=int, default=60, help="rendered scenes")
    parser.add_argument("--spare-as-white", action="store_true")
    parser.add_argument("--gallery", type=Path, help="picture file for the failures")
    options = parser.parse_args()
    groups: dict[str, Tally] = defaultdict(Tally)
    total, failures = Tally(), []
    for example in _examples(options):
        tally, missed = measure(example, spare_as_white=options.spare_as_white)
        total.add(tally)
        groups[example.group].add(tally)
        failures.extend(missed)
    report = {
        "all": total.summary(),
        **({} if options.what == "rendered" else {k: t.summary() for k, t in groups.items()}),
        "confusions": Counter(f"{f.wanted}>{f.got}" for f in failures).most_common(15),
    }
    print(json.dumps(report, indent=1))
    if options.gallery:
        cv2.imwrite(str(options.gallery), gallery(failures))


if __name__ == "__main__":
    main()
