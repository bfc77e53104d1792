"""Crops of single tiles for training the classifier, cut from rendered scenes and photographs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.crops.negatives import quads_without_tiles
from datasets.scenes.scenes import Scene
from scorer.tiles import BACK, BLANK, READING_LABELS
from vision.geometry.crops import rectify
from vision.geometry.quads import UNIT_SQUARE

CROP_SIZE: Final = (96, 72)
"""Height and width in pixels of the crops of most shipped networks."""
_MIN_WIDTH = 12.0
"""Width in pixels below which a tile is not cut out."""
_MIN_VISIBLE = 0.8
"""Visible share below which a tile is not cut out."""
_TURNS = (0, 1, 2, 3)
"""The quarter turns away from upright in which crops are cut."""
_EMPTY_COUNT = 30
"""Number of tiles on which the number of negatives depends in a scene without tiles."""
_SPARES = 0.1
"""Share of blank tiles that is kept, since most tiles that look blank are white dragons."""
_ROUGH = 0.35
"""Share of crops that are cut as from a poor detection, with larger errors of the corners."""
_TURN_SHARES = (0.7, 0.05, 0.2, 0.05)
"""Probability of each of the turns."""
_FRAMED: Final = "5z"
"""The face with a printed frame that detectors mistake for the tile's edge."""
_FRAME_TAKEN = 0.25
"""Share of the crops of the framed face that are cut at the frame."""
NOT_LOOKED_FOR: Final[Mapping[int, NDArray[np.float32]]] = MappingProxyType({})
"""The detections of a scene in which no detector searched for tiles."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Rectified faces with their truth.

    Attributes:
        images: (n, h, w, 3) uint8 BGR.
        labels: (n,) int64 index into ``scorer.tiles.READING_LABELS``.
        turns: (n,) int64 quarter turns away from upright; -1 for backs, which have none.
        valid: (n,) bool, whether the crop shows a tile; if not, its other values have no meaning.
        corners: (n, 4, 2) float32, how far right and down of the crop's face the corners of the
            tile's face lie, in widths and heights of that face, clockwise from its top-left.
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    turns: NDArray[np.int64]
    valid: NDArray[np.bool_]
    corners: NDArray[np.float32]

    def chosen(self, indices: NDArray[np.int64]) -> Crops:
        """The crops at these indices, in their order."""
        return Crops(*(getattr(self, part.name)[indices] for part in fields(self)))

    def joined(self, more: Crops) -> Crops:
        """These crops and then the others, which have the same size."""
        both = ((getattr(self, part.name), getattr(more, part.name)) for part in fields(self))
        return Crops(*(np.concatenate(pair) for pair in both))


def crops_without_tiles(images: NDArray[np.uint8]) -> Crops:
    """Crops from images (n, h, w, 3) uint8 BGR that show no tile; n may be 0."""
    count = len(images)
    return Crops(
        images,
        np.zeros(count, np.int64),
        np.full(count, -1, np.int64),
        np.zeros(count, np.bool_),
        np.zeros((count, 4, 2), np.float32),
    )


def _jitter(rng: Generator, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad with a detector's errors: moved, scaled and bent by a few per cent.

    Some quads have the larger errors of tiles that are small or seen from low down: one edge may
    include the tile's side or lose part of the face.
    """
    side = float(np.linalg.norm(quad[1] - quad[0]))
    middle = quad.mean(axis=0)
    rough = 3.0 if rng.random() < _ROUGH else 1.0
    moved = middle + (quad - middle) * rng.normal(1.0, 0.02 + 0.01 * rough)
    moved = moved + rng.normal(0, 0.02, 2) * side + rng.normal(0, 0.015 * rough, (4, 2)) * side
    if rng.random() < _ROUGH / 2:
        first = int(rng.integers(4))
        second, third, fourth = ((first + i) % 4 for i in (1, 2, 3))
        reach = rng.uniform(-0.2, 0.3)
        moved[[first, second]] += reach * (moved[[first, second]] - moved[[fourth, third]])
    return np.asarray(moved, np.float32)


def _shrunk(rng: Generator, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad of a frame that is printed inside the quad of the face."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * rng.uniform(0.62, 0.92), np.float32)


def _astray(rng: Generator, label: str, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad of a tile with a detector's errors, at times at a printed frame."""
    taken = label == _FRAMED and rng.random() < _FRAME_TAKEN
    return _jitter(rng, _shrunk(rng, quad) if taken else quad)


def corners_in(found: NDArray[np.float32], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The corners of a quad relative to a detection, as in :attr:`Crops.corners`."""
    matrix = cv2.getPerspectiveTransform(found, UNIT_SQUARE)
    seen = cv2.perspectiveTransform(quad[np.newaxis].astype(np.float32), matrix)[0]
    return np.asarray(seen - UNIT_SQUARE, np.float32)


def cut_crops(
    rng: Generator,
    scene: Scene,
    size: tuple[int, int],
    negatives: float = 0.0,
    finds: Mapping[int, NDArray[np.float32]] = NOT_LOOKED_FOR,
) -> Crops:
    """One crop, at one of four turns, of each tile of the scene that is large and whole enough.

    Args:
        rng: chooses turns, a detector's errors and the negatives.
        scene: the picture.
        size: (height, width) of the crops in pixels.
        negatives: crops that show no tile, as a share of the crops of tiles; a scene without
            tiles gives as many as one with thirty.
        finds: detections of the scene's tiles by their index: (4, 2) pixels from the tile's own
            top-left. The other tiles are cut out with simulated errors of a detector.
    """
    quads, labels, turns, corners = [], [], [], []
    every = zip(scene.labels, scene.quads, scene.visible, strict=True)
    for index, (label, quad, visible) in enumerate(every):
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        if visible < _MIN_VISIBLE or sides.min() < _MIN_WIDTH or label not in READING_LABELS:
            continue
        if label == BLANK and rng.random() > _SPARES:
            continue
        turn = int(rng.choice(_TURNS, p=_TURN_SHARES))
        found = finds[index] if index in finds else _astray(rng, label, quad)
        found = np.roll(found, turn, axis=0)
        quads.append(found)
        corners.append(corners_in(found, np.roll(quad, turn, axis=0)))
        labels.append(READING_LABELS.index(label))
        turns.append(-1 if label == BACK else turn)
    wanted = rng.poisson(negatives * (len(labels) if len(scene.labels) else _EMPTY_COUNT))
    others = quads_without_tiles(rng, scene, int(wanted))
    stacked = np.concatenate([np.array(quads, np.float32).reshape(-1, 4, 2), others])
    images = rectify(scene.image, stacked, size)
    return Crops(
        images,
        np.array(labels + [0] * len(others), np.int64),
        np.array(turns + [-1] * len(others), np.int64),
        np.arange(len(stacked)) < len(labels),
        np.array(corners + [np.zeros((4, 2))] * len(others), np.float32).reshape(-1, 4, 2),
    )
