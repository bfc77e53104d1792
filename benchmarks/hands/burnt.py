"""Finds tiles whose print is overexposed in a photo, so that nobody can read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.sets.faces import FaceSet
from vision.geometry.crops import MARGIN, rectify

Image = NDArray[np.uint8]

_FACE: Final = (96, 72)
"""Height and width in pixels of the compared faces."""
_BLOCKS: Final = (6, 6)
"""Number of blocks of a face in each direction."""
_PRINTED: Final = 20.0
"""Standard deviation of grey levels from which a block of a drawn face has print."""
_LOST: Final = 4.0
"""Standard deviation of grey levels below which a bright block of a photo has lost its print."""
_WHITE: Final = 245
"""Grey level from which a block of a photo is bright enough to be overexposed."""
_MOST_LOST: Final = 1 / 3
"""Share of lost print above which a face cannot be read."""


def burnt_out(
    image: Image, quads: NDArray[np.float32], labels: Sequence[str], faces: FaceSet
) -> NDArray[np.bool_]:
    """Whether each tile (n,) has lost more than a third of its print to overexposure.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) true face corners in pixels.
        labels: labels of the n tiles; a label without a face in the tile set has no print to lose.
        faces: the drawn tile set.
    """
    middles = quads.mean(axis=1, keepdims=True)
    faces_alone = middles + (quads - middles) / (1 + 2 * MARGIN)
    crops = rectify(image, faces_alone, _FACE)
    told = [
        label in faces.faces and all(_lost(crop, face) > _MOST_LOST for face in faces.faces[label])
        for crop, label in zip(crops, labels, strict=True)
    ]
    return np.array(told, np.bool_)


def _lost(crop: Image, face: Image) -> float:
    """The share of the face's print that is missing in a crop of a photo, 0 without print."""
    drawn = np.asarray(cv2.resize(face, _FACE[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    printed = _blocks(drawn).std(axis=1) >= _PRINTED
    seen = _blocks(crop)
    lost = (seen.std(axis=1) < _LOST) & (seen.mean(axis=1) >= _WHITE)
    return float(lost[printed].mean()) if printed.any() else 0.0


def _blocks(picture: Image) -> NDArray[np.float64]:
    """The grey levels of each block of a picture of a face, (blocks, pixels)."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float64)
    height, width = (side // count for side, count in zip(_FACE, _BLOCKS, strict=True))
    parts = grey.reshape(_BLOCKS[0], height, _BLOCKS[1], width).swapaxes(1, 2)
    return parts.reshape(-1, height * width)
