"""Tiles in hand lie face up: one that seems to lie face down may be a plain white dragon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS

Doubles = NDArray[np.float64]

_BACK: Final = READING_LABELS.index(BACK)
_ODDS: Final = 50.0
"""How much likelier tiles that are shown to be counted lie face up in hand than elsewhere."""


def with_faces_up(probabilities: Doubles, hand: Sequence[int]) -> Doubles:
    """What n tiles show, (n, 45), once it is known which lie in a hand.

    A tile that surely lies face down stays one.

    Args:
        probabilities: each row sums to 1.
        hand: the tiles in hand.
    """
    changed = probabilities.copy()
    changed[list(hand), _BACK] /= _ODDS
    told: Doubles = changed / changed.sum(axis=1, keepdims=True)
    return told
