"""The numbers, characters and words that name flowers and seasons, read through windows.

Numbers and characters stand in corners, large characters alone in the middle, and words above or
below the picture. Where classifier and readers of marks give flower or season k, or the one bamboo,
on which birds are drawn too, the probability p_k, and the reader of signs finds its number with
probability s_k, its character with c_k and its word with w_k, the probability becomes proportional
to ::

    p_k ** before * s_k ** sign * c_k ** character * w_k ** word

among these nine, which keep their total probability. A kind of sign counts where one is legible; a
tile without any stays as it was. The one bamboo has the number one; its c_k and w_k are the largest
of the flowers', since stripes may be mistaken for words, but where a character is legible it is
multiplied by the probability that there is none to the power of ``nameless``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.classify.bonus_marks import BIRD, LEAST, chance_of_flower_or_bird
from vision.classify.experts import combined
from vision.classify.signs import FIRST_CHARACTER, LEGIBLE, NONE, WINDOW, OnnxSigns, corners
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS

Floats = NDArray[np.float32]

FACE: Final = (96, 72)
"""Height and width in pixels to which a face is rectified; a window covers more of it than of a
suited tile, since characters are larger than numbers."""
MIDDLE: Final = 0.84
"""Side of the window on a character that stands alone, in widths of the face."""
STRIP: Final = 0.3
"""Height of the windows on words, in heights of the face; they show its whole width."""
WINDOWS: Final = 7
"""Number of windows: four corners, the middle, the upper and the lower strip, in this order."""
MIDDLE_PLACE: Final = 4
"""Index of the window on the middle."""
UPPER_PLACE: Final = 5
"""Index of the window on the upper strip."""
LOWER_PLACE: Final = 6
"""Index of the window on the lower strip."""
COLUMNS: Final = np.array([*BONUS_COLUMNS, BIRD])
"""Columns of flowers, seasons and the one bamboo in arrays of probabilities."""

_LOWEST: Final = 1e-4
"""Lowest probability that the reader gives a sign."""
_TINY: Final = 1e-6
"""Lowest share of a label before the signs are read."""
_NUMBERS: Final = 4
"""How many numbers flowers have, and seasons again."""


@dataclass(frozen=True, slots=True)
class SignWeights(Weights):
    """How much the signs on a flower, a season or the one bamboo count.

    Attributes:
        before: exponent of the probability before the signs are read.
        sign: exponent of the probability of its number.
        character: exponent of the probability of its character.
        word: exponent of the probability of its word.
        nameless: for the one bamboo, exponent of the probability that there is no character.
    """

    table: ClassVar = "bonus_signs"

    before: float
    sign: float
    character: float
    word: float
    nameless: float


class BonusSigns(NamedTuple):
    """The signs on n tiles; each probability is the largest over the windows of its kind.

    Attributes:
        numbers: (n, 4) probability that each number stands in a corner.
        characters: (n, 8) probability of each flower's or season's character, in a corner or alone
            in the middle.
        words: (n, 8) probability of its word, above or below the picture.
    """

    numbers: Floats
    characters: Floats
    words: Floats

    @property
    def legible(self) -> NDArray[np.bool_]:
        """(n,) whether any sign on a tile is legible."""
        most: Floats = np.max([part.max(axis=1) for part in self], axis=0)
        return most >= LEGIBLE


class BonusSignReader:
    """Reads the signs of flowers and seasons.

    Args:
        signs: reads the windows.
    """

    def __init__(self, signs: OnnxSigns) -> None:
        self._signs = signs

    def read(self, faces: NDArray[np.uint8]) -> BonusSigns:
        """The signs on faces (n, *FACE, 3) uint8 BGR, the right way up."""
        read = self._signs.read(windows(faces, WINDOW))
        numbers = read[:, :MIDDLE_PLACE, NONE + 1 : NONE + 1 + _NUMBERS]
        names = read[:, :, FIRST_CHARACTER:]
        characters, words = names[:, :UPPER_PLACE], names[:, UPPER_PLACE:]
        return BonusSigns(*(part.max(axis=1) for part in (numbers, characters, words)))

    def refined(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """The probabilities (n, 45) of views after the signs of flowers and birds are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45) after the marks were read, each row summing to 1.
        """
        chosen = np.nonzero(chance_of_flower_or_bird(probabilities) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        signs = self.read(rectify(image, quads[chosen], FACE))
        changed, places = probabilities.copy(), np.ix_(chosen[signs.legible], COLUMNS)
        before = probabilities[places]
        terms = sign_terms(before, BonusSigns(*(part[signs.legible] for part in signs)))
        changed[places] = combined(terms, SignWeights.shipped(), before)
        return changed


def sign_terms(before: Floats, signs: BonusSigns) -> Floats:
    """The terms (n, 9, 5) that the weights of :class:`SignWeights` are multiplied with.

    Args:
        before: (n, 9) probabilities of flowers, seasons and the one bamboo.
        signs: of the same n tiles.
    """
    shares = np.log(np.maximum(before / before.sum(axis=1, keepdims=True), _TINY))
    numbers = np.tile(signs.numbers, (1, 2))
    named, worded = (part.max(axis=1, keepdims=True) for part in (signs.characters, signs.words))
    found = ((numbers, numbers[:, :1]), (signs.characters, named), (signs.words, worded))
    nameless = np.zeros_like(before)
    nameless[:, -1:] = np.where(named >= LEGIBLE, np.log(np.maximum(1 - named, _LOWEST)), 0)
    every = [shares, *(_where_legible(*kind) for kind in found), nameless]
    return np.stack(every, axis=2).astype(np.float32)


def _where_legible(flowers: Floats, bird: Floats) -> Floats:
    """Logarithms (n, 9) of the signs of flowers (n, 8) and bird (n, 1), 0 where none is legible."""
    legible = flowers.max(axis=1, keepdims=True) >= LEGIBLE
    signs = np.concatenate([flowers, bird], axis=1)
    return np.where(legible, np.log(np.maximum(signs, _LOWEST)), 0)


def windows(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The windows (n, 7, side, side, 3) on faces (n, h, w, 3), all but corners resized."""
    height, width = faces.shape[1:3]
    half, strip = round(MIDDLE * width) // 2, round(STRIP * height)
    y, x = height // 2, width // 2
    parts = (
        (MIDDLE_PLACE, slice(y - half, y + half), slice(x - half, x + half)),
        (UPPER_PLACE, slice(strip), slice(width)),
        (LOWER_PLACE, slice(height - strip, height), slice(width)),
    )
    shown = np.empty((len(faces), WINDOWS, side, side, 3), np.uint8)
    shown[:, :MIDDLE_PLACE] = corners(faces, side)
    for face, each in zip(faces, shown, strict=True):
        for place, rows, columns in parts:
            cv2.resize(
                face[rows, columns], (side, side), each[place], interpolation=cv2.INTER_LINEAR
            )
    return shown
