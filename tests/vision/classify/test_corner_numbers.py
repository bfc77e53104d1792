"""Corner numbers settle what a suited tile's picture leaves in doubt, and change nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS, SUIT_TILES
from tests.vision.classify.small_print import PHOTO, QUAD, FakeModel, sign_of, signs_with
from tests.vision.fakes import sure_of
from vision.classify.corner_numbers import (
    CHARACTERS,
    LEAST,
    SUIT_COLUMNS,
    SURE,
    NumberReader,
    NumberWeights,
    best_of,
    number_terms,
    numbers_of,
    upper,
    windows,
)
from vision.classify.experts import combined
from vision.classify.signs import LEGIBLE, NUMBERS, SIGNS, WINDOW


def numbered(model: FakeModel, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    quads = np.repeat(QUAD[np.newaxis], len(seen), axis=0)
    return NumberReader(signs_with(model)).refined(PHOTO, quads, seen)


WINDOWS = 5


def said_in(*places: tuple[int, str, float]) -> NDArray[np.float32]:
    """(1, 5, 9) of a tile in some of whose windows a number is seen."""
    told = np.zeros((1, WINDOWS, len(NUMBERS)), np.float32)
    for place, number, chance in places:
        told[0, place, NUMBERS.index(number)] = chance
    return told


def between(first: str, second: str, share: float) -> NDArray[np.float32]:
    """(1, 45) of a tile that is hardly anything but one of two."""
    seen = sure_of([first], share)
    seen[0, READING_LABELS.index(second)] += 0.999 - share
    return np.asarray(seen / seen.sum(), np.float32)


def test_a_clear_number_decides_between_pictures_that_look_alike() -> None:
    for said, wanted in (("6", "6s"), ("9", "9s")):
        seen = numbered(sign_of(said, 0.99), between("9s", "6s", 0.8))
        assert READING_LABELS[seen[0].argmax()] == wanted


@pytest.mark.parametrize("sure", [1 / len(NUMBERS), LEGIBLE - 0.01])
def test_a_number_that_cannot_be_read_leaves_the_tile_as_it_was(sure: float) -> None:
    model, before = sign_of("6", sure), between("9s", "6s", 0.6)
    assert np.array_equal(numbered(model, before), before)
    assert model.asked == WINDOWS


@pytest.mark.parametrize(
    ("places", "number", "chance"),
    [
        ([(1, "3", 0.9)], "3", 0.9),
        ([(3, "9", 0.8)], "9", 0.8),
        ([(4, "8", 0.7)], "8", 0.7),
        ([(0, "6", 0.6), (3, "9", 0.99)], "6", 0.6),
        ([(2, "6", 0.6), (4, "1", 0.99)], "6", 0.6),
        ([(0, "7", 0.3), (2, "5", 0.9)], "5", 0.9),
    ],
)
def test_upper_corners_count_before_lower_ones_and_these_before_the_middle(
    places: list[tuple[int, str, float]], number: str, chance: float
) -> None:
    told = best_of(said_in(*places))
    assert NUMBERS[told[0].argmax()] == number
    assert told.max() == pytest.approx(chance)


def test_windows_show_the_corners_and_the_middle() -> None:
    face = np.zeros((1, 114, 86, 3), np.uint8)
    marked = ((0, 0), (0, 85), (113, 0), (113, 85), (57, 43))
    for place, (y, x) in enumerate(marked):
        face[0, y, x] = place + 1
    shown = windows(face, WINDOW)
    assert [set(np.unique(shown[0, place])) for place in range(5)] == [
        {0, place + 1} for place in range(5)
    ]


def test_the_suit_is_the_pictures_word() -> None:
    seen = numbered(sign_of("6", 0.99), between("9s", "6s", 0.8))
    assert seen[0, READING_LABELS.index("6s")] > 20 * seen[0, READING_LABELS.index("6p")]


def test_the_number_is_read_as_the_view_has_it_up() -> None:
    for corner, down in ((0, 1), (2, -1)):
        model = sign_of("6", 0.9)
        quads = np.roll(QUAD, -corner, axis=0)[np.newaxis]
        reader = NumberReader(signs_with(model))
        reader.refined(PHOTO, quads, between("9s", "6s", 0.8))
        rows = model.shown[4, :, 12, 0].astype(int)[::down]
        assert (np.diff(rows) >= 0).all()
        assert rows[-1] > rows[0]


def test_only_suited_tiles_in_doubt_are_shown_to_the_reader() -> None:
    model = sign_of("2", 0.99)
    before = np.concatenate(
        [sure_of(["1f", "5z", "back"], 0.9), sure_of(["5s"], (1 + SURE) / 2), sure_of(["5s"], 0.9)]
    )
    assert before[0, SUIT_COLUMNS].sum() < LEAST
    after = numbered(model, before)
    assert model.asked == WINDOWS
    assert np.array_equal(after[:4], before[:4])
    assert not np.array_equal(after[4], before[4])


@pytest.mark.parametrize(
    ("tile", "asked"), [("6p", 5), ("9s", 5), ("5p", 5), ("4p", 0), ("5s", 0), ("9m", 1)]
)
def test_many_circles_or_bamboo_are_counted_and_numerals_are_read(tile: str, asked: int) -> None:
    model = sign_of("9", 0.99)
    numbered(model, sure_of([tile], (1 + SURE) / 2))
    assert model.asked == asked


class NumeralOnly(FakeModel):
    """Sees a number in a window that is shown alone, and none in those that are shown together."""

    def run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        (told,) = super().run(crops)
        return [told if len(crops) == 1 else np.eye(len(SIGNS), dtype=np.float32)[[0] * WINDOWS]]


def test_a_chinese_numeral_tells_characters_apart_and_nothing_else() -> None:
    before = between("6m", "3m", 0.7)
    before[0, READING_LABELS.index("3p")] = 0.1
    before = np.asarray(before / before.sum(), np.float32)
    model = NumeralOnly(SIGNS, "3", 0.95, (WINDOW, WINDOW))
    after = numbered(model, before)
    assert READING_LABELS[after[0].argmax()] == "3m"
    assert np.allclose(np.delete(after, CHARACTERS), np.delete(before, CHARACTERS))
    assert after[:, CHARACTERS].sum() == pytest.approx(before[:, CHARACTERS].sum(), rel=1e-5)


def test_the_numeral_is_looked_for_in_the_upper_half() -> None:
    face = np.zeros((1, 114, 86, 3), np.uint8)
    face[0, 10:50, 20:66] = 200
    face[0, 60:] = 90
    shown = upper(face, WINDOW)[0]
    assert shown.shape == (WINDOW, WINDOW, 3)
    assert (shown > 150).mean() > 0.4
    assert not (shown == 90).any()


def test_how_likely_a_tile_is_a_suited_one_stays() -> None:
    before = sure_of(["6s"], 0.6)
    after = numbered(sign_of("9", 0.9), before)
    assert after[:, SUIT_COLUMNS].sum() == pytest.approx(before[:, SUIT_COLUMNS].sum(), rel=1e-5)
    assert np.allclose(np.delete(after, SUIT_COLUMNS), np.delete(before, SUIT_COLUMNS))


def test_certain_models_that_disagree_still_give_probabilities() -> None:
    picture, number = np.zeros((1, 27), np.float32), np.zeros((1, 9), np.float32)
    picture[0, SUIT_TILES.index("6s")] = number[0, 8] = 1
    both = combined(number_terms(picture, number), NumberWeights.shipped(), picture)
    assert np.isfinite(both).all()
    assert both.sum() == pytest.approx(1, abs=1e-5)


def test_nothing_is_read_where_there_is_no_tile() -> None:
    model = sign_of("2", 0.99)
    assert numbered(model, np.empty((0, len(READING_LABELS)), np.float32)).shape[0] == 0
    assert model.asked == 0


def test_every_suited_tile_has_its_number() -> None:
    numbers = numbers_of(np.arange(len(SUIT_TILES)))
    assert [NUMBERS[number] for number in numbers] == [tile[0] for tile in SUIT_TILES]
