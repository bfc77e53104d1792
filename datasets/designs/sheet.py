"""A contact sheet: the faces of several designs, one row each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.designs.drawing.design import Image, TileDesign


def contact_sheet(designs: Sequence[TileDesign], keys: Sequence[str], width: int = 60) -> Image:
    """The faces under ``keys`` of each design in a row, faces ``width`` pixels wide.

    Returns:
        ``(rows, columns, 3)`` uint8 BGR; a missing face has the colour of the design's back.
    """
    height = round(width * 1.36)
    rows = []
    for design in designs:
        cells = []
        for key in keys:
            cell = np.empty((height, width, 3), np.uint8)
            cell[:] = design.back_bgr
            if key in design.faces:
                face = design.faces[key]
                cell[1:-1, 1:-1] = cv2.resize(
                    face, (width - 2, height - 2), interpolation=cv2.INTER_AREA
                )
            cells.append(cell)
        rows.append(np.hstack(cells))
    return np.asarray(np.vstack(rows), np.uint8)
