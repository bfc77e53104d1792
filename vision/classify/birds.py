"""One bamboo told from flowers and seasons by the number in the corner.

Most sets draw a bird on the one bamboo, and many draw birds or bamboo on flowers and seasons, so
their pictures are easily taken for one another. But these mostly bear a number of their own, while
on a one bamboo there is none or a one. Where the classifier takes a view for a one bamboo with the
probability b and for some flower or season with f, and the readers of marks its number for k with
n_k, the odds f : b are multiplied by the exponential of ::

    several * L(largest of n_2, n_3, n_4) + one * L(n_1) + illegible

where L is the logit, counted as no less than -1, which is about that of a number that cannot be
read at all, and no more than 4. What both have together stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS, column

Floats = NDArray[np.float32]

BIRD: Final = column("1s")
"""Place of the one bamboo in :data:`scorer.tiles.READING_LABELS`."""
_LEAST, _MOST = -1.0, 4.0
_NEVER: Final = 1e-6
_NUMBERS: Final = 4


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


def flower_or_bird(probabilities: Floats) -> Floats:
    """How likely (n,) views that show what (n, 45) says are flowers, seasons or one bamboo."""
    either: Floats = probabilities[:, [*BONUS_COLUMNS, BIRD]].sum(axis=1)
    return either


def told_by_number(probabilities: Floats, marks: Floats) -> Floats:
    """What views show, (n, 45), once flowers and one bamboo are told apart.

    Args:
        probabilities: (n, 45) of the classifier, each row summing to 1.
        marks: (n, 8) of the readers of marks, columns as in :data:`scorer.tiles.BONUS_TILES`.
    """
    changed = probabilities.copy()
    either = flower_or_bird(probabilities)
    odds = odds_of_flowers(probabilities) + clues(marks) @ BirdWeights.shipped().vector()
    flowers = np.maximum(probabilities[:, BONUS_COLUMNS], _NEVER)
    flowers *= (either * expit(odds) / flowers.sum(axis=1))[:, np.newaxis]
    changed[:, BONUS_COLUMNS] = flowers
    changed[:, BIRD] = either * expit(-odds)
    return changed


def odds_of_flowers(probabilities: Floats) -> Floats:
    """(n,) logit of views that show what (n, 45) says for flowers against one bamboo."""
    flowers = np.maximum(probabilities[:, BONUS_COLUMNS].sum(axis=1), _NEVER)
    return np.asarray(np.log(flowers / np.maximum(probabilities[:, BIRD], _NEVER)), np.float32)


def clues(marks: Floats) -> Floats:
    """(n, 3) what the three weights are multiplied with, of the marks (n, 8)."""
    numbers = marks[:, :_NUMBERS] + marks[:, _NUMBERS:]
    several, one = numbers[:, 1:].max(axis=1), numbers[:, 0]
    read = np.clip(logit(np.clip([several, one], _NEVER, 1 - _NEVER)), _LEAST, _MOST)
    return np.column_stack([*read, np.ones(len(marks))]).astype(np.float32)
