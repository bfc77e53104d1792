"""The numbers in the corners of suited tiles, as many sets have them.

Some sets draw their bamboo or circles so that one number of them looks like another, and people
then go by the small number in the corner. The classifier goes by the picture, so a model of its own
reads that number. Where the classifier takes a view for suited tile k with the probability p_k, and
the reader takes its number for that of k with n_k, the probability becomes proportional to ::

    p_k ** PICTURE * n_k ** NUMERAL

among the suited tiles, which keep what they have together. A tile without a number, or with one
that cannot be read, stays as it was.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS, SUIT_TILES
from vision.rectify import rectify
from vision.small_print import SmallPrint

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

NUMBERS: Final = tuple("123456789")
"""What the reader tells apart."""
SUIT_COLUMNS: Final = np.array([READING_LABELS.index(label) for label in SUIT_TILES])
"""Places of the suited tiles in :data:`scorer.tiles.READING_LABELS`."""

PICTURE: Final = 0.9
NUMERAL: Final = 0.74
"""The likeliest on rendered suited tiles of held-out designs (:mod:`models.fit_numerals`)."""
HARDLY: Final = 1e-4
"""What the picture at least gives each suited tile, since it is no proof."""
LEAST: Final = 0.5
"""Probability of being a suited tile from which a view's number is read."""
SURE: Final = 0.99
"""Probability of one of them from which the picture needs no number, but for"""
_MANY: Final = [
    READING_LABELS.index(label)
    for label in SUIT_TILES
    if label == "5p" or (label[1] in "ps" and int(label[0]) >= 6)
]
"""circles and bamboo from six on, of which one number may look like another, and five circles, as
which four with their number in the middle may be read."""
LEGIBLE: Final = 0.5
"""Probability of one number from which the reader is listened to."""
_LEAST_SAID: Final = 1e-4
"""What the reader at least gives each number, since it is never sure."""


class OnnxNumerals:
    """The shipped reader of numbers.

    Attributes:
        size: (height, width) in pixels of the crops that it looks at.
    """

    def __init__(self, reader: SmallPrint) -> None:
        self._reader = reader
        self.size: Final = reader.size

    @classmethod
    def load(cls, threads: int = 1) -> OnnxNumerals:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(SmallPrint.load("numerals", NUMBERS, threads))

    def read(self, crops: NDArray[np.uint8]) -> Floats:
        """Which number is in the corner, (n, 9), of crops (n, *size, 3) uint8 BGR."""
        return self._reader.read(crops)

    def applied(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """What the views show, (n, 45), once the numbers of suited tiles in doubt are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) of the classifier, each row summing to 1.
        """
        suited = probabilities[:, SUIT_COLUMNS].sum(axis=1) >= LEAST
        doubtful = probabilities.max(axis=1) < SURE
        many = np.isin(probabilities.argmax(axis=1), _MANY)
        chosen = np.nonzero(suited & (doubtful | many))[0]
        if not len(chosen):
            return probabilities
        numbers = self.read(rectify(image, quads[chosen], self.size))
        legible = numbers.max(axis=1) >= LEGIBLE
        chosen = chosen[legible]
        changed = probabilities.copy()
        pictures = probabilities[np.ix_(chosen, SUIT_COLUMNS)]
        changed[np.ix_(chosen, SUIT_COLUMNS)] = together(pictures, numbers[legible])
        return changed


def together(pictures: Floats, numbers: Floats) -> Floats:
    """The classifier's (n, 27) of suited tiles, shared out anew with the reader's (n, 9)."""
    scores = terms(pictures, numbers) @ np.array([PICTURE, NUMERAL], np.float32)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares *= pictures.sum(axis=1, keepdims=True) / shares.sum(axis=1, keepdims=True)
    return np.asarray(shares, np.float32)


def terms(pictures: Floats, numbers: Floats) -> Floats:
    """(n, 27, 2) logarithms that the two weights are multiplied with, of the same."""
    said = numbers[:, numbers_of(np.arange(len(SUIT_TILES)))]
    parts = ((pictures, HARDLY), (said, _LEAST_SAID))
    return np.stack([np.log(np.maximum(part, least)) for part, least in parts], axis=2)


def numbers_of(places: Ints) -> Ints:
    """The numbers less one of suited tiles, given by their places in ``SUIT_TILES``."""
    return places % len(NUMBERS)
