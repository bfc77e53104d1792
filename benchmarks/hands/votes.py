"""Measures the independence of several views of a tile: ``python -m benchmarks.hands.votes``.

Hands of held-out designs are read several times, mostly out of focus or in little light, so that
single readings err: as frames of one steady camera, which differ in noise and in the detected
corners, and as photos from different places in different light. For each independence that
:mod:`vision.multiview.votes` could assume, the table gives the negative log-likelihood of the true
labels, of which the lowest is best, and the share of tiles read right.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.hands.quality import blurred, darkened
from datasets.scenes.scenes import render
from datasets.scenes.tables import lay_out, phone_camera, random_hand
from datasets.sets.faces import FaceSet, load_designs
from scorer.tiles import READING_LABELS
from vision import Classifier, open_classifier
from vision.multiview.votes import log_chances, voted

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
SIZE: Final = (720, 1280)
"""Height and width of the rendered pictures in pixels."""
GRID: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
"""The values of the independence that are compared."""
_CORNER_ERROR: Final = 0.03
"""Standard deviation of the corners' noise in tile widths."""
_PHOTOS: Final = 3
"""Number of photos of a hand."""

Floats = NDArray[np.float64]


def looks(
    rng: Generator, faces: FaceSet, classifier: Classifier, frames: int
) -> tuple[Floats, list[str]]:
    """The readings of one hand in several photos, or in ``frames`` frames if that is not 0.

    Returns:
        (k, n, 45) probabilities of k views of n tiles, and the n true labels.
    """
    tiles = lay_out(rng, random_hand(rng), 1 / faces.proportion)
    seeds = [int(rng.integers(1 << 31))] * frames or rng.integers(1 << 31, size=_PHOTOS).tolist()
    scenes = {
        seed: render(g, faces, tiles, phone_camera(g, tiles, SIZE), SIZE)
        for seed in dict.fromkeys(seeds)
        for g in [np.random.default_rng(seed)]
    }
    blur, left = rng.uniform(0.0, 0.06), rng.uniform(0.12, 1.0)
    seen, names = [], []
    for seed in seeds:
        scene = scenes[seed]
        width = float(np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1).mean())
        error = rng.normal(0, _CORNER_ERROR * width, scene.quads.shape).astype(np.float32)
        soft = blurred(rng, scene.image, scene.quads, blur)
        found = classifier.classify(darkened(rng, soft, scene.quads, left), scene.quads + error)
        # the painter's order differs from photo to photo: tiles are put in order by their labels
        order = sorted(range(len(scene.labels)), key=lambda i: scene.labels[i])
        seen.append(found.probabilities[order].astype(np.float64))
        names = [scene.labels[i] for i in order]
    return np.stack(seen), names


def table(collected: Sequence[tuple[Floats, list[str]]]) -> list[str]:
    """The table with one line for each independence."""
    lines = [f"{'independence':<14}{'neg. log-likelihood':>20}{'read right':>12}"]
    truth = [READING_LABELS.index(label) for _, names in collected for label in names]
    logs = np.concatenate([log_chances(seen).sum(axis=0) for seen, _ in collected])
    counts = np.concatenate([np.full(len(names), len(seen)) for seen, names in collected])
    rows = np.arange(len(truth))
    for independence in GRID:
        chances = voted(logs, counts, independence)
        cost = float(-np.log(np.maximum(chances[rows, truth], 1e-12)).mean())
        right = float((chances.argmax(axis=1) == truth).mean())
        lines.append(f"{independence:<14.2f}{cost:>20.4f}{right:>12.2%}")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=40, help="how many hands, at least 1")
    options = parser.parse_args()
    sets = load_designs([SAMPLES / "0900.npz", SAMPLES / "0901.npz"])
    classifier = open_classifier()
    for name, frames in (("frames of one camera", 5), (f"{_PHOTOS} photos", 0)):
        collected = []
        for seed in range(max(1, options.hands)):
            rng = np.random.default_rng(seed)
            collected.append(looks(rng, sets[seed % len(sets)], classifier, frames))
        sys.stdout.write(f"{name}\n" + "\n".join(table(collected)) + "\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
