"""The numbers, characters and words that tell flowers and seasons, read through windows.

Numbers and characters stand in corners, large characters alone in the middle, and words above or
below the picture. Where the readers of marks and the classifier take a view for flower or season k
or for the one bamboo, on which birds are drawn too, with the probability p_k, and the reader of
signs finds its number with s_k, its character with c_k and its word with w_k, the probability
becomes proportional to ::

    p_k ** before * s_k ** sign * c_k ** character * w_k ** word

among these nine, which keep what they have together. Each kind of sign is heard where one is
legible; a tile without any stays as it was. The one bamboo has the number one; its c_k and w_k are
the largest of the flowers', for stripes may be taken for words, but where a character is legible it
is multiplied with the chance of there being none to the power of ``nameless``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.classify.birds import BIRD, flower_or_bird
from vision.classify.bonus_marks import LEAST
from vision.classify.signs import FIRST_CHARACTER, LEGIBLE, NONE, WINDOW, OnnxSigns, corners
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS
from vision.vocabulary.odds import shared_anew

Floats = NDArray[np.float32]

FACE: Final = (96, 72)
"""Height and width in pixels at which a face is looked at: windows on it are larger than those on
suited tiles, for the characters."""
MIDDLE: Final = 0.84
"""Side of the window on a character that stands alone, in widths of the face."""
STRIP: Final = 0.3
"""Height of the windows on words, in heights of the face, whose whole width they show."""
WINDOWS: Final = 7
"""How many windows there are: four corners, the middle, the upper and the lower strip."""
MIDDLE_PLACE, UPPER_PLACE, LOWER_PLACE = 4, 5, 6
"""The places of the latter among them."""
COLUMNS: Final = np.array([*BONUS_COLUMNS, BIRD])
"""Places of flowers, seasons and the one bamboo in :data:`scorer.tiles.READING_LABELS`."""

_LEAST_SAID: Final = 1e-4
"""What the reader at least gives each sign, since it is never sure."""
_NEVER: Final = 1e-6
_NUMBERS: Final = 4


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
    """What can be read on n tiles.

    Attributes:
        numbers: (n, 4) how likely each number stands in a corner, at most 1 each.
        characters: (n, 8) the same of each flower's and season's character, in a corner or alone.
        words: (n, 8) the same of its word, above or below the picture.
    """

    numbers: Floats
    characters: Floats
    words: Floats

    @property
    def legible(self) -> NDArray[np.bool_]:
        """(n,) whether any sign on a tile is."""
        most: Floats = np.max([part.max(axis=1) for part in self], axis=0)
        return most >= LEGIBLE


class BonusReader:
    """Reads the signs of flowers and seasons.

    Args:
        signs: looks through the windows.
    """

    def __init__(self, signs: OnnxSigns) -> None:
        self._signs = signs

    def read(self, faces: NDArray[np.uint8]) -> BonusSigns:
        """The signs on faces (n, *FACE, 3) uint8 BGR, the right way up."""
        said = self._signs.read(windows(faces, WINDOW))
        numbers = said[:, :MIDDLE_PLACE, NONE + 1 : NONE + 1 + _NUMBERS]
        names = said[:, :, FIRST_CHARACTER:]
        characters, words = names[:, :UPPER_PLACE], names[:, UPPER_PLACE:]
        return BonusSigns(*(part.max(axis=1) for part in (numbers, characters, words)))

    def applied(self, image: NDArray[np.uint8], quads: Floats, probabilities: Floats) -> Floats:
        """What the views show, (n, 45), once the signs of flowers, seasons and birds are read.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) pixels, from the corner that is the view's top-left.
            probabilities: (n, 45), each row summing to 1, the marks being read.
        """
        chosen = np.nonzero(flower_or_bird(probabilities) >= LEAST)[0]
        if not len(chosen):
            return probabilities
        signs = self.read(rectify(image, quads[chosen], FACE))
        changed, places = probabilities.copy(), np.ix_(chosen[signs.legible], COLUMNS)
        heard = BonusSigns(*(part[signs.legible] for part in signs))
        changed[places] = together(probabilities[places], heard)
        return changed


def together(before: Floats, signs: BonusSigns) -> Floats:
    """Probabilities (n, 9) of flowers, seasons and one bamboo, shared out anew by their signs."""
    scores = terms(before, signs) @ SignWeights.shipped().vector().astype(np.float32)
    return shared_anew(scores, before)


def terms(before: Floats, signs: BonusSigns) -> Floats:
    """(n, 9, 5) logarithms that the five weights are multiplied with, of the same."""
    shares = np.log(np.maximum(before / before.sum(axis=1, keepdims=True), _NEVER))
    numbers = np.tile(signs.numbers, (1, 2))
    named, worded = (part.max(axis=1, keepdims=True) for part in (signs.characters, signs.words))
    found = ((numbers, numbers[:, :1]), (signs.characters, named), (signs.words, worded))
    nameless = np.zeros_like(before)
    nameless[:, -1:] = np.where(named >= LEGIBLE, np.log(np.maximum(1 - named, _LEAST_SAID)), 0)
    every = [shares, *(_heard(*said) for said in found), nameless]
    return np.stack(every, axis=2).astype(np.float32)


def _heard(flowers: Floats, bird: Floats) -> Floats:
    """Logarithms (n, 9) of what is said of flowers and the bird, zero where none is legible."""
    legible = flowers.max(axis=1, keepdims=True) >= LEGIBLE
    said = np.concatenate([flowers, bird], axis=1)
    return np.where(legible, np.log(np.maximum(said, _LEAST_SAID)), 0)


def windows(faces: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """(n, 7, side, side, 3) of faces (n, h, w, 3): corners, and the others brought to that size."""
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
