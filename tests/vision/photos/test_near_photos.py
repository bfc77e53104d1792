"""Tiles photographed from so near that the marks on them are as large as tiles usually are."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.scenes.scenes import Scene
from datasets.scenes.set_photos import set_photo
from datasets.sets.faces import load_designs
from tests.vision.fakes import FakeVerifier, answers_of
from vision import read_photo
from vision.detect.search import OnnxDetector
from vision.runtime.session import Model

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
IMAGE = np.zeros((1024, 1024, 3), np.uint8)
STRIDE = 8


class FakeModel:
    """Finds tiles of ten cells by ten: marks while the picture is large, a tile when it is small.

    Args:
        marks: (x, y, score) in shares of the picture.
        tile: score of a tile in the middle, of half the picture's width, where it is small.
    """

    metadata: ClassVar = {"threshold": 0.45, "stride": STRIDE}
    entry = SimpleNamespace(file="fake.onnx")

    def __init__(self, marks: list[tuple[float, float, float]], tile: float) -> None:
        self.marks, self.tile = marks, tile

    def run(self, image: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        rows, columns = image.shape[1] // STRIDE, image.shape[2] // STRIDE
        shown = [(0.5, 0.5, self.tile)] if columns <= 24 else self.marks
        scores = {(int(y * rows), int(x * columns)): score for x, y, score in shown}
        return answers_of(image, scores, 5)


def widths(marks: list[tuple[float, float, float]], tile: float) -> list[int]:
    detector = OnnxDetector(cast("Model", FakeModel(marks, tile)), FakeVerifier())
    found = detector.detect(IMAGE)
    return sorted(round(float(quad[1, 0] - quad[0, 0])) for quad in found.quads)


LARGE = round(10 * STRIDE * 1024 / 192)
SMALL = 10 * STRIDE


def test_marks_on_a_tile_seen_from_near_are_no_tiles() -> None:
    assert widths([(0.45, 0.5, 0.8), (0.55, 0.5, 0.78)], 0.9) == [LARGE]
    assert widths([], 0.9) == [LARGE]


@pytest.mark.parametrize(
    ("marks", "tile"),
    [
        ([(0.45, 0.5, 0.93)], 0.9),
        ([(0.45, 0.5, 0.8), (0.1, 0.1, 0.8)], 0.9),
        ([(0.45, 0.5, 0.6)], 0.7),
        ([(x, 0.5, 0.8) for x in (0.3, 0.4, 0.5, 0.6, 0.7, 0.35)], 0.9),
    ],
    ids=["surer", "also beside it", "nothing clear", "many"],
)
def test_tiles_on_something_that_looks_like_a_large_one_are_kept(
    marks: list[tuple[float, float, float]], tile: float
) -> None:
    assert widths(marks, tile) == [SMALL] * len(marks)


@pytest.fixture(scope="module")
def sheet() -> Scene:
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    return set_photo(np.random.default_rng(4), faces, (1500, 2000))


@pytest.mark.parametrize("label", ["3s", "2z", "7m", "9p"])
@pytest.mark.parametrize("reach", [1.5, 2.2])
def test_one_tile_that_fills_half_the_photo_is_read(sheet: Scene, label: str, reach: float) -> None:
    quad = sheet.quads[sheet.labels.index(label)]
    middle = quad.mean(axis=0)
    size = float(np.abs(quad - middle).max()) * reach
    low, high = np.maximum(0, middle - size).astype(int), (middle + size).astype(int)
    near = sheet.image[low[1] : high[1], low[0] : high[0]]
    photo = np.asarray(cv2.resize(near, None, fx=6, fy=6, interpolation=cv2.INTER_CUBIC), np.uint8)
    there = (middle - low) * 6
    told = [
        tile.label
        for tile in read_photo(photo).tiles
        if cv2.pointPolygonTest(np.array(tile.quad, np.float32), there.tolist(), measureDist=False)
        > 0
    ]
    assert told == [label]
