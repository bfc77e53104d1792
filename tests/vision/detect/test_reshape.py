"""Tiles that were found too narrow, low or high for their place are looked at in another shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import FakeDetector, sure_of
from vision.detect.reshape import reshaped
from vision.vocabulary.detections import Classified, Detections

Floats = NDArray[np.float32]

IMAGE = np.zeros((400, 800, 3), np.uint8)
WIDE, HIGH = 40.0, 54.0


def tile(x: float, y: float, wide: float = WIDE, high: float = HIGH) -> Floats:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)


def two_rows() -> Floats:
    """Ten tiles in two rows that lie apart."""
    return np.stack([tile(60 + WIDE * (k % 5), 60 + 120 * (k // 5)) for k in range(10)])


@dataclass
class Truthful:
    """Sees the corners of a ``true`` tile near by and reads it surely, anything else ``hardly``."""

    true: Floats
    sure: float = 0.97
    hardly: float = 0.55
    asked: int = 0

    def classify(self, _image: NDArray[np.uint8], quads: Floats) -> Classified:
        self.asked += len(quads)
        away = np.abs(self.true - quads[:, np.newaxis]).max(axis=(2, 3))
        near = away.min(axis=1) < 5
        placed = np.where(near[:, np.newaxis, np.newaxis], self.true[away.argmin(axis=1)], quads)
        probabilities = sure_of(["6s"] * len(quads), self.hardly)
        probabilities[near] = sure_of(["8s"], self.sure)
        return Classified(
            placed,
            np.zeros((len(quads), 8, 6, 3), np.uint8),
            probabilities,
            np.zeros(len(quads), np.int64),
            np.zeros((len(quads), 4), np.float32),
            np.ones(len(quads), np.bool_),
            probabilities.max(axis=1),
        )


def finder(quads: Floats, score: float = 0.97) -> FakeDetector:
    count = len(quads)
    return FakeDetector(quads, np.zeros(count, np.float32), np.full(count, score, np.float32))


def read_again(
    quads: Floats, classifier: Truthful, *, score: float = 0.97
) -> tuple[Floats, NDArray[np.intp]] | None:
    """The quads and what they show once they were looked at again."""
    detector = finder(quads, score)
    found, seen = detector.detect(IMAGE), classifier.classify(IMAGE, quads)
    classifier.asked = 0
    tiles = np.ones(len(quads), np.bool_)
    told = reshaped(detector, classifier, IMAGE, found, seen, seen.turns, tiles)
    if told is None:
        return None
    found, seen = told
    assert len(found) == len(quads) == len(seen.quads)
    assert np.array_equal(found.quads, seen.quads)
    return seen.quads, seen.probabilities.argmax(axis=1)


@pytest.mark.parametrize("kept", ["left", "right", "middle"])
def test_three_quarters_of_a_tile_are_made_whole_on_the_side_where_it_goes_on(kept: str) -> None:
    true, quads = two_rows(), two_rows()
    x, y = true[7, 0].tolist()
    start = {"left": x, "right": x + WIDE / 4, "middle": x + WIDE / 8}[kept]
    quads[7] = tile(start, y, wide=WIDE * 3 / 4)
    told = read_again(quads, Truthful(true))
    assert told is not None
    assert np.allclose(told[0], true, atol=0.5)
    assert len(set(told[1].tolist())) == 1, "the last one is an eight as well"


@pytest.mark.parametrize("high", [0.6, 1.5])
def test_a_tile_unlike_its_row_in_height_is_put_right(high: float) -> None:
    true, quads = two_rows(), two_rows()
    quads[2] = tile(60 + WIDE * 2, 60, high=HIGH * high)
    told = read_again(quads, Truthful(true))
    assert told is not None
    assert np.allclose(told[0], true, atol=0.5)


def test_a_row_that_stands_is_as_high_as_it_is() -> None:
    quads = two_rows()
    quads[:5] = [tile(60 + WIDE * k, 40, high=HIGH * 1.4) for k in range(5)]
    more = np.concatenate([quads, quads[5:] + np.array([0, 120], np.float32)])
    classifier = Truthful(more)
    assert read_again(more, classifier) is None
    assert classifier.asked == 0


def test_what_is_too_wide_is_not_narrowed() -> None:
    true, quads = two_rows(), two_rows()
    quads[9] = tile(60 + WIDE * 4, 180, wide=WIDE * 1.3)
    assert read_again(quads, Truthful(true, hardly=0.92)) is None


def narrow(tiles: Floats, number: int) -> Floats:
    quads = tiles.copy()
    x, y = tiles[number, 0].tolist()
    quads[number] = tile(x, y, wide=WIDE * 3 / 4)
    return quads


def test_a_detection_stays_where_the_other_shape_is_hardly_read_or_hardly_a_tile() -> None:
    true = two_rows()
    quads = narrow(true, 7)
    assert read_again(quads, Truthful(true)) is not None
    assert read_again(quads, Truthful(true, sure=0.85)) is None
    assert read_again(quads, Truthful(true), score=0.85) is None


def across(tiles: Floats, number: int) -> Floats:
    """The tiles, one of them found as a square that stands on a corner in its middle."""
    quads = tiles.copy()
    quads[number] = tiles[number].mean(axis=0) + np.array(
        [[0, -28], [28, 0], [0, 28], [-28, 0]], np.float32
    )
    return quads


@pytest.mark.parametrize("number", [7, 4], ids=["amid a row", "at its end"])
def test_a_detection_across_a_tile_is_looked_at_where_its_neighbours_say_it_lies(
    number: int,
) -> None:
    true = two_rows()
    told = read_again(across(true, number), Truthful(true))
    assert told is not None
    assert np.allclose(told[0], true, atol=0.5)


def test_a_detection_beside_its_tile_stays_where_it_is_read_or_not_read_surely_elsewhere() -> None:
    true, quads = two_rows(), two_rows()
    quads[7] += np.array([0, HIGH * 0.4], np.float32)
    told = read_again(quads, Truthful(true))
    assert told is not None
    assert np.allclose(told[0], true, atol=0.5)
    assert read_again(quads, Truthful(true, hardly=0.92)) is None
    assert read_again(quads, Truthful(true, sure=0.94)) is None


@pytest.mark.parametrize(("score", "read"), [(1, 0.85), (0.98, 0.95)])
def test_what_is_surely_a_tile_and_surely_read_stays(score: float, read: float) -> None:
    true = two_rows()
    quads = narrow(true, 7)
    assert read_again(quads, Truthful(true, hardly=0.95), score=1) is None
    assert read_again(quads, Truthful(true, hardly=read), score=score) is not None


def test_a_tile_does_not_take_the_place_of_another() -> None:
    true = two_rows()
    quads = narrow(true, 7)
    beside = tile(60 + WIDE * 2.4, 184)[np.newaxis]
    classifier = Truthful(true)
    assert read_again(np.concatenate([quads, beside]), classifier) is None
    assert classifier.asked


def test_few_tiles_do_not_tell_how_a_tile_looks() -> None:
    quads = two_rows()[:5]
    quads[4] = tile(60 + WIDE * 4, 60, wide=WIDE / 2)
    classifier = Truthful(two_rows())
    assert read_again(quads, classifier) is None
    assert classifier.asked == 0


def test_where_all_tiles_have_the_usual_shape_nothing_is_looked_at_again() -> None:
    classifier = Truthful(two_rows())
    assert read_again(two_rows(), classifier) is None
    assert classifier.asked == 0


def test_detections_and_readings_are_chosen_by_number() -> None:
    quads = two_rows()
    found = finder(quads).detect(IMAGE)
    assert isinstance(found, Detections)
    assert np.array_equal(found.chosen(np.array([3, 1])).quads, quads[[3, 1]])
