"""Rows of tiles are continued by one place in each gap and at each end."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.detect.gaps import open_places

Floats = NDArray[np.float32]

SHAPE = (400, 600, 3)
TILE = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)


def row_at(*places: tuple[float, float]) -> Floats:
    return np.stack([TILE + np.array(place, np.float32) for place in places])


def all_places(quads: Floats, shape: tuple[int, ...] = SHAPE) -> Floats:
    return open_places(quads, shape).quads


def corners(quads: Floats) -> set[tuple[int, int]]:
    return {(round(float(quad[0, 0])), round(float(quad[0, 1]))) for quad in quads}


def test_a_row_goes_on_at_both_ends_as_far_as_its_tiles_lie_apart() -> None:
    quads = row_at((100, 100), (133, 100), (166, 100))
    assert corners(all_places(quads)) == {(67, 100), (199, 100)}


def test_a_lone_tile_may_have_one_on_each_side() -> None:
    places = all_places(row_at((200, 200)))
    assert len(places) == 4
    middles = places.mean(axis=1) - (TILE.mean(axis=0) + 200)
    assert np.allclose(np.sort(np.abs(middles).max(axis=1)), [30.9, 30.9, 41.2, 41.2], atol=0.1)


def test_no_place_lies_on_a_tile_or_out_of_the_picture() -> None:
    assert corners(all_places(row_at((2, 100), (34, 100), (66, 100)))) == {(98, 100)}
    assert len(all_places(row_at((0, 0), (31, 0)), (45, 70, 3))) == 0


def test_no_place_lies_half_on_a_tile() -> None:
    lone, below = (200, 200), (206, 230)
    assert len(all_places(row_at(lone, (206, 310)))) == 8
    assert corners(all_places(row_at(lone, below))) & {(200, 241)} == set()


def test_a_gap_of_one_tile_is_one_place() -> None:
    quads = row_at((100, 100), (131, 100), (193, 100), (224, 100))
    assert corners(all_places(quads)) == {(69, 100), (162, 100), (255, 100)}


def chances(row: str, *faces: str) -> list[float]:
    """How likely a tile lies at each gap of a row, and at its two ends, with those ``faces``."""
    at = [100 + 31 * index for index, mark in enumerate(row) if mark == "x"]
    shown = np.array([READING_LABELS.index(face) for face in faces]) if faces else None
    places = open_places(row_at(*((x, 100) for x in at)), SHAPE, shown)
    beside = places.chosen(np.abs(places.quads[:, 0, 1] - 100) < 1)
    order = np.argsort(beside.quads[:, 0, 0])
    return [round(float(chance), 2) for chance in beside.chances[order]]


def test_between_tiles_one_is_likelier_than_beyond_them() -> None:
    left, gap, right = chances("xx.xx")
    assert left == right < gap
    assert chances("xx.xx", "1m", "2m", "4m", "5m") == [left, gap, right]
    assert open_places(np.zeros((0, 4, 2), np.float32), SHAPE).chances.shape == (0,)


@pytest.mark.parametrize(
    ("row", "faces", "place"),
    [
        ("x.x", ("6z", "6z"), 1),
        ("xxx", (BACK, "6s", "6s"), 1),
        ("xxx", ("6s", "6s", BACK), 0),
    ],
)
def test_a_tile_is_likeliest_where_it_makes_a_concealed_set_whole(
    row: str, faces: tuple[str, ...], place: int
) -> None:
    told = chances(row, *faces)
    others = [chance for index, chance in enumerate(told) if index != place]
    assert told[place] > 2 * max(others)


@pytest.mark.parametrize(
    ("row", "faces"), [("xx", ("6s", "6s")), ("xx", (BACK, BACK)), ("xxx", (BACK,) * 3)]
)
def test_a_kong_may_lack_its_ends(row: str, faces: tuple[str, ...]) -> None:
    lacking, (one, other) = chances(row, *faces), chances(row)
    assert lacking[0] == lacking[1] > one == other


def test_other_like_tiles_by_themselves_promise_no_more() -> None:
    assert chances("xxx", "6s", "6s", "6s") == chances("xxx")
    assert chances("xx", BACK, "6s") == chances("xx")
    assert chances("x.x", BACK, BACK) == chances("x.x")
    assert chances("xxxx", *[BACK] * 4) == chances("xxxx")


def test_the_place_in_a_gap_lies_midway_whichever_way_up_the_tiles_beside_it_are() -> None:
    flat = row_at(*((100 + 33 * k, 100) for k in range(3)))
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [600, 0], [600, 400], [0, 400]], np.float32),
        np.array([[20, 60], [560, 0], [560, 400], [20, 340]], np.float32),
    )
    seen = cv2.perspectiveTransform(flat, matrix).astype(np.float32)
    ends = np.stack([seen[0], np.roll(seen[2], 2, axis=0)])
    (place,) = (each for each in all_places(ends) if np.abs(each - seen[1]).max() < 6)
    assert np.linalg.norm(place - seen[1], axis=1).max() < 1.5


def test_places_shrink_with_the_row_towards_the_far_end() -> None:
    flat = row_at(*((100 + 31 * k, 100) for k in range(6)))
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [600, 0], [600, 400], [0, 400]], np.float32),
        np.array([[20, 60], [560, 0], [560, 400], [20, 340]], np.float32),
    )
    seen = cv2.perspectiveTransform(flat, matrix).astype(np.float32)
    places = all_places(seen[1:5])
    assert len(places) == 2
    for true in seen[[0, 5]]:
        assert np.linalg.norm(places - true, axis=2).max(axis=1).min() < 2


def test_where_nothing_is_known_nothing_goes_on() -> None:
    nothing = np.empty((0, 4, 2), np.float32)
    assert all_places(nothing).shape == (0, 4, 2)
