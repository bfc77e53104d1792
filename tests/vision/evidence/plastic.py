"""Painted tables whose tiles have papers and prints of given colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Bgr = tuple[int, int, int]

IVORY: Bgr = (222, 236, 243)
GREEN: Bgr = (60, 130, 40)
BLACK: Bgr = (40, 38, 36)
RED: Bgr = (30, 30, 180)
CLOTH: Bgr = (120, 60, 30)


def coloured_table(
    quads: NDArray[np.float32], papers: Sequence[Bgr], prints: Sequence[Bgr | None]
) -> NDArray[np.uint8]:
    """Tiles on a blue cloth, (500, 900, 3), a spot of print in the middle of each that has one."""
    image = np.full((500, 900, 3), CLOTH, np.uint8)
    for quad, paper, ink in zip(quads, papers, prints, strict=True):
        cv2.fillConvexPoly(image, quad.astype(np.int32), paper)
        if ink is not None:
            x, y = quad.mean(axis=0)
            cv2.circle(image, (int(x), int(y)), 9, ink, -1)
    return image


def heavily_printed(quads: NDArray[np.float32], bare: int) -> NDArray[np.uint8]:
    """Ivory tiles on which print covers most of all faces but one."""
    image = coloured_table(quads, [IVORY] * len(quads), [None] * len(quads))
    for index, quad in enumerate(quads):
        if index != bare:
            middle = quad.mean(axis=0)
            reach = (middle + 0.62 * (quad - middle)).astype(np.int32)
            cv2.fillConvexPoly(image, reach, BLACK)
    return image
