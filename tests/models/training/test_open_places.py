"""Rows of tiles are continued by one place in each gap and at each end."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.open_places import open_places

Floats = NDArray[np.float32]

SHAPE = (400, 600, 3)
TILE = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)


def row_at(*places: tuple[float, float]) -> Floats:
    return np.stack([TILE + np.array(place, np.float32) for place in places])


def all_places(quads: Floats, shape: tuple[int, ...] = SHAPE) -> Floats:
    return open_places(quads, shape)


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


def test_among_no_tiles_there_is_no_place() -> None:
    assert all_places(np.zeros((0, 4, 2), np.float32)).shape == (0, 4, 2)


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
