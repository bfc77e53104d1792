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

SMALL_TILE: Final = 40.0
"""Narrow side in pixels below which tiles are hard to read."""

BLURRED_BELOW: Final = 0.01
"""Faces whose sharpness stays below this are out of focus or shaken.

Photos of real tiles measure 0.012 to 0.19; the same after a blur of a twentieth of a tile's width
0.000 to 0.010."""

DARK_BELOW: Final = 60.0
"""Grey level, of 255, of the tiles' light parts below which a photo is too dark."""

GLARE_ABOVE: Final = 0.12
"""Share of the faces' area in blank bright patches from which on lamps are mirrored in them."""

_DARK: Final = "The photo is dark: switch on a lamp or move the tiles to the light."
_BRIGHTEST: Final = 95
_CROP: Final = (64, 48)
_LIGHT: Final = 85
_BURNT: Final = 250
_PATCH: Final = 5


@dataclass(frozen=True, slots=True)
class Quality:
    """What was measured on the tiles of a photo.

    Attributes:
        width: median narrow side of the faces in pixels.
        sharpness: how crisp the marks are, from 0; photos in focus give some hundredths.
        light: grey level 0..255 of the faces' light parts.
        glare: share 0..1 of the faces' area that is burnt out though other faces are not.
    """

    width: float
    sharpness: float
    light: float
    glare: float


def measure(image: Image, quads: Quads) -> Quality:
    """The quality of a photo.

    The fine detail of each straightened face is compared with its contrast, so that light and the
    amount of ink matter little for the sharpness; the crisper tiles speak for the photo.

    Args:
        image: (h, w, 3) uint8 BGR photo.
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    crops = rectify(image, quads, _CROP)
    greys = [np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8) for crop in crops]
    crispness, light, burnt = [], [], []
    for grey in greys:
        values = grey.astype(np.float32)
        contrast = float(values.var()) + 25.0
        crispness.append(float(cv2.Laplacian(values, cv2.CV_32F).var()) / contrast / 20)
        light.append(float(np.percentile(grey, _LIGHT)))
        burnt.append(_burnt_share(grey))
    return Quality(
        float(np.median(sides.min(axis=1))),
        float(np.quantile(crispness, 0.75)),
        float(np.median(light)),
        float(np.mean(burnt)),
    )


def _burnt_share(grey: Image) -> float:
    """Share 0..1 of a face (h, w) in patches without any drawing left, as bright as can be."""
    patches = cv2.erode((grey >= _BURNT).astype(np.uint8), np.ones((_PATCH, _PATCH), np.uint8))
    return float(cv2.dilate(patches, np.ones((_PATCH, _PATCH), np.uint8)).mean())


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
