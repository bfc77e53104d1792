"""Blank faces, backs and things that are no tiles are told apart by colour."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.table import lay
from vision.native import cv2
from vision.plain import SURE, far_darker, with_colours

IVORY = (222, 236, 243)
GREEN = (60, 130, 40)
BLACK = (40, 38, 36)
BACK_INDEX, WHITE_DRAGON = READING_LABELS.index(BACK), READING_LABELS.index("5z")


def table(quads: NDArray[np.float32], colours: list[tuple[int, int, int]]) -> NDArray[np.uint8]:
    """Tiles of these colours on a blue cloth, a print in the middle of all but the last."""
    image = np.full((500, 900, 3), (120, 60, 30), np.uint8)
    for quad, colour in zip(quads, colours, strict=True):
        cv2.fillConvexPoly(image, quad.astype(np.int32), colour)
    for quad in quads[:-1]:
        x, y = quad.mean(axis=0)
        cv2.circle(image, (int(x), int(y)), 9, (30, 30, 180), -1)
    return image


def chances(others: float) -> NDArray[np.float64]:
    """Three printed tiles, and one of which nobody knows whether it is a blank face or a back."""
    rows = sure_of(["1p", "2p", "3p", BACK], others).astype(np.float64)
    rows[3] = 0
    rows[3, [BACK_INDEX, WHITE_DRAGON]] = 0.6, 0.4
    return rows


@pytest.mark.parametrize("light", [1.0, 0.55])
@pytest.mark.parametrize(("colour", "back"), [(IVORY, False), (GREEN, True)])
def test_a_plain_side_of_the_faces_colour_is_a_blank_face(
    light: float, colour: tuple[int, int, int], *, back: bool
) -> None:
    quads = lay("1235p").quads
    image = (table(quads, [IVORY, IVORY, IVORY, colour]) * light).astype(np.uint8)
    told = with_colours(image, quads, chances(0.95))
    assert (told[3].argmax() == BACK_INDEX) == back
    assert told[3].max() > 0.9
    assert np.allclose(told.sum(axis=1), 1)
    assert np.array_equal(told[:3], chances(0.95)[:3])


def test_keys_taken_for_tiles_do_not_hide_the_colour_of_the_faces() -> None:
    quads = lay("12345p").quads
    rows = sure_of(["1p", "2p", "3p", "4p", "5p"], 0.95).astype(np.float64)
    rows[4] = chances(0.95)[3]
    told = with_colours(table(quads, [IVORY, IVORY, BLACK, BLACK, IVORY]), quads, rows)
    assert told[4].argmax() == WHITE_DRAGON
    assert told[4].max() > 0.9


def heavily_printed(quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Ivory tiles on which print covers most of all faces but the last."""
    image = table(quads, [IVORY] * len(quads))
    for quad in quads[:-1]:
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(image, (middle + 0.62 * (quad - middle)).astype(np.int32), (40, 35, 45))
    return image


def test_heavy_print_does_not_hide_the_colour_of_the_faces() -> None:
    quads = lay("1235p").quads
    told = with_colours(heavily_printed(quads), quads, chances(0.95))
    assert told[3].argmax() == WHITE_DRAGON
    assert told[3].max() > 0.9
    blank_first = quads[::-1].copy()
    seen = sure_of(["1p", "2p", "3p", "5p"], 0.95).astype(np.float64)
    evidence = np.array([0.9, 0.9, SURE - 0.1, 0.9])
    assert not far_darker(heavily_printed(quads), blank_first, seen, evidence).any()


def test_nothing_is_said_where_no_face_is_clear() -> None:
    quads = lay("1235p").quads
    image = table(quads, [IVORY, IVORY, IVORY, GREEN])
    doubtful = chances(0.95)
    doubtful[:3] = doubtful[3]
    assert np.array_equal(with_colours(image, quads, doubtful), doubtful)
    assert with_colours(image, quads[:0], doubtful[:0]).shape == (0, 45)


KEY = (40, 38, 36)
SHADED = (140, 150, 155)
SMOKY = (70, 74, 80)


@pytest.mark.parametrize(
    ("colour", "evidence", "foreign"),
    [
        (KEY, SURE - 0.1, True),
        (KEY, SURE, False),
        (IVORY, SURE - 0.1, False),
        (SHADED, SURE - 0.1, False),
    ],
)
def test_what_is_far_darker_than_light_tiles_is_none_of_their_set(
    colour: tuple[int, int, int], evidence: float, *, foreign: bool
) -> None:
    quads = lay("1235p").quads
    image = table(quads, [IVORY, IVORY, IVORY, colour])
    told = far_darker(
        image,
        quads,
        sure_of(["1p", "2p", "3p", "5p"], 0.95).astype(np.float64),
        np.array([0.9, 0.9, 0.9, evidence]),
    )
    assert told.tolist() == [False, False, False, foreign]


def test_backs_and_sets_of_dark_plastic_are_let_be() -> None:
    quads, evidence = lay("1235p").quads, np.array([0.9, 0.9, 0.9, 0.5])
    seen = sure_of(["1p", "2p", "3p", BACK], 0.95).astype(np.float64)
    light = table(quads, [IVORY, IVORY, IVORY, KEY])
    assert not far_darker(light, quads, seen, evidence).any()
    faces = sure_of(["1p", "2p", "3p", "5p"], 0.95).astype(np.float64)
    assert far_darker(light, quads, faces, evidence).any()
    dark = table(quads, [SMOKY, SMOKY, SMOKY, KEY])
    assert not far_darker(dark, quads, faces, evidence).any()
    assert not far_darker(light, quads[2:], faces[2:], evidence[2:]).any(), "one face tells nothing"
