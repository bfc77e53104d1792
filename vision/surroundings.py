"""Whether finds are tiles, by what lies around them: sides, edges, shadows, the table."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.native import cv2
from vision.rectify import UNIT_SQUARE, halved, rectify

Floats = NDArray[np.float32]

SIZE: Final = (96, 72)
"""Height and width in pixels of what is looked at, of which the find is the middle half."""
_ENOUGH: Final = 50.0
"""Width in pixels at which tiles show enough; a picture of larger ones is halved first."""
_AROUND: Final[Floats] = (UNIT_SQUARE * 2 - 0.5).astype(np.float32)
_MIDDLE: Final = np.array([[[0.5, 0.5]]], np.float32)
_NEAREST: Final = 0.3
"""How near the horizon a corner may come, as a share of the find's own distance from it."""


def with_surroundings(image: NDArray[np.uint8], quads: Floats) -> NDArray[np.uint8]:
    """Finds flattened with as much again around them: (n, 96, 72, 3) uint8 BGR.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
    """
    image, quads = halved(image, quads.astype(np.float32), _ENOUGH)
    wide = [_widened(quad) for quad in quads]
    return rectify(image, np.array(wide, np.float32).reshape(-1, 4, 2), SIZE)


def _widened(quad: Floats) -> Floats:
    """The quad (4, 2) of twice the find's width and height on the plane that it lies on.

    If that reaches beyond the horizon, it is the find twice as large in the picture.
    """
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, quad)
    depths = np.column_stack([_AROUND, np.ones(4)]) @ matrix[2]
    if depths.min() > _NEAREST:
        return np.asarray(cv2.perspectiveTransform(_AROUND[np.newaxis], matrix)[0], np.float32)
    middle = cv2.perspectiveTransform(_MIDDLE, matrix)[0]
    return np.asarray((quad - middle) * 2 + middle, np.float32)
