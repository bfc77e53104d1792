"""Bamboos are counted once more, by a model that does nothing else.

Two rows of three bamboos look much like three rows of them where the sticks run into each other,
and eight in four columns like six where a detection lacks a column. The classifier goes by many
things at once and sees hardly more than the face; the counting model also sees what lies round it.
Where the classifier gives a view the probability p_k of k bamboos, and the counting model b_k, the
probability becomes proportional to ::

    p_k ** picture * b_k ** count

among two to nine bamboos, which keep their total probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from vision.classify.crop_reader import CropReader
from vision.classify.experts import combined, logarithms
from vision.geometry.crops import rectify, widened
from vision.runtime.weights import Weights
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]

BAMBOOS: Final = tuple(f"{number}s" for number in range(2, 10))
"""The labels that are counted."""
COLUMNS: Final = np.array([column(label) for label in BAMBOOS])
"""Columns of these labels in arrays of probabilities."""
AROUND: Final = 0.2
"""Width of the margin that the counting model sees on each side of a face, as a share of its width
and height."""
LEAST: Final = 0.5
"""Minimum probability of two to nine bamboos for a view to be counted."""
_LOWEST: Final = 1e-4
"""Lowest probability that either model gives a number of bamboos."""


@dataclass(frozen=True, slots=True)
class BambooWeights(Weights):
    """How much the picture of a bamboo tile and the count of its bamboos count.

    Attributes:
        picture: exponent of the classifier's probability.
        count: exponent of the counting model's probability.
    """

    table: ClassVar = "bamboo_count"

    picture: float
    count: float


class OnnxBamboos:
    """The shipped model that counts bamboos."""

    def __init__(self, reader: CropReader) -> None:
        self._reader = reader

    @classmethod
    def load(cls, threads: int = 1) -> OnnxBamboos:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(CropReader.load("bamboos", BAMBOOS, threads))

    def read(self, image: NDArray[np.uint8], quads: Floats) -> Floats:
        """Probabilities (n, 8) of two to nine bamboos in views (n, 4, 2) of a picture."""
        return self._reader.read(rectify(image, widened(quads, AROUND), self._reader.size))

    def refined(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """The probabilities (n, 45) of views after the bamboos on bamboo tiles are counted.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) by the classifier, each row summing to 1.
        """
        chosen = np.nonzero(probabilities[:, COLUMNS].sum(axis=1) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        changed = probabilities.copy()
        places = np.ix_(chosen, COLUMNS)
        pictures = probabilities[places]
        terms = count_terms(pictures, self.read(image, quads[chosen]))
        changed[places] = combined(terms, BambooWeights.shipped(), pictures)
        return changed


def count_terms(pictures: Floats, counts: Floats) -> Floats:
    """The terms (n, 8, 2) of the rule.

    Args:
        pictures: (n, 8) probabilities of two to nine bamboos by the classifier.
        counts: (n, 8) the same by the counting model.
    """
    return logarithms((pictures, _LOWEST), (counts, _LOWEST))
