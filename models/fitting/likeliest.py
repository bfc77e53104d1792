"""Weights of a rule that tells labels from stated terms, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

Doubles = NDArray[np.float64]

_DECAY: Final = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """What models make of n tiles, and what these show.

    Attributes:
        terms: (n, labels, k) what each weight is multiplied with for each label.
        labels: (n,) int64 indices of the true ones.
    """

    terms: Doubles
    labels: NDArray[np.int64]

    def right(self, weights: Doubles) -> float:
        """The share read right with these weights (k,)."""
        return float(((self.terms @ weights).argmax(axis=1) == self.labels).mean())


def likeliest_weights(terms: Doubles, labels: NDArray[np.int64]) -> Doubles:
    """The weights (k,) with the least negative log-likelihood of a softmax.

    Args:
        terms: (n, labels, k) what each weight is multiplied with for each label.
        labels: (n,) indices of the true ones.
    """
    every = np.arange(len(labels))

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        scores = terms @ weights
        total = logsumexp(scores, axis=1)
        chances = np.exp(scores - total[:, np.newaxis])
        value = float((total - scores[every, labels]).mean()) + _DECAY * float(weights @ weights)
        slope = np.einsum("nk,nkf->f", chances, terms) - terms[every, labels].sum(axis=0)
        return value, slope / len(labels) + 2 * _DECAY * weights

    start = np.zeros(terms.shape[2])
    start[0] = 1
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x, np.float64)
