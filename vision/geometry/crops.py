"""Whether finds are tiles, by what lies around them: sides, edges, shadows, the table."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.quads import halved, rectify, widened

Floats = NDArray[np.float32]

SIZE: Final = (96, 72)
"""Height and width in pixels of what is looked at, of which the find is the middle half."""
_ENOUGH: Final = 50.0
"""Width in pixels at which tiles show enough; a picture of larger ones is halved first."""
_AROUND: Final = 0.5
"""How much more than the find it is on each side, as a share of its width and height."""


def with_surroundings(image: NDArray[np.uint8], quads: Floats) -> NDArray[np.uint8]:
    """Finds flattened with as much again around them: (n, 96, 72, 3) uint8 BGR.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
    """
    image, quads = halved(image, quads.astype(np.float32), _ENOUGH)
    return rectify(image, widened(quads, _AROUND), SIZE)
