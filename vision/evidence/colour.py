"""Colours of found tiles: of the paper, whether print is darker, whether the table has them."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.crops import smaller
from vision.runtime.opencv import cv2

Floats = NDArray[np.float32]

_SIZE: Final = (48, 36)
_EDGE: Final = 4
_INSIDE: Final = slice(_EDGE, -_EDGE)
_RING: Final = np.pad(np.ones((40, 28), np.bool_), _EDGE)
_RING[2 * _EDGE : -2 * _EDGE, 2 * _EDGE : -2 * _EDGE] = False
"""What print seldom covers: between four and eight pixels from the edge."""
_LIGHTNESS: Final = 0.5
"""How much a difference of lightness counts against one of colour: light falls unevenly."""
_ACROSS: Final = 96
"""Width in pixels of the picture in which the colours of the table are looked up."""
_FINER: Final = 4
"""How many times as wide is what that is shrunk from; finer detail of a photo is left out."""
_SPREAD: Final = 1.7
"""How much larger than its quad, on which its sides may border, is what may be a tile's."""
_SAME: Final = 7.0
"""CIELAB distance up to which the table has a tile's colour."""
_LEAST_TABLE: Final = 30
"""Fewer pixels than that tell nothing of a table."""
_EXTREMES: Final = (3.0, 97.0)
"""Percentiles of lightness that stand for the darkest and the lightest of a face, glints apart."""


class Papers:
    """The colours of the tiles of one picture, looked at when they are first asked for.

    Args:
        image: (h, w, 3) uint8 BGR, the picture.
        crops: (n, h, w, 3) uint8 BGR, flattened faces.
        quads: (n, 4, 2) float32 corners of the tiles in pixels.

    Attributes:
        quads: as given.
        middles: (n, 2) float32, where the tiles are.
    """

    def __init__(self, image: NDArray[np.uint8], crops: NDArray[np.uint8], quads: Floats) -> None:
        self._image, self._large = image, crops
        self.quads: Final[Floats] = quads
        self.middles: Final[Floats] = quads.mean(axis=1)

    @cached_property
    def _crops(self) -> NDArray[np.uint8]:
        return smaller(self._large, _SIZE)

    @cached_property
    def _lightness(self) -> Floats:
        inside = self._crops[:, _INSIDE, _INSIDE]
        return _lab(inside.reshape(len(inside), -1, 3))[..., 0]

    @cached_property
    def colours(self) -> Floats:
        """(n, 3) CIELAB colour of the paper: of most of what lies around the print."""
        return _lab(np.median(self._crops[:, _RING], axis=1)[:, np.newaxis])[:, 0]

    @cached_property
    def light(self) -> Floats:
        """(n,) CIELAB lightness of the paper, or what a quarter of the face exceeds if lighter."""
        return np.maximum(self.colours[:, 0], np.percentile(self._lightness, 75, axis=1))

    @cached_property
    def print_lighter(self) -> Floats:
        """(n,) by how much CIELAB lightness print is lighter than the paper; below 0 if darker.

        Of a face with both it is the lighter print's distance from the paper less the darker's.
        """
        darkest, lightest = np.percentile(self._lightness, _EXTREMES, axis=1)
        lighter: Floats = darkest + lightest - 2 * self.colours[:, 0]
        return lighter

    @cached_property
    def _table(self) -> Floats:
        """(m, 3) CIELAB colours of what lies beside the tiles."""
        height, width = self._image.shape[:2]
        extent = (_ACROSS, max(1, round(_ACROSS * height / width)))
        step = max(1, width // (_FINER * _ACROSS))
        small = cv2.resize(self._image[::step, ::step], extent, interpolation=cv2.INTER_AREA)
        middles = self.middles[:, np.newaxis]
        spread = (self.quads - middles) * _SPREAD + middles
        taken = np.zeros(extent[::-1], np.uint8)
        for quad in spread * np.float32(_ACROSS / width):
            cv2.fillConvexPoly(taken, quad.astype(np.int32), 1)
        return np.asarray(_lab(small.reshape(1, -1, 3))[0][taken.ravel() == 0], np.float32)

    def elsewhere(self, index: int) -> float:
        """The share, 0 to 1, of the picture beside the tiles that has the colour of one of them."""
        if len(self._table) < _LEAST_TABLE:
            return 0.0
        return float((_distances(self._table, self.colours[index]) < _SAME).mean())

    def unlike(
        self, among: NDArray[np.intp], index: int, most: float, share: float = 0.0
    ) -> float | None:
        """CIELAB distance, ``most`` at most, of a tile's paper from the most like among the others.

        With a ``share``, 0 to 1, so many of the others are left out first, the most alike. None
        where there is no other among them.
        """
        others = among[among != index]
        if not len(others):
            return None
        away = np.sort(_distances(self.colours[others], self.colours[index]))
        return min(float(away[int(share * (len(away) - 1))]), most)

    def nearest(self, among: NDArray[np.intp], to: int, count: int) -> NDArray[np.intp]:
        """Which ``among`` the tiles are nearest to one of them, ``count`` at most."""
        away = np.linalg.norm(self.middles[among] - self.middles[to], axis=1)
        return among[np.argsort(away)[:count]]


def _distances(colours: Floats, colour: Floats) -> NDArray[np.float64]:
    """(m,) how far each of (m, 3) CIELAB colours is from one of them (3,)."""
    away = (colours - colour) * [_LIGHTNESS, 1.0, 1.0]
    return np.asarray(np.linalg.norm(away, axis=1), np.float64)


def _lab(colours: NDArray[np.generic]) -> Floats:
    """CIELAB of (n, m, 3) BGR from 0 to 255."""
    return np.asarray(cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
