"""Tiles that stand near the camera and others that lie far off, on one photo."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import FakeVerifier, answers_of
from vision.detect.search import OnnxDetector
from vision.runtime.session import Model

STRIDE = 8
SIDE = 1024
CLOSER = 1638
"""Pixels of a picture that is searched closer."""
IMAGE = np.zeros((SIDE, SIDE, 3), np.uint8)


Square = tuple[float, ...]
"""Middle x and y and side in pixels of a picture of 1024, and score; how high it is, in sides, if
it is no square."""


class FakeModel:
    """Finds the ``first`` squares in a picture of 1024 pixels, those ``again`` in another one.

    In one that is searched closer it finds those of ``closer``, by default the first again.
    """

    metadata: ClassVar = {"threshold": 0.45, "stride": STRIDE}
    entry = SimpleNamespace(file="fake.onnx")

    def __init__(
        self, first: list[Square], again: list[Square], closer: list[Square] | None = None
    ) -> None:
        self.first, self.again = first, again
        self.closer = first if closer is None else closer
        self.searched: list[int] = []

    def run(self, image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        side = image.shape[2]
        side = CLOSER if side == CLOSER + -CLOSER % 32 else side
        self.searched.append(side)
        shown = {SIDE: self.first, CLOSER: self.closer}.get(side, self.again)
        scale = side / SIDE / STRIDE
        heat, sector, corners = answers_of(image, {}, 1)
        for x, y, wide, score, *high in shown:
            row, column = int(y * scale), int(x * scale)
            heat[0, 0, row, column] = score
            corners[0, :, :, row, column] *= wide * scale / 2
            corners[0, :, 1::2, row, column] *= high[0] if high else 1.0
        return [heat, sector, corners]


def sides_found(first: list[Square], again: list[Square]) -> list[int]:
    model = FakeModel(first, again)
    found = OnnxDetector(cast("Model", model), FakeVerifier()).detect(IMAGE)
    assert len(model.searched) == 2
    return sorted(round(float(quad[1, 0] - quad[0, 0]) / 10) * 10 for quad in found.quads)


def row(y: int, side: int, score: float, count: int = 5) -> list[Square]:
    return [(100 + place * side, y, side, score) for place in range(count)]


NEAR = row(800, 140, 0.9, 6)


@pytest.mark.parametrize(("seen_again", "score"), [([], 0.8), ([], 0.72), (row(200, 70, 0.2), 0.8)])
def test_small_tiles_beside_large_ones_are_kept(seen_again: list[Square], score: float) -> None:
    assert sides_found([*NEAR, *row(200, 70, score)], [*NEAR, *seen_again]) == [70] * 5 + [140] * 6


def test_large_tiles_beside_small_ones_are_kept() -> None:
    far = row(200, 30, 0.9, 10)
    near = row(500, 50, 0.8, 2)
    assert sides_found([*far, *near], far) == [30] * len(far) + [50, 50]


def test_what_is_better_seen_again_counts_once() -> None:
    assert sides_found([*NEAR, *row(200, 70, 0.8)], [*NEAR, *row(200, 80, 0.6)]) == (
        [80] * 5 + [140] * 6
    )


def test_marks_on_tiles_that_are_found_smaller_are_no_tiles() -> None:
    marks = [(x - 40, y, 60, 0.8) for x, y, *_ in NEAR[:3]]
    assert sides_found([*NEAR, *marks], NEAR) == [140] * 6


@pytest.mark.parametrize(("score", "kept"), [(0.72, 2), (0.68, 0)])
def test_what_is_far_larger_than_tiles_are_there_must_be_likely(score: float, kept: int) -> None:
    tiles = row(300, 60, 0.9)
    model = FakeModel([*tiles, (300, 600, 130, score), (500, 600, 130, score)], [])
    found = OnnxDetector(cast("Model", model), FakeVerifier()).detect(IMAGE, faint=True)
    assert len(found) == len(tiles) + kept


@pytest.mark.parametrize(("score", "kept"), [(0.9, 2), (0.8, 0)])
def test_what_is_thrice_as_large_as_the_others_must_be_clear(score: float, kept: int) -> None:
    tiles = row(200, 60, 0.9, 8)
    model = FakeModel([*tiles, *row(800, 200, score, 2)], [])
    found = OnnxDetector(cast("Model", model), FakeVerifier()).detect(IMAGE, faint=True)
    assert len(found) == len(tiles) + kept


@pytest.mark.parametrize(("upright", "score"), [(1.35, 0.6), (0.6, 0.25)])
def test_a_tile_behind_a_row_that_stands_may_lie_and_be_as_long_as_those_are_wide(
    upright: float, score: float
) -> None:
    tiles: list[Square] = [(*square, upright) for square in row(700, 120, 0.9, 6)]
    longer = max(upright, 1.0) * 120
    lying: list[Square] = [(*square, 0.5) for square in row(500, round(longer * 0.5), 0.6, 2)]
    model = FakeModel([*tiles, *lying], [])
    found = OnnxDetector(cast("Model", model), FakeVerifier()).detect(IMAGE, faint=True)
    assert len(found) == len(tiles) + 2
    assert min(found.scores) == pytest.approx(score, abs=0.01)


PHOTO = np.zeros((2 * SIDE, 2 * SIDE, 3), np.uint8)


def scores_found(
    model: FakeModel, *, faint: bool, image: NDArray[np.uint8] = PHOTO
) -> list[tuple[int, float]]:
    """How wide each is in the first search, in tens of pixels, and its score, nearer ones last."""
    found = OnnxDetector(cast("Model", model), FakeVerifier()).detect(image, faint=faint)
    widths = (found.quads[:, 1] - found.quads[:, 0])[:, 0] * SIDE / len(image)
    told = zip(widths.tolist(), found.scores.tolist(), strict=True)
    return sorted((round(wide / 10) * 10, round(score, 2)) for wide, score in told)


def test_a_photo_is_searched_closer_once_more_and_a_frame_of_a_camera_is_not() -> None:
    model = FakeModel(row(300, 60, 0.7), [], closer=row(300, 60, 0.9))
    assert scores_found(model, faint=False) == [(60, 0.7)] * 5
    assert CLOSER not in model.searched
    assert scores_found(model, faint=True) == [(60, 0.82)] * 5
    assert CLOSER in model.searched


def test_of_tiles_too_far_for_the_first_search_the_closer_one_tells_alone() -> None:
    tiles = [*row(300, 60, 0.9, 6), (700, 300, 60, 0.7), (700, 500, 60, 0.7)]
    model = FakeModel(tiles, [], closer=[*tiles, *row(100, 30, 0.8, 2)])
    assert scores_found(model, faint=True) == [(30, 0.8)] * 2 + [(60, 0.7)] * 2 + [(60, 0.9)] * 6


def test_of_tiles_too_near_for_the_closer_search_the_first_tells_alone() -> None:
    tiles, near = row(200, 60, 0.9, 8), row(700, 100, 0.7, 3)
    model = FakeModel([*tiles, *near], [], closer=tiles)
    assert scores_found(model, faint=True) == [(60, 0.9)] * 8 + [(100, 0.7)] * 3
    assert CLOSER in model.searched


def test_tiles_that_are_near_already_are_searched_no_closer() -> None:
    model = FakeModel(row(300, 80, 0.7), [])
    assert scores_found(model, faint=True) == [(80, 0.7)] * 5
    assert CLOSER not in model.searched


def test_a_photo_that_has_no_more_pixels_is_searched_no_closer() -> None:
    model = FakeModel(row(300, 60, 0.7), [])
    assert scores_found(model, faint=True, image=IMAGE) == [(60, 0.7)] * 5
    assert CLOSER not in model.searched


def test_a_photo_of_mostly_clear_tiles_is_searched_once() -> None:
    model = FakeModel([*row(300, 60, 0.8, 8), (700, 700, 60, 0.5)], [])
    assert scores_found(model, faint=True) == [(60, 0.5)] + [(60, 0.8)] * 8
    assert model.searched == [SIDE]
