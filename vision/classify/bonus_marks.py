"""Flowers and seasons told apart by their marks: a number, a character or a word.

The same picture may stand on any of them, from set to set, so the classifier, which goes by the
picture, is asked whether a tile is one of them, and two further models, which look at the small
marks, which one. Where the classifier takes a view for flower or season k with a share p_k of the
eight, and the readers of marks with m_k, the geometric mean of what each says, of which n_k for its
number, be it a flower or a season, the share of k becomes proportional to ::

    p_k ** picture * n_k ** number * (m_k / n_k) ** kind

p_k and m_k / n_k being counted as no less than a hundredth, since neither a picture nor the ink of
a number is proof. The probability of being one of the eight or one bamboo stays as it was; how the
two share it :mod:`vision.classify.birds` tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES
from vision.classify.birds import flower_or_bird, told_by_number
from vision.classify.crop_reader import SmallPrint
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS
from vision.vocabulary.odds import shared_anew

Floats = NDArray[np.float32]

MARKS: Final = ("marks", "marks2")
"""The readers of marks: the second, learnt later, looks at larger crops and more words."""
LEAST: Final = 0.35
"""Probability of being a flower, a season or one bamboo from which a view's marks are read. At 0.02
as many tiles of the benchmark and of rendered hands are read right, and a photo takes a quarter
longer."""
UPRIGHT: Final = 2.0
"""Logit for being the right way up for each unit of that of the likeliest bonus tile beyond"""
_DOUBTFUL: Final = 1.0
"""this. Of 15936 rendered tiles of held-out designs 149 are misread so, 162 without."""
_ASIDE: Final = np.array([0.03, 0.02], np.float32)
"""How far right and down, in widths and heights of the face, what the first reader is shown again
lies, and how far left and up for the second. With marks2 1.4.0, of 456 flowers and seasons of other
people's sets 76.7 % are told so instead of 71.5 %, of 456 of held-out designs 98.9 % (98.7 %), of
260 of the benchmark 98.5 % (97.7 %), of 365 on sheets taken anew 96.7 % (96.2 %)."""
_HARDLY: Final = 0.01
_LEAST_SAID: Final = 1e-4
"""What a reader at least counts for, since none is ever sure."""
_NEVER: Final = 1e-6
_NUMBERS: Final = 4


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


class OnnxMarks:
    """The shipped readers of marks.

    Attributes:
        sizes: (height, width) in pixels of the crops that each looks at.
    """

    def __init__(self, *readers: SmallPrint) -> None:
        self._readers = readers
        self.sizes: Final = tuple(reader.size for reader in readers)

    @classmethod
    def load(cls, threads: int = 1) -> OnnxMarks:
        """Open the shipped models; one call may use so many ``threads``.

        Raises:
            ModelError: one is missing, damaged, or made for other labels.
        """
        return cls(*(SmallPrint.load(name, BONUS_TILES, threads) for name in MARKS))

    def read(self, views: Sequence[NDArray[np.uint8]]) -> Floats:
        """Which flower or season n such tiles show, by what all readers say of it.

        Each looks twice, the second time at the tile a little aside.

        Args:
            views: for each reader the (n, *size, 3) uint8 BGR crops of the tiles.

        Returns:
            (n, 8) probabilities, columns as in :data:`scorer.tiles.BONUS_TILES`.
        """
        said: list[Floats] = []
        shown = zip(self._readers, views, strict=True)
        for (reader, crops), aside in zip(shown, cycle((_ASIDE, -_ASIDE))):
            twice = reader.read(np.concatenate([crops, moved(crops, aside)]))
            said += np.split(twice, 2)
        means = np.exp(np.mean([np.log(np.maximum(one, _LEAST_SAID)) for one in said], axis=0))
        return np.asarray(means / means.sum(axis=1, keepdims=True), np.float32)

    def applied(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """What the views show, (n, 45), once the marks of what may be a flower are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) of the classifier, each row summing to 1.
        """
        chosen = np.nonzero(flower_or_bird(probabilities) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        changed = probabilities.copy()
        marks = self.read([rectify(image, quads[chosen], size) for size in self.sizes])
        changed[chosen] = told_by_number(probabilities[chosen], marks)
        pictures = changed[np.ix_(chosen, BONUS_COLUMNS)]
        changed[np.ix_(chosen, BONUS_COLUMNS)] = together(pictures, marks)
        return changed


def moved(crops: NDArray[np.uint8], aside: Floats) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) uint8 BGR whose faces lie aside by (2,) widths and heights."""
    height, width = crops.shape[1:3]
    along = np.array([[1, 0, aside[0] * width], [0, 1, aside[1] * height]], np.float32)
    every = np.empty_like(crops)
    for crop, result in zip(crops, every, strict=True):
        cv2.warpAffine(crop, along, (width, height), result, borderMode=cv2.BORDER_REPLICATE)
    return every


def way_up(probabilities: Floats) -> Floats:
    """Logit (n,) for being the right way up, of views that show what (n, 45) says.

    Only the right way up can a mark be read: of 442 views of held-out designs that showed one bonus
    tile more than nine times as likely as the others, 422 were.
    """
    bonus = probabilities[:, BONUS_COLUMNS]
    some = np.maximum(bonus.sum(axis=1), _NEVER)
    share = np.minimum(bonus.max(axis=1) / some, 1 - _NEVER)
    clear = np.maximum(np.log(share / (1 - share)) - _DOUBTFUL, 0)
    return np.asarray(np.where(some >= LEAST, UPRIGHT * clear, 0), np.float32)


def together(pictures: Floats, marks: Floats) -> Floats:
    """The classifier's (n, 8) probabilities of the bonus tiles, shared out by the marks' (n, 8)."""
    scores = terms(pictures, marks) @ MarkWeights.shipped().vector().astype(np.float32)
    return shared_anew(scores, pictures)


def terms(pictures: Floats, marks: Floats) -> Floats:
    """(n, 8, 3) logarithms that the three weights are multiplied with, of the same (n, 8)."""
    shares = pictures / pictures.sum(axis=1, keepdims=True)
    numbers = np.tile(marks[:, :_NUMBERS] + marks[:, _NUMBERS:], (1, 2))
    kinds = marks / np.maximum(numbers, _NEVER)
    parts = ((shares, _HARDLY), (numbers, _NEVER), (kinds, _HARDLY))
    every = [np.log(np.maximum(part, least)) for part, least in parts]
    return np.stack(every, axis=2).astype(np.float32)
