"""Which doubtful finds are tiles, told by the hands that there are with or without them.

A hand with a tile too many, a set with one beside it or a concealed kong that lacks one is less
likely than a whole one; how much so, :mod:`vision.layout.seats` weighs.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.overlap import parts_of_others
from vision.layout.arrange import Layout, laid
from vision.vocabulary.labels import BONUS_COLUMNS, column

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

_DOUBTFUL: Final = (-3.0, 4.0)
"""Log-odds of being a tile between which the hands tell whether a find is one."""
_LEGIBLE: Final = 0.5
"""Probability of its likeliest label from which a find can become a tile so. What looks like a
flower or season cannot: keys and scraps of print near a hand do, and every hand may have some."""
_MOST: Final = 8
"""How many finds are doubted at most, those that are least clear."""
_MOST_DOWN: Final = 4
"""Of how many of those that lie face down two or three are made tiles at once, as a concealed kong
has."""


def by_hands(
    quads: NDArray[np.float32], probabilities: Doubles, odds: Doubles, told: Flags, possible: Flags
) -> Flags:
    """Which finds (n,) are tiles once the hands were read with and without each doubtful one.

    A find, if it is told already or legible, changes sides if the hands gain more by it than its
    odds say against it, first of all the one by which they gain most, and if there are hands of as
    many tiles as a hand has then and no fewer than before: where there are none, as on a sheet of
    all faces, hands tell nothing. Of two face-down tiles that a concealed kong lacks neither makes
    it whole alone, so such finds change sides by twos and threes as well.

    Args:
        quads: (n, 4, 2) face corners in pixels; corner 0 is the top-left as read upright.
        probabilities: (n, 45), each row summing to 1.
        odds: (n,) log-odds that each is a tile.
        told: (n,) which are taken for tiles.
        possible: (n,) which may be tiles, the told ones among them.
    """
    least, most = _DOUBTFUL
    between = possible & (odds > least) & (odds < most)
    shown = probabilities.argmax(axis=1)
    flowers = np.isin(shown, BONUS_COLUMNS)
    legible = ~flowers & (probabilities.max(axis=1) >= _LEGIBLE)
    doubtful = np.nonzero(between & (told | legible))[0]
    doubtful = doubtful[np.argsort(np.abs(odds[doubtful]), kind="stable")][:_MOST]
    if not len(doubtful) or not told.any():
        return told
    lacking = doubtful[(shown[doubtful] == column(BACK)) & ~told[doubtful]][:_MOST_DOWN].tolist()
    changes = [(index,) for index in doubtful.tolist()]
    changes += [each for size in (2, 3) for each in combinations(lacking, size)]
    against = np.where(told, odds, -odds)
    before = laid(quads[told], probabilities[told])
    while changes:
        others = [told ^ np.isin(np.arange(len(told)), change) for change in changes]
        layouts = [_laid(quads, probabilities, each) for each in others]
        cost = np.array([against[list(change)].sum() for change in changes])
        gains = np.array([layout.score for layout in layouts]) - before.score - cost
        gains[[layout.whole < max(before.whole, 1) for layout in layouts]] = -np.inf
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        told, before, made = others[best], layouts[best], set(changes[best])
        changes = [change for change in changes if made.isdisjoint(change)]
    return told


def _laid(quads: NDArray[np.float32], probabilities: Doubles, tiles: Flags) -> Layout:
    """How those (n,) of the finds lie; no hands if two would lie in the same place."""
    if parts_of_others(quads, tiles).any():
        return Layout((), ())
    return laid(quads[tiles], probabilities[tiles])
