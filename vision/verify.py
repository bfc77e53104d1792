"""A closer look at what the detector finds, flattened out of the full photo with its surroundings.

What a find shows may look like a tile and still be a key, a card or a square of a cloth: a tile has
sides, edges and a shadow. The first verifier sorts out what is clearly no tile before anything is
read. Where the classifier then saw the corners, the second looks again, since a find that is cut
out askew looks less like a tile; with the detector it says how likely it is one, and whether it
lies face down, which the sides of a plain tile tell.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from vision.odds import log_odds
from vision.sessions import Model, load_model
from vision.stages import Detections
from vision.surroundings import with_surroundings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

VERIFIERS: Final = ("verifier", "verifier2")
"""The first and the second, as the registry calls them."""
FIRST: Final[Doubles] = np.array([2.42, 0.66, -0.59])
"""Of the log-odds of a tile by the detector and by the first verifier, as found, and of 1."""
WEIGHTS: Final[Doubles] = np.array([2.31, 0.69, -1.1])
"""Of the log-odds of a tile by the detector and by the second verifier, and of 1."""
DOWN: Final[Doubles] = np.array([1.16, 0.49, -1.5])
"""Of the log-odds of lying face down by the detector and by the second verifier, and of 1. These
weights are from :mod:`models.fit_verifier`."""


class OnnxVerifier:
    """The shipped verifiers of finds.

    Args:
        first: tells tiles from other finds.
        second: also tells which tiles lie face down.
    """

    def __init__(self, first: Model, second: Model) -> None:
        self._first, self._second = first, second

    @classmethod
    def load(cls, threads: int = 1) -> OnnxVerifier:
        """Open the shipped models; one call may use so many ``threads``.

        Raises:
            ModelError: one is missing or damaged.
        """
        return cls(*(load_model(name, threads=threads) for name in VERIFIERS))

    def chances(self, image: NDArray[np.uint8], found: Detections) -> Floats:
        """(n,) how likely the finds are tiles, after a first look at them as they were found.

        Args:
            image: (h, w, 3) uint8 BGR.
            found: as the detector says.
        """
        if not len(found):
            return found.scores
        return _chances(self.first_terms(image, found) @ FIRST)

    def verified(self, image: NDArray[np.uint8], found: Detections, quads: Floats) -> Detections:
        """The finds with the chances that they are tiles, and that those lie face down.

        Args:
            image: (h, w, 3) uint8 BGR.
            found: as the detector says.
            quads: (n, 4, 2) float32 pixels, where their corners were seen from near.
        """
        if not len(found):
            return found
        tiles, down = self.terms(image, found, quads)
        return Detections(quads, _chances(tiles @ WEIGHTS), _chances(down @ DOWN))

    def first_terms(self, image: NDArray[np.uint8], found: Detections) -> Doubles:
        """(n, 3) what the weights of the first look are multiplied with."""
        first = _odds(self._first, with_surroundings(image, found.quads))[0]
        return np.column_stack([log_odds(found.scores), first, np.ones(len(found))])

    def terms(
        self, image: NDArray[np.uint8], found: Detections, quads: Floats
    ) -> tuple[Doubles, Doubles]:
        """(n, 3) each, what the weights of the two chances are multiplied with."""
        tile, down = _odds(self._second, with_surroundings(image, quads))
        ones = np.ones(len(found))
        return (
            np.column_stack([log_odds(found.scores), tile, ones]),
            np.column_stack([log_odds(found.down), down, ones]),
        )


def _odds(model: Model, crops: NDArray[np.uint8]) -> list[Doubles]:
    return [answer.astype(np.float64) for answer in model.run(crops)]


def _chances(odds: Doubles) -> Floats:
    return np.asarray(expit(odds), np.float32)
