"""Flowers and one bamboo are told apart by numbers, and nothing else is changed by these."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS
from vision.classify.bonus_marks import BIRD, divided_by_number
from vision.vocabulary.labels import BONUS_COLUMNS


def doubtful(flower: str, share: float) -> NDArray[np.float32]:
    """A view that shows this flower with the probability ``share``, else one bamboo."""
    row = np.zeros((1, len(READING_LABELS)), np.float32)
    row[0, [READING_LABELS.index(flower), BIRD]] = share, 1 - share
    return row


def marks(said: str, sure: float) -> NDArray[np.float32]:
    row = np.full((1, 8), (1 - sure) / 7, np.float32)
    row[0, BONUS_TILES.index(said)] = sure
    return row


def flowers(probabilities: NDArray[np.float32]) -> float:
    return float(probabilities[0, BONUS_COLUMNS].sum())


@pytest.mark.parametrize("flower", ["2f", "3y", "4f"])
def test_a_legible_number_from_two_on_is_no_one_bamboo(flower: str) -> None:
    assert flowers(divided_by_number(doubtful(flower, 0.03), marks(flower, 0.95))) > 0.9
    assert flowers(divided_by_number(doubtful(flower, 1e-5), marks(flower, 0.6))) < 0.1


def test_a_one_tells_little() -> None:
    one, two = (
        flowers(divided_by_number(doubtful(label, 0.1), marks(label, 0.9)))
        for label in ("1f", "2f")
    )
    assert one < 0.3
    assert two > 0.7


def test_what_bears_no_legible_number_is_sooner_one_bamboo() -> None:
    blank = marks("1f", 1 / 8)
    assert flowers(divided_by_number(doubtful("3f", 0.7), blank)) < 0.3
    assert flowers(divided_by_number(doubtful("3f", 0.999), blank)) > 0.9


@given(seed=st.integers(0, 10_000))
def test_all_else_stays_as_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = rng.dirichlet(np.full(len(READING_LABELS), 0.05), 20).astype(np.float32)
    after = divided_by_number(before, rng.dirichlet(np.full(8, 0.1), 20).astype(np.float32))
    others = np.setdiff1d(np.arange(len(READING_LABELS)), [*BONUS_COLUMNS, BIRD])
    assert np.array_equal(after[:, others], before[:, others])
    assert np.allclose(after.sum(axis=1), 1, atol=1e-5)
    assert after.min() >= 0
