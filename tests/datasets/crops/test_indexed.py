"""Crops of faces on which numbers and letters are printed, with the place of each."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.crops.indexed import CELL, OPEN, SIZE, IndexPrinter, plain_faces
from datasets.designs.fonts import FontSpec
from datasets.sets.faces import FaceSet
from vision.vocabulary.labels import INDICES

WHITE = np.full((160, 120, 3), 240, np.uint8)


@pytest.fixture(scope="module")
def printer(typefaces: list[FontSpec]) -> IndexPrinter:
    return IndexPrinter([WHITE], typefaces)


def test_what_is_printed_shows_where_it_is_told(printer: IndexPrinter) -> None:
    crops = printer.batch(np.random.default_rng(1), 240)
    assert crops.images.shape == (240, *SIZE, 3)
    assert crops.cells.shape == (240, SIZE[0] // CELL, SIZE[1] // CELL)
    assert crops.cells.min() == OPEN
    assert 0 < crops.cells.max() < len(INDICES)
    darker = []
    for image, cells in zip(crops.images.astype(float).mean(axis=3), crops.cells, strict=True):
        means = image.reshape(SIZE[0] // CELL, CELL, SIZE[1] // CELL, CELL).mean(axis=(1, 3))
        if (cells > 0).any():
            darker.append(means[cells > 0].mean() < np.median(means[cells == 0]))
            assert len(set(cells[cells > 0].tolist())) == 1, "one index a face"
    assert len(darker) > 80
    assert np.mean(darker) > 0.65


def test_the_same_seed_prints_the_same(printer: IndexPrinter) -> None:
    one, two = (printer.batch(np.random.default_rng(5), 8) for _ in range(2))
    assert np.array_equal(one.images, two.images)
    assert np.array_equal(one.cells, two.cells)


def test_a_crop_that_is_upside_down_says_nothing(
    printer: IndexPrinter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.crops.indexed._TURNED", 1.1)
    assert printer.batch(np.random.default_rng(2), 20).cells.max() == 0


def photographed(name: str) -> FaceSet:
    """A set of two faces and a flower."""
    grey = {"1m": 0, "7z": 90, "1f": 180}
    faces = {label: (np.full((80, 60, 3), shade, np.uint8),) for label, shade in grey.items()}
    return FaceSet(name, faces, (240, 240, 240), (40, 90, 40), ((240, 240, 240),), 0.75)


def test_only_playing_tiles_of_sets_without_an_index_are_printed_on(
    typefaces: list[FontSpec],
) -> None:
    faces = plain_faces([photographed("cm03"), photographed("cm07")], typefaces, (), 0)
    assert [int(face[0, 0, 0]) for face in faces] == [0, 90]
    assert len(plain_faces([], typefaces, (), 2)) == 24
