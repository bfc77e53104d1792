"""A faint find is a tile where it suits the tiles beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK
from tests.vision.evidence.plastic import CLOTH, GREEN, IVORY, RED, Bgr, coloured_table
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.evidence.colour import FaceColours
from vision.evidence.tile_odds import LEAST, tile_clues, tile_log_odds
from vision.geometry.crops import rectify

QUADS = lay("1235p").quads
FACES = ("1p", "2p", "3p", "5p")
BLUE: Bgr = (150, 60, 20)


def odds(
    score: float,
    *,
    taken: float = 1.0,
    paper: Bgr = IVORY,
    size: float = 1.0,
    labels: tuple[str, ...] = FACES,
    others: float = 0.9,
    read: float = 0.89,
    alone: float = 0.0,
) -> float:
    """Of the last of four tiles in a row, ``read`` as its set has it, ``alone`` by its picture."""
    quads = QUADS.copy()
    quads[3] = quads[3].mean(axis=0) + size * (quads[3] - quads[3].mean(axis=0))
    image = coloured_table(quads, [IVORY, IVORY, IVORY, paper], [RED] * 4)
    colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
    scores = np.array([others] * 3 + [score])
    seen = np.concatenate([sure_of(list(labels[:3]), 0.9), sure_of([labels[3]], read)])
    is_taken = np.array([1, 1, 1, taken])
    surely = np.maximum(seen.max(axis=1), [0, 0, 0, alone])
    told = tile_clues(colours, quads, scores, seen.astype(np.float64), is_taken, surely)
    return float(tile_log_odds(told)[3])


def test_a_clear_find_is_a_tile_and_a_faint_one_if_it_is_like_the_others() -> None:
    assert odds(0.9) > odds(0.45) > odds(0.4) > 0
    assert odds(0.001) < LEAST
    assert odds(0.4, taken=0.0) < odds(0.4)
    assert odds(0.4, size=1.4) < 0
    assert odds(0.4, size=1.5) < LEAST
    assert odds(0.4, paper=BLUE) < LEAST
    assert odds(0.9, size=1.4) > 0
    assert odds(0.999, paper=BLUE) > 0


def test_a_print_that_is_read_surely_may_be_far_larger_than_the_others() -> None:
    assert odds(0.95, size=3.0, read=0.99) > 0
    assert odds(0.95, size=3.0, read=0.8) < LEAST
    assert odds(0.95, size=3.0, read=0.99, labels=(*FACES[:3], BACK)) < LEAST


def test_a_face_that_is_read_surely_may_have_another_colour() -> None:
    assert odds(0.8, paper=BLUE, read=0.95) > 1 > odds(0.8, paper=BLUE, read=0.8)


def test_a_faint_find_whose_print_cannot_be_read_is_no_tile() -> None:
    assert odds(0.4, size=1.3) > odds(0.4, size=1.3, read=0.5) > odds(0.4, size=1.3, read=0.3)
    assert odds(0.3, size=1.3, read=0.6) > LEAST > odds(0.3, size=1.3, read=0.2)
    assert odds(0.999, size=1.3, read=0.2) > LEAST


def test_what_its_picture_shows_surely_may_be_unlike_its_set() -> None:
    in_shade = odds(0.4, size=1.3, read=0.3)
    assert odds(0.4, size=1.3, read=0.3, alone=0.7) > LEAST > in_shade
    assert odds(0.8, paper=BLUE, read=0.4, alone=0.95) > 1 > odds(0.8, paper=BLUE, read=0.4)


def test_a_find_need_be_like_one_of_the_others_alone() -> None:
    image = coloured_table(QUADS, [IVORY, GREEN, IVORY, GREEN], [RED, None, RED, None])
    colours = FaceColours(image, rectify(image, QUADS, (96, 72)), QUADS)
    seen = sure_of(list(FACES), 0.9).astype(np.float64)
    told = tile_clues(
        colours, QUADS, np.array([0.9, 0.9, 0.9, 0.4]), seen, np.ones(4), seen.max(axis=1)
    )
    assert told[3, 3] < 0.2
    assert told[1, 3] > 2


def test_nobody_knows_the_colour_of_backs_where_there_is_but_one() -> None:
    lone = odds(0.45, paper=GREEN, labels=(*FACES[:3], BACK))
    assert lone > 0
    assert odds(0.45, paper=GREEN) < LEAST


def test_where_no_other_find_is_sure_nothing_speaks_against_one() -> None:
    quads: NDArray[np.float32] = QUADS[:1]
    image = coloured_table(QUADS, [IVORY] * 4, [RED] * 4)
    colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
    seen = sure_of(["1p"], 0.9).astype(np.float64)
    told = tile_clues(colours, quads, np.array([0.5]), seen, np.ones(1), seen.max(axis=1))
    assert told[0, :-3].tolist() == pytest.approx([0, 1, *[0] * 5], abs=1e-5)
    nothing = FaceColours(
        image, np.empty((0, 96, 72, 3), np.uint8), np.empty((0, 4, 2), np.float32)
    )
    told = tile_clues(nothing, nothing.quads, np.empty(0), np.empty((0, 45)), *[np.empty(0)] * 2)
    assert told.shape == (0, 10)
    assert tile_log_odds(told).shape == (0,)


def test_a_place_that_looks_like_the_table_is_no_tile_face_down() -> None:
    labels = (*FACES[:3], BACK)
    assert odds(0.3, paper=GREEN, labels=labels) > 0
    assert odds(0.3, paper=CLOTH, labels=labels) < LEAST


def test_what_looks_like_a_back_is_one_rather_where_another_is() -> None:
    green = coloured_table(QUADS, [IVORY, GREEN, IVORY, GREEN], [RED, None, RED, None])
    colours = FaceColours(green, rectify(green, QUADS, (96, 72)), QUADS)
    read, ones = np.full(4, 0.99), np.ones(4)

    def last(second: str, score: float) -> float:
        seen = sure_of(["1p", second, "3p", BACK], 0.99).astype(np.float64)
        scores = np.array([0.95, score, 0.95, 0.01])
        return float(tile_log_odds(tile_clues(colours, QUADS, scores, seen, ones, read))[3])

    assert last(BACK, 0.5) > LEAST > last(BACK, 0.01)
    assert last("2p", 0.5) < LEAST


def test_three_side_by_side_that_look_like_backs_are_such_rather() -> None:
    quads = lay("123p 1111z").quads
    image = coloured_table(quads, [IVORY] * 3 + [GREEN] * 4, [RED] * 3 + [None] * 4)
    scores = np.array([*[0.95] * 3, *[0.02] * 4])

    def tiles(*labels: str) -> int:
        colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
        seen = sure_of(["1p", "2p", "3p", *labels], 0.99).astype(np.float64)
        told = tile_clues(colours, quads, scores, seen, np.ones(7), np.full(7, 0.8))
        return int((tile_log_odds(told)[3:] > LEAST).sum())

    assert tiles(BACK, BACK, BACK, "1z") == 3
    assert tiles(BACK, BACK, "1z", BACK) == 0


def test_what_is_read_surely_is_a_tile_rather_and_a_flower_most() -> None:
    def gain(label: str) -> float:
        labels = (*FACES[:3], label)
        return odds(0.1, labels=labels, read=0.99) - odds(0.1, labels=labels, read=0.87)

    assert gain("1f") > gain("5p") + 1 > 1.5
    assert gain("1s") == pytest.approx(0)


def test_two_keys_of_a_keyboard_do_not_confirm_each_other() -> None:
    quads = lay("1235p 1235p 12p").quads
    image = coloured_table(quads, [IVORY] * 8 + [BLUE] * 2, [RED] * 10)
    colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
    seen = sure_of([*FACES, *FACES, "1p", "2p"], 0.9).astype(np.float64)
    told = tile_clues(colours, quads, np.full(10, 0.95), seen, np.ones(10), seen.max(axis=1))
    assert (told[:8, 3] < 0.2).all()
    assert (told[8:, 3] > 2).all()


@pytest.mark.parametrize(("surely", "unlike"), [(0.95, 0.0), (0.5, 0.4)])
def test_what_was_found_sideways_has_the_form_in_which_it_is_read(
    surely: float, unlike: float
) -> None:
    found = QUADS.copy()
    found[3] = np.roll(found[3], 1, axis=0)
    image = coloured_table(QUADS, [IVORY] * 4, [RED] * 4)
    colours = FaceColours(image, rectify(image, found, (96, 72)), found)
    seen = np.concatenate([sure_of(list(FACES[:3]), 0.95), sure_of([FACES[3]], surely)])
    read = seen.max(axis=1)
    told = tile_clues(colours, QUADS, np.full(4, 0.95), seen.astype(np.float64), np.ones(4), read)
    assert told[3, 2] == pytest.approx(unlike, abs=0.1)
    assert told[:3, 2].max() < 0.1
