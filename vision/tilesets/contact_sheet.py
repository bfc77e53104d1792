"""Pictures of many tiles side by side, each with a caption, for people to look over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]

_FACE: Final = (192, 144)
_CAPTION: Final = 34
_EDGE: Final = 8
_LETTERS: Final = 0.6


def contact_sheet(crops: Sequence[Image], captions: Sequence[str], columns: int = 8) -> Image:
    """The crops in rows on white, each above its caption.

    Args:
        crops: (h, w, 3) uint8 BGR each, at least one.
        captions: one for each, a dozen Latin letters at most.
        columns: how many to a row.

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
        place = (left, top + _FACE[0] + _CAPTION - 12)
        cv2.putText(sheet, caption, place, cv2.FONT_HERSHEY_SIMPLEX, _LETTERS, (0, 0, 0), 1)
    return sheet
