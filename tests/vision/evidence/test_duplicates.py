"""Two tiles that look the same are not the one flower of its kind."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.evidence.likeness import with_duplicates

SEASON, BIRD = READING_LABELS.index("1y"), READING_LABELS.index("1s")


def undecided(count: int) -> NDArray[np.float64]:
    rows = np.zeros((count, len(READING_LABELS)))
    rows[:, SEASON], rows[:, BIRD] = 0.6, 0.4
    return rows


def looking(*angles: float) -> NDArray[np.float32]:
    """Directions at these degrees."""
    turned = np.deg2rad(angles)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def test_of_a_face_seen_twice_there_are_several_copies() -> None:
    told = with_duplicates(undecided(3), looking(0, 10, 90))
    assert told[:, BIRD] == pytest.approx([0.831, 0.831, 0.4], abs=1e-3)
    assert told.sum(axis=1) == pytest.approx(1)


def test_each_copy_says_so_again_up_to_as_many_as_a_face_can_have() -> None:
    odds = [
        float(told[0, BIRD] / told[0, SEASON])
        for told in (with_duplicates(undecided(n), looking(*([0] * n))) for n in range(1, 7))
    ]
    assert odds == pytest.approx([0.4 / 0.6 * np.exp(2 * min(n, 3)) for n in range(6)])


def test_a_set_may_have_a_flower_twice() -> None:
    told = with_duplicates(undecided(2), looking(0, 0), {"1y": 2})
    assert np.allclose(told, undecided(2))


@pytest.mark.parametrize("count", range(5))
def test_what_looks_like_nothing_else_stays(count: int) -> None:
    told = with_duplicates(undecided(count), looking(*(80.0 * n for n in range(count))))
    assert np.allclose(told, undecided(count))
