"""The colours of found tiles: of the paper that print stands on, and whether print is darker."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.native import cv2
from vision.rectify import sides_of, smaller

Floats = NDArray[np.float32]

_SIZE: Final = (48, 36)
_EDGE: Final = 4
_INSIDE: Final = slice(_EDGE, -_EDGE)
_RING: Final = np.pad(np.ones((40, 28), np.bool_), _EDGE)
_RING[2 * _EDGE : -2 * _EDGE, 2 * _EDGE : -2 * _EDGE] = False
"""What print seldom covers: between four and eight pixels from the edge."""
_LIGHTNESS: Final = 0.5
"""How much a difference of lightness counts against one of colour: light falls unevenly."""
_EXTREMES: Final = (3.0, 97.0)
"""Percentiles of lightness that stand for the darkest and the lightest of a face, glints apart."""


class Papers:
    """The colours of the tiles of one picture, looked at when they are first asked for.

    Args:
        crops: (n, h, w, 3) uint8 BGR, flattened faces.
        quads: (n, 4, 2) float32 corners of the tiles in pixels.

    Attributes:
        middles: (n, 2) float32, where the tiles are.
        lengths: (n,) float32, their longer sides in pixels.
    """

    def __init__(self, crops: NDArray[np.uint8], quads: Floats) -> None:
        self._large = crops
        self.middles: Final[Floats] = quads.mean(axis=1)
        self.lengths: Final[Floats] = np.maximum(sides_of(quads)[1], 1e-6)

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

    def unlike(self, others: NDArray[np.intp], to: int) -> NDArray[np.float64]:
        """(m,) CIELAB distance of the papers of other tiles from that of one of them."""
        away = (self.colours[others] - self.colours[to]) * [_LIGHTNESS, 1.0, 1.0]
        return np.asarray(np.linalg.norm(away, axis=1), np.float64)

    def nearest(self, among: NDArray[np.intp], to: int, count: int) -> NDArray[np.intp]:
        """Which ``among`` the tiles are nearest to one of them, ``count`` at most."""
        away = np.linalg.norm(self.middles[among] - self.middles[to], axis=1)
        return among[np.argsort(away)[:count]]


def _lab(colours: NDArray[np.generic]) -> Floats:
    """CIELAB of (n, m, 3) BGR from 0 to 255."""
    return np.asarray(cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
