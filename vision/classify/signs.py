"""Signs read through small windows: a number, or the name of a flower or season.

A window shows a corner of a tile, or another part of it where a sign may stand alone. A model
classifies which sign it holds, if any, whatever the picture on the tile is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES
from vision.classify.crop_reader import CropReader
from vision.errors import ModelError
from vision.messages import say

Floats = NDArray[np.float32]

NUMBERS: Final = tuple("123456789")
SIGNS: Final = ("none", *NUMBERS, *BONUS_TILES)
"""What a window may hold: no sign, a number, or the character or word that names a flower or
season."""
NONE: Final = 0
"""Index in :data:`SIGNS` of no sign; the index of each number is the number itself."""
FIRST_CHARACTER: Final = 1 + len(NUMBERS)
"""Index in :data:`SIGNS` of the first flower's name."""
WINDOW: Final = 40
"""Side of a window in pixels."""
LEGIBLE: Final = 0.5
"""Minimum probability of one sign for it to count as legible."""


class OnnxSigns:
    """The shipped reader of signs.

    Raises:
        ModelError: its windows are of another size.
    """

    def __init__(self, reader: CropReader) -> None:
        if reader.size != (WINDOW, WINDOW):
            raise ModelError(say("model.other_tiles", file=reader.entry.file))
        self._reader = reader

    @classmethod
    def load(cls, threads: int = 1) -> OnnxSigns:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels or windows.
        """
        return cls(CropReader.load("signs", SIGNS, threads))

    def read(self, windows: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, k, 18) of :data:`SIGNS` in windows (n, k, 40, 40, 3) uint8 BGR."""
        read = self._reader.read(windows.reshape(-1, *windows.shape[2:]))
        return read.reshape(*windows.shape[:2], len(SIGNS))


def corners(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The corners of faces (n, h, w, 3): upper left and right, lower left and right.

    Returns:
        (n, 4, side, side, 3).
    """
    height, width = faces.shape[1:3]
    down, right = height - side, width - side
    places = ((0, 0), (0, right), (down, 0), (down, right))
    return np.stack([faces[:, y : y + side, x : x + side] for y, x in places], axis=1)
