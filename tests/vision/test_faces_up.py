"""A plain tile in hand is a white dragon rather than one that lies face down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.faces_up import with_faces_up


def plain(back: float) -> NDArray[np.float64]:
    """(45,): a back as likely as that, else a white dragon."""
    row = np.zeros(len(READING_LABELS))
    row[READING_LABELS.index("back")] = back
    row[READING_LABELS.index("5z")] = 1 - back
    return row


def labels(rows: NDArray[np.float64]) -> list[str]:
    return [READING_LABELS[best] for best in rows.argmax(axis=1)]


def test_a_doubtful_back_in_hand_is_its_likeliest_face() -> None:
    rows = np.stack([plain(0.7), plain(0.7), plain(0.999)])
    told = with_faces_up(rows, [0, 2])
    assert labels(told) == ["5z", "back", "back"]
    assert np.allclose(told.sum(axis=1), 1)
    assert 0.9 < told[0].max() < 0.99, "it is still asked about"


def test_other_tiles_stay_as_they_are() -> None:
    rows = np.stack([plain(0.7), plain(0.0)])
    assert np.array_equal(with_faces_up(rows, [1]), rows)
    assert np.array_equal(with_faces_up(rows, []), rows)
