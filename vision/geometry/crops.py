"""Flat crops of tiles, all of one size, cut out of a photo by their quads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.pyramid import half_of
from vision.geometry.quads import UNIT_SQUARE, rescaled, side_lengths, sides_of
from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]

MARGIN: Final = 0.04
"""Width of the surroundings that a crop shows on each side, as a share of the face."""

SURROUNDINGS_SIZE: Final = (96, 72)
"""Height and width in pixels of a crop with surroundings; the face fills half of either."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How densely a photo is sampled for a crop.

    Attributes:
        most: maximum number of samples for each pixel of the crop, in each direction; of larger
            tiles a halved photo is sampled.
        single_up_to: number of photo pixels for each pixel of the crop, in each direction, up to
            which one sample is enough.
    """

    most: int = 2
    single_up_to: float = 1.25


SAMPLING: Final = Sampling()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How a crop with surroundings is cut.

    Attributes:
        around: width of the surroundings on each side, as a share of the face's width or height.
        enough_width: tile width in pixels that shows enough for that size; a photo is halved for as
            long as its tiles stay at least that wide.
        least_depth: minimum distance of a widened quad's corners from the horizon, where 1 is the
            distance of the quad's top-left corner; a quad that would come nearer is enlarged
            without perspective.
    """

    around: float = 0.5
    enough_width: float = 50.0
    least_depth: float = 0.3


SURROUNDINGS: Final = Surroundings()

_MIDDLE: Final = np.array([[[0.5, 0.5]]], np.float32)
"""The middle of :data:`vision.geometry.quads.UNIT_SQUARE`, as OpenCV takes points."""


def rectify(
    image: NDArray[np.uint8], quads: NDArray[np.float32], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """Flat crops of quads, with :data:`MARGIN` around each.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels, clockwise from the corner that shall be top-left.
        size: (height, width) of each crop in pixels.

    Returns:
        (n, height, width, 3) uint8 BGR. What lies outside the photo repeats its edge.
    """
    height, width = size
    framed = (UNIT_SQUARE + MARGIN) / (1 + 2 * MARGIN)
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    every = np.ascontiguousarray(quads, np.float32)
    spans = np.minimum(side_lengths(quads).max(axis=1) / height, max(image.shape))
    for crop, quad, span in zip(crops, every, spans.tolist(), strict=True):
        shown, corners, pixels = image, quad, span
        while pixels > SAMPLING.most and min(shown.shape[:2]) > 1:
            shown, corners = _half(shown, corners)
            pixels /= 2
        factor = SAMPLING.most if pixels > SAMPLING.single_up_to else 1
        extent = (width * factor, height * factor)
        matrix = cv2.getPerspectiveTransform(corners, framed * np.array(extent, np.float32) - 0.5)
        flat = cv2.warpPerspective(shown, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
        cv2.resize(flat, (width, height), dst=crop, interpolation=cv2.INTER_AREA)
    return crops


def halved(
    image: NDArray[np.uint8], quads: NDArray[np.float32], enough: float
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The picture, halved for as long as its tiles stay wide enough, and the quads in it.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        enough: median tile width in pixels below which the picture is not halved.
    """
    while len(quads) and float(np.median(sides_of(quads)[0])) >= 2 * enough:
        image, quads = _half(image, quads)
    return image, quads


def _half(
    image: NDArray[np.uint8], quads: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The picture at half its height and width, and quads (..., 4, 2) in its pixels."""
    half = half_of(image)
    return half, rescaled(quads, image.shape, half.shape)


def smaller(crops: Iterable[NDArray[np.uint8]], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Crops (h, w, 3) uint8 BGR resized by areas to a smaller ``size`` (height, width)."""
    shrunk = [cv2.resize(crop, size[::-1], interpolation=cv2.INTER_AREA) for crop in crops]
    return np.array(shrunk, np.uint8).reshape(-1, *size, 3)


def coarser(crops: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) uint8 BGR with the detail of tiles ``width`` pixels wide only."""
    height, whole = crops.shape[1:3]
    shrunk = smaller(crops, (round(height * width / whole), width))
    coarse = np.empty_like(crops)
    for target, crop in zip(coarse, shrunk, strict=True):
        cv2.resize(crop, (whole, height), dst=target)
    return coarse


def widened(quads: NDArray[np.float32], around: float) -> NDArray[np.float32]:
    """Quads (n, 4, 2) enlarged on the planes that they lie on.

    A quad that would reach the horizon is enlarged in the picture instead, without perspective.

    Args:
        quads: pixels.
        around: how much is added on each side, as a share of the width at the left and right and
            of the height above and below.
    """
    return np.array([_widened(quad, around) for quad in quads], np.float32).reshape(-1, 4, 2)


def _widened(quad: NDArray[np.float32], around: float) -> NDArray[np.float32]:
    """One quad (4, 2), as :func:`widened` enlarges it."""
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, np.ascontiguousarray(quad, np.float32))
    wide = UNIT_SQUARE * (1 + 2 * around) - np.float32(around)
    depths = np.column_stack([wide, np.ones(4)]) @ matrix[2]
    if depths.min() > SURROUNDINGS.least_depth:
        return np.asarray(cv2.perspectiveTransform(wide[np.newaxis], matrix)[0], np.float32)
    middle = cv2.perspectiveTransform(_MIDDLE, matrix)[0]
    return np.asarray((quad - middle) * (1 + 2 * around) + middle, np.float32)


def with_surroundings(
    image: NDArray[np.uint8], quads: Floats, size: tuple[int, int] = SURROUNDINGS_SIZE
) -> NDArray[np.uint8]:
    """Flat crops of tiles with their surroundings: (n, *size, 3) uint8 BGR.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        size: (height, width) of the crops in pixels; the face fills half of either.
    """
    enough = SURROUNDINGS.enough_width * size[1] / SURROUNDINGS_SIZE[1]
    image, quads = halved(image, quads.astype(np.float32), enough)
    return rectify(image, widened(quads, SURROUNDINGS.around), size)
