"""Keys of keyboards and the like are told from tiles by the tiles beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK
from tests.vision.evidence.plastic import BLACK, IVORY, RED, Bgr, coloured_table, heavily_printed
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.evidence.colour import FaceColours, of_another_set
from vision.geometry.crops import rectify
from vision.runtime.opencv import cv2
from vision.vocabulary.labels import SURE

QUADS = lay("1235p").quads
FACES = ("1p", "2p", "3p", "5p")
DOUBTFUL = (0.9, 0.9, 0.9, SURE - 0.1)
SHADED = (140, 150, 155)
SMOKY = (70, 74, 80)
DEEP_SHADE, SHADED_INK = (52, 54, 58), (15, 12, 30)
GREY = (150, 152, 154)
WHITE = (250, 250, 250)
PALE = (240, 240, 240)


def told(
    image: NDArray[np.uint8],
    evidence: Sequence[float] = DOUBTFUL,
    labels: Sequence[str] = FACES,
    quads: NDArray[np.float32] = QUADS,
) -> list[bool]:
    seen = sure_of(list(labels), 0.95).astype(np.float64)
    colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
    answer = of_another_set(colours, seen, np.array(evidence))
    return [bool(one) for one in answer]


def last(paper: Bgr, ink: Bgr | None, others: Bgr = IVORY, inks: Bgr = RED) -> NDArray[np.uint8]:
    """Three tiles alike, and one beside them."""
    return coloured_table(QUADS, [others, others, others, paper], [inks, inks, inks, ink])


@pytest.mark.parametrize(
    ("paper", "ink", "evidence", "wanted"),
    [
        (BLACK, None, SURE - 0.1, True),
        (BLACK, None, SURE, False),
        (IVORY, None, SURE - 0.1, False),
        (SHADED, SHADED_INK, SURE - 0.1, False),
    ],
)
def test_what_is_far_darker_than_light_tiles_is_none_of_their_set(
    paper: Bgr, ink: Bgr | None, evidence: float, *, wanted: bool
) -> None:
    assert told(last(paper, ink), (0.9, 0.9, 0.9, evidence)) == [False, False, False, wanted]


def test_tiles_that_are_dark_since_a_rack_shades_them_are_let_be() -> None:
    quads = lay("123568p").quads
    evidence, faces = (*DOUBTFUL[:3], *DOUBTFUL[1:]), ("1p", "2p", "3p", "5p", "6p", "8p")
    for shaded, wanted in ((1, True), (2, False)):
        colours = [*[IVORY] * (5 - shaded), *[DEEP_SHADE] * (shaded + 1)]
        inks = [*[RED] * (5 - shaded), *[SHADED_INK] * (shaded + 1)]
        table = coloured_table(quads, colours, inks)
        assert told(table, evidence, faces, quads)[-1] == wanted


@pytest.mark.parametrize(
    ("paper", "ink", "wanted"),
    [(GREY, WHITE, True), (GREY, RED, False), (GREY, None, True), (IVORY, WHITE, False)],
)
def test_light_or_no_print_on_duller_paper_is_none_of_a_set_with_dark_print(
    paper: Bgr, ink: Bgr | None, *, wanted: bool
) -> None:
    assert told(last(paper, ink))[3] == wanted


def test_where_all_print_is_light_light_print_tells_nothing() -> None:
    assert not any(told(last(GREY, WHITE, PALE, WHITE)))
    assert told(last(GREY, WHITE, PALE, RED))[3]


def test_heavy_print_is_not_taken_for_a_dark_tile() -> None:
    evidence = (0.9, 0.9, SURE - 0.1, 0.9)
    blank_first = QUADS[::-1].copy()
    assert not any(told(heavily_printed(blank_first, bare=0), evidence, quads=blank_first))


def test_a_heavy_frame_is_not_taken_for_dull_paper() -> None:
    image, (*_, framed) = last(IVORY, None), QUADS
    middle = framed.mean(axis=0)
    for reach, colour in ((0.9, DEEP_SHADE), (0.6, IVORY)):
        cv2.fillConvexPoly(image, (middle + reach * (framed - middle)).astype(np.int32), colour)
    assert not any(told(image))


def test_no_tiles_are_no_others() -> None:
    assert told(last(BLACK, None), (), (), QUADS[:0]) == []


def test_backs_and_sets_of_dark_plastic_are_let_be() -> None:
    light = last(BLACK, None)
    assert told(light)[3]
    assert not any(told(light, labels=("1p", "2p", "3p", BACK)))
    assert not any(told(last(BLACK, None, SMOKY)))


def test_one_face_tells_nothing() -> None:
    light = last(BLACK, None)
    assert not any(told(light, DOUBTFUL[2:], FACES[2:], QUADS[2:]))
    assert not any(told(light, (), (), QUADS[:0]))
