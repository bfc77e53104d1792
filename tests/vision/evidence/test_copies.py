"""No photo of one set shows more tiles of a face than the set has."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.tiles import READING_LABELS
from tests.vision.fakes import sure_of
from vision.evidence.likeness import within_copies

WHITE, FLOWER, BIRD = (READING_LABELS.index(label) for label in ("5z", "1f", "1s"))


def test_four_of_a_face_stay_as_they_are() -> None:
    rows = sure_of(["5z"] * 4 + ["1m"] * 4, 0.97).astype(np.float64)
    assert np.allclose(within_copies(rows, np.ones(8)), rows)


def test_of_thirty_two_white_dragons_each_is_doubtful() -> None:
    rows = sure_of(["5z"] * 32, 0.99).astype(np.float64)
    told = within_copies(rows, np.ones(32))[:, WHITE]
    assert told.sum() == pytest.approx(4.4, abs=0.05)
    assert told.max() < 0.2


def test_the_least_certain_loses_most() -> None:
    rows = np.concatenate([sure_of(["5z"] * 4, 0.999), sure_of(["5z"], 0.8)]).astype(np.float64)
    told = within_copies(rows, np.ones(5))[:, WHITE]
    assert told[:4].min() > 0.98
    assert told[4] < 0.6


def test_what_is_hardly_a_tile_counts_little() -> None:
    rows = sure_of(["5z"] * 8, 0.99).astype(np.float64)
    tiles = np.array([1.0] * 4 + [0.05] * 4)
    assert np.allclose(within_copies(rows, tiles), rows)


def test_three_birds_are_not_the_flower_of_which_there_is_one() -> None:
    rows = np.zeros((3, len(READING_LABELS)))
    rows[:, FLOWER], rows[:, BIRD] = 0.6, 0.4
    told = within_copies(rows, np.ones(3))
    assert (told.argmax(axis=1) == BIRD).all()
    assert np.allclose(told.sum(axis=1), 1)


def test_a_flower_that_is_there_twice_is_doubtful_but_nothing_else() -> None:
    rows = sure_of(["1f"] * 2, 0.9).astype(np.float64)
    rows[:, READING_LABELS.index("other")] += 0.08
    rows /= rows.sum(axis=1, keepdims=True)
    told = within_copies(rows, np.ones(2))
    assert (told.argmax(axis=1) == FLOWER).all()
    assert told[:, FLOWER].max() < 0.6
    assert np.allclose(told.sum(axis=1), 1)


def test_of_a_face_that_the_set_lacks_there_is_none() -> None:
    told = within_copies(sure_of(["1f", "1m"], 0.9).astype(np.float64), np.ones(2), {"1f": 0})
    assert (told[:, FLOWER] == 0).all()
    assert np.allclose(told.sum(axis=1), 1)


def test_a_set_may_have_more() -> None:
    rows = sure_of(["1f"] * 2, 0.95).astype(np.float64)
    assert np.allclose(within_copies(rows, np.ones(2), {"1f": 2}), rows)
    assert within_copies(rows, np.ones(2))[:, FLOWER].max() < 0.8
