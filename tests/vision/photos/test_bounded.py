"""The work for one photo is bounded, whatever it shows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.sets.faces import load_designs
from vision.classify.bonus_marks import MOST_READ
from vision.classify.classifier import VIEW_BUDGET
from vision.classify.mirror import MIRROR_TEST
from vision.detect.search import LOOKS
from vision.detect.verifier import CORNERS
from vision.pipeline import MAX_TILES
from vision.runtime.session import Model
from vision.shipped import open_reader

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
MOST_SEARCHES = 4
"""The searches that :mod:`vision.detect.search` lists."""
TILES = MAX_TILES + LOOKS.most_faint
"""Most candidates that are read."""
VIEWS = TILES + VIEW_BUDGET.of(TILES)
"""Most views of them."""
MIRRORED = MIRROR_TEST.sample + TILES
"""Most glances in the mirror."""


def heap(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.uint8]:
    """So many faces of a set on a cloth, any way up, dim and grainy, so that few are clear."""
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    every = [image for images in faces.faces.values() for image in images]
    image = np.full((rows * 78, columns * 58, 3), (60, 90, 40), np.uint8)
    for row, column in np.ndindex(rows, columns):
        face = cv2.resize(every[int(rng.integers(len(every)))], (48, 64))
        turned = np.rot90(face, 2 * int(rng.integers(2)))
        image[row * 78 + 6 : row * 78 + 70, column * 58 + 4 : column * 58 + 52] = turned
    grain = rng.normal(0, 12, image.shape)
    return np.clip(image * 0.5 + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("rows", "columns"), [(4, 6), (14, 20)])
def test_a_heap_of_any_size_costs_no_more_than_it_may(
    rows: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: Counter[str] = Counter()
    run = Model.run

    def counted(model: Model, *inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
        looked[model.entry.name] += len(inputs[0]) if model.entry.name != "judge" else 1
        return run(model, *inputs)

    monkeypatch.setattr(Model, "run", counted)
    image = heap(np.random.default_rng(rows), rows, columns)
    reading = open_reader().read(image)
    assert len(reading.tiles) > 0.9 * rows * columns
    assert looked["detector"] <= MOST_SEARCHES
    assert looked["verifier"] <= LOOKS.most * (1 + CORNERS.more_looks)
    assert looked["classifier"] <= VIEWS + MIRRORED
    assert looked["marks"] <= 2 * MOST_READ
    assert looked["judge"] == 1
