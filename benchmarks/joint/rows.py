"""The shipped classifier's answers for tiles of held-out designs.

Players' hands of these designs are rendered and every visible tile is classified;
:mod:`benchmarks.joint.joint` draws from the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.scenes.tables import hand_scene
from datasets.sets.faces import FaceSet
from scorer.tiles import BACK, READING_LABELS
from vision.classify.classifier import OnnxClassifier

PHOTO_SIZE: Final = (1200, 1600)
"""Height and width of the rendered photos in pixels."""
_MIN_VISIBLE: Final = 0.7
"""Visible share below which a tile is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The classifier's answers.

    Attributes:
        probabilities: (n, 45) float32, calibrated; columns as in
            :data:`scorer.tiles.READING_LABELS`.
        truths: (n,) int64, the column of the face that each tile truly shows.
        designs: (n,) int64, the number of each tile's design, counted from 0.
    """

    probabilities: NDArray[np.float32]
    truths: NDArray[np.int64]
    designs: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write the answers as an ``.npz`` file."""
        np.savez_compressed(
            path,
            probabilities=self.probabilities.astype(np.float16),
            truths=self.truths.astype(np.int16),
            designs=self.designs.astype(np.int16),
        )

    @classmethod
    def load(cls, path: Path) -> Rows:
        """Read a file that :meth:`save` wrote; probabilities are rounded to half precision."""
        with np.load(path, allow_pickle=False) as held:
            return cls(
                held["probabilities"].astype(np.float32),
                held["truths"].astype(np.int64),
                held["designs"].astype(np.int64),
            )


def collect(sets: list[FaceSet], scenes: int, classifier: OnnxClassifier, seed: int = 0) -> Rows:
    """The classifier's answers for the visible faces of ``scenes`` rendered hands per design."""
    probabilities, truths, designs = [], [], []
    for number, faces in enumerate(tqdm(sets, unit="design", disable=None)):
        for index in range(scenes):
            rng = np.random.default_rng([seed, number, index])
            scene = hand_scene(rng, faces, PHOTO_SIZE)
            seen = [
                i
                for i, (label, visible) in enumerate(zip(scene.labels, scene.visible, strict=True))
                if visible >= _MIN_VISIBLE and label in READING_LABELS and label != BACK
            ]
            answers = classifier.classify(scene.image, scene.quads[seen].astype(np.float32))
            probabilities.append(answers.probabilities)
            truths += [READING_LABELS.index(scene.labels[i]) for i in seen]
            designs += [number] * len(seen)
    return Rows(np.concatenate(probabilities), np.array(truths), np.array(designs))
