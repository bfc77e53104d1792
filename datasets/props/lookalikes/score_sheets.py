"""Handwritten score sheets, on which a number in a ruled cell resembles a tile."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]

WORDS: Final = ("TEA", "MILK", "Esc", "F10", "Insert", "SALE", "No. 5", "Enter", "Club", "U3A")
FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)
_PENS: Final = ((120, 60, 30), (60, 40, 40), (150, 70, 20), (40, 30, 170))


def draw_score_sheet(rng: Generator) -> Image:
    """Ruled paper with a handwritten letter, number or name in most cells."""
    rows, columns = int(rng.integers(3, 15)), int(rng.integers(2, 14))
    cell = (int(rng.integers(26, 60)), int(rng.integers(20, 90)))
    top, left = int(rng.integers(0, 70)), int(rng.integers(0, 50))
    image = np.empty((rows * cell[0] + top + 12, columns * cell[1] + left + 12, 3), np.uint8)
    image[:] = rng.integers(200, 256) - rng.integers(0, 30, 3)
    line = [int(c) for c in image[0, 0] * rng.uniform(0.45, 0.97)]
    thick = int(rng.integers(1, 3))
    for row in range(rows + 1):
        y = top + row * cell[0]
        cv2.line(image, (left, y), (left + columns * cell[1], y), line, thick)
    for column in range(columns + 1 if rng.random() < 0.8 else 0):
        x = left + column * cell[1]
        cv2.line(image, (x, top), (x, top + rows * cell[0]), line, thick)
    pen = [int(c) for c in _PENS[int(rng.integers(len(_PENS)))]]
    font, filled = FONTS[int(rng.integers(len(FONTS)))], rng.uniform(0.4, 1.0)
    for row in range(rows):
        for column in range(columns):
            if rng.random() > filled:
                continue
            text = "ESWN"[column % 4] if row == 0 else str(int(rng.integers(-999, 1500)))
            if rng.random() < 0.1:
                text = str(rng.choice(WORDS))
            size = cell[0] / rng.uniform(38, 75)
            spot = (left + column * cell[1] + 4, top + row * cell[0] + cell[0] * 3 // 4)
            cv2.putText(image, text, spot, font, size, pen, int(rng.integers(1, 3)), cv2.LINE_AA)
    return image
