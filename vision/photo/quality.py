"""How well a photo shows its tiles: whether it is near, sharp and bright, and free of glare.

The thresholds are in :mod:`vision.photo.thresholds`.
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
from vision.photo.thresholds import BURNT, TILES
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]

_DARK: Final = say("photo.dark")
_SMALL: Final = say("photo.small_tiles")
_BLURRED: Final = say("photo.blurred")
_BLOWN: Final = say("photo.too_bright")
_OVERALL: Final = {"dark": _DARK, "blown": _BLOWN, "small": _SMALL, "blurred": _BLURRED, "": None}
_DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps from a pixel to the next, down and to the right, along which detail is measured."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """How quality is measured on flat crops of the faces.

    Attributes:
        face: height and width in pixels of the crops that are cut out.
        reduced: height and width in pixels to which the crops are reduced.
        light: percentile of a face's grey levels that stands for its light parts.
        overexposed: grey level, 0..255, of the paper from which the whole photo is overexposed and
            no glare can be seen.
        patch: side in pixels of the smallest burnt-out square that counts as glare.
        faint: variance of grey levels that is added to each contrast: the grain of a sensor.
        quantile: quantile of the faces' sharpness that is the sharpness of the photo.
    """

    face: tuple[int, int] = (96, 72)
    reduced: tuple[int, int] = (64, 48)
    light: int = 85
    overexposed: float = 236
    patch: int = 5
    faint: float = 25.0
    quantile: float = 0.75


MEASUREMENT: Final = Measurement()


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a photo, measured on its tiles.

    Attributes:
        width: median narrow side of the faces in pixels.
        sharpness: fine detail over contrast, from 0, in the direction with least detail; careful
            photos have some tenths.
        light: median grey level, 0..255, of the faces' light parts.
        glare: share, 0..1, of the faces' area that is burnt out although the paper is not.
    """

    width: float
    sharpness: float
    light: float
    glare: float


def measure(image: Image, quads: Quads) -> Quality:
    """The quality of a photo.

    Sharpness is fine detail over contrast, so that light and the amount of ink matter little. It is
    that of the worst of four directions, since a shaken photo stays sharp along the movement.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels, corners of its faces, n at least 1.
    """
    crops = smaller(rectify(image, quads, MEASUREMENT.face), MEASUREMENT.reduced)
    greys = np.stack([np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)) for crop in crops])
    return Quality(
        float(np.median(side_lengths(quads).min(axis=1))),
        _sharpness(greys),
        float(np.median(np.percentile(greys, MEASUREMENT.light, axis=(1, 2)))),
        _glare(greys),
    )


def _sharpness(greys: Image) -> float:
    """Sharpness of faces (n, h, w) in grey, in the direction with least detail."""
    _, height, width = greys.shape
    middle = greys.astype(np.float32)
    framed = np.pad(middle, ((0, 0), (1, 1), (1, 1)), mode="reflect")
    contrast = middle.var(axis=(1, 2)) + MEASUREMENT.faint
    detail = np.empty((len(greys), len(_DIRECTIONS)))
    for column, (down, right) in zip(detail.T, _DIRECTIONS, strict=True):
        after = framed[:, 1 + down : 1 + down + height, 1 + right : 1 + right + width]
        before = framed[:, 1 - down : 1 - down + height, 1 - right : 1 - right + width]
        column[:] = (after + before - 2 * middle).var(axis=(1, 2)) / contrast
    return float(np.quantile(detail, MEASUREMENT.quantile, axis=0).min())


def _glare(greys: Image) -> float:
    """Share of the area of faces (n, h, w) in grey that is burnt out in patches.

    It is 0 where the whole photo is overexposed: there the paper itself is nearly as bright.
    """
    if float(np.median(greys, axis=(1, 2)).mean()) >= MEASUREMENT.overexposed:
        return 0.0
    square = np.ones((MEASUREMENT.patch, MEASUREMENT.patch), np.uint8)
    burnt = [(grey >= BURNT).astype(np.uint8) for grey in greys]
    return float(np.mean([cv2.morphologyEx(one, cv2.MORPH_OPEN, square).mean() for one in burnt]))


def overall_fault(image: Image) -> Message | None:
    """What is wrong with a photo (h, w, 3) without any tile, or None."""
    return _OVERALL[glance(image).fault]


def faults(quality: Quality) -> list[Message]:
    """What is wrong with a photo of this quality and what to do, the worst first."""
    found = []
    if quality.light < TILES.dark:
        found.append(_DARK)
    if quality.width < TILES.small:
        found.append(_SMALL)
    elif quality.sharpness < TILES.blurred:
        found.append(_BLURRED)
    if quality.glare > TILES.glare:
        found.append(say("photo.glare"))
    return found
