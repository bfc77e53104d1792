"""Painted tables whose tiles carry their label as a colour, and models that read the paint.

They make films in which everything is known and reading costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.table import Laid, lay
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Classified, Detections

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIZE = (360, 1000)
CLOTH = (70, 100, 60)
_PAPER = (225, 235, 235)
_STEP = 30
_GRAIN = np.random.default_rng(0).integers(0, 7, 1_000_000).astype(np.uint8)


def table(laid: Laid | None, size: tuple[int, int] = SIZE) -> Image:
    """A table with texture and the tiles on it, (height, width, 3)."""
    rng = np.random.default_rng(3)
    coarse = rng.integers(-25, 25, (size[0] // 12 + 1, size[1] // 12 + 1, 1))
    grain = np.kron(coarse, np.ones((12, 12, 1), np.int64))[: size[0], : size[1]]
    picture: Image = np.clip(np.array(CLOTH) + grain, 0, 255).astype(np.uint8)
    if laid is not None:
        for quad, label in zip(laid.quads, laid.labels, strict=True):
            _paint(picture, quad, READING_LABELS.index(label))
    return picture


def _paint(picture: Image, quad: Floats, index: int) -> None:
    colour = (30 + index % 7 * _STEP, 30 + index // 7 * _STEP, 20)
    middle = quad.mean(axis=0)
    inner = middle + (quad - middle) * np.float32(0.6)
    cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), _PAPER, cv2.LINE_AA)
    cv2.fillConvexPoly(picture, np.round(inner).astype(np.int32), colour, cv2.LINE_AA)
    for bit in range(6):
        if index >> bit & 1:
            across, down = (bit % 2 * 2 - 1) * 0.6, (bit // 2 - 1) * 0.8
            spot = middle + across * (inner[1] - inner[0]) / 2 + down * (inner[3] - inner[0]) / 2
            cv2.circle(picture, (round(float(spot[0])), round(float(spot[1]))), 7, _PAPER, -1)


def with_arm(picture: Image, x: int) -> Image:
    """The same with a large thing lying over it at ``x``."""
    covered = picture.copy()
    cv2.line(covered, (x, 0), (x + 60, picture.shape[0]), (110, 140, 200), 160)
    return covered


def noisy(picture: Image, seed: int) -> Image:
    """The picture as a sensor gives it once more."""
    grain = np.roll(_GRAIN, 37 * seed)[: picture.shape[0] * picture.shape[1]]
    lighter = cv2.add(picture, np.repeat(grain.reshape(*picture.shape[:2], 1), 3, axis=2))
    return np.asarray(cv2.subtract(lighter, np.full_like(picture, 3)), np.uint8)


def labels_of(text: str) -> list[str]:
    """The labels of a row of tiles as they are read from left to right."""
    return lay(text).labels


@dataclass
class PaintedDetector:
    """Finds the light faces; fails to find the ``blind`` ones (by label) as long as they are."""

    blind: set[str] = field(default_factory=set)
    asked: int = 0

    def detect(self, image: Image, **_: bool) -> Detections:
        self.asked += 1
        paper = (np.abs(image.astype(np.int16) - np.array(_PAPER)).max(axis=2) < 25).astype(
            np.uint8
        )
        outlines, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        quads = [_corners(o) for o in outlines if cv2.contourArea(o) > 2000]
        kept = [q for q in quads if READING_LABELS[_index(image, q)] not in self.blind]
        return Detections(
            np.array(kept, np.float32).reshape(-1, 4, 2),
            np.full(len(kept), 0.999, np.float32),
            np.full(len(kept), 0.1, np.float32),
        )


@dataclass
class PaintedClassifier:
    """Reads the paint with this confidence; ``mistakes`` maps a label to what it is taken for."""

    confidence: float = 0.98
    mistakes: dict[str, Sequence[str]] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)

    def glance(self, image: Image, quads: Floats) -> Floats:
        return self.classify(image, quads).probabilities

    def classify(self, image: Image, quads: Floats) -> Classified:
        self.asked.append(len(quads))
        labels = [READING_LABELS[_index(image, quad)] for quad in quads]
        said = [self._said(label) for label in labels]
        return Classified(
            quads,
            sure_of(said, self.confidence),
            np.zeros(len(quads), np.int64),
            np.zeros((len(quads), 4), np.float32),
            np.ones(len(quads), np.float32),
        )

    def _said(self, label: str) -> str:
        choices = self.mistakes.get(label)
        return label if choices is None else choices[len(self.asked) % len(choices)]


def _corners(outline: NDArray[np.int32]) -> Floats:
    """The outline's four corners from the top left, clockwise."""
    box = cv2.boxPoints(cv2.minAreaRect(outline))
    middle = box.mean(axis=0)
    around = np.argsort(np.arctan2(box[:, 1] - middle[1], box[:, 0] - middle[0]))
    return np.asarray(box[around], np.float32)


def _index(image: Image, quad: Floats) -> int:
    x, y = (int(v) for v in quad.mean(axis=0))
    part = image[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3).mean(axis=0)
    column, row = (round((float(v) - 30) / _STEP) for v in part[:2])
    return int(np.clip(row * 7 + column, 0, len(READING_LABELS) - 1))
