"""Which doubtful detections are tiles, by the hands that result with and without them.

A hand with a tile too many, a meld with a tile beside it or a concealed kong that lacks one is less
likely than a complete one; :mod:`vision.layout.seats` computes the log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Doubt:
    """Which detections the layout of hands may accept or reject.

    Attributes:
        odds: log-odds of being a tile, least and most, between which a detection is doubtful.
        legible: least probability of the likeliest label of a detection that may be accepted. One
            read as a flower or season never is: keys and scraps of print near a hand are read so,
            and any hand may have flowers.
        most: maximum number of doubtful detections, the least certain ones.
        most_down: maximum number of face-down ones of which two or three may be accepted at once,
            as a concealed kong needs them.
    """

    odds: tuple[float, float] = (-3.0, 4.0)
    legible: float = 0.5
    most: int = 8
    most_down: int = 4


DOUBT: Final = Doubt()


def by_hands(
    quads: NDArray[np.float32],
    probabilities: Doubles,
    odds: Doubles,
    accepted: Flags,
    possible: Flags,
) -> Flags:
    """Accept or reject doubtful detections by the hands that result with and without them.

    A doubtful detection that is accepted already, or legible, changes sides if the score of the
    hands rises by more than its log-odds speak against it, and if there are then complete hands,
    no fewer than before; without complete hands, as on a sheet of all faces, the hands say nothing.
    The change with the largest gain is made first. Neither of two face-down tiles that a concealed
    kong lacks completes it alone, so face-down detections also change sides by twos and threes.

    Args:
        quads: (n, 4, 2) float32 face corners in pixels; corner 0 is the top-left as read upright.
        probabilities: (n, 45), each row summing to 1.
        odds: (n,) log-odds that each detection is a tile.
        accepted: (n,) bool, which are accepted as tiles so far.
        possible: (n,) bool, which may be tiles, the accepted ones among them.

    Returns:
        (n,) bool, which are tiles.
    """
    least, most = DOUBT.odds
    between = possible & (odds > least) & (odds < most)
    shown = probabilities.argmax(axis=1)
    flowers = np.isin(shown, BONUS_COLUMNS)
    legible = ~flowers & (probabilities.max(axis=1) >= DOUBT.legible)
    doubtful = np.nonzero(between & (accepted | legible))[0]
    doubtful = doubtful[np.argsort(np.abs(odds[doubtful]), kind="stable")][: DOUBT.most]
    if not len(doubtful) or not accepted.any():
        return accepted
    lacking = doubtful[(shown[doubtful] == column(BACK)) & ~accepted[doubtful]][
        : DOUBT.most_down
    ].tolist()
    changes = [(index,) for index in doubtful.tolist()]
    changes += [each for size in (2, 3) for each in combinations(lacking, size)]
    against = np.where(accepted, odds, -odds)
    before = laid(quads[accepted], probabilities[accepted])
    while changes:
        others = [accepted ^ np.isin(np.arange(len(accepted)), change) for change in changes]
        layouts = [_laid(quads, probabilities, each) for each in others]
        cost = np.array([against[list(change)].sum() for change in changes])
        gains = np.array([layout.score for layout in layouts]) - before.score - cost
        gains[[layout.whole < max(before.whole, 1) for layout in layouts]] = -np.inf
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        accepted, before, made = others[best], layouts[best], set(changes[best])
        changes = [change for change in changes if made.isdisjoint(change)]
    return accepted


def _laid(quads: NDArray[np.float32], probabilities: Doubles, tiles: Flags) -> Layout:
    """The layout of the chosen detections; an empty one if two of them lie in the same place."""
    if parts_of_others(quads, tiles).any():
        return Layout((), ())
    return laid(quads[tiles], probabilities[tiles])
