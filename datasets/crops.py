"""Crops of single tiles for training the classifier, cut from rendered scenes and photographs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.scenes import Scene
from scorer.tiles import BACK, READING_LABELS
from vision.rectify import rectify

_MIN_WIDTH = 17.0
_MIN_VISIBLE = 0.8
_TURNS = (0, 1, 2, 3)
_TURN_SHARES = (0.7, 0.05, 0.2, 0.05)


@dataclass(frozen=True, slots=True)
class Crops:
    """Rectified faces with what they show.

    Attributes:
        images: (n, h, w, 3) uint8 BGR.
        labels: (n,) int64 index into ``scorer.tiles.READING_LABELS``.
        turns: (n,) int64 quarter turns away from upright; -1 for backs, which have none.
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    turns: NDArray[np.int64]


def _jitter(rng: Generator, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad as a detector might give it: moved, scaled and bent by a few per cent."""
    side = float(np.linalg.norm(quad[1] - quad[0]))
    middle = quad.mean(axis=0)
    moved = middle + (quad - middle) * rng.normal(1.0, 0.03)
    moved = moved + rng.normal(0, 0.02, 2) * side + rng.normal(0, 0.015, (4, 2)) * side
    return np.asarray(moved, np.float32)


def cut_crops(rng: Generator, scene: Scene, size: tuple[int, int]) -> Crops:
    """One crop, at one of four turns, of each tile of the scene that is large and whole enough."""
    quads, labels, turns = [], [], []
    for label, quad, visible in zip(scene.labels, scene.quads, scene.visible, strict=True):
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        if visible < _MIN_VISIBLE or sides.min() < _MIN_WIDTH or label not in READING_LABELS:
            continue
        turn = int(rng.choice(_TURNS, p=_TURN_SHARES))
        quads.append(np.roll(_jitter(rng, quad), turn, axis=0))
        labels.append(READING_LABELS.index(label))
        turns.append(-1 if label == BACK else turn)
    stacked = np.array(quads, np.float32).reshape(-1, 4, 2)
    images = rectify(scene.image, stacked, size)
    return Crops(images, np.array(labels, np.int64), np.array(turns, np.int64))
