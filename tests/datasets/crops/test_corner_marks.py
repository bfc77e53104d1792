"""Windows on flowers and seasons hold the signs that they are said to hold."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.crops.corner_marks import (
    marked_window,
    signs_on_tiles,
    windows_of_marked,
    windows_of_pictures,
)
from datasets.crops.laid_signs import CORNERS, SIDE, Lay, as_seen, with_sign
from datasets.designs import FontError, FontSpec
from vision.classify.bonus_signs import LOWER_PLACE, MIDDLE_PLACE, UPPER_PLACE, WINDOWS
from vision.classify.signs import FIRST_CHARACTER, NONE, SIGNS, WINDOW

PAPER = np.full((SIDE, SIDE, 3), 200, np.uint8)


def test_pictures_alone_hold_no_sign(typefaces: list[FontSpec]) -> None:
    rng = np.random.default_rng(2)
    parts = [windows_of_pictures(rng, typefaces, ()) for _ in range(6)]
    assert sum(len(part) for part in parts) > 4
    assert all((part.signs == NONE).all() for part in parts)
    assert all(part.images.shape[1:] == (WINDOWS, SIDE, SIDE, 3) for part in parts)


def test_marked_tiles_tell_where_their_signs_stand(typefaces: list[FontSpec]) -> None:
    rng = np.random.default_rng(6)
    signs = np.concatenate([windows_of_marked(rng, typefaces, ()).signs for _ in range(60)])
    characters, numbers = signs >= FIRST_CHARACTER, (signs > NONE) & (signs < FIRST_CHARACTER)
    assert characters[:, :MIDDLE_PLACE].any()
    assert characters[:, MIDDLE_PLACE].any()
    assert (
        characters[:, UPPER_PLACE:].any(axis=1) & ~characters[:, :UPPER_PLACE].any(axis=1)
    ).any()
    assert numbers[:, :MIDDLE_PLACE].any()
    assert (characters[:, :UPPER_PLACE].sum(axis=1) <= 1).all()
    assert signs[numbers].max() <= 4


@pytest.mark.parametrize("place", [0, 3, MIDDLE_PLACE, UPPER_PLACE, LOWER_PLACE])
def test_what_is_laid_in_a_window_is_told(place: int, typefaces: list[FontSpec]) -> None:
    rng, signs = np.random.default_rng(5), signs_on_tiles(typefaces)
    told = []
    for _ in range(250):
        image, sign = marked_window(rng, PAPER, place, signs)
        assert sign == NONE or not np.array_equal(image, PAPER)
        told.append(SIGNS[sign])
    digits = set("1234") if place < MIDDLE_PLACE else set()
    assert set(told) == {"none", *SIGNS[FIRST_CHARACTER:]} | digits


@pytest.mark.parametrize(("place", "upper"), [(UPPER_PLACE, True), (LOWER_PLACE, False)])
def test_words_stand_near_the_edge(place: int, upper: bool, typefaces: list[FontSpec]) -> None:  # noqa: FBT001
    rng, signs = np.random.default_rng(7), signs_on_tiles(typefaces)
    for _ in range(40):
        image, sign = marked_window(rng, PAPER, place, signs)
        if sign != NONE:
            inked = np.argwhere(np.abs(image.astype(int) - PAPER).max(axis=2) > 20)
            y, x = inked.mean(axis=0) / SIDE
            assert (y < 0.6) if upper else (y > 0.4)
            assert 0.3 < x < 0.7


def test_a_character_stands_in_the_corner_and_alone_in_the_middle() -> None:
    mask = np.full((100, 100), 255, np.uint8)
    for place, lay in ((0, Lay(100, (0.3, 0.3), (0.1, 0.2), (0.1, 0.2))), (4, Lay(60, (0.5, 0.5)))):
        drawn = with_sign(np.random.default_rng(place), PAPER, CORNERS[place], mask, lay)
        inked = np.argwhere(np.abs(drawn.astype(int) - PAPER).max(axis=2) > 20)
        y, x = inked.mean(axis=0) / SIDE
        assert (abs(x - 0.5) < 0.1 and abs(y - 0.5) < 0.1) == (place == 4)
        assert len(inked) == pytest.approx((lay.face * lay.heights[0]) ** 2, rel=0.3)


def test_a_photo_shows_a_window_smaller_and_no_two_photos_alike() -> None:
    rng = np.random.default_rng(4)
    seen = [as_seen(rng, PAPER) for _ in range(20)]
    assert {image.shape for image in seen} == {(WINDOW, WINDOW, 3)}
    assert len({image.tobytes() for image in seen}) > 15


def test_typefaces_without_the_characters_are_refused() -> None:
    with pytest.raises(FontError, match="flowers and seasons"):
        signs_on_tiles([])
