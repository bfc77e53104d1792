"""The log-linear rule multiplies what models read, and keeps what a group has in all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.classify.bamboo_count import BambooWeights
from vision.classify.experts import combined, logarithms


def test_probabilities_are_products_of_powers() -> None:
    first, second = np.array([[0.5, 0.3]], np.float32), np.array([[0.2, 0.8]], np.float32)
    both = combined(logarithms((first, 0.0), (second, 0.0)), BambooWeights(2.0, 0.5), first)
    wanted = first**2 * np.sqrt(second)
    assert both == pytest.approx(0.8 * wanted / wanted.sum(), rel=1e-5)
    assert both.dtype == np.float32


def test_a_model_that_gives_a_label_nothing_can_be_outvoted() -> None:
    first, second = np.array([[0.0, 1.0]], np.float32), np.array([[1.0, 0.0]], np.float32)
    terms = logarithms((first, 0.1), (second, 0.001))
    assert terms[0] == pytest.approx(np.log([[0.1, 1.0], [1.0, 0.001]]))
    assert combined(terms, BambooWeights(1.0, 1.0), first)[0].argmax() == 0


@given(seed=st.integers(0, 10_000))
def test_each_row_keeps_its_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, 5, 8)).astype(np.float32)
    after = combined(logarithms((first, 1e-4), (second, 1e-4)), BambooWeights(0.5, 0.5), first)
    assert after.sum(axis=1) == pytest.approx(first.sum(axis=1), rel=1e-5)
