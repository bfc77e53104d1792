"""The numbers in the corners of suited tiles, as many sets have them.

Some sets draw their bamboo or circles so that one number of them looks like another, and people
then go by the small number in the corner. The classifier goes by the picture, so a model of its own
reads that number: it looks through five windows on the tile, one in each corner and one in the
middle, where some sets put the number of four circles or eight bamboo. Through a sixth, on the
upper half, it reads the Chinese numeral of characters, formal ones among them. Where the classifier
takes a view for suited tile k with the probability p_k, and the reader takes its number for that of
k with n_k, the probability becomes proportional to ::

    p_k ** picture * n_k ** number

among the suited tiles, which keep what they have together; after a Chinese numeral, which has
weights of its own, among the characters alone. A tile without a number, or with one that cannot be
read, stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import SUIT_TILES
from vision.classify.signs import LEGIBLE, NONE, NUMBERS, WINDOW, OnnxSigns, corners
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.runtime.weights import Weights
from vision.vocabulary.labels import column
from vision.vocabulary.odds import shared_anew

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FACE: Final = (114, 86)
"""Height and width in pixels at which a face is looked at."""
SUIT_COLUMNS: Final = np.array([column(label) for label in SUIT_TILES])
"""Places of the suited tiles in :data:`scorer.tiles.READING_LABELS`."""

CHARACTERS: Final = SUIT_COLUMNS[: len(NUMBERS)]
"""Those of the characters among them."""

HARDLY: Final = 1e-4
"""What the picture at least gives each suited tile, since it is no proof."""
LEAST: Final = 0.5
"""Probability of being a suited tile from which a view's number is read."""
SURE: Final = 0.99
"""Probability of one of them from which the picture needs no number, but for"""
_MANY: Final = [
    column(label)
    for label in SUIT_TILES
    if label == "5p" or (label[1] in "ps" and int(label[0]) >= 6)
]
"""circles and bamboo from six on, of which one number may look like another, and five circles, as
which four with their number in the middle may be read."""
_LEAST_SAID: Final = 1e-4
"""What the reader at least gives each number, since it is never sure."""
_SAID: Final = slice(NONE + 1, NONE + 1 + len(NUMBERS))
"""The numbers among all signs."""


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


class Numerals:
    """Reads the numbers of suited tiles.

    Args:
        signs: looks through the windows.
    """

    def __init__(self, signs: OnnxSigns) -> None:
        self._signs = signs

    def read(self, faces: NDArray[np.uint8]) -> Floats:
        """How likely each number is on faces (n, *FACE, 3) uint8 BGR: (n, 9), at most 1 each."""
        return best_of(self._signs.read(windows(faces, WINDOW))[:, :, _SAID])

    def read_written(self, faces: NDArray[np.uint8]) -> Floats:
        """How likely each Chinese numeral is on faces (n, *FACE, 3) uint8 BGR: (n, 9)."""
        return self._signs.read(upper(faces, WINDOW)[:, np.newaxis])[:, 0, _SAID]

    def applied(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """What the views show, (n, 45), once the numbers of suited tiles in doubt are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) of the classifier, each row summing to 1.
        """
        probabilities = self._with_written(image, quads, probabilities)
        suited = probabilities[:, SUIT_COLUMNS].sum(axis=1) >= LEAST
        doubtful = probabilities.max(axis=1) < SURE
        many = np.isin(probabilities.argmax(axis=1), _MANY)
        chosen = np.nonzero(suited & (doubtful | many))[0]
        if not len(chosen):
            return probabilities
        numbers = self.read(rectify(image, quads[chosen], FACE))
        return shared_out(probabilities, chosen, SUIT_COLUMNS, numbers, NumberWeights.shipped())

    def _with_written(
        self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats
    ) -> Floats:
        """The same once the Chinese numerals of characters are read."""
        chosen = np.nonzero(probabilities[:, CHARACTERS].sum(axis=1) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        numbers = self.read_written(rectify(image, quads[chosen], FACE))
        return shared_out(probabilities, chosen, CHARACTERS, numbers, NumeralWeights.shipped())


def upper(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """(n, side, side, 3) of faces (n, h, w, 3): where characters have their numeral."""
    height, width = faces.shape[1:3]
    rows = slice(round(0.02 * height), round(0.5 * height))
    columns = slice(round(0.15 * width), round(0.85 * width))
    shown = np.empty((len(faces), side, side, 3), np.uint8)
    for face, window in zip(faces, shown, strict=True):
        cv2.resize(face[rows, columns], (side, side), window, interpolation=cv2.INTER_AREA)
    return shown


def windows(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """(n, 5, side, side, 3) of faces (n, h, w, 3): upper corners, lower corners, the middle."""
    height, width = faces.shape[1:3]
    y, x = (height - side) // 2, (width - side) // 2
    middle = faces[:, np.newaxis, y : y + side, x : x + side]
    return np.concatenate([corners(faces, side), middle], axis=1)


def best_of(numbers: Floats) -> Floats:
    """(n, 9) of what is said of each number in five windows (n, 5, 9).

    A number in an upper corner counts alone if it is legible, since one in a lower corner may stand
    upside down; so does one in a lower corner before one in the middle.
    """
    above, below, middle = numbers[:, :2].max(axis=1), numbers[:, 2:4].max(axis=1), numbers[:, 4]
    told = np.where(below.max(axis=1, keepdims=True) >= LEGIBLE, below, middle)
    return np.where(above.max(axis=1, keepdims=True) >= LEGIBLE, above, told)


def shared_out(
    probabilities: Floats,
    chosen: Ints,
    columns: Ints,
    numbers: Floats,
    weights: NumberWeights,
) -> Floats:
    """Probabilities of n tiles, those of chosen ones shared out anew where a number is legible.

    Args:
        probabilities: (n, labels).
        chosen: (m,) indices of tiles.
        columns: of the suited tiles, or of the characters alone.
        numbers: (m, 9) how likely each number is.
        weights: of picture and number.
    """
    legible = numbers.max(axis=1) >= LEGIBLE
    places = np.ix_(chosen[legible], columns)
    changed = probabilities.copy()
    changed[places] = together(probabilities[places], numbers[legible], weights)
    return changed


def together(pictures: Floats, numbers: Floats, weights: NumberWeights) -> Floats:
    """The classifier's (n, k) of suited tiles, shared out anew with the reader's (n, 9).

    Args:
        pictures: of all suited tiles, or of the characters alone.
        numbers: how likely each number is.
        weights: of both.
    """
    scores = terms(pictures, numbers) @ weights.vector().astype(np.float32)
    return shared_anew(scores, pictures)


def terms(pictures: Floats, numbers: Floats) -> Floats:
    """(n, k, 2) logarithms that the two weights are multiplied with, of the same."""
    said = numbers[:, numbers_of(np.arange(pictures.shape[1]))]
    parts = ((pictures, HARDLY), (said, _LEAST_SAID))
    return np.stack([np.log(np.maximum(part, least)) for part, least in parts], axis=2)


def numbers_of(places: Ints) -> Ints:
    """The numbers less one of suited tiles, given by their places in ``SUIT_TILES``."""
    return places % len(NUMBERS)
