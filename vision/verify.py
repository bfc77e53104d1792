"""A second look at what the detector finds, flattened out of the full photo with its surroundings.

What a find shows may look like a tile and still be a key, a card or a square of a cloth: a tile has
sides, edges and a shadow. Detector and verifier together say how likely a find is one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from vision.odds import log_odds
from vision.sessions import Model, load_model
from vision.surroundings import with_surroundings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

WEIGHTS: Final[Doubles] = np.array([1.84, 0.63, -0.56])
"""Of the log-odds of the detector's score, of the verifier's, and of 1
(:mod:`models.fit_verifier`)."""


class OnnxVerifier:
    """The shipped verifier of finds."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @classmethod
    def load(cls, threads: int = 1) -> OnnxVerifier:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing or damaged.
        """
        return cls(load_model("verifier", threads=threads))

    def verified(self, image: NDArray[np.uint8], quads: Floats, scores: Floats) -> Floats:
        """The chances (n,) that finds are tiles.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) corners in pixels.
            scores: (n,) of the detector, 0..1.
        """
        if not len(quads):
            return scores
        odds = self.terms(image, quads, scores) @ WEIGHTS
        return np.asarray(expit(odds), np.float32)

    def terms(self, image: NDArray[np.uint8], quads: Floats, scores: Floats) -> Doubles:
        """(n, 3) what the three weights are multiplied with, of the same."""
        around = self._model.run(with_surroundings(image, quads))[0].astype(np.float64)
        return np.column_stack([log_odds(scores), around, np.ones(len(quads))])
