"""Windows on tiles hold the numbers that they are said to hold."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.crops.corner_numbers import (
    WRITTEN,
    drawn_window,
    letters_on_tiles,
    numerals_on_tiles,
    plain_set,
    windows_of_characters,
    windows_of_numbered,
    windows_of_plain,
    with_digit,
    written_window,
)
from datasets.crops.laid_signs import SIDE, UNCLEAR
from datasets.designs import FontError, FontSpec
from datasets.designs.drawing.palette import with_formal_numerals
from datasets.designs.factory import sample_style
from datasets.designs.fonts.glyphs import FORMAL_NUMERALS, SIMPLIFIED_FORMAL_NUMERALS
from scorer.tiles import SUIT_TILES
from vision.classify.signs import NONE

PAPER = np.full((SIDE, SIDE, 3), 200, np.uint8)


@pytest.mark.parametrize("place", range(5))
def test_a_digit_stands_where_the_window_shows_a_corner(
    place: int, typefaces: list[FontSpec]
) -> None:
    rng = np.random.default_rng(place)
    for text in "174":
        drawn = with_digit(rng, PAPER, place, text, letters_on_tiles(typefaces), turned=False)
        inked = np.argwhere(np.abs(drawn.astype(int) - PAPER).max(axis=2) > 20)
        assert len(inked)
        y, x = inked.mean(axis=0) / SIDE
        if place == 4:
            assert 0.3 < y < 0.7
            assert 0.3 < x < 0.7
        else:
            assert (y > 0.5) == (place in (2, 3))
            assert (x > 0.5) == (place in (1, 3))


def test_what_is_laid_in_a_window_is_told(typefaces: list[FontSpec]) -> None:
    rng, fonts = np.random.default_rng(5), letters_on_tiles(typefaces)
    told = []
    for _ in range(200):
        image, number = drawn_window(rng, PAPER, 0, fonts, room=True)
        assert number == NONE or not np.array_equal(image, PAPER)
        told.append(number)
    assert set(told) == {NONE, *range(1, 10)}
    assert drawn_window(rng, PAPER, 4, fonts, room=False)[1] == NONE


def test_another_numeral_is_laid_over_a_character(typefaces: list[FontSpec]) -> None:
    rng, numerals = np.random.default_rng(3), numerals_on_tiles(typefaces)
    character = PAPER.copy()
    character[10:40, 15:40] = (20, 30, 180)
    character[SIDE - 4 :, 10:45] = (40, 40, 40)
    told = set()
    for _ in range(120):
        image, number = written_window(rng, character, numerals)
        told.add(number)
        assert np.abs(image[-1].astype(int) - character[-1]).max() < 3, "what is below stays"
        inked = np.abs(image[:40].astype(int) - 200).max(axis=2) > 45
        assert 0 < inked.mean() < 0.8
        assert not (image[10:40, 15:40] == (20, 30, 180)).all(axis=2).mean() > 0.9
    assert told == set(range(1, 10))
    with pytest.raises(FontError, match="numerals"):
        numerals_on_tiles([])


def test_plain_sets_have_no_numbers(typefaces: list[FontSpec]) -> None:
    assert set(plain_set(4, typefaces).faces) > set(SUIT_TILES)
    rng = np.random.default_rng(2)
    shown = [windows_of_plain(rng, typefaces) for _ in range(6)]
    assert sum(len(part) for part in shown) > 4
    assert all((part.signs[:, :5] == NONE).all() for part in shown)


def test_numbered_tiles_tell_where_their_numbers_stand(typefaces: list[FontSpec]) -> None:
    rng = np.random.default_rng(6)
    parts = [windows_of_numbered(rng, typefaces) for _ in range(40)]
    numbers = np.concatenate([part.signs for part in parts])
    shown = np.sort(np.where(numbers == UNCLEAR, NONE, numbers), axis=1)
    assert (shown[:, -1] > 0).mean() > 0.5
    twice = shown[:, -2] > 0
    assert 0 < twice.mean() < 0.5
    assert (shown[twice, -2] == shown[twice, -1]).all()
    assert all(part.images.shape[1:] == (6, SIDE, SIDE, 3) for part in parts)


def test_characters_show_their_numeral_in_the_upper_half(typefaces: list[FontSpec]) -> None:
    rng = np.random.default_rng(3)
    parts = [windows_of_characters(rng, typefaces) for _ in range(20)]
    numbers = np.concatenate([part.signs[:, WRITTEN] for part in parts])
    assert (numbers > 0).mean() > 0.6
    assert len(set(numbers.tolist()) - {NONE}) > 5


def test_formal_numerals_are_as_often_simplified(typefaces: list[FontSpec]) -> None:
    usual = sample_style(1, typefaces).fonts
    told = [
        with_formal_numerals(usual, np.random.default_rng(seed), typefaces).words["numerals"]
        for seed in range(40)
    ]
    assert set(told) == {FORMAL_NUMERALS, SIMPLIFIED_FORMAL_NUMERALS}
    assert 8 < told.count(FORMAL_NUMERALS) < 32


def test_typefaces_without_digits_are_refused() -> None:
    with pytest.raises(FontError, match="Arabic numerals"):
        letters_on_tiles([])
