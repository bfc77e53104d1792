"""What the networks that read crops learn from: a store of them, each used several times.

Drawing a crop takes as long as a step with it.
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
"""Gives the crops of one more picture, all of one size; there may be none."""


@dataclass(frozen=True, kw_only=True)
class CropData(Mixture):
    """The part of ``[data]`` that the configurations of all such networks have.

    Attributes:
        batch: how many crops make a step.
        reuse: how often a crop is used.
        capacity: how many crops are kept at most.
        photo_share: photographed sets among the stored ones whose faces are laid in drawn scenes.
        fresh_share: sets drawn while training runs among all that are laid in drawn scenes.
        rarer: how many of those have what few drawn sets have, from 0 to 1
            (:mod:`datasets.designs.rarer`).
        smoothing: of the labels.
        found: share of the pictures whose tiles are cut out where the shipped models find them.
    """

    batch: int
    reuse: float
    capacity: int
    photo_share: float
    fresh_share: float
    rarer: float
    smoothing: float
    found: float


class CropPool:
    """A shuffled store of crops.

    Args:
        draw: gives more of them.
        reuse: about how often each is used.
        capacity: how many there are at most.
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
    """Change exposure and contrast, now and then blur as a small far tile would be."""
    if rng.random() < 0.15:
        factor = float(rng.uniform(0.35, 0.8))
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, image.shape[1::-1]), np.uint8)
    gain, offset = float(rng.uniform(0.7, 1.3)), float(rng.uniform(-25, 25))
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain, beta=offset), np.uint8)
