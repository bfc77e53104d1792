"""Probabilities as log-odds, in which independent evidence adds up, and the likeliest of some."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

_NEVER: Final = 1e-6
"""Smallest difference of a probability from 0 or 1, which keeps log-odds finite."""


def log_odds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Log-odds (n,) of probabilities (n,), which are first clipped to keep them finite."""
    odds: NDArray[np.float64] = logit(np.clip(chances.astype(np.float64), _NEVER, 1 - _NEVER))
    return odds


def likeliest(
    chances: NDArray[np.floating], wanted: NDArray[np.bool_], most: int
) -> NDArray[np.bool_]:
    """Which of the ``wanted`` (n,) are among the ``most`` with the highest probabilities (n,)."""
    ranked = np.argsort(np.where(wanted, -chances, np.inf), kind="stable")[: max(most, 0)]
    chosen = np.zeros(len(chances), np.bool_)
    chosen[ranked] = True
    return chosen & wanted
