"""Blank faces and backs are told apart by colour."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.plastic import BLACK, GREEN, IVORY, RED, Bgr, coloured_table, heavily_printed
from tests.vision.table import lay
from vision.papers import Papers
from vision.plain import with_colours
from vision.rectify import rectify

BACK_INDEX, WHITE_DRAGON = READING_LABELS.index(BACK), READING_LABELS.index("5z")
THREE_PRINTED = (RED, RED, RED, None)


def papers_of(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Papers:
    return Papers(image, rectify(image, quads, (96, 72)), quads)


def chances(others: float) -> NDArray[np.float64]:
    """Three printed tiles, and one of which nobody knows whether it is a blank face or a back."""
    rows = sure_of(["1p", "2p", "3p", BACK], others).astype(np.float64)
    rows[3] = 0
    rows[3, [BACK_INDEX, WHITE_DRAGON]] = 0.6, 0.4
    return rows


@pytest.mark.parametrize("light", [1.0, 0.55])
@pytest.mark.parametrize(("colour", "back"), [(IVORY, False), (GREEN, True)])
def test_a_plain_side_of_the_faces_colour_is_a_blank_face(
    light: float, colour: Bgr, *, back: bool
) -> None:
    quads = lay("1235p").quads
    lit = coloured_table(quads, [IVORY, IVORY, IVORY, colour], THREE_PRINTED)
    told = with_colours(papers_of((lit * light).astype(np.uint8), quads), chances(0.95))
    assert (told[3].argmax() == BACK_INDEX) == back
    assert told[3].max() > 0.9
    assert np.allclose(told.sum(axis=1), 1)
    assert np.array_equal(told[:3], chances(0.95)[:3])


def test_keys_taken_for_tiles_do_not_hide_the_colour_of_the_faces() -> None:
    quads = lay("12345p").quads
    rows = sure_of(["1p", "2p", "3p", "4p", "5p"], 0.95).astype(np.float64)
    rows[4] = chances(0.95)[3]
    papers = [IVORY, IVORY, BLACK, BLACK, IVORY]
    told = with_colours(papers_of(coloured_table(quads, papers, (RED,) * 4 + (None,)), quads), rows)
    assert told[4].argmax() == WHITE_DRAGON
    assert told[4].max() > 0.9


def test_heavy_print_does_not_hide_the_colour_of_the_faces() -> None:
    quads = lay("1235p").quads
    told = with_colours(papers_of(heavily_printed(quads, bare=3), quads), chances(0.95))
    assert told[3].argmax() == WHITE_DRAGON
    assert told[3].max() > 0.9


def test_nothing_is_said_where_no_face_is_clear() -> None:
    quads = lay("1235p").quads
    image = coloured_table(quads, [IVORY, IVORY, IVORY, GREEN], THREE_PRINTED)
    doubtful = chances(0.95)
    doubtful[:3] = doubtful[3]
    assert np.array_equal(with_colours(papers_of(image, quads), doubtful), doubtful)
    assert with_colours(papers_of(image, quads[:0]), doubtful[:0]).shape == (0, 45)


def test_a_plain_side_unlike_all_the_backs_is_none_of_them() -> None:
    quads = lay("123456p").quads
    rows = sure_of(["1p", "2p", "3p", BACK, BACK, BACK], 0.95).astype(np.float64)
    rows[5] = 0
    rows[5, [BACK_INDEX, WHITE_DRAGON]] = 0.999, 0.001
    inks = (*THREE_PRINTED, None, None)

    def chance_of_back(backs: Bgr) -> float:
        image = coloured_table(quads, [IVORY, IVORY, IVORY, backs, backs, IVORY], inks)
        return float(with_colours(papers_of(image, quads), rows)[5, BACK_INDEX])

    assert chance_of_back(GREEN) < 0.1
    assert chance_of_back(IVORY) > 0.5
