"""The benchmarks of photo quality, of votes and of reading live say what they measure."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.hands.quality import FAULTS, careful_photo, tile_width
from benchmarks.hands.votes import GRID, table
from benchmarks.speed.watch import Tally, report
from datasets.scenes.scenes import Scene
from datasets.sets.faces import load_designs
from scorer.tiles import READING_LABELS
from tests.house.test_imports import ROOT
from vision.photo.quality import measure


@pytest.fixture(scope="module")
def scene() -> Scene:
    return careful_photo(2, load_designs([ROOT / "datasets" / "samples" / "0900.npz"]))


@pytest.mark.parametrize(
    ("fault", "attribute", "rises"),
    [
        ("out of focus", "sharpness", False),
        ("shaken", "sharpness", False),
        ("light left", "light", False),
        ("mirrored lamp", "glare", True),
    ],
)
def test_what_is_spoilt_is_what_is_measured(
    scene: Scene, fault: str, attribute: str, *, rises: bool
) -> None:
    spoil, measured, amounts = FAULTS[fault]
    assert measured == attribute
    values = []
    for amount in (amounts[0], amounts[len(amounts) // 2], amounts[-1]):
        image = spoil(np.random.default_rng(0), scene.image, scene.quads, amount)
        values.append(getattr(measure(image, scene.quads), attribute))
    assert values == sorted(values, reverse=not rises)
    assert values[0] != values[-1]


def test_distance_makes_tiles_so_many_pixels_wide(scene: Scene) -> None:
    spoil, _, _ = FAULTS["tile width"]
    small = spoil(np.random.default_rng(0), scene.image, scene.quads, 30)
    scale = small.shape[1] / scene.image.shape[1]
    assert tile_width(scene.quads) * scale == pytest.approx(30, rel=0.02)


def test_the_table_of_votes_finds_what_looks_are_worth() -> None:
    truth = ["1m"] * 8
    right = np.full(len(READING_LABELS), 0.3 / (len(READING_LABELS) - 1))
    right[READING_LABELS.index("1m")] = 0.7
    alike = np.tile(right, (4, 8, 1))
    costs = [float(line.split()[1]) for line in table([(alike, truth)])[1:]]
    assert len(costs) == len(GRID)
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize(("seconds", "verdict"), [(0.1, "at least 5"), (0.4, "LESS THAN 5")])
def test_the_report_of_reading_live_says_whether_it_is_fast_enough(
    seconds: float, verdict: str
) -> None:
    tally = Tally({"nothing new": [(0.01, 0.02)]}, looks=42, searches=7)
    told = report(tally, [(seconds, 2 * seconds)] * 3, 14)
    assert verdict in told
    assert "42 looks at 14 tiles, 7 frames searched" in told
