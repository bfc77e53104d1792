"""Counting settles how many bamboos a tile shows, and changes nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from tests.vision.classify.small_print import PHOTO, QUAD, SIZE, FakeModel, reader_with
from tests.vision.fakes import sure_of
from vision.classify.bamboo_count import (
    AROUND,
    BAMBOOS,
    COLUMNS,
    LEAST,
    BambooWeights,
    OnnxBamboos,
    count_terms,
)
from vision.classify.experts import combined
from vision.geometry.crops import rectify, widened

Floats = NDArray[np.float32]


def counted(model: FakeModel, seen: Floats) -> Floats:
    quads = np.repeat(QUAD[np.newaxis], len(seen), axis=0)
    return OnnxBamboos(reader_with(model, BAMBOOS)).refined(PHOTO, quads, seen)


def between(first: str, second: str, share: float) -> Floats:
    """(1, 45) of a tile that is hardly anything but one of two."""
    seen = sure_of([first], share)
    seen[0, READING_LABELS.index(second)] += 0.999 - share
    return np.asarray(seen / seen.sum(), np.float32)


@pytest.mark.parametrize(("said", "wanted"), [("6s", "6s"), ("9s", "9s")])
def test_a_clear_count_decides_between_pictures_that_look_alike(said: str, wanted: str) -> None:
    seen = counted(FakeModel(BAMBOOS, said, 0.99), between("9s", "6s", 0.7))
    assert READING_LABELS[seen[0].argmax()] == wanted


def test_a_count_says_nothing_of_whether_it_is_a_bamboo() -> None:
    before = between("9s", "6s", 0.7)
    after = counted(FakeModel(BAMBOOS, "6s", 0.99), before)
    others = np.delete(np.arange(len(READING_LABELS)), COLUMNS)
    assert np.array_equal(after[:, others], before[:, others])
    assert after.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("label", ["1s", "6p", "1f", "5z"])
def test_only_what_may_show_bamboos_is_counted(label: str) -> None:
    model, before = FakeModel(BAMBOOS, "6s", 0.99), sure_of([label], LEAST + 0.1)
    assert np.array_equal(counted(model, before), before)
    assert model.asked == 0


def test_what_lies_round_a_find_is_counted_with() -> None:
    model = FakeModel(BAMBOOS, "6s", 0.99)
    counted(model, sure_of(["6s"]))
    wide = widened(QUAD[np.newaxis], AROUND)
    assert np.array_equal(model.shown[0], rectify(PHOTO, wide, SIZE)[0])
    assert np.ptp(model.shown[0]) > 1.2 * np.ptp(rectify(PHOTO, QUAD[np.newaxis], SIZE)[0])


def test_both_count() -> None:
    pictures = np.full((1, len(BAMBOOS)), 0.01, np.float32)
    pictures[0, BAMBOOS.index("6s")] = 0.9
    torn, agreeing = (
        combined(count_terms(pictures, one), BambooWeights.shipped(), pictures)
        for one in (np.roll(pictures, 3, axis=1), pictures)
    )
    assert agreeing.max() > torn.max()
