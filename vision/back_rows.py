"""Finds side by side that all look like backs, as in a concealed kong: little else lies so."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.rectify import sides_of

_BETWEEN: Final = (0.6, 2.0)
"""How far apart the middles of two that lie beside each other are, in their shorter sides."""
_ASTRAY: Final = 0.5
"""How far from midway between the other two the one between them lies at most, likewise."""
_LARGER: Final = 1.35
"""How many times as wide as the narrowest of the three the widest is at most."""


def in_rows(quads: NDArray[np.float32], backs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which finds (n,) lie side by side with two others that look like backs, as they do.

    Args:
        quads: (n, 4, 2) corners of the finds in pixels.
        backs: (n,) which of them look like backs.
    """
    told = np.zeros(len(quads), np.bool_)
    which = np.nonzero(backs)[0]
    middles, shorter = quads[which].mean(axis=1), sides_of(quads[which])[0]
    for place in range(len(which)):
        to = middles - middles[place]
        away = np.linalg.norm(to, axis=1) / shorter[place]
        near = np.nonzero((away > _BETWEEN[0]) & (away < _BETWEEN[1]))[0]
        for one, other in combinations(near.tolist(), 2):
            three = [one, place, other]
            alike = shorter[three].max() <= _LARGER * shorter[three].min()
            if alike and np.linalg.norm(to[one] + to[other]) <= _ASTRAY * shorter[place]:
                told[which[three]] = True
    return told
