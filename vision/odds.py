"""Chances as log-odds, in which independent clues add up."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

_NEVER: Final = 1e-6


def log_odds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Log-odds (n,) of chances (n,), counted as no less than a millionth from either end."""
    odds: NDArray[np.float64] = logit(np.clip(chances.astype(np.float64), _NEVER, 1 - _NEVER))
    return odds
