"""The numbers in the corners of suited tiles, and the Chinese numerals of characters.

Some tile sets draw their bamboo or circles so that one number of them looks like another, and
people then go by the small number in the corner. The classifier goes by the picture, so a model of
its own reads that number through five windows on the tile, one in each corner and one in the
middle, where some sets put the number of four circles or eight bamboo. Through a sixth, on the
upper half, it reads the Chinese numeral of characters, formal ones among them. Where the classifier
gives suited tile k the probability p_k, and the reader gives its number n_k, the probability
becomes proportional to ::

    p_k ** picture * n_k ** number

among the suited tiles, which keep their total probability; after a Chinese numeral, which has
weights of its own, among the characters alone. A tile without a number, or with an illegible one,
stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import SUIT_TILES
from vision.classify.experts import combined, logarithms
from vision.classify.signs import LEGIBLE, NONE, NUMBERS, WINDOW, OnnxSigns, corners
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.runtime.weights import Weights
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FACE: Final = (114, 86)
"""Height and width in pixels to which a face is rectified."""
SUIT_COLUMNS: Final = np.array([column(label) for label in SUIT_TILES])
"""Columns of the suited tiles in arrays of probabilities."""

CHARACTERS: Final = SUIT_COLUMNS[: len(NUMBERS)]
"""Columns of the characters in arrays of probabilities."""

LEAST: Final = 0.5
"""Minimum probability of the suited tiles together for a view's number to be read."""
SURE: Final = 0.99
"""Probability of one label from which the number of most tiles is not read."""
_LOWEST: Final = 1e-4
"""Lowest probability of a suited tile by its picture, or of a number, in the rule."""
_MANY: Final = [
    column(label)
    for label in SUIT_TILES
    if label == "5p" or (label[1] in "ps" and int(label[0]) >= 6)
]
"""Columns of tiles whose number is always read: circles and bamboo from six on, of which one number
may look like another, and five circles, for which four with their number in the middle may be
mistaken."""
_OF_NUMBERS: Final = slice(NONE + 1, NONE + 1 + len(NUMBERS))
"""Columns of the numbers among all signs."""


@dataclass(frozen=True, slots=True)
class NumberWeights(Weights):
    """How much the picture of a suited tile and the number beside it count.

    Attributes:
        picture: exponent of the classifier's probability.
        number: exponent of the probability of the tile's number.
    """

    table: ClassVar = "corner_number"

    picture: float
    number: float


@dataclass(frozen=True, slots=True)
class NumeralWeights(NumberWeights):
    """How much the picture of a character tile and its Chinese numeral count."""

    table: ClassVar = "chinese_numeral"


class NumberReader:
    """Reads the numbers of suited tiles.

    Args:
        signs: reads the windows.
    """

    def __init__(self, signs: OnnxSigns) -> None:
        self._signs = signs

    def read(self, faces: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, 9) of the numbers on faces (n, *FACE, 3) uint8 BGR."""
        return best_of(self._signs.read(windows(faces, WINDOW))[:, :, _OF_NUMBERS])

    def read_written(self, faces: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, 9) of the Chinese numerals on faces (n, *FACE, 3) uint8 BGR."""
        return self._signs.read(upper(faces, WINDOW)[:, np.newaxis])[:, 0, _OF_NUMBERS]

    def refined(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """The probabilities (n, 45) of views after the numbers of doubtful suited tiles are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) by the classifier, each row summing to 1.
        """
        probabilities = self._with_numerals(image, quads, probabilities)
        suited = probabilities[:, SUIT_COLUMNS].sum(axis=1) >= LEAST
        doubtful = probabilities.max(axis=1) < SURE
        many = np.isin(probabilities.argmax(axis=1), _MANY)
        chosen = np.nonzero(suited & (doubtful | many))[0]
        if not len(chosen):
            return probabilities
        numbers = self.read(rectify(image, quads[chosen], FACE))
        return with_numbers(probabilities, chosen, SUIT_COLUMNS, numbers, NumberWeights.shipped())

    def _with_numerals(
        self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats
    ) -> Floats:
        """The probabilities (n, 45) after the Chinese numerals of characters are read."""
        chosen = np.nonzero(probabilities[:, CHARACTERS].sum(axis=1) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        numbers = self.read_written(rectify(image, quads[chosen], FACE))
        return with_numbers(probabilities, chosen, CHARACTERS, numbers, NumeralWeights.shipped())


def upper(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The part of faces (n, h, w, 3) with a character's numeral, (n, side, side, 3)."""
    height, width = faces.shape[1:3]
    rows = slice(round(0.02 * height), round(0.5 * height))
    columns = slice(round(0.15 * width), round(0.85 * width))
    shown = np.empty((len(faces), side, side, 3), np.uint8)
    for face, window in zip(faces, shown, strict=True):
        cv2.resize(face[rows, columns], (side, side), window, interpolation=cv2.INTER_AREA)
    return shown


def windows(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The upper corners, the lower corners and the middle of faces (n, h, w, 3).

    Returns:
        (n, 5, side, side, 3).
    """
    height, width = faces.shape[1:3]
    y, x = (height - side) // 2, (width - side) // 2
    middle = faces[:, np.newaxis, y : y + side, x : x + side]
    return np.concatenate([corners(faces, side), middle], axis=1)


def best_of(numbers: Floats) -> Floats:
    """Probabilities (n, 9) of the numbers, of those in five windows (n, 5, 9).

    A legible number in an upper corner is the only one that counts, since one in a lower corner may
    stand upside down; likewise one in a lower corner before one in the middle.
    """
    above, below, middle = numbers[:, :2].max(axis=1), numbers[:, 2:4].max(axis=1), numbers[:, 4]
    lower = np.where(below.max(axis=1, keepdims=True) >= LEGIBLE, below, middle)
    return np.where(above.max(axis=1, keepdims=True) >= LEGIBLE, above, lower)


def with_numbers(
    probabilities: Floats,
    chosen: Ints,
    columns: Ints,
    numbers: Floats,
    weights: NumberWeights,
) -> Floats:
    """The probabilities (n, labels) after the numbers of some tiles are read, where legible.

    Args:
        probabilities: (n, labels) by the classifier.
        chosen: (m,) indices of the tiles whose numbers are read.
        columns: (k,) columns of the suited tiles, or of the characters alone.
        numbers: (m, 9) probabilities of the numbers.
        weights: of picture and number.
    """
    legible = numbers.max(axis=1) >= LEGIBLE
    places = np.ix_(chosen[legible], columns)
    changed = probabilities.copy()
    pictures = probabilities[places]
    changed[places] = combined(number_terms(pictures, numbers[legible]), weights, pictures)
    return changed


def number_terms(pictures: Floats, numbers: Floats) -> Floats:
    """The terms (n, k, 2) that the weights of :class:`NumberWeights` are multiplied with.

    Args:
        pictures: (n, k) probabilities of all suited tiles, or of the characters alone.
        numbers: (n, 9) probabilities of the numbers.
    """
    of_labels = numbers[:, numbers_of(np.arange(pictures.shape[1]))]
    return logarithms((pictures, _LOWEST), (of_labels, _LOWEST))


def numbers_of(places: Ints) -> Ints:
    """The numbers, less one, of suited tiles given by their indices in ``SUIT_TILES``."""
    return places % len(NUMBERS)
