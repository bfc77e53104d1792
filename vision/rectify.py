"""Cuts tiles out of the full-resolution photo and straightens them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.native import cv2


def rectify(
    image: NDArray[np.uint8], quads: NDArray[np.float32], width: int, height: int
) -> NDArray[np.uint8]:
    """Each quad's face seen straight on.

    Corner 0 of the quad becomes the crop's top-left. What lies outside the photo is filled from
    its edge. Large tiles are averaged down, so that fine strokes do not alias.

    Args:
        image: (h, w, 3) uint8 photo.
        quads: (n, 4, 2) float corners in pixels, clockwise.
        width: pixels of a crop from left to right.
        height: pixels of a crop from top to bottom.

    Returns:
        (n, height, width, 3) uint8 crops, in the order of the quads.
    """
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    for crop, quad in zip(crops, quads, strict=True):
        scale = _oversampling(quad, width, height)
        size = (width * scale, height * scale)
        target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
        half_pixel = np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(quad - half_pixel, target - half_pixel)
        warped = cv2.warpPerspective(
            image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        if scale > 1:
            warped = cv2.resize(warped, (width, height), interpolation=cv2.INTER_AREA)
        crop[:] = warped
    return crops


def _oversampling(quad: NDArray[np.float32], width: int, height: int) -> int:
    """How many source pixels fall on one pixel of the crop along a side, at least 1."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    ratio = max(sides[[0, 2]].max() / width, sides[[1, 3]].max() / height)
    return int(np.clip(round(float(ratio)), 1, 8))
