"""The log-linear rule by which what several models read on one tile is combined.

Each model gives every label of a group a probability. The combined probabilities are proportional
to the product of these, each raised to the power of its fitted weight: a product of experts
("Training products of experts by minimizing contrastive divergence", Hinton, Neural Computation 14,
2002). The group as a whole keeps the probability that it had.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.runtime.weights import Weights

Floats = NDArray[np.float32]


def logarithms(*experts: tuple[NDArray[np.floating], float]) -> Floats:
    """The terms of the rule, (n, labels, experts).

    Args:
        experts: of each its probabilities (n, labels), and the limit below which they are raised
            to it, since no model is proof.
    """
    terms = np.stack([np.log(np.maximum(read, least)) for read, least in experts], axis=2)
    return np.asarray(terms, np.float32)


def combined(terms: Floats, weights: Weights, before: Floats) -> Floats:
    """The combined probabilities (n, labels), each row with the sum that it has in ``before``.

    Args:
        terms: (n, labels, experts) logarithms of probabilities.
        weights: of the experts, in the same order.
        before: (n, labels) probabilities.
    """
    scores = terms @ weights.vector().astype(np.float32)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares *= before.sum(axis=1, keepdims=True) / shares.sum(axis=1, keepdims=True)
    return np.asarray(shares, np.float32)
