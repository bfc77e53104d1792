"""How good a photo of tiles is, told before the tiles are read: near, sharp, bright, free of glare.

The limits are in :mod:`vision.photo.thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.crops import rectify, smaller
from vision.geometry.quads import side_lengths
from vision.messages import Message, say
from vision.photo.glance import glance
from vision.photo.thresholds import BLURRED_BELOW, BURNT, DARK_BELOW, GLARE_ABOVE, SMALL_TILE
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]

_DARK: Final = say("photo.dark")
_SMALL: Final = say("photo.small_tiles")
_BLURRED: Final = say("photo.blurred")
_BLOWN: Final = say("photo.too_bright")
_OVERALL: Final = {"dark": _DARK, "blown": _BLOWN, "small": _SMALL, "blurred": _BLURRED, "": None}
_FACE: Final = (96, 72)
_CROP: Final = (64, 48)
_LIGHT: Final = 85
_OVEREXPOSED: Final = 236
_PATCH: Final = 5
_DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps down and to the right from a pixel to the next in which detail is looked for."""


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
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels, corners of its faces, n at least 1.
    """
    crops = smaller(rectify(image, quads, _FACE), _CROP)
    greys = np.stack([np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)) for crop in crops])
    return Quality(
        float(np.median(side_lengths(quads).min(axis=1))),
        _sharpness(greys),
        float(np.median(np.percentile(greys, _LIGHT, axis=(1, 2)))),
        _glare(greys),
    )


def _sharpness(greys: Image) -> float:
    """Of the worst direction, of (n, h, w) faces."""
    _, height, width = greys.shape
    middle = greys.astype(np.float32)
    framed = np.pad(middle, ((0, 0), (1, 1), (1, 1)), mode="reflect")
    contrast = middle.var(axis=(1, 2)) + 25.0
    detail = np.empty((len(greys), len(_DIRECTIONS)))
    for column, (down, right) in zip(detail.T, _DIRECTIONS, strict=True):
        after = framed[:, 1 + down : 1 + down + height, 1 + right : 1 + right + width]
        before = framed[:, 1 - down : 1 - down + height, 1 - right : 1 - right + width]
        column[:] = (after + before - 2 * middle).var(axis=(1, 2)) / contrast
    return float(np.quantile(detail, 0.75, axis=0).min())


def _glare(greys: Image) -> float:
    """Share of the area of (n, h, w) faces in patches without any drawing, as bright as can be.

    None where the paper itself is nearly so bright: the photo is overexposed as a whole.
    """
    if float(np.median(greys, axis=(1, 2)).mean()) >= _OVEREXPOSED:
        return 0.0
    square = np.ones((_PATCH, _PATCH), np.uint8)
    burnt = [(grey >= BURNT).astype(np.uint8) for grey in greys]
    return float(np.mean([cv2.morphologyEx(one, cv2.MORPH_OPEN, square).mean() for one in burnt]))


def overall_fault(image: Image) -> Message | None:
    """What is wrong with a photo (h, w, 3) in which no tile was found; None if nothing is seen."""
    return _OVERALL[glance(image).fault]


def faults(quality: Quality) -> list[Message]:
    """What is wrong with a photo and what to do, the worst first."""
    found = []
    if quality.light < DARK_BELOW:
        found.append(_DARK)
    if quality.width < SMALL_TILE:
        found.append(_SMALL)
    elif quality.sharpness < BLURRED_BELOW:
        found.append(_BLURRED)
    if quality.glare > GLARE_ABOVE:
        found.append(say("photo.glare"))
    return found
