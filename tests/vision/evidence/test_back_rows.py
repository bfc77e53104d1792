"""Which finds lie side by side with others that look like backs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.evidence.backs import backs_in_pairs, backs_in_rows


def side_by_side(count: int, angle: float = 0.0) -> NDArray[np.float32]:
    """Quads of tiles 30 pixels wide in a row that is turned by so many degrees."""
    tile = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float64)
    quads = tile + 31 * np.arange(count)[:, np.newaxis, np.newaxis] * [1.0, 0.0]
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return (quads @ [[cosine, sine], [-sine, cosine]]).astype(np.float32)


@pytest.mark.parametrize("angle", [0.0, 25.0, 90.0])
def test_three_backs_side_by_side_are_told_however_they_lie(angle: float) -> None:
    quads = side_by_side(5, angle)
    backs = np.array([True, True, True, False, True])
    assert backs_in_rows(quads, backs).tolist() == [True, True, True, False, False]


def test_two_backs_are_no_row() -> None:
    assert not backs_in_rows(side_by_side(2), np.ones(2, np.bool_)).any()
    assert backs_in_rows(side_by_side(0), np.ones(0, np.bool_)).shape == (0,)


def test_backs_that_lie_apart_or_astray_are_no_row() -> None:
    backs = np.ones(3, np.bool_)
    apart = side_by_side(5)[::2]
    assert not backs_in_rows(apart, backs).any()
    astray = side_by_side(3)
    astray[1, :, 1] += 12
    assert not backs_in_rows(astray, backs).any()


def test_what_is_far_larger_is_in_no_row_with_the_others() -> None:
    quads = side_by_side(3)
    quads[1] = (quads[1] - quads[1].mean(axis=0)) * 1.5 + quads[1].mean(axis=0)
    assert not backs_in_rows(quads, np.ones(3, np.bool_)).any()


def test_two_backs_beside_each_other_are_a_pair_if_they_are_as_large() -> None:
    quads = side_by_side(4)
    assert backs_in_pairs(quads, np.array([True, True, False, True])).tolist() == [
        True,
        True,
        False,
        False,
    ]
    quads[1] = (quads[1] - quads[1].mean(axis=0)) * 1.5 + quads[1].mean(axis=0)
    assert not backs_in_pairs(quads, np.array([True, True, False, False])).any()
    assert backs_in_pairs(quads[:0], np.ones(0, np.bool_)).shape == (0,)
