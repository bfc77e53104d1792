"""Probabilities as log-odds, in which independent evidence adds up."""

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
