"""How good a photo of tiles is, told before the tiles are read: near, sharp, bright, free of glare.

The limits come from ``python -m benchmarks.quality``, which spoils rendered photos by known amounts
and counts how many tiles are still read right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.native import cv2
from vision.rectify import rectify

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]

SMALL_TILE: Final = 26.0
"""Narrow side in pixels below which tiles are small. Careful photos are still read at 20 pixels;
shaken, dim or seen from aside they need more."""

BLURRED_BELOW: Final = 0.05
"""Sharpness below which faces are out of focus or shaken.

At 0.056 all tiles are read right, at 0.035 98%, at 0.023 91%, at 0.014 66%."""

DARK_BELOW: Final = 45.0
"""Grey level, of 255, of the tiles' light parts below which a photo is too dark.

At 56 98% of the tiles are read right, at 41 96%, at 27 83%, at 20 40%."""

GLARE_ABOVE: Final = 0.03
"""Share of the faces' area from which on lamps that are mirrored in them cost tiles.

Over 3% of each face they leave 93% of the tiles read right, over 6% 87%, over 10% 79%."""

_DARK: Final = "The photo is dark: switch on a lamp or move the tiles to the light."
_BRIGHTEST: Final = 95
_CROP: Final = (64, 48)
_LIGHT: Final = 85
_BURNT: Final = 250
_OVEREXPOSED: Final = 236
_PATCH: Final = 5
_SECOND_DERIVATIVES: Final = tuple(
    np.array(kernel, np.float32)
    for kernel in (
        [[0, 0, 0], [1, -2, 1], [0, 0, 0]],
        [[0, 1, 0], [0, -2, 0], [0, 1, 0]],
        [[1, 0, 0], [0, -2, 0], [0, 0, 1]],
        [[0, 0, 1], [0, -2, 0], [1, 0, 0]],
    )
)


@dataclass(frozen=True, slots=True)
class Quality:
    """What was measured on the tiles of a photo.

    Attributes:
        width: median narrow side of the faces in pixels.
        sharpness: how crisp the marks are in the direction in which they are least so, from 0;
            careful photos give some tenths.
        light: grey level 0..255 of the faces' light parts.
        glare: share 0..1 of the faces' area that is burnt out though the paper is not.
    """

    width: float
    sharpness: float
    light: float
    glare: float


def measure(image: Image, quads: Quads) -> Quality:
    """The quality of a photo.

    The fine detail of each straightened face is compared with its contrast, so that light and the
    amount of ink matter little for the sharpness, and taken in the worst of four directions, since
    a shaken photo stays crisp along the movement; the crisper tiles speak for the photo.

    Args:
        image: (h, w, 3) uint8 BGR photo.
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    crops = rectify(image, quads, _CROP)
    greys = np.stack([np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)) for crop in crops])
    return Quality(
        float(np.median(sides.min(axis=1))),
        _sharpness(greys),
        float(np.median(np.percentile(greys, _LIGHT, axis=(1, 2)))),
        _glare(greys),
    )


def _sharpness(greys: Image) -> float:
    """Of the worst direction, of (n, h, w) faces."""
    detail = np.empty((len(greys), len(_SECOND_DERIVATIVES)))
    for row, grey in zip(detail, greys.astype(np.float32), strict=True):
        contrast = float(grey.var()) + 25.0
        row[:] = [
            float(cv2.filter2D(grey, -1, kernel).var()) / contrast for kernel in _SECOND_DERIVATIVES
        ]
    return float(np.quantile(detail, 0.75, axis=0).min())


def _glare(greys: Image) -> float:
    """Share of the area of (n, h, w) faces in patches without any drawing, as bright as can be.

    None where the paper itself is nearly so bright: the photo is overexposed as a whole.
    """
    if float(np.median(greys, axis=(1, 2)).mean()) >= _OVEREXPOSED:
        return 0.0
    square = np.ones((_PATCH, _PATCH), np.uint8)
    burnt = [(grey >= _BURNT).astype(np.uint8) for grey in greys]
    return float(np.mean([cv2.morphologyEx(one, cv2.MORPH_OPEN, square).mean() for one in burnt]))


def overall_fault(image: Image) -> str:
    """What is wrong with a photo (h, w, 3) in which no tile was found; empty if nothing is seen."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return _DARK if float(np.percentile(grey, _BRIGHTEST)) < DARK_BELOW else ""


def faults(quality: Quality) -> list[str]:
    """What is wrong with a photo and what to do, the worst first."""
    found = []
    if quality.light < DARK_BELOW:
        found.append(_DARK)
    if quality.width < SMALL_TILE:
        found.append("The tiles are small in the photo: come closer, or use a larger picture size.")
    elif quality.sharpness < BLURRED_BELOW:
        found.append("The photo is blurred: hold still, tap the tiles to focus, and take it again.")
    if quality.glare > GLARE_ABOVE:
        found.append("Light is mirrored in the tiles: move the lamp, or take the photo from aside.")
    return found
