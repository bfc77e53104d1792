"""The joint probabilities of several looks at one tile.

Log-probabilities are added. Looks at one tile err alike, the more so the more similar the pictures
are, so the sum of several looks counts as ::

    1 + (looks - 1) * independence

of them. The independence is the value with the least negative log-likelihood on rendered pictures
of held-out designs, some of them dim or out of focus; ``python -m benchmarks.hands.votes`` measures
it again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.vocabulary.odds import softmax

Chances = NDArray[np.float64]

OF_FRAMES: Final = 0.0
"""Independence, 0..1, of frames of one steady camera, which err alike.

Several looks settle which label is meant, but make it no more certain: their mean counts."""

OF_PHOTOS: Final = 0.2
"""Independence, 0..1, of photos taken from different places in different light."""

_FLOOR: Final = 1e-9
"""Minimum probability in logarithms, so that no single look excludes a label."""


def log_chances(probabilities: NDArray[np.floating]) -> Chances:
    """Natural logarithms of probabilities, which count as 1e-9 at least."""
    logs: Chances = np.log(np.maximum(probabilities.astype(np.float64), _FLOOR))
    return logs


def voted(
    sums: Chances, looks: NDArray[np.int64] | NDArray[np.float64], independence: float
) -> Chances:
    """The probabilities (n, k) of several looks together, each row summing to 1.

    Args:
        sums: (n, k) sums of :func:`log_chances` over the looks.
        looks: (n,) number of looks in each sum, at least 1.
        independence: 0 (all looks err alike) to 1 (each look is new evidence).
    """
    weights = (1 + (looks - 1) * independence) / looks
    return softmax(sums * weights[:, np.newaxis])
