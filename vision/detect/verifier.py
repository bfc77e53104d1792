"""A closer look at each detection in a crop with its surroundings.

A key, a card or a square of a cloth may look like the face of a tile, but a tile has sides, edges
and a shadow. The verifier's first look rejects what is clearly no tile before anything is read, and
corrects corners. The second look is at the corners where the classifier saw them, since a tile that
is cut out askew looks less like one. It also sees whether a tile lies face down, by the sides of a
plain one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.geometry.crops import with_surroundings
from vision.geometry.quads import put_at
from vision.runtime.session import Model, load_model
from vision.runtime.weights import Weights
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import chances_of, log_odds

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CornerCorrection:
    """How the first look corrects corners. Offsets are in widths and heights of the tile.

    Attributes:
        farthest: largest offset that is followed, since a crop shows no more of the surroundings.
        look_again: offset of a corner above which the tile is looked at again at the new corners.
        more_looks: maximum number of such looks.
    """

    farthest: float = 0.5
    look_again: float = 0.15
    more_looks: int = 2


CORNERS: Final = CornerCorrection()

FAINT: Final = 0.02
"""Minimum probability of a tile, after the first look, for a later stage to confirm it."""


@dataclass(frozen=True, slots=True)
class LookWeights(Weights):
    """What a look at a detection counts.

    Attributes:
        detector: weight of the detector's log-odds.
        verifier: weight of the verifier's log-odds.
        constant: log-odds added always.
    """

    detector: float
    verifier: float
    constant: float


class FirstLookWeights(LookWeights):
    """How likely a detection is a tile, judged at its corners as detected."""

    table: ClassVar = "first_look"


class SecondLookWeights(LookWeights):
    """How likely a detection is a tile, judged at the corners where it was read."""

    table: ClassVar = "second_look"


class FaceDownWeights(LookWeights):
    """How likely a tile lies face down, judged by what lies around it."""

    table: ClassVar = "face_down"


class Verifier(Protocol):
    """Estimates how likely detections are tiles and which lie face down."""

    def first_look(self, image: NDArray[np.uint8], found: Detections) -> tuple[Floats, Floats]:
        """Probabilities (n,) of a tile where it was detected, and corrected corners (n, 4, 2)."""
        ...

    def verified(self, found: Detections, around: NDArray[np.uint8]) -> Detections:
        """The detections, by their crops with surroundings, with probabilities as scores."""
        ...


class OnnxVerifier:
    """The shipped verifier.

    Args:
        model: separates tiles from other things, corrects corners, and sees which lie face down.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    @classmethod
    def load(cls, threads: int = 1) -> OnnxVerifier:
        """Open the shipped model, which may use ``threads`` threads in one call.

        Raises:
            ModelError: it is missing or damaged.
        """
        return cls(load_model("verifier", threads=threads))

    def first_look(self, image: NDArray[np.uint8], found: Detections) -> tuple[Floats, Floats]:
        """The first look at detections.

        Args:
            image: (h, w, 3) uint8 BGR.
            found: the detector's n detections.

        Returns:
            (n,) float32 probabilities of a tile, and (n, 4, 2) float32 corrected corners.
        """
        if not len(found):
            return found.scores, found.quads
        terms, quads = self.first_terms(image, found)
        return _chances(terms @ FirstLookWeights.shipped().vector()), quads

    def verified(self, found: Detections, around: NDArray[np.uint8]) -> Detections:
        """The detections with probabilities by the detector and the second look together.

        Args:
            found: the detector's n detections, with corrected corners.
            around: (n, 96, 72, 3) uint8 BGR, their crops with surroundings.
        """
        if not len(found):
            return found
        tiles, down = self.terms(found, around)
        scores = _chances(tiles @ SecondLookWeights.shipped().vector())
        return Detections(found.quads, scores, _chances(down @ FaceDownWeights.shipped().vector()))

    def first_terms(self, image: NDArray[np.uint8], found: Detections) -> tuple[Doubles, Floats]:
        """The terms (n, 3) of :class:`FirstLookWeights`, and corrected corners (n, 4, 2).

        What may be a tile and has corners that move far is looked at again at the new corners.
        """
        tile, quads, moved = self._placed(image, found.quads)
        terms = np.column_stack([log_odds(found.scores), tile, np.ones(len(found))])
        likely = _chances(terms @ FirstLookWeights.shipped().vector()) >= FAINT
        astray = np.nonzero(likely & (moved > CORNERS.look_again))[0]
        for _ in range(CORNERS.more_looks):
            if len(astray):
                _, quads[astray], moved = self._placed(image, quads[astray])
                astray = astray[moved > CORNERS.look_again]
        return terms, quads

    def _placed(self, image: NDArray[np.uint8], quads: Floats) -> tuple[Doubles, Floats, Floats]:
        """Log-odds (n,) of a tile, corrected corners (n, 4, 2), and their largest offsets (n,)."""
        tile, _, corners = _answers(self._model, with_surroundings(image, quads))
        return tile, *put_at(quads, corners.astype(np.float32), CORNERS.farthest)

    def terms(self, found: Detections, around: NDArray[np.uint8]) -> tuple[Doubles, Doubles]:
        """The terms (n, 3) of :class:`SecondLookWeights` and of :class:`FaceDownWeights`."""
        tile, down, *_ = _answers(self._model, around)
        ones = np.ones(len(found))
        return (
            np.column_stack([log_odds(found.scores), tile, ones]),
            np.column_stack([log_odds(found.down), down, ones]),
        )


def _answers(model: Model, crops: NDArray[np.uint8]) -> list[Doubles]:
    """The outputs of a verifier for crops (n, h, w, 3) uint8 BGR, as float64."""
    return [answer.astype(np.float64) for answer in model.run(crops)]


def _chances(odds: Doubles) -> Floats:
    """Probabilities (n,) of log-odds (n,)."""
    return np.asarray(chances_of(odds), np.float32)
