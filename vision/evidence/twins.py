"""Tiles that look alike are no flower or season of which the set has but one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.vocabulary.copies import NO_CHANGES, copies_of_each

ALIKE: Final = 0.9
"""Cosine of two tiles' embeddings from which they are taken to show the same: half of all tiles
that have a copy in the photo reach 0.97, flowers and seasons of one set mostly stay below 0.86."""
AGAINST: Final = 2.0
"""Log-odds against a tile's being one of a kind for each other that looks the same. On three sets
that nothing was trained on one such other put three of seven misread birds and flowers right and
none wrong,"""
_COUNTED: Final = 3
"""and no more than this many others count, since no face has more copies."""


def with_twins(
    probabilities: NDArray[np.float64],
    embeddings: NDArray[np.float32],
    copies: Mapping[str, int] = NO_CHANGES,
) -> NDArray[np.float64]:
    """The probabilities (n, 45) after tiles that look the same were held against each other.

    Args:
        probabilities: (n, 45), each row summing to 1.
        embeddings: (n, d) of unit length.
        copies: how many of a face the set has, where it is not the usual number.
    """
    cosines = embeddings @ embeddings.T
    np.fill_diagonal(cosines, -1)
    twins = np.minimum((cosines >= ALIKE).sum(axis=1), _COUNTED)
    numbers = copies_of_each(copies)
    single = np.array([numbers.get(label) == 1 for label in READING_LABELS])
    doubt = np.exp(-AGAINST * twins)[:, np.newaxis]
    changed = np.where(single, doubt, 1.0) * probabilities
    changed /= changed.sum(axis=1, keepdims=True)
    return changed
