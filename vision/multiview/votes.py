"""What several looks at the same tile say together.

The logarithms of the probabilities are added. Looks at the same tile err alike, the more so the
more alike the pictures are, so the sum counts as fewer looks than it holds: as ::

    1 + (looks - 1) * independence

of them. The independence was found by the least negative log-likelihood on rendered pictures of
held-out designs, some of them dim or out of focus; ``python -m benchmarks.hands.votes`` finds it
again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]

OF_FRAMES: Final = 0.0
"""Independence, 0..1, of frames of one steady camera: they err alike.

Their mean counts: several looks settle which label is meant, but make nobody surer. (On 24 hands
the negative log-likelihood is 0.16 at 0, 0.20 at 0.1 and 0.40 at 0.5.)"""

OF_PHOTOS: Final = 0.2
"""Independence of photos taken from different places in different light.

(On 24 hands 0.0204 at 0, 0.0177 at 0.2, 0.0191 at 0.5 and 0.0242 at 1.)"""

_FLOOR: Final = 1e-9


def log_chances(probabilities: NDArray[np.floating]) -> Chances:
    """Logarithms of probabilities, with a floor so that no single look rules a label out."""
    logs: Chances = np.log(np.maximum(probabilities.astype(np.float64), _FLOOR))
    return logs


def voted(
    sums: Chances, looks: NDArray[np.int64] | NDArray[np.float64], independence: float
) -> Chances:
    """The probabilities (n, k) that summed looks come to, each row summing to 1.

    Args:
        sums: (n, k) sums of :func:`log_chances`.
        looks: (n,) how many looks each sum holds, at least 1.
        independence: 0 (all looks say the same) to 1 (each is new evidence).
    """
    weights = (1 + (looks - 1) * independence) / looks
    scores = sums * weights[:, np.newaxis]
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Chances = chances / chances.sum(axis=1, keepdims=True)
    return shares
