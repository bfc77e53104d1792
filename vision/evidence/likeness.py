"""Tiles of one set that look unlike each other show different faces, and alike ones the same.

A face that is hard to read by itself is told by those beside it that are not: a six of bamboo that
looks unlike all sure eights is none. Every pair of tiles multiplies the odds of both showing the
same by how much likelier that makes their embeddings' cosine; what all pairs say together is found
by mean-field iteration ("An Introduction to Variational Methods for Graphical Models", Jordan and
others, Machine Learning 37, 1999).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from scorer.tiles import BACK, BLANK, OTHER
from vision.vocabulary.labels import column

EVEN: Final = 0.9
"""Cosine of two embeddings that tells neither way: of the benchmark's pairs that may show the same,
97 % of those that do reach it and 2 % of the others."""
SLOPE: Final = 12.0
"""How fast the logarithm of the odds grows with the cosine,"""
AGAINST: Final = -1.3
"""its least"""
FOR: Final = 0.3
"""and its most: what makes one copy hard to read mostly does so to all."""
ALIKE: Final = (0.96, 0.97)
"""But between these cosines it rises for pictures that are the same in all that can be seen: 5802
pairs on 120 deals of held-out designs and on the benchmark reach the lower, and none differs,"""
MORE: Final = 2.0
"""by so much."""
_ROUNDS: Final = 6
_LEAST: Final = 1e-9
"""Less than this no probability is taken to be."""
_SILENT: Final = np.array([column(label) for label in (BACK, BLANK, OTHER, "5z")])
"""Labels of tiles that may look unlike and yet be the same, or show nothing to compare."""


def with_likeness(
    probabilities: NDArray[np.float64],
    embeddings: NDArray[np.float32],
    scores: NDArray[np.floating],
) -> NDArray[np.float64]:
    """The probabilities (n, 45) after all tiles were held against each other.

    Args:
        probabilities: (n, 45), each row summing to 1.
        embeddings: (n, d) of unit length.
        scores: (n,) from 0 to 1, how likely each is a tile at all: what is none says nothing.
    """
    cosines = embeddings @ embeddings.T
    same = np.clip(SLOPE * (cosines - EVEN), AGAINST, FOR)
    same += MORE * np.clip((cosines - ALIKE[0]) / (ALIKE[1] - ALIKE[0]), 0, 1)
    np.fill_diagonal(same, 0)
    heard = same * scores
    alone = np.log(np.maximum(probabilities, _LEAST))
    shared, told = probabilities, probabilities
    for _ in range(_ROUNDS):
        faces = shared.copy()
        faces[:, _SILENT] = 0
        told = softmax(alone + heard @ faces, axis=1)
        shared = (shared + told) / 2
    return told
