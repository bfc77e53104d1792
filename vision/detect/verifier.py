"""A closer look at what the detector finds, flattened out of the full photo with its surroundings.

What a find shows may look like a tile and still be a key, a card or a square of a cloth: a tile has
sides, edges and a shadow. The first verifier sorts out what is clearly no tile before anything is
read, and sees edges that lie beyond the find. Where the classifier then saw the corners, the second
looks again, since a find that is cut out askew looks less like a tile; with the detector it says
how likely it is one, and whether it lies face down, which the sides of a plain tile tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from vision.geometry.crops import with_surroundings
from vision.geometry.quads import put_at
from vision.runtime.session import Model, load_model
from vision.runtime.weights import Weights
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import log_odds

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

VERIFIERS: Final = ("verifier", "verifier2")
"""The first and the second, as the registry calls them."""

_FARTHEST: Final = 0.5
"""How far off a find's corner may be seen, in its widths or heights: no more is shown."""
_MOVED: Final = 0.15
"""How far off a corner must be seen, likewise, for another look from there,"""
_MORE_LOOKS: Final = 2
"""so often at most. Of 3255 tiles of rendered hands of held-out designs 138 instead of 180 then
have a corner more than 0.15 widths astray, of 4102 tiles of the benchmark 130 instead of 140."""


@dataclass(frozen=True, slots=True)
class FirstVerifierWeights(Weights):
    """How likely a detection is a tile, judged at its corners as detected.

    Attributes:
        detector: weight of the detector's log-odds of a tile.
        verifier: weight of the first verifier's log-odds of a tile.
        constant: log-odds added always.
    """

    table: ClassVar = "first_verifier"

    detector: float
    verifier: float
    constant: float


@dataclass(frozen=True, slots=True)
class SecondVerifierWeights(Weights):
    """How likely a detection is a tile, judged at the corners where it was read.

    Attributes:
        detector: weight of the detector's log-odds of a tile.
        verifier: weight of the second verifier's log-odds of a tile.
        constant: log-odds added always.
    """

    table: ClassVar = "second_verifier"

    detector: float
    verifier: float
    constant: float


@dataclass(frozen=True, slots=True)
class FaceDownWeights(Weights):
    """How likely a tile lies face down, judged by what lies around it.

    Attributes:
        detector: weight of the detector's log-odds of lying face down.
        verifier: weight of the second verifier's log-odds of lying face down.
        constant: log-odds added always.
    """

    table: ClassVar = "face_down"

    detector: float
    verifier: float
    constant: float


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

    def first_look(self, image: NDArray[np.uint8], found: Detections) -> tuple[Floats, Floats]:
        """A first look at finds as they were found.

        Args:
            image: (h, w, 3) uint8 BGR.
            found: as the detector says.

        Returns:
            (n,) how likely each is a tile, and (n, 4, 2) where its corners are seen.
        """
        if not len(found):
            return found.scores, found.quads
        terms, quads = self.first_terms(image, found)
        return _chances(terms @ FirstVerifierWeights.shipped().vector()), quads

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
        scores = _chances(tiles @ SecondVerifierWeights.shipped().vector())
        return Detections(quads, scores, _chances(down @ FaceDownWeights.shipped().vector()))

    def first_terms(self, image: NDArray[np.uint8], found: Detections) -> tuple[Doubles, Floats]:
        """What the weights of the first look are multiplied with (n, 3), and corners (n, 4, 2).

        A tile whose corners are seen far off is looked at again from there.
        """
        tile, quads, moved = self._placed(image, found.quads)
        astray = np.nonzero(moved > _MOVED)[0]
        for _ in range(_MORE_LOOKS):
            if len(astray):
                _, quads[astray], moved = self._placed(image, quads[astray])
                astray = astray[moved > _MOVED]
        return np.column_stack([log_odds(found.scores), tile, np.ones(len(found))]), quads

    def _placed(self, image: NDArray[np.uint8], quads: Floats) -> tuple[Doubles, Floats, Floats]:
        """Log-odds (n,) of a tile at quads (n, 4, 2), its corners, and how far they were put."""
        tile, _, corners = _answers(self._first, with_surroundings(image, quads))
        return tile, *put_at(quads, corners.astype(np.float32), _FARTHEST)

    def terms(
        self, image: NDArray[np.uint8], found: Detections, quads: Floats
    ) -> tuple[Doubles, Doubles]:
        """(n, 3) each, what the weights of the two chances are multiplied with."""
        tile, down, *_ = _answers(self._second, with_surroundings(image, quads))
        ones = np.ones(len(found))
        return (
            np.column_stack([log_odds(found.scores), tile, ones]),
            np.column_stack([log_odds(found.down), down, ones]),
        )


def _answers(model: Model, crops: NDArray[np.uint8]) -> list[Doubles]:
    return [answer.astype(np.float64) for answer in model.run(crops)]


def _chances(odds: Doubles) -> Floats:
    return np.asarray(expit(odds), np.float32)
