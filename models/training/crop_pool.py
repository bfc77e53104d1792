"""A store of crops for training, each of which is used several times.

Drawing a crop takes as long as a training step with it, so each is reused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.crops.crops import CROP_SIZE, Crops, crops_without_tiles
from datasets.crops.pictures import Mixture

Draw = Callable[[Generator], Crops]
"""Draws the crops of one more picture, all of one size; there may be none."""


@dataclass(frozen=True, kw_only=True)
class CropData(Mixture):
    """The part of ``[data]`` that the configurations of all such networks have.

    Attributes:
        batch: number of crops in a step.
        reuse: mean number of times that a crop is used.
        capacity: maximum number of stored crops.
        photo_share: share of photographed tile sets among the stored sets laid in drawn scenes.
        fresh_share: share of drawn scenes whose tile set is drawn while training runs.
        rarer: share of those sets that have rare features, from 0 to 1
            (:mod:`datasets.designs.rarer`).
        invented: share of those sets with suits as designers draw them, where there are icons
            (:mod:`datasets.designs.invented`).
        smoothing: label smoothing of the cross-entropies.
        found: share of the pictures whose crops are cut at the shipped models' detections.
    """

    batch: int
    reuse: float
    capacity: int
    photo_share: float
    fresh_share: float
    rarer: float
    invented: float = 0.0
    smoothing: float
    found: float


class CropPool:
    """A shuffled store of crops.

    Args:
        draw: draws more crops.
        reuse: mean number of times that each is used.
        capacity: maximum number of stored crops.
        size: (height, width) of the crops in pixels.
    """

    def __init__(
        self, draw: Draw, reuse: float, capacity: int, size: tuple[int, int] = CROP_SIZE
    ) -> None:
        self.draw, self.reuse, self.capacity = draw, reuse, capacity
        self.crops = crops_without_tiles(np.empty((0, *size, 3), np.uint8))
        self.owed = 0.0

    def _add_picture(self, rng: Generator) -> int:
        fresh = self.draw(rng)
        room = self.capacity - len(fresh.labels)
        count = len(self.crops.labels)
        keep = np.arange(count) if count <= room else rng.permutation(count)[: max(0, room)]
        self.crops = self.crops.chosen(keep).joined(fresh)
        return len(fresh.labels)

    def batch(self, rng: Generator, count: int) -> Crops:
        """``count`` crops chosen at random, recoloured a little."""
        self.owed += count / self.reuse
        while self.owed > 0 or len(self.crops.labels) < self.capacity // 4:
            self.owed -= self._add_picture(rng)
        crops = self.crops.chosen(rng.integers(len(self.crops.labels), size=count))
        images = np.stack([_recolour(rng, image) for image in crops.images])
        return replace(crops, images=images)


def _recolour(rng: Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Change exposure and contrast, and blur some crops like small tiles far away."""
    if rng.random() < 0.15:
        factor = float(rng.uniform(0.35, 0.8))
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, image.shape[1::-1]), np.uint8)
    gain, offset = float(rng.uniform(0.7, 1.3)), float(rng.uniform(-25, 25))
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain, beta=offset), np.uint8)
