"""A whole photo is judged without looking for tiles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.layout.test_notices import HAND, photo_of
from tests.vision.photo.test_quality import blurred, shaken
from tests.vision.table import lay
from vision.photo.glance import Glance, glance
from vision.photo.quality import overall_fault
from vision.photo.thresholds import GLANCE, TILES, glance_limits
from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]


@pytest.fixture(scope="module")
def photo() -> Image:
    return photo_of(lay(HAND))


def scaled(image: Image, scale: float) -> Image:
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale), np.uint8)


def test_a_good_photo_has_no_fault(photo: Image) -> None:
    seen = glance(photo)
    assert seen.fault == ""
    assert overall_fault(photo) is None
    assert seen.side == max(photo.shape[:2])
    assert seen.sharpness is not None
    assert seen.sharpness > 4 * GLANCE.blurred


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("dark", "photo is dark"),
        ("blurred", "photo is blurred"),
        ("small", "small in the photo"),
        ("blown", "photo is too bright"),
    ],
)
def test_what_is_wrong_is_told(photo: Image, fault: str, words: str) -> None:
    spoilt = {
        "dark": (photo * 0.1).astype(np.uint8),
        "blurred": blurred(photo, 5),
        "small": scaled(photo, 0.9 * GLANCE.small / max(photo.shape)),
        "blown": cv2.add(photo, np.full_like(photo, 200)),
    }[fault]
    assert glance(np.asarray(spoilt, np.uint8)).fault == fault
    assert words in str(overall_fault(np.asarray(spoilt, np.uint8)))


def test_a_shaken_photo_is_blurred_though_it_is_crisp_along_the_movement(photo: Image) -> None:
    assert glance(shaken(photo, 21)).fault == "blurred"
    across = np.ascontiguousarray(photo.transpose(1, 0, 2))
    assert glance(shaken(across, 21)).fault == "blurred"


def test_an_empty_table_is_neither_sharp_nor_blurred() -> None:
    empty = np.full((600, 900, 3), 120, np.uint8)
    assert glance(empty) == Glance(900, 120.0, 0.0, None)
    assert glance(empty).fault == ""


def test_a_large_photo_is_looked_at_in_a_smaller_size(photo: Image) -> None:
    large = scaled(photo, 3 * GLANCE.side / max(photo.shape))
    seen, small = glance(large), glance(scaled(large, 1 / 3))
    assert seen.side == 3 * GLANCE.side
    assert seen.light == pytest.approx(small.light, abs=3)
    assert seen.sharpness == pytest.approx(small.sharpness, rel=0.5)


def test_the_limits_are_told_by_name() -> None:
    limits = glance_limits()
    assert (limits["dark_below"], limits["blown_above"]) == (TILES.dark, GLANCE.blown)
    assert limits["small_below"] == GLANCE.small
