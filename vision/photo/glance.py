"""A glance at a whole photo, without looking for tiles: is it light, sharp and large enough?

The page of the phone does the same before a photo is sent (``photo-check.js``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.photo.thresholds import (
    BLOWN_ABOVE,
    BRIGHTEST,
    BURNT,
    DARK_BELOW,
    GLANCE_BLOCK,
    GLANCE_BLURRED_BELOW,
    GLANCE_CONTRAST,
    GLANCE_FAINT,
    GLANCE_LEAST,
    GLANCE_QUANTILE,
    GLANCE_SHARE,
    GLANCE_SIDE,
    SMALL_PHOTO,
)
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]
Greys = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Glance:
    """What was measured on a whole photo.

    Attributes:
        side: pixels of its longer side.
        light: grey level 0..255 of its light parts.
        blown: share 0..1 of it that is burnt out.
        sharpness: how crisp its marks are where it has most contrast, from 0; None where it has
            none anywhere.
    """

    side: int
    light: float
    blown: float
    sharpness: float | None

    @property
    def fault(self) -> str:
        """The worst that is wrong: ``dark``, ``blown``, ``blurred`` or ``small``; or nothing."""
        if self.light < DARK_BELOW:
            return "dark"
        if self.blown > BLOWN_ABOVE:
            return "blown"
        if self.side < SMALL_PHOTO:
            return "small"
        blurred = self.sharpness is not None and self.sharpness < GLANCE_BLURRED_BELOW
        return "blurred" if blurred else ""


def glance(image: Image) -> Glance:
    """A glance at a photo (h, w, 3) uint8 BGR."""
    longer = max(image.shape[:2])
    scale = min(1.0, GLANCE_SIDE / longer)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    return Glance(
        longer,
        float(np.percentile(grey, BRIGHTEST)),
        float((grey >= BURNT).mean()),
        _sharpness(grey),
    )


def _sharpness(grey: Greys) -> float | None:
    """Fine detail over contrast, in the direction of less, where there is most contrast."""
    contrast = _squares(grey).var(axis=1)
    if contrast.max(initial=0.0) < GLANCE_CONTRAST:
        return None
    count = max(GLANCE_LEAST, int(GLANCE_SHARE * len(contrast)))
    most = np.argsort(-contrast, kind="stable")[:count]
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, 1:-1] = grey[:, 2:] + grey[:, :-2] - 2 * grey[:, 1:-1]
    down[1:-1] = grey[2:] + grey[:-2] - 2 * grey[1:-1]
    detail = [(_squares(way) ** 2).mean(axis=1)[most] for way in (across, down)]
    ratios = np.stack(detail) / (contrast[most] + GLANCE_FAINT)
    return float(np.quantile(ratios, GLANCE_QUANTILE, axis=1, method="lower").min())


def _squares(values: Greys) -> Greys:
    """The whole squares of a picture (h, w), each in a row."""
    rows, columns = (side // GLANCE_BLOCK for side in values.shape)
    whole = values[: rows * GLANCE_BLOCK, : columns * GLANCE_BLOCK]
    parted = whole.reshape(rows, GLANCE_BLOCK, columns, GLANCE_BLOCK).transpose(0, 2, 1, 3)
    squares: Greys = parted.reshape(rows * columns, GLANCE_BLOCK**2)
    return squares
