"""Signs tell flowers, seasons and birds apart where one is legible, and change nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS
from tests.vision.classify.small_print import PHOTO, QUAD, FakeModel, sign_of, signs_with
from tests.vision.fakes import sure_of
from vision.classify import bonus_signs
from vision.classify.bonus_signs import (
    COLUMNS,
    LOWER_PLACE,
    MIDDLE_PLACE,
    UPPER_PLACE,
    WINDOWS,
    BonusSignReader,
    BonusSigns,
    SignWeights,
    sign_terms,
)
from vision.classify.experts import combined
from vision.classify.signs import WINDOW


def signed(model: FakeModel, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    quads = np.repeat(QUAD[np.newaxis], len(seen), axis=0)
    return BonusSignReader(signs_with(model)).refined(PHOTO, quads, seen)


def by_both(before: NDArray[np.float32], signs: BonusSigns) -> NDArray[np.float32]:
    return combined(sign_terms(before, signs), SignWeights.shipped(), before)


def between(first: str, second: str, share: float) -> NDArray[np.float32]:
    """(1, 45) of a tile that is hardly anything but one of two."""
    seen = sure_of([first], share)
    seen[0, READING_LABELS.index(second)] += 0.999 - share
    return np.asarray(seen / seen.sum(), np.float32)


def told(sign: str, sure: float, seen: NDArray[np.float32]) -> str:
    return READING_LABELS[int(signed(sign_of(sign, sure), seen)[0].argmax())]


@pytest.mark.parametrize(
    ("sign", "wanted"), [("2y", "2y"), ("2", "2y"), ("none", "4f"), ("9", "4f"), ("4f", "4f")]
)
def test_a_legible_sign_decides_between_flowers_in_doubt(sign: str, wanted: str) -> None:
    assert told(sign, 0.99, between("4f", "2y", 0.7)) == wanted


@pytest.mark.parametrize("sure", [0.2, 0.49])
def test_a_sign_that_is_not_legible_changes_nothing(sure: float) -> None:
    before = between("4f", "2y", 0.6)
    assert np.array_equal(signed(sign_of("2y", sure), before), before)


def test_a_bird_with_a_seasons_character_is_no_one_bamboo() -> None:
    seen = between("1s", "4y", 0.9)
    assert told("none", 0.99, seen) == "1s"
    assert told("1", 0.99, seen) == "1s"
    assert told("4y", 0.99, seen) == "4y"


def test_words_do_not_speak_against_a_bird() -> None:
    before = np.full((1, len(COLUMNS)), 0.01, np.float32)
    before[0, [3, 8]] = 0.1, 0.82
    words = np.zeros((1, 8), np.float32)
    words[0, 3] = 0.9
    silent = np.zeros((1, 8), np.float32)
    signs = BonusSigns(np.zeros((1, 4), np.float32), silent, words)
    assert by_both(before, signs)[0].argmax() == 8
    as_character = BonusSigns(np.zeros((1, 4), np.float32), words, silent)
    assert by_both(before, as_character)[0].argmax() == 3


def test_only_what_may_be_a_flower_or_a_bird_is_shown_to_the_reader() -> None:
    model, alone = sign_of("2y", 0.99), sign_of("2y", 0.99)
    before = sure_of(["5z", "back", "2s", "4f", "1s"], 0.999)
    after = signed(model, before)
    signed(alone, before[3:])
    assert model.asked == alone.asked >= 2 * WINDOWS
    assert np.array_equal(after[:3], before[:3])


def test_how_likely_a_tile_is_a_flower_or_a_bird_stays() -> None:
    before = between("1s", "3f", 0.6)
    after = signed(sign_of("3y", 0.9), before)
    assert after[:, COLUMNS].sum() == pytest.approx(before[:, COLUMNS].sum(), rel=1e-5)
    assert np.allclose(np.delete(after, COLUMNS, axis=1), np.delete(before, COLUMNS, axis=1))


def test_certain_models_that_disagree_still_give_probabilities() -> None:
    before = np.zeros((1, 9), np.float32)
    before[0, 0] = 1
    said = np.eye(8, dtype=np.float32)[[7]]
    both = by_both(before, BonusSigns(said[:, :4] + said[:, 4:], said, said))
    assert np.isfinite(both).all()
    assert both.sum() == pytest.approx(1, abs=1e-5)


def test_a_character_alone_fills_its_window() -> None:
    face = np.zeros((1, *bonus_signs.FACE, 3), np.uint8)
    face[0, 24:72, 12:60] = 200
    shown = bonus_signs.windows(face, WINDOW)
    assert shown.shape == (1, WINDOWS, WINDOW, WINDOW, 3)
    assert (shown[0, MIDDLE_PLACE] > 150).mean() > 0.5
    assert (shown[0, MIDDLE_PLACE, 0] < 50).all()


def test_words_above_and_below_the_picture_are_shown_over_the_whole_width() -> None:
    face = np.zeros((1, *bonus_signs.FACE, 3), np.uint8)
    face[0, 5:20] = 100
    face[0, -20:-5] = 200
    shown = bonus_signs.windows(face, WINDOW)[0]
    for place, value in ((UPPER_PLACE, 100), (LOWER_PLACE, 200)):
        rows = (shown[place, :, :, 0] == value).mean(axis=1)
        assert set(rows.tolist()) == {0.0, 1.0}
        assert 0.4 < rows.mean() < 0.6


@pytest.mark.parametrize(("said", "number", "name"), [("3", 2, None), ("4y", None, 7)])
def test_numbers_and_names_are_told_apart(said: str, number: int | None, name: int | None) -> None:
    faces = np.zeros((2, *bonus_signs.FACE, 3), np.uint8)
    seen = BonusSignReader(signs_with(sign_of(said, 0.9))).read(faces)
    assert seen.numbers.shape == (2, 4)
    assert seen.characters.shape == seen.words.shape == (2, 8)
    for part, place in ((seen.numbers, number), (seen.characters, name), (seen.words, name)):
        assert [k for k in range(part.shape[1]) if part[0, k] > 0.5] == (
            [] if place is None else [place]
        )


def test_nothing_is_read_where_there_is_no_tile() -> None:
    model = sign_of("3", 0.9)
    seen = BonusSignReader(signs_with(model)).read(np.empty((0, *bonus_signs.FACE, 3), np.uint8))
    assert seen.characters.shape == (0, len(BONUS_TILES))
    assert model.asked == 0
