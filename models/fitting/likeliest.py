"""What a fit finds, and the maximum-likelihood weights of a rule that is log-linear in terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from vision.runtime.weights import Weights

Doubles = NDArray[np.float64]
W = TypeVar("W", bound=Weights)

_DECAY: Final = 1e-5
"""Weight of the squared weights in the loss, so that a term that is always 0 gets none."""
_DIGITS: Final = 2
"""Digits after the decimal point that are kept of a fitted number."""


class Fitted(NamedTuple):
    """What a fit found.

    Attributes:
        weights: the numbers, of one decision or of several.
        report: what they are worth, in lines for people.
    """

    weights: Sequence[Weights]
    report: Sequence[str]


def rounded(kind: type[W], found: Doubles) -> W:
    """Fitted numbers (k,), in the order of the fields of ``kind``, as they are kept."""
    return kind(*(round(float(number), _DIGITS) for number in found))


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
