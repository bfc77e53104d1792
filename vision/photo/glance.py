"""A glance at a whole photo, without detecting tiles: is it light, sharp and large enough?

The page computes the same in the browser before a photo is sent (``photo-check.js``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.photo.thresholds import BURNT, GLANCE, TILES
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]
Greys = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Glance:
    """The quality of a whole photo.

    Attributes:
        side: longer side in pixels.
        light: grey level, 0..255, of its light parts.
        blown: share, 0..1, of burnt-out pixels.
        sharpness: fine detail over contrast, from 0, where contrast is highest; None where there is
            no contrast anywhere.
    """

    side: int
    light: float
    blown: float
    sharpness: float | None

    @property
    def fault(self) -> str:
        """The worst fault, ``dark``, ``blown``, ``blurred`` or ``small``, or empty."""
        if self.light < TILES.dark:
            return "dark"
        if self.blown > GLANCE.blown:
            return "blown"
        if self.side < GLANCE.small:
            return "small"
        blurred = self.sharpness is not None and self.sharpness < GLANCE.blurred
        return "blurred" if blurred else ""


def glance(image: Image) -> Glance:
    """The quality of a photo (h, w, 3) uint8 BGR at a glance."""
    longer = max(image.shape[:2])
    scale = min(1.0, GLANCE.side / longer)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    return Glance(
        longer,
        float(np.percentile(grey, GLANCE.brightest)),
        float((grey >= BURNT).mean()),
        _sharpness(grey),
    )


def _sharpness(grey: Greys) -> float | None:
    """Sharpness of a photo (h, w) in grey: across or down, whichever has less detail."""
    contrast = _squares(grey).var(axis=1)
    if contrast.max(initial=0.0) < GLANCE.contrast:
        return None
    count = max(GLANCE.least, int(GLANCE.share * len(contrast)))
    most = np.argsort(-contrast, kind="stable")[:count]
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, 1:-1] = grey[:, 2:] + grey[:, :-2] - 2 * grey[:, 1:-1]
    down[1:-1] = grey[2:] + grey[:-2] - 2 * grey[1:-1]
    detail = [(_squares(way) ** 2).mean(axis=1)[most] for way in (across, down)]
    ratios = np.stack(detail) / (contrast[most] + GLANCE.faint)
    return float(np.quantile(ratios, GLANCE.quantile, axis=1, method="lower").min())


def _squares(values: Greys) -> Greys:
    """The squares of a picture (h, w), one in each row, without what is left at its edges."""
    rows, columns = (side // GLANCE.block for side in values.shape)
    whole = values[: rows * GLANCE.block, : columns * GLANCE.block]
    parted = whole.reshape(rows, GLANCE.block, columns, GLANCE.block).transpose(0, 2, 1, 3)
    squares: Greys = parted.reshape(rows * columns, GLANCE.block**2)
    return squares
