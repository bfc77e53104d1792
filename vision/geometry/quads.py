"""From quads in a photo to flat, equally large pictures of tile faces."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.pyramid import half_of
from vision.runtime.opencv import cv2

MARGIN: Final = 0.04
"""How much of the surroundings a crop shows, as a share of the face on each side."""
UNIT_SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""Corners of a face in its own widths and heights, clockwise from its top-left."""
_MIDDLE: Final = np.array([[[0.5, 0.5]]], np.float32)
_NEAREST: Final = 0.3
"""How near the horizon a corner may come, as a share of the quad's own distance from it."""
_MAX_SUPERSAMPLING: Final = 2
"""Samples for each pixel of a crop, each way: of larger tiles a smaller picture is sampled."""
_ONCE: Final = 1.25
"""Pixels of the picture, each way, up to which one sample for each of the crop shows enough: what
is read is the same, and four times as many take four times as long."""


def side_lengths(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lengths (n, 4) of the sides of quads (n, 4, 2), clockwise from the upper one."""
    lengths: NDArray[np.float32] = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return lengths


def sides_of(quads: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lengths (n,) of the shorter and of the longer pair of sides of each quad."""
    sides = side_lengths(quads)
    one, other = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    return np.minimum(one, other), np.maximum(one, other)


def rolled(quads: NDArray[np.float32], turns: NDArray[np.int64]) -> NDArray[np.float32]:
    """Quads (n, 4, 2) from their corners ``turns`` (n,) on: as read upright, where those say so."""
    corners = (np.arange(4)[np.newaxis] + turns[:, np.newaxis]) % 4
    return np.take_along_axis(quads, corners[:, :, np.newaxis], axis=1)


def turned_like(quad: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The quad (4, 2) rolled so that its corners lie to each other as those of the other do."""
    rolls = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    return min(rolls, key=lambda rolled: float(np.linalg.norm(rolled - other)))


def inside(quads: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which quads (n, 4, 2) lie within a picture of that shape: no tile's cut end."""
    height, width = shape[:2]
    return np.asarray(((quads >= 0) & (quads <= [width, height])).all(axis=(1, 2)))


def holds(quad: NDArray[np.float32], place: NDArray[np.floating]) -> bool:
    """Whether the place (2,) lies in the quad (4, 2)."""
    return cv2.pointPolygonTest(quad, (float(place[0]), float(place[1])), measureDist=False) >= 0


def halved(
    image: NDArray[np.uint8], quads: NDArray[np.float32], enough: float
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A picture in which tiles show enough, and the quads in it: of large tiles it is halved.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        enough: width in pixels at which tiles show enough.
    """
    while len(quads) and float(np.median(sides_of(quads)[0])) >= 2 * enough:
        image, quads = _half(image, quads)
    return image, quads


def _half(
    image: NDArray[np.uint8], quads: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The picture half as high and wide, and quads (..., 4, 2) in it."""
    half = half_of(image)
    return half, rescaled(quads, image.shape, half.shape)


def rescaled(
    quads: NDArray[np.float32], before: tuple[int, ...], after: tuple[int, ...]
) -> NDArray[np.float32]:
    """Where quads (..., 4, 2) lie once a picture of one shape (height first) has another."""
    ratio = np.array(after[1::-1], np.float32) / np.array(before[1::-1], np.float32)
    return np.asarray(quads * ratio, np.float32)


def smaller(crops: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) uint8 BGR brought down to ``size`` (height, width)."""
    shrunk = np.empty((len(crops), *size, 3), np.uint8)
    for target, crop in zip(shrunk, crops, strict=True):
        cv2.resize(crop, size[::-1], dst=target, interpolation=cv2.INTER_AREA)
    return shrunk


def coarser(crops: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) uint8 BGR that show no more than tiles ``width`` pixels wide would."""
    height, whole = crops.shape[1:3]
    shrunk = smaller(crops, (round(height * width / whole), width))
    coarse = np.empty_like(crops)
    for target, crop in zip(coarse, shrunk, strict=True):
        cv2.resize(crop, (whole, height), dst=target)
    return coarse


def widened(quads: NDArray[np.float32], around: float) -> NDArray[np.float32]:
    """The quads (n, 4, 2) with so much more on each side, on the planes that they lie on.

    A quad that would reach beyond the horizon so is made as much larger in the picture.

    Args:
        quads: pixels.
        around: share of the width at the left and the right, and of the height above and below.
    """
    return np.array([_widened(quad, around) for quad in quads], np.float32).reshape(-1, 4, 2)


def _widened(quad: NDArray[np.float32], around: float) -> NDArray[np.float32]:
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, np.asarray(quad, np.float32))
    wide = UNIT_SQUARE * (1 + 2 * around) - np.float32(around)
    depths = np.column_stack([wide, np.ones(4)]) @ matrix[2]
    if depths.min() > _NEAREST:
        return np.asarray(cv2.perspectiveTransform(wide[np.newaxis], matrix)[0], np.float32)
    middle = cv2.perspectiveTransform(_MIDDLE, matrix)[0]
    return np.asarray((quad - middle) * (1 + 2 * around) + middle, np.float32)


def put_at(
    quads: NDArray[np.float32], corners: NDArray[np.float32], farthest: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The quads with their corners elsewhere on the planes that they lie on.

    Args:
        quads: (n, 4, 2) pixels.
        corners: (n, 4, 2) how far right and down each corner lies, in widths and heights of its
            quad, clockwise from the top-left.
        farthest: where one lies farther off in either, the quad stays as it is.

    Returns:
        quads (n, 4, 2), and (n,) how far the corner that moved most did.
    """
    moved = np.abs(corners).max(axis=(1, 2), initial=0.0)
    better = quads.copy()
    for index in np.nonzero(moved <= farthest)[0].tolist():
        matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, better[index])
        placed = cv2.perspectiveTransform((UNIT_SQUARE + corners[index])[np.newaxis], matrix)[0]
        if cv2.isContourConvex(placed):
            better[index] = placed
    return better, np.where(moved <= farthest, moved, 0.0).astype(np.float32)


def rectify(
    image: NDArray[np.uint8], quads: NDArray[np.float32], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """Cut the quads out of the photo and flatten them.

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
        while pixels > _MAX_SUPERSAMPLING and min(shown.shape[:2]) > 1:
            shown, corners = _half(shown, corners)
            pixels /= 2
        factor = _MAX_SUPERSAMPLING if pixels > _ONCE else 1
        extent = (width * factor, height * factor)
        matrix = cv2.getPerspectiveTransform(corners, framed * np.array(extent, np.float32) - 0.5)
        flat = cv2.warpPerspective(shown, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
        cv2.resize(flat, (width, height), dst=crop, interpolation=cv2.INTER_AREA)
    return crops
