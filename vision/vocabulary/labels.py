"""The columns of labels in arrays of probabilities, and the probability of a printed face."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BONUS_TILES, PLAIN_FACES, READING_LABELS

Chances = NDArray[np.float64]


def column(label: str) -> int:
    """The column of a label in arrays of probabilities: its index in ``READING_LABELS``.

    Raises:
        ValueError: there is no such label.
    """
    return READING_LABELS.index(label)


BLANK_COLUMNS: Final = [column(label) for label in PLAIN_FACES]
"""Columns of the faces without print."""
BONUS_COLUMNS: Final = np.array([column(label) for label in BONUS_TILES])
"""Columns of the flowers and seasons."""
_PLAIN: Final = [column(BACK), *BLANK_COLUMNS]
"""Columns of the labels without print: faces and backs."""
_CLEARLY_PRINTED: Final = 0.8
"""Minimum probability of print for a tile to show what colour the paper of the faces has."""
SURE: Final = 0.7
"""Minimum evidence of a sure tile: the probability of a tile times the classifier's confidence."""


def chance_of_print(probabilities: Chances) -> Chances:
    """Probability (n,) that each tile shows print, by the probabilities (n, 45) of its labels."""
    printed: Chances = 1 - probabilities[:, _PLAIN].sum(axis=1)
    return printed


def sure_prints(probabilities: Chances, evidence: NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of the detections that surely are tiles and show print.

    Args:
        probabilities: (n, 45), each row summing to 1.
        evidence: (n,) from 0 to 1, as :data:`SURE` describes it.
    """
    printed = chance_of_print(probabilities) >= _CLEARLY_PRINTED
    return np.nonzero((evidence >= SURE) & printed)[0]
