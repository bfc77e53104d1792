"""Finds side by side that look like backs, as in a concealed kong: little else lies so."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.quads import sides_of

_BETWEEN: Final = (0.6, 2.0)
"""How far apart the middles of two that lie beside each other are, in their shorter sides."""
_ASTRAY: Final = 0.5
"""How far from midway between the other two the one between them lies at most, likewise."""
_TINY: Final = 1e-6
_LARGER: Final = 1.35
"""How many times as wide as the narrowest of those side by side the widest is at most."""


def in_rows(quads: NDArray[np.float32], backs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which finds (n,) lie side by side with two others that look like backs, as they do.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        backs: (n,) which of them look like backs.
    """
    told = np.zeros(len(quads), np.bool_)
    which = np.nonzero(backs)[0]
    middles, shorter = quads[which].mean(axis=1), sides_of(quads[which])[0]
    near = _near(middles, shorter)
    for place in range(len(which)):
        to = middles - middles[place]
        for one, other in combinations(np.nonzero(near[place])[0].tolist(), 2):
            three = [one, place, other]
            alike = shorter[three].max() <= _LARGER * shorter[three].min()
            if alike and np.linalg.norm(to[one] + to[other]) <= _ASTRAY * shorter[place]:
                told[which[three]] = True
    return told


def in_pairs(quads: NDArray[np.float32], backs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which finds (n,) that look like backs lie beside another that does and is as large.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        backs: (n,) which of them look like backs.
    """
    told = np.zeros(len(quads), np.bool_)
    which = np.nonzero(backs)[0]
    shorter = sides_of(quads[which])[0]
    larger = shorter[:, np.newaxis] / np.maximum(shorter, _TINY)
    alike = np.maximum(larger, larger.T) <= _LARGER
    told[which] = (_near(quads[which].mean(axis=1), shorter) & alike).any(axis=1)
    return told


def _near(middles: NDArray[np.float32], shorter: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(m, m) which finds lie beside each, by how far off their middles (m, 2) are."""
    away = np.linalg.norm(middles[:, np.newaxis] - middles, axis=2)
    away /= np.maximum(shorter, _TINY)[:, np.newaxis]
    return np.asarray((away > _BETWEEN[0]) & (away < _BETWEEN[1]), np.bool_)
