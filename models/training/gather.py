"""Gather what the judge learns from: ``python -m models.training.gather --out FOLDER --count N``.

Each picture is a scene of :mod:`datasets.scenes.world`, drawn from a tile set of its own seed that
no network has learnt from. The shipped detector, verifier and classifier look at it, and their
candidates are kept with the truth of each. Pictures are written by the hundred, as
``FIRST.npz``; a run that was stopped goes on where it ended, and runs with other ``--first`` may
write to the same folder. Gather again whenever one of these networks changes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.designs.fonts import find_fonts
from datasets.scenes.scenes import Scene
from datasets.scenes.world import world_scene
from datasets.sets.fresh import Makes, fresh_set
from models.evaluation.matching import lies_on, overlaps, pairs_of
from scorer.tiles import BACK, READING_LABELS
from vision.classify.classifier import OnnxClassifier
from vision.classify.views import NEAR
from vision.detect.search import OnnxDetector
from vision.evidence.candidates import Candidates, candidates_of
from vision.geometry.crops import halved
from vision.vocabulary.detections import Classifier, Detector, classified

NOTHING, FACE, DOWN, IGNORED = 0, 1, 2, -1
"""The truth of a candidate; an ignored one is mostly hidden and neither right nor wrong."""
FIRST_SEED: Final = 1_700_000
"""Seed of the first tile set, above the seeds that other networks learn from."""
PICTURES_A_SET: Final = 3
"""Number of pictures of each tile set."""
SIZES: Final = ((600, 800), (768, 1024), (960, 1280), (1024, 768))
"""Heights and widths of the pictures in pixels."""
MAKES: Final = Makes(worded=0.3, loose=0.3, rarer=0.4)
"""Frequency of special features in the tile sets."""
_A_FILE: Final = 100
"""Number of pictures in a file."""
_VISIBLE: Final = 0.35
"""Visible share of a tile below which its candidates are ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The candidates of one picture with their truth.

    Attributes:
        found: n candidates, at least one.
        shape: (2,) int, height and width of the picture in which they were read, in pixels.
        truth: (n,) int8, one of the constants of this module.
    """

    found: Candidates
    shape: NDArray[np.int64]
    truth: NDArray[np.int8]


def picture(number: int) -> Scene:
    """The picture of a number, drawn from its own seed.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    rng = np.random.default_rng([FIRST_SEED, number])
    labels = [label for label in READING_LABELS if label != BACK]
    faces = fresh_set(FIRST_SEED + number // PICTURES_A_SET, find_fonts([]), labels, MAKES)
    return world_scene(rng, faces, SIZES[int(rng.integers(len(SIZES)))])


def sample_of(scene: Scene, detector: Detector, classifier: Classifier) -> Sample | None:
    """The candidates of a scene with their truth; None if there is none."""
    detected = detector.detect(scene.image, faint=True)
    near, places = halved(scene.image, detected.quads, NEAR)
    seen = classified(classifier, near, detected.at(places))
    found = candidates_of(near, detected, seen)
    if not len(found):
        return None
    scale = np.array(near.shape[1::-1]) / np.array(scene.image.shape[1::-1])
    quads = (scene.quads * scale).astype(np.float32)
    truth = truth_of(found, scene.labels, quads, scene.visible)
    return Sample(found, np.array(near.shape[:2]), truth)


def truth_of(
    found: Candidates,
    labels: tuple[str, ...],
    quads: NDArray[np.float32],
    visible: NDArray[np.float32],
) -> NDArray[np.int8]:
    """The truth (n,) of candidates, by the true tiles of their picture.

    Args:
        found: n candidates.
        labels: of the m tiles.
        quads: (m, 4, 2) their corners in pixels.
        visible: (m,) visible share of each, from 0 to 1.
    """
    truth = np.full(len(found), NOTHING, np.int8)
    hidden = visible < _VISIBLE
    for tile, candidate in pairs_of(overlaps(quads, found.quads)):
        if hidden[tile]:
            truth[candidate] = IGNORED
        else:
            truth[candidate] = DOWN if labels[tile] == BACK else FACE
    for rest in np.nonzero(truth == NOTHING)[0].tolist():
        if lies_on(found.quads[rest], quads[hidden]):
            truth[rest] = IGNORED
    return truth


def write(path: Path, samples: list[Sample]) -> None:
    """Keep some samples in one file, which is complete once it has its name."""
    arrays = {
        each.name: np.concatenate([getattr(sample.found, each.name) for sample in samples])
        for each in fields(Candidates)
    }
    arrays["embeddings"] = arrays["embeddings"].astype(np.float16)
    counts = np.array([len(sample.found) for sample in samples])
    shapes = np.array([sample.shape for sample in samples])
    truth = np.concatenate([sample.truth for sample in samples])
    partial = path.with_suffix(".part")
    every = {"counts": counts, "shapes": shapes, "truth": truth, **arrays}
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, **every)
    partial.replace(path)


def load(path: Path) -> Iterator[Sample]:
    """The samples of one file."""
    names = [each.name for each in fields(Candidates)]
    with np.load(path) as kept:
        ends = np.cumsum(kept["counts"])[:-1]
        columns = [np.split(kept[name].astype(np.float32), ends) for name in names]
        truths = np.split(kept["truth"], ends)
        for number, (shape, truth) in enumerate(zip(kept["shapes"], truths, strict=True)):
            yield Sample(Candidates(*(each[number] for each in columns)), shape, truth)


def gather(folder: Path, first: int, count: int) -> None:
    """Gather the samples of so many pictures, from number ``first`` on, in files by the hundred.

    Raises:
        FontError: the typefaces lack characters that tiles need.
        ModelError: a shipped model is missing or damaged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    detector, classifier = OnnxDetector.load(), OnnxClassifier.load()
    for start in tqdm(range(first, first + count, _A_FILE), unit="file", disable=None):
        path = folder / f"{start:07d}.npz"
        if path.exists():
            continue
        samples = [
            sample
            for number in range(start, min(start + _A_FILE, first + count))
            if (sample := sample_of(picture(number), detector, classifier)) is not None
        ]
        write(path, samples)


def main() -> None:
    """Gather what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of samples")
    parser.add_argument("--count", type=int, default=5000, help="number of pictures")
    parser.add_argument("--first", type=int, default=0, help="number of the first picture")
    options = parser.parse_args()
    gather(options.out, options.first, options.count)


if __name__ == "__main__":
    main()
