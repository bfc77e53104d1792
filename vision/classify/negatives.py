"""Dark tiles are read in the negative too.

Nearly all sets, and so nearly all that the models learnt from, have dark prints on light plastic. A
dark tile with light prints looks more like those once its lightness is turned round, its colours
kept; what both pictures say counts alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Crops = NDArray[np.uint8]
Floats = NDArray[np.float32]

DARK: Final = 110.0
"""Lightness, of 255, that most of a dark tile does not reach. On path-traced scenes of held-out
designs 90 to 140 do as well; the higher, the more tiles are read twice."""
_EVERY: Final = 3
"""One pixel in so many each way tells how light a tile is."""
_LIGHTNESS: Final = np.array([0.114, 0.587, 0.299], np.float32)
_LEAST_SAID: Final = 1e-7


def are_dark(crops: Crops) -> NDArray[np.bool_]:
    """Which crops (n, h, w, 3) uint8 BGR show dark plastic with a lighter print: (n,)."""
    if not len(crops):
        return np.zeros(0, np.bool_)
    lightness = (crops[:, ::_EVERY, ::_EVERY] @ _LIGHTNESS).reshape(len(crops), -1)
    plastic = np.median(lightness, axis=1)
    return np.asarray((plastic < DARK) & (plastic < lightness.mean(axis=1)), np.bool_)


def negative(crop: Crops) -> Crops:
    """The crop (h, w, 3) uint8 BGR with light for dark and the same colours."""
    parts = cv2.cvtColor(crop, cv2.COLOR_BGR2YCrCb)
    parts[..., 0] = 255 - parts[..., 0]
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)


def with_negatives(said: Floats, crops: Crops, read: Callable[[Crops], Floats]) -> Floats:
    """What a model says of crops, those of dark tiles being read in the negative too.

    Args:
        said: (n, k) probabilities of the crops as they are.
        crops: (n, h, w, 3) uint8 BGR.
        read: gives such probabilities of any crops.

    Returns:
        (n, k), of dark tiles the geometric means of both, summing to 1.
    """
    chosen = np.nonzero(are_dark(crops))[0]
    if not len(chosen):
        return said
    other = read(np.stack([negative(crop) for crop in crops[chosen]]))
    means = np.sqrt(np.maximum(said[chosen], _LEAST_SAID) * np.maximum(other, _LEAST_SAID))
    told = said.copy()
    told[chosen] = means / means.sum(axis=1, keepdims=True)
    return told
