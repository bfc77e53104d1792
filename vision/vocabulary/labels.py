"""The columns of labels in arrays of probabilities."""

from __future__ import annotations

from typing import Final

import numpy as np

from scorer.tiles import BONUS_TILES, PLAIN_FACES, READING_LABELS


def column(label: str) -> int:
    """The column of a label in arrays of probabilities: its index in ``READING_LABELS``.

    Raises:
        ValueError: there is no such label.
    """
    return READING_LABELS.index(label)


INDICES: Final = ("", *"123456789", *"ESWN", *"PFC")
"""What the corner of a tile may say: nothing, the number of a suit's tile, or the letter of a wind
or of the white, green or red dragon. Words that say the same count as letters."""
BLANK_COLUMNS: Final = [column(label) for label in PLAIN_FACES]
"""Columns of the faces without print."""
BONUS_COLUMNS: Final = np.array([column(label) for label in BONUS_TILES])
"""Columns of the flowers and seasons."""
