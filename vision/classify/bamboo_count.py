"""The numbers of bamboo told once more, by a reader that does nothing but count.

Two rows of three bamboos look much like three rows of them where the sticks run into each other,
and eight in four columns like six where a find lacks a column. The classifier goes by many things
at once and sees hardly more than the find; the reader sees what lies round it too. Where the
classifier takes a view for a bamboo of k with the probability p_k, and the reader with b_k, the
probability becomes proportional to ::

    p_k ** picture * b_k ** count

among two to nine bamboos, which keep what they have together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from vision.classify.crop_reader import SmallPrint
from vision.geometry.crops import rectify, widened
from vision.runtime.weights import Weights
from vision.vocabulary.labels import column
from vision.vocabulary.odds import shared_anew

Floats = NDArray[np.float32]

BAMBOOS: Final = tuple(f"{number}s" for number in range(2, 10))
"""What the reader tells apart."""
COLUMNS: Final = np.array([column(label) for label in BAMBOOS])
"""Their places in :data:`scorer.tiles.READING_LABELS`."""
AROUND: Final = 0.2
"""How much more than a find the reader sees on each side, as a share of its width and height."""
LEAST: Final = 0.5
"""Probability of being one of them from which a view's bamboos are counted."""
_HARDLY: Final = 1e-4
"""What either at least gives each, since neither is proof."""


@dataclass(frozen=True, slots=True)
class BambooWeights(Weights):
    """How much the picture of a bamboo tile and the count of its bamboos count.

    Attributes:
        picture: exponent of the classifier's probability.
        count: exponent of the counting reader's probability.
    """

    table: ClassVar = "bamboo_count"

    picture: float
    count: float


class OnnxBamboos:
    """The shipped counter of bamboos."""

    def __init__(self, reader: SmallPrint) -> None:
        self._reader = reader

    @classmethod
    def load(cls, threads: int = 1) -> OnnxBamboos:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(SmallPrint.load("bamboos", BAMBOOS, threads))

    def read(self, image: NDArray[np.uint8], quads: Floats) -> Floats:
        """How likely two to nine bamboos are in views (n, 4, 2) of a picture: (n, 8)."""
        return self._reader.read(rectify(image, widened(quads, AROUND), self._reader.size))

    def applied(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """What the views show, (n, 45), once the bamboos of what may show some are counted.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) of the classifier, each row summing to 1.
        """
        chosen = np.nonzero(probabilities[:, COLUMNS].sum(axis=1) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        changed = probabilities.copy()
        places = np.ix_(chosen, COLUMNS)
        changed[places] = together(probabilities[places], self.read(image, quads[chosen]))
        return changed


def together(pictures: Floats, counts: Floats) -> Floats:
    """The classifier's (n, 8) probabilities, shared out anew with the reader's (n, 8)."""
    scores = terms(pictures, counts) @ BambooWeights.shipped().vector().astype(np.float32)
    return shared_anew(scores, pictures)


def terms(pictures: Floats, counts: Floats) -> Floats:
    """(n, 8, 2) logarithms that the two weights are multiplied with, of the same."""
    return np.stack([np.log(np.maximum(part, _HARDLY)) for part in (pictures, counts)], axis=2)
