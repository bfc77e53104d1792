"""Flowers, seasons and the one bamboo are distinguished by marks: a number, a character or a word.

The same picture may stand on any flower or season, from tile set to tile set, so the classifier,
which goes by the picture, is asked only whether a tile is one of them; a further model, which looks
at the small marks, is asked which one. Most sets also draw a bird on the one bamboo, and many draw
birds or bamboo on flowers and seasons; but these mostly bear a number, while a one bamboo has
none, or a one. Where the classifier gives the one bamboo the probability b and all flowers and
seasons together f, and the reader of marks n_k to the number k, the odds f : b are multiplied by
the exponential of ::

    several * L(largest of n_2, n_3, n_4) + one * L(n_1) + illegible

where L is the logit, limited below to -1, which is about that of a number that cannot be read, and
above to 4. Then, where p_k is the share of flower or season k in the eight by the classifier, m_k
that by the reader of marks, and n_k that of its number, be it a flower or a season, the share of k
becomes proportional to ::

    p_k ** picture * n_k ** number * (m_k / n_k) ** kind

with p_k and m_k / n_k limited below to a hundredth, since neither a picture nor the ink of a number
is proof. The eight and the one bamboo keep their total probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES
from vision.classify.crop_reader import CropReader
from vision.geometry.crops import rectify
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS, column
from vision.vocabulary.odds import chances_of, log_odds, softmax

Floats = NDArray[np.float32]

MARKS: Final = "marks"
"""Registry name of the reader of marks."""
MOST_READ: Final = 24
"""Maximum number of views in a photo whose marks are read: the likeliest flowers, each both ways
up, of a set that has eight, and some that are none."""
BIRD: Final = column("1s")
"""Column of the one bamboo in arrays of probabilities."""
LEAST: Final = 0.35
"""Minimum probability of a flower, a season or the one bamboo for a view's marks to be read."""
_LEGIBLE: Final = 0.01
"""Lowest share of a picture, and of flower or season given the number, in the log-linear rule."""
_TINY: Final = 1e-6
"""Lowest probability in logarithms and divisions."""
_NUMBERS: Final = 4
"""How many numbers there are: those of the flowers, and the same again for the seasons."""
_NUMBER_LOGITS: Final = (-1.0, 4.0)
"""Range to which the logit of a number is limited."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """How much the marks of a view count for its being the right way up.

    Attributes:
        weight: logit of being the right way up per unit of the excess over ``doubtful``.
        doubtful: logit of the likeliest bonus tile among the eight up to which a view counts as
            illegible.
    """

    weight: float = 2.0
    doubtful: float = 1.0


ORIENTATION: Final = Orientation()


@dataclass(frozen=True, slots=True)
class MarkWeights(Weights):
    """How much the picture and the marks of a flower or season count.

    Attributes:
        picture: exponent of the classifier's probability.
        number: exponent of the probability of its number.
        kind: exponent of the probability of flower or season, given the number.
    """

    table: ClassVar = "bonus_marks"

    picture: float
    number: float
    kind: float


@dataclass(frozen=True, slots=True)
class BirdWeights(Weights):
    """How much a tile's number counts for a flower or season against the one bamboo.

    Attributes:
        several: weight of the logit of a number from two to four.
        one: weight of the logit of the number one.
        illegible: logit added always.
    """

    table: ClassVar = "flower_or_bird"

    several: float
    one: float
    illegible: float


class OnnxMarks:
    """The shipped reader of marks.

    Attributes:
        size: (height, width) in pixels of the crops that it looks at.
    """

    def __init__(self, reader: CropReader) -> None:
        self._reader = reader
        self.size: Final = reader.size

    @classmethod
    def load(cls, threads: int = 1) -> OnnxMarks:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(CropReader.load(MARKS, BONUS_TILES, threads))

    def read(self, crops: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, 8) of the flowers and seasons, columns as in ``BONUS_TILES``.

        Args:
            crops: (n, *size, 3) uint8 BGR of the n tiles.
        """
        return self._reader.read(crops)

    def refined(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """The probabilities (n, 45) of views after the marks of possible flowers are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) by the classifier, each row summing to 1.
        """
        likely = chance_of_flower_or_bird(probabilities)
        chosen = np.argsort(-likely, kind="stable")[:MOST_READ]
        chosen = chosen[likely[chosen] >= LEAST]
        if not len(chosen):
            return probabilities
        changed = probabilities.copy()
        marks = self.read(rectify(image, quads[chosen], self.size))
        changed[chosen] = refined_by_marks(probabilities[chosen], marks)
        return changed


def chance_of_flower_or_bird(probabilities: Floats) -> Floats:
    """Probability (n,) of a flower, a season or the one bamboo, of probabilities (n, 45)."""
    either: Floats = probabilities[:, [*BONUS_COLUMNS, BIRD]].sum(axis=1)
    return either


def upright_logits(probabilities: Floats) -> Floats:
    """Logits (n,) of being the right way up, for views with the probabilities (n, 45).

    A mark can be read in the right orientation only, so a view in which one bonus tile is far
    likelier than the other seven is hardly upside down. Other views get 0.
    """
    bonus = probabilities[:, BONUS_COLUMNS]
    some = np.maximum(bonus.sum(axis=1), _TINY)
    share = np.minimum(bonus.max(axis=1) / some, 1 - _TINY)
    clear = np.maximum(np.log(share / (1 - share)) - ORIENTATION.doubtful, 0)
    return np.asarray(np.where(some >= LEAST, ORIENTATION.weight * clear, 0), np.float32)


def refined_by_marks(probabilities: Floats, marks: Floats) -> Floats:
    """The probabilities (n, 45) after both rules of this module.

    Args:
        probabilities: (n, 45) by the classifier, each row summing to 1.
        marks: (n, 8) by the reader of marks, columns as in ``BONUS_TILES``.
    """
    changed = divided_by_number(probabilities, marks)
    pictures = changed.take(BONUS_COLUMNS, axis=1)
    scores = mark_terms(pictures, marks) @ MarkWeights.shipped().vector()
    eight = pictures.sum(axis=1, keepdims=True)
    changed[:, BONUS_COLUMNS] = softmax(scores) * eight
    return changed


def divided_by_number(probabilities: Floats, marks: Floats) -> Floats:
    """The probabilities (n, 45) after the number decides between flowers and the one bamboo.

    Args:
        probabilities: (n, 45) by the classifier, each row summing to 1.
        marks: (n, 8) by the reader of marks, columns as in ``BONUS_TILES``.
    """
    changed = probabilities.copy()
    either = chance_of_flower_or_bird(probabilities)
    odds = _flower_log_odds(probabilities) + bird_terms(marks) @ BirdWeights.shipped().vector()
    flowers = np.maximum(probabilities[:, BONUS_COLUMNS], _TINY)
    flowers *= (either * chances_of(odds) / flowers.sum(axis=1))[:, np.newaxis]
    changed[:, BONUS_COLUMNS] = flowers
    changed[:, BIRD] = either * chances_of(-odds)
    return changed


def _flower_log_odds(probabilities: Floats) -> Floats:
    """Log-odds (n,) of flowers and seasons against the one bamboo, of probabilities (n, 45)."""
    flowers = np.maximum(probabilities[:, BONUS_COLUMNS].sum(axis=1), _TINY)
    return np.asarray(np.log(flowers / np.maximum(probabilities[:, BIRD], _TINY)), np.float32)


def bird_terms(marks: Floats) -> Floats:
    """The terms (n, 3) that the three weights of :class:`BirdWeights` are multiplied with.

    Args:
        marks: (n, 8) by the reader of marks.
    """
    numbers = marks[:, :_NUMBERS] + marks[:, _NUMBERS:]
    several, one = numbers[:, 1:].max(axis=1), numbers[:, 0]
    read = np.clip(log_odds(np.stack([several, one])), *_NUMBER_LOGITS)
    return np.column_stack([*read, np.ones(len(marks))]).astype(np.float32)


def mark_terms(pictures: Floats, marks: Floats) -> Floats:
    """The terms (n, 8, 3) that the weights of :class:`MarkWeights` are multiplied with.

    Args:
        pictures: (n, 8) probabilities of the bonus tiles by the classifier.
        marks: (n, 8) by the reader of marks.
    """
    shares = pictures / pictures.sum(axis=1, keepdims=True)
    numbers = np.tile(marks[:, :_NUMBERS] + marks[:, _NUMBERS:], (1, 2))
    kinds = marks / np.maximum(numbers, _TINY)
    limited = ((shares, _LEGIBLE), (numbers, _TINY), (kinds, _LEGIBLE))
    terms = [np.log(np.maximum(each, least)) for each, least in limited]
    return np.stack(terms, axis=2).astype(np.float32)
