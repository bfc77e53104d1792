"""Tiles of one set are held against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.evidence.likeness import repeated, with_likeness

SIX, EIGHT, WHITE, BACK = (READING_LABELS.index(label) for label in ("6s", "8s", "5z", "back"))


def chances(*rows: dict[int, float]) -> NDArray[np.float64]:
    told = np.zeros((len(rows), len(READING_LABELS)))
    for row, known in zip(told, rows, strict=True):
        for column, chance in known.items():
            row[column] = chance
    return told


def looking(*angles: float) -> NDArray[np.float32]:
    """Directions at these degrees."""
    turned = np.deg2rad(angles)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def test_what_looks_unlike_the_sure_eights_is_none() -> None:
    doubtful = {EIGHT: 0.6, SIX: 0.4}
    told = with_likeness(
        chances(doubtful, {EIGHT: 1.0}, {EIGHT: 1.0}), looking(0, 60, 60), np.ones(3)
    )
    assert told[0, SIX] / told[0, EIGHT] == pytest.approx(0.4 / 0.6 * np.exp(2.6), rel=1e-3)
    assert told[1:, EIGHT] == pytest.approx(1, abs=1e-3)


def test_a_sure_copy_helps_a_little() -> None:
    doubtful = {EIGHT: 0.6, SIX: 0.4}
    told = with_likeness(chances(doubtful, {SIX: 1.0}), looking(0, 20), np.ones(2))
    assert told[0, SIX] / told[0, EIGHT] == pytest.approx(0.4 / 0.6 * np.exp(0.3), rel=1e-3)


def test_a_sure_copy_that_looks_the_very_same_helps_much() -> None:
    doubtful = {EIGHT: 0.6, SIX: 0.4}
    told = with_likeness(chances(doubtful, {SIX: 1.0}), looking(0, 3), np.ones(2))
    assert told[0, SIX] / told[0, EIGHT] == pytest.approx(0.4 / 0.6 * np.exp(2.3), rel=1e-3)


@pytest.mark.parametrize("silent", [WHITE, BACK])
def test_plain_faces_may_look_unlike_and_be_the_same(silent: int) -> None:
    rows = chances({silent: 0.6, SIX: 0.4}, {silent: 1.0}, {silent: 1.0})
    told = with_likeness(rows, looking(0, 90, 45), np.ones(3))
    assert told == pytest.approx(rows, abs=1e-4)


def test_what_is_no_tile_says_nothing() -> None:
    rows = chances({EIGHT: 0.6, SIX: 0.4}, {EIGHT: 1.0})
    told = with_likeness(rows, looking(0, 60), np.array([1.0, 0.0]))
    assert told[0] == pytest.approx(rows[0], abs=1e-4)


@given(
    st.integers(0, 8).flatmap(
        lambda n: st.tuples(
            st.lists(st.floats(0.01, 0.99), min_size=n, max_size=n),
            st.lists(st.floats(0, 360), min_size=n, max_size=n),
            st.permutations(range(n)),
        )
    )
)
def test_the_order_of_the_tiles_does_not_matter(
    tiles: tuple[list[float], list[float], list[int]],
) -> None:
    sixes, angles, order = tiles
    rows, looks = chances(*({SIX: p, EIGHT: 1 - p} for p in sixes)), looking(*angles)
    told = with_likeness(rows, looks, np.ones(len(order)))
    assert told.sum(axis=1) == pytest.approx(1)
    moved = with_likeness(rows[order], looks[order], np.ones(len(order)))
    assert moved == pytest.approx(told[order], abs=1e-6)


def test_no_tiles_say_nothing() -> None:
    assert with_likeness(chances(), looking(), np.ones(0)).shape == (0, len(READING_LABELS))


@pytest.mark.parametrize("count", [8, 9])
def test_more_of_one_picture_than_two_sets_have_are_backs(count: int) -> None:
    alike = looking(*(0.5 * number / count for number in range(count)), 60.0, 61.0)
    expected = [count > 8] * count + [False, False]
    assert repeated(alike, np.ones(count + 2)).tolist() == expected
    unsure = np.array([0.4, *[1.0] * (count + 1)])
    assert not repeated(alike[:9], unsure[:9]).any(), "what is hardly a face does not count"
