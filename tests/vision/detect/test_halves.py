"""A tile that was found as two is looked at as one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.detect.test_reshape import HIGH, IMAGE, WIDE, Truthful, finder, tile, two_rows
from vision.detect.halves import Pairs, possible_halves
from vision.detect.reshape import reshaped

Floats = NDArray[np.float32]
X, Y = 60 + 5 * WIDE, 60.0


def lying_across() -> Floats:
    """Two rows of five and a tile across at the end of the first."""
    return np.concatenate([two_rows(), tile(X, Y, wide=HIGH, high=WIDE)[np.newaxis]])


def in_two(*, one_above_the_other: bool = False) -> Floats:
    """The same with the tile across, or the eighth, found as two."""
    if one_above_the_other:
        x, y = two_rows()[7, 0].tolist()
        halves = [tile(x, y, high=HIGH / 2), tile(x, y + HIGH / 2, high=HIGH / 2)]
        return np.stack([*np.delete(two_rows(), 7, axis=0), *halves])
    halves = [tile(X, Y, wide=HIGH / 2, high=WIDE), tile(X + HIGH / 2, Y, wide=HIGH / 2, high=WIDE)]
    return np.stack([*two_rows(), *halves])


def rows_of(quads: Floats, *, alone: int = 0) -> dict[int, NDArray[np.intp]]:
    """The indices of the tiles in the row of each; the last few have none."""
    known = len(quads) - alone
    rows = {n: np.arange(known)[quads[:known, 0, 1] == quads[n, 0, 1]] for n in range(known)}
    return rows | {n: np.empty(0, np.intp) for n in range(known, len(quads))}


def printed_halves(quads: Floats, flat: Floats, rows: Mapping[int, NDArray[np.intp]]) -> Pairs:
    """The possible halves if all detections show print."""
    return possible_halves(quads, flat, np.ones(len(quads), np.bool_), rows)


@pytest.mark.parametrize("one_above_the_other", [False, True])
def test_two_halves_are_one_tile(*, one_above_the_other: bool) -> None:
    quads = in_two(one_above_the_other=one_above_the_other)
    last = len(quads) - 1
    pairs = printed_halves(quads, quads, rows_of(quads, alone=2))
    assert (pairs.owners.tolist(), pairs.others.tolist()) == ([last - 1], [last])
    whole = two_rows()[7] if one_above_the_other else lying_across()[-1]
    away = np.abs(pairs.quads[0][:, np.newaxis] - whole).max(axis=2)
    assert away.min(axis=1).max() < 1e-3


def test_the_other_half_need_be_no_tile() -> None:
    quads = in_two()
    rows = rows_of(quads, alone=2)
    del rows[len(quads) - 1]
    assert len(printed_halves(quads, quads, rows).quads) == 1


def test_whole_tiles_and_blank_halves_are_left() -> None:
    quads = lying_across()
    assert len(printed_halves(quads, quads, rows_of(quads)).quads) == 0
    halves = in_two()
    printed = np.arange(len(halves)) < len(halves) - 1
    assert len(possible_halves(halves, halves, printed, rows_of(halves, alone=2)).quads) == 0
    none = possible_halves(quads[:0], quads[:0], np.empty(0, np.bool_), {})
    assert none.quads.shape == (0, 4, 2)
    assert len(none.owners) == len(none.others) == 0


def test_far_tiles_beside_nearer_ones_are_whole() -> None:
    quads = in_two()
    above = quads.copy()
    above[-2:] *= 1.5
    assert len(printed_halves(quads, above, rows_of(quads, alone=2)).quads) == 0


def test_halves_apart_are_two_things() -> None:
    quads = in_two()
    quads[-1] += [WIDE, 0]
    assert len(printed_halves(quads, quads, rows_of(quads, alone=2)).quads) == 0


@pytest.mark.parametrize(("sure", "whole"), [(0.97, True), (0.85, False)])
def test_they_become_one_if_that_is_read_surely(sure: float, *, whole: bool) -> None:
    quads = in_two()
    detector, classifier = finder(quads, 0.995), Truthful(lying_across(), sure, hardly=0.98)
    found, seen = detector.detect(IMAGE), classifier.classify(IMAGE, quads)
    told = reshaped(
        detector, classifier, IMAGE, found, seen, seen.turns, np.ones(len(quads), np.bool_)
    )
    assert (told is not None) == whole
    if told is not None:
        assert np.allclose(told[1].quads[-2], lying_across()[-1], atol=0.5)
        assert np.array_equal(told[1].quads[:-2], two_rows())
