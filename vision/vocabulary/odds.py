"""Probabilities as log-odds, in which independent evidence adds up, and the likeliest of some.

SciPy has all of this, but to import it takes as long as to read a photo.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_NEVER: Final = 1e-6
"""Smallest difference of a probability from 0 or 1, which keeps log-odds finite."""


def log_odds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Log-odds (n,) of probabilities (n,), which are first clipped to keep them finite."""
    clipped = np.clip(chances.astype(np.float64), _NEVER, 1 - _NEVER)
    odds: NDArray[np.float64] = np.log(clipped) - np.log1p(-clipped)
    return odds


def chances_of(odds: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities (n,) of log-odds (n,): the inverse of :func:`log_odds` within its limits."""
    chances: NDArray[np.float64] = 0.5 + 0.5 * np.tanh(0.5 * odds.astype(np.float64))
    return chances


def softmax(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities (n, k), each row proportional to the exponentials of scores (n, k)."""
    odds = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.float64))
    chances: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
    return chances


def likeliest(
    chances: NDArray[np.floating], wanted: NDArray[np.bool_], most: int
) -> NDArray[np.bool_]:
    """Which of the ``wanted`` (n,) are among the ``most`` with the highest probabilities (n,)."""
    ranked = np.argsort(np.where(wanted, -chances, np.inf), kind="stable")[: max(most, 0)]
    chosen = np.zeros(len(chances), np.bool_)
    chosen[ranked] = True
    return chosen & wanted
