"""Tiles that lie as flowers and seasons are read as such, the more doubtful the less they show."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS, is_bonus
from vision.layout.bonus import bonus_guess, with_laid_bonus


def shows(**chances: float) -> NDArray[np.float64]:
    """(1, 45): one tile that may be what is named ``t1f`` and so on."""
    row = np.full(len(READING_LABELS), 1e-6)
    for name, chance in chances.items():
        row[READING_LABELS.index(name[1:])] = chance
    shares: NDArray[np.float64] = row / row.sum()
    return shares[np.newaxis]


def label_of(row: NDArray[np.float64]) -> str:
    return READING_LABELS[int(row.argmax())]


def test_the_guess_is_the_likeliest_flower_or_season_and_the_chance_of_any() -> None:
    guess = bonus_guess(shows(t3m=0.6, t1y=0.3, t2f=0.1))
    assert list(guess.labels) == ["1y"]
    assert abs(guess.chances[0] - 0.4) < 1e-4


def test_a_tile_laid_as_a_flower_is_read_as_one_with_the_layouts_doubt() -> None:
    read = with_laid_bonus(shows(t3m=0.6, t1y=0.3, t2f=0.1), {0: 0.8})[0]
    assert label_of(read) == "1y"
    assert abs(read[READING_LABELS.index("1y")] - 0.8 * 0.75) < 1e-3
    assert abs(read[READING_LABELS.index("3m")] - 0.2) < 1e-3


def test_other_tiles_and_clear_flowers_stay_as_they_are() -> None:
    tiles = np.concatenate([shows(t3m=0.6, t1y=0.4), shows(t1y=0.7, t3m=0.3)])
    assert np.array_equal(with_laid_bonus(tiles, {1: 0.5}), tiles)


@given(
    st.lists(st.floats(1e-6, 1.0), min_size=45, max_size=45),
    st.floats(0.0, 1.0),
)
def test_whatever_it_shows_it_is_read_as_a_flower_or_season(
    shares: list[float], chance: float
) -> None:
    tile = np.array([shares])
    read = with_laid_bonus(tile / tile.sum(), {0: max(chance, 1e-3)})[0]
    assert abs(read.sum() - 1) < 1e-9
    assert is_bonus(label_of(read))
    assert label_of(read) in BONUS_TILES
