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
from vision.geometry.crops import rectify, widened
from vision.geometry.quads import UNIT_SQUARE

CROP_SIZE: Final = (96, 72)
"""Height and width in pixels of the crops that most of the shipped networks look at."""
_MIN_WIDTH = 12.0
_MIN_VISIBLE = 0.8
_TURNS = (0, 1, 2, 3)
_EMPTY_COUNT = 30
_SPARES = 0.1
"""Share of blank tiles that is kept: what looks blank is mostly a white dragon."""
_ROUGH = 0.35
"""Share of crops that are cut as from a poor find: corners off by a tenth of a tile's width."""
_TURN_SHARES = (0.7, 0.05, 0.2, 0.05)
_FRAMED: Final = "5z"
"""The face whose frame a detector takes for the tile's edge, in"""
_FRAME_TAKEN = 0.25
"""this share of its crops here."""
NOT_LOOKED_FOR: Final[Mapping[int, NDArray[np.float32]]] = MappingProxyType({})
"""Of a scene in which no detector looked for tiles."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Rectified faces with what they show.

    Attributes:
        images: (n, h, w, 3) uint8 BGR.
        labels: (n,) int64 index into ``scorer.tiles.READING_LABELS``.
        turns: (n,) int64 quarter turns away from upright; -1 for backs, which have none.
        valid: (n,) bool, whether the crop shows a tile; where not, the rest says nothing of it.
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
    """Crops (n, h, w, 3) uint8 BGR of which none shows a tile; n may be 0."""
    count = len(images)
    return Crops(
        images,
        np.zeros(count, np.int64),
        np.full(count, -1, np.int64),
        np.zeros(count, np.bool_),
        np.zeros((count, 4, 2), np.float32),
    )


def _jitter(rng: Generator, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad as a detector might give it: moved, scaled and bent by a few per cent.

    Of a tile that is small or seen from low down it is worse, and one edge may take in a tile's
    side or lose part of the face.
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


def _moved(rng: Generator, quad: NDArray[np.float32], most: float) -> NDArray[np.float32]:
    """The quad up to such a share of its width and height aside."""
    right, down = rng.uniform(-most, most, 2)
    step = right * (quad[1] - quad[0]) + down * (quad[3] - quad[0])
    return np.asarray(quad + step, np.float32)


def _astray(rng: Generator, label: str, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad of a tile as a detector might give it, which may take a frame for its edge."""
    taken = label == _FRAMED and rng.random() < _FRAME_TAKEN
    return _jitter(rng, _shrunk(rng, quad) if taken else quad)


def corners_in(found: NDArray[np.float32], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where the quad's corners lie as :attr:`Crops.corners` of a crop of the found one."""
    matrix = cv2.getPerspectiveTransform(found, UNIT_SQUARE)
    seen = cv2.perspectiveTransform(quad[np.newaxis].astype(np.float32), matrix)[0]
    return np.asarray(seen - UNIT_SQUARE, np.float32)


def cut_crops(
    rng: Generator,
    scene: Scene,
    size: tuple[int, int],
    negatives: float = 0.0,
    finds: Mapping[int, NDArray[np.float32]] = NOT_LOOKED_FOR,
    around: float = 0.0,
    aside: float = 0.0,
) -> Crops:
    """One crop, at one of four turns, of each tile of the scene that is large and whole enough.

    Args:
        rng: of turns, of a detector's inaccuracy and of the negatives.
        scene: the picture.
        size: (height, width) of the crops in pixels.
        negatives: crops that show no tile, as a share of the crops of tiles; a scene without
            tiles gives as many as one with thirty.
        finds: where a detector put tiles of the scene, by their index: (4, 2) pixels from the
            tile's own top-left. The others are cut out as it might have put them.
        around: how much more is cut out on each side, as a share of the find's width and height.
        aside: share of the finds that lie aside of their tile, which is still seen whole.
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
        if aside and rng.random() < aside:
            found = _moved(rng, found, around)
        found = np.roll(found, turn, axis=0)
        quads.append(found)
        corners.append(corners_in(found, np.roll(quad, turn, axis=0)))
        labels.append(READING_LABELS.index(label))
        turns.append(-1 if label == BACK else turn)
    wanted = rng.poisson(negatives * (len(labels) if len(scene.labels) else _EMPTY_COUNT))
    others = quads_without_tiles(rng, scene, int(wanted))
    stacked = np.concatenate([np.array(quads, np.float32).reshape(-1, 4, 2), others])
    shown = widened(stacked, around) if around else stacked
    images = rectify(scene.image, shown, size)
    return Crops(
        images,
        np.array(labels + [0] * len(others), np.int64),
        np.array(turns + [-1] * len(others), np.int64),
        np.arange(len(stacked)) < len(labels),
        np.array(corners + [np.zeros((4, 2))] * len(others), np.float32).reshape(-1, 4, 2),
    )
