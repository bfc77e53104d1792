"""A shipped model that reads the small print of a crop, and how crops of dark tiles are read.

Nearly all tile sets, and so nearly all that the models learnt from, have dark prints on light
plastic. A dark tile with light prints looks more like those in its negative, with light for dark
and its colours kept; such a tile is read both as it is and in the negative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.messages import say
from vision.runtime.opencv import cv2
from vision.runtime.session import Model, load_model

Crops = NDArray[np.uint8]
Floats = NDArray[np.float32]

DARK: Final = 110.0
"""Median lightness of a crop, 0 to 255, below which its tile may be of dark plastic."""
_STEP: Final = 3
"""Distance in pixels, each way, of the pixels whose lightness is measured."""
_LIGHTNESS: Final = np.array([0.114, 0.587, 0.299], np.float32)
"""Weights of blue, green and red in a pixel's lightness (ITU-R BT.601)."""
MOST_NEGATIVES: Final = 64
"""Maximum number of crops that are read in the negative too at once, the least certain ones."""
CERTAIN: Final = 0.95
"""Probability of its label from which a crop is not read in the negative too."""
_LOWEST: Final = 1e-7
"""Lowest probability in the geometric mean of two reads."""


class CropReader:
    """A model that classifies the small print of rectified tiles.

    Args:
        model: opened.
        labels: what it must distinguish, in the order of its answers.

    Attributes:
        entry: what the registry says of it.
        size: (height, width) in pixels of the crops it looks at.

    Raises:
        ModelError: it was made for other labels.
    """

    def __init__(self, model: Model, labels: Sequence[str]) -> None:
        size = model.metadata.get("size")
        if model.metadata.get("labels") != list(labels) or not isinstance(size, list):
            raise ModelError(say("model.other_tiles", file=model.entry.file))
        self._model = model
        self.entry: Final = model.entry
        self.size: Final = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls, name: str, labels: Sequence[str], threads: int = 1) -> CropReader:
        """Open a shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(load_model(name, threads=threads), labels)

    def read(self, crops: Crops) -> Floats:
        """Probabilities (n, labels) of crops (n, *size, 3) uint8 BGR, dark ones read twice."""

        def once(some: Crops) -> Floats:
            return self._model.run(some)[0].astype(np.float32)

        return with_negatives(once(crops), crops, once)


def are_dark(crops: Crops) -> NDArray[np.bool_]:
    """Which crops (n, h, w, 3) uint8 BGR show dark plastic with a lighter print: (n,)."""
    if not len(crops):
        return np.zeros(0, np.bool_)
    lightness = (crops[:, ::_STEP, ::_STEP] @ _LIGHTNESS).reshape(len(crops), -1)
    plastic = np.median(lightness, axis=1)
    return np.asarray((plastic < DARK) & (plastic < lightness.mean(axis=1)), np.bool_)


def negative(crop: Crops) -> Crops:
    """The crop (h, w, 3) uint8 BGR with light for dark and the same colours."""
    parts = cv2.cvtColor(crop, cv2.COLOR_BGR2YCrCb)
    parts[..., 0] = 255 - parts[..., 0]
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def with_negatives(plain: Floats, crops: Crops, read: Callable[[Crops], Floats]) -> Floats:
    """Probabilities (n, k) of crops, uncertain ones of dark tiles by their negatives too.

    Args:
        plain: (n, k) probabilities of the crops as they are.
        crops: (n, h, w, 3) uint8 BGR.
        read: gives such probabilities of any crops.

    Returns:
        (n, k), for such tiles the geometric means of both, each row summing to 1.
    """
    certain = plain.max(axis=1)
    chosen = np.nonzero(are_dark(crops) & (certain < CERTAIN))[0]
    chosen = chosen[np.argsort(certain[chosen], kind="stable")][:MOST_NEGATIVES]
    if not len(chosen):
        return plain
    other = read(np.stack([negative(crop) for crop in crops[chosen]]))
    means = np.sqrt(np.maximum(plain[chosen], _LOWEST) * np.maximum(other, _LOWEST))
    both = plain.copy()
    both[chosen] = means / means.sum(axis=1, keepdims=True)
    return both
