from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fakes import models_that_see, reader_with
from tests.vision.layout.test_notices import HAND, photo_of
from tests.vision.table import Laid, lay
from vision.errors import NoTilesFound
from vision.photo.quality import Quality, faults, measure, overall_fault
from vision.photo.thresholds import TILES
from vision.runtime.opencv import cv2

GOOD = Quality(width=80.0, sharpness=0.5, light=200.0, glare=0.0)


def blurred(image: NDArray[np.uint8], sigma: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def shaken(image: NDArray[np.uint8], length: int) -> NDArray[np.uint8]:
    kernel = np.full((1, length), 1 / length, np.float32)
    return np.asarray(cv2.filter2D(image, -1, kernel), np.uint8)


def with_lamp(laid: Laid, share: float) -> NDArray[np.uint8]:
    """The photo, a little dimmed, with a white spot over so much of each face."""
    image = (photo_of(laid) * 0.85).astype(np.uint8)
    for quad in laid.quads:
        area = float(cv2.contourArea(quad))
        x, y = (round(float(v)) for v in quad.mean(axis=0))
        cv2.circle(image, (x, y), round(float(np.sqrt(share * area / np.pi))), (255, 255, 255), -1)
    return image


def test_sharpness_falls_with_blur_and_not_with_light() -> None:
    laid = lay(HAND)
    image = photo_of(laid)
    sharp = measure(image, laid.quads).sharpness
    steps = [measure(blurred(image, sigma), laid.quads).sharpness for sigma in (1, 2, 4, 8)]
    assert [sharp, *steps] == sorted([sharp, *steps], reverse=True)
    assert sharp > TILES.blurred > steps[-1]
    dim = (image * 0.5).astype(np.uint8)
    assert measure(dim, laid.quads).sharpness == pytest.approx(sharp, rel=0.1)


def test_a_shaken_photo_is_blurred_though_it_is_crisp_one_way() -> None:
    laid = lay(HAND)
    image = photo_of(laid)
    steps = [measure(shaken(image, length), laid.quads).sharpness for length in (1, 5, 9, 25)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > TILES.blurred > steps[-1]


@pytest.mark.parametrize("share", [0.5, 0.2, 0.1])
def test_light_is_that_of_the_paper_not_of_the_table_or_the_ink(share: float) -> None:
    laid = lay(HAND)
    image = photo_of(laid)
    whole = measure(image, laid.quads).light
    assert whole == pytest.approx(234, abs=3)
    dim = (image * share).astype(np.uint8)
    assert measure(dim, laid.quads).light == pytest.approx(share * whole, abs=2)


def test_glare_is_the_share_of_the_faces_that_is_burnt_out() -> None:
    laid = lay(HAND)
    assert measure(photo_of(laid), laid.quads).glare == 0
    for share in (0.1, 0.25):
        assert measure(with_lamp(laid, share), laid.quads).glare == pytest.approx(share, abs=0.08)


def test_an_overexposed_photo_is_not_called_glaring() -> None:
    laid = lay(HAND)
    bright = np.clip(photo_of(laid) * 1.1, 0, 255).astype(np.uint8)
    assert measure(bright, laid.quads).glare == 0


def test_width_is_the_narrow_side_in_pixels() -> None:
    laid = lay(HAND)
    assert measure(photo_of(laid), laid.quads).width == pytest.approx(60)
    sideways = np.roll(laid.quads, 1, axis=1)
    assert measure(photo_of(laid), sideways).width == pytest.approx(60)


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"light": TILES.dark - 1}, "lamp"),
        ({"width": TILES.small - 1}, "come closer"),
        ({"sharpness": TILES.blurred * 0.9}, "hold still"),
        ({"glare": TILES.glare + 0.01}, "move the lamp"),
    ],
)
def test_each_fault_says_what_to_do(changed: dict[str, float], word: str) -> None:
    assert faults(GOOD) == []
    facts = {name: getattr(GOOD, name) for name in GOOD.__slots__}
    (told,) = faults(Quality(**{**facts, **changed}))
    assert word in str(told)


def test_tiles_that_are_small_are_not_also_called_blurred() -> None:
    (told,) = faults(Quality(TILES.small - 1, 0.0, GOOD.light, GOOD.glare))
    assert "come closer" in str(told)


def test_the_reading_of_a_spoilt_photo_tells_it_first() -> None:
    laid = lay(HAND)
    dark = (photo_of(laid) * 0.15).astype(np.uint8)
    reading = reader_with(*models_that_see(laid.quads, laid.labels)).read(dark)
    assert str(reading.warnings[0]).startswith("The photo is dark")


def test_a_dark_photo_without_tiles_is_told_to_be_dark() -> None:
    models = models_that_see(np.empty((0, 4, 2), np.float32), [])
    for light, dark in ((20, True), (120, False)):
        image = np.full((600, 900, 3), light, np.uint8)
        assert bool(overall_fault(image)) is dark
        with pytest.raises(NoTilesFound) as refused:
            reader_with(*models).read(image)
        assert ("dark" in str(refused.value)) is dark
