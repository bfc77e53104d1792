"""A painted row of printed and of plain tiles, and models that see it, some of them badly."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import FakeDetector, sure_of
from tests.vision.table import lay
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Classified

LAID = lay("1234p 5z 5z 5z")
PRINTED = ("1p", "2p", "3p", "4p")
SHOWN = [*PRINTED, "5z", "5z", BACK]
"""What the models and the judge make of the row: its last tile lies face down."""
DOWN = np.array([0.1] * 6 + [0.999], np.float32)
IVORY, GREEN = (222, 236, 243), (60, 130, 40)
_PLAIN = [READING_LABELS.index(label) for label in (BACK, "5z")]


def painted() -> NDArray[np.uint8]:
    """The row on a blue cloth with some grain."""
    grain = np.random.default_rng(1).integers(0, 40, (420, 1100, 3), np.uint8)
    image: NDArray[np.uint8] = np.array((110, 50, 20), np.uint8) + grain
    for quad, label in zip(LAID.quads, SHOWN, strict=True):
        cv2.fillConvexPoly(image, quad.astype(np.int32), GREEN if label == BACK else IVORY)
        if label in PRINTED:
            x, y = quad.mean(axis=0)
            cv2.circle(image, (int(x), int(y)), 9, (30, 30, 180), -1)
    return image


@dataclass
class Wavering:
    """Reads prints surely; of plain sides it only says that each is a back or a white dragon.

    Sides that lie right of ``none_from`` it takes for no tile at all. It notes how many it read.
    """

    none_from: float = np.inf
    asked: list[int] = field(default_factory=list)

    def glance(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.classify(image, quads).probabilities

    def classify(self, _image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        self.asked.append(len(quads))
        rows = np.zeros((len(quads), len(READING_LABELS)), np.float32)
        for row, quad in zip(rows, quads, strict=True):
            label = LAID.labels[int(np.abs(LAID.quads - quad).sum(axis=(1, 2)).argmin())]
            if label in PRINTED:
                row[:] = sure_of([label], 0.99)[0]
            else:
                row[_PLAIN] = 0.5
        return Classified(
            quads,
            rows,
            np.zeros(len(quads), np.int64),
            np.zeros((len(quads), 4), np.float32),
            (quads[:, :, 0].max(axis=1) < self.none_from).astype(np.float32),
        )


def seeing() -> FakeDetector:
    """A detector of the row."""
    scores = np.full(len(LAID.quads), 0.999, np.float32)
    return FakeDetector(LAID.quads.copy(), DOWN.copy(), scores)
