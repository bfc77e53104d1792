"""A picture of many tiles side by side, each with a caption, for people to check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]

_FACE: Final = (192, 144)
"""Height and width in pixels at which a face is shown."""
_CAPTION: Final = 34
"""Height in pixels of the line below a face."""
_EDGE: Final = 8
"""Margin in pixels around a face."""
_BASELINE: Final = 12
"""Pixels between the baseline of a caption and the bottom of its line."""
_LETTERS: Final = 0.6
"""Size of the letters, as a factor of OpenCV's font."""


def contact_sheet(crops: Sequence[Image], captions: Sequence[str], columns: int = 8) -> Image:
    """Lay the crops out in rows on white, each above its caption.

    Args:
        crops: at least one, each (h, w, 3) uint8 BGR.
        captions: one for each crop, a dozen Latin letters at most.
        columns: maximum number of crops in a row.

    Returns:
        (height, width, 3) uint8 BGR.
    """
    columns = min(columns, len(crops))
    cell_height, cell_width = _FACE[0] + _CAPTION + _EDGE, _FACE[1] + 2 * _EDGE
    rows = -(-len(crops) // columns)
    sheet = np.full((rows * cell_height + _EDGE, columns * cell_width, 3), 255, np.uint8)
    for index, (crop, caption) in enumerate(zip(crops, captions, strict=True)):
        top = index // columns * cell_height + _EDGE
        left = index % columns * cell_width + _EDGE
        face = cv2.resize(crop, (_FACE[1], _FACE[0]), interpolation=cv2.INTER_CUBIC)
        sheet[top : top + _FACE[0], left : left + _FACE[1]] = face
        place = (left, top + _FACE[0] + _CAPTION - _BASELINE)
        cv2.putText(sheet, caption, place, cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, (0, 0, 0), 1)
    return sheet
