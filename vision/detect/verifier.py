"""A closer look at each detection in a crop with its surroundings.

A key, a card or a square of a cloth may look like the face of a tile, but a tile has sides, edges
and a shadow. The verifier rejects what is clearly no tile before anything is read, and corrects
corners. It also sees whether a tile lies face down, by the sides of a plain one.
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
    """How the verifier corrects corners. Offsets are in widths and heights of the tile.

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
"""Minimum probability of a tile for a later stage to confirm it."""


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


class TileWeights(LookWeights):
    """How likely a detection is a tile."""

    table: ClassVar = "tile"


class FaceDownWeights(LookWeights):
    """How likely a tile lies face down, judged by what lies around it."""

    table: ClassVar = "face_down"


class Verifier(Protocol):
    """Estimates how likely detections are tiles and which lie face down."""

    def verified(self, image: NDArray[np.uint8], found: Detections) -> Detections:
        """The detections in ``image``, (h, w, 3) uint8 BGR, verified.

        They keep their order, with probabilities as scores, and with corrected corners.
        """
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

    def verified(self, image: NDArray[np.uint8], found: Detections) -> Detections:
        """The detections with corrected corners, and probabilities by detector and verifier.

        What may be a tile and has corners that move far is looked at again at the new corners, only
        for its corners.

        Args:
            image: (h, w, 3) uint8 BGR.
            found: the detector's n detections.
        """
        if not len(found):
            return found
        tiles, down, quads, moved = self.terms(image, found)
        chances = _chances(tiles @ TileWeights.shipped().vector())
        astray = np.nonzero((chances >= FAINT) & (moved > CORNERS.look_again))[0]
        for _ in range(CORNERS.more_looks):
            if len(astray):
                _, _, quads[astray], moved = self.terms(image, found.at(quads).chosen(astray))
                astray = astray[moved > CORNERS.look_again]
        return Detections(quads, chances, _chances(down @ FaceDownWeights.shipped().vector()))

    def terms(
        self, image: NDArray[np.uint8], found: Detections
    ) -> tuple[Doubles, Doubles, Floats, Floats]:
        """One look at n detections, of which there is at least one.

        Returns:
            the terms (n, 3) of :class:`TileWeights` and of :class:`FaceDownWeights`, corrected
            corners (n, 4, 2), and their largest offsets (n,).
        """
        answers = self._model.run(with_surroundings(image, found.quads))
        tile, down, corners = (answer.astype(np.float64) for answer in answers)
        ones = np.ones(len(found))
        return (
            np.column_stack([log_odds(found.scores), tile, ones]),
            np.column_stack([log_odds(found.down), down, ones]),
            *put_at(found.quads, corners.astype(np.float32), CORNERS.farthest),
        )


def _chances(odds: Doubles) -> Floats:
    """Probabilities (n,) of log-odds (n,)."""
    return np.asarray(chances_of(odds), np.float32)
