"""Crops of tiles of any size show what is there and no false patterns."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry.crops import MARGIN, rectify, widened
from vision.geometry.quads import UNIT_SQUARE
from vision.runtime.opencv import cv2

SIZE = (96, 72)
COLOURS = np.array([[30, 40, 220], [60, 200, 40], [210, 60, 50], [40, 220, 230]], np.uint8)
"""Of the four quarters of a face, clockwise from its top-left."""


def face(width: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A picture of a face in quarters ``width`` pixels wide, and where it is."""
    height = width * 4 // 3
    left, top = width // 2, width // 3
    image = np.full((height + 2 * top, width * 2, 3), 128, np.uint8)
    middle = (left + width // 2, top + height // 2)
    for colour, x, y in zip(COLOURS, (0, 1, 1, 0), (0, 0, 1, 1), strict=True):
        columns = slice(middle[0], left + width) if x else slice(left, middle[0])
        rows = slice(middle[1], top + height) if y else slice(top, middle[1])
        image[rows, columns] = colour
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    return image, np.array([corners], np.float32)


def quarters(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The colours in the middles of the quarters of a crop, clockwise from its top-left."""
    height, width = crop.shape[:2]
    ys, xs = (height // 4, 3 * height // 4), (width // 4, 3 * width // 4)
    return crop[[ys[0], ys[0], ys[1], ys[1]], [xs[0], xs[1], xs[1], xs[0]]]


@pytest.mark.parametrize("width", [20, 60, 100, 250, 900])
@pytest.mark.parametrize("turn", range(4))
def test_faces_of_any_size_and_turn_are_flattened(width: int, turn: int) -> None:
    image, quads = face(width)
    crop = rectify(image, np.roll(quads, -turn, axis=1), SIZE)[0]
    assert np.array_equal(quarters(crop), np.roll(COLOURS, -turn, axis=0))


@pytest.mark.parametrize("width", [60, 100, 250, 900])
def test_the_face_begins_behind_a_margin(width: int) -> None:
    image, quads = face(width)
    crop = rectify(image, quads, SIZE)[0].astype(int)
    edge = SIZE[1] * MARGIN / (1 + 2 * MARGIN)
    row = crop[SIZE[0] // 4]
    assert np.abs(row[: int(edge)] - 128).max() < 20
    assert np.abs(row[int(edge) + 2 : SIZE[1] // 2 - 2] - COLOURS[0]).max() < 20


@pytest.mark.parametrize("width", [300, 600, 1100])
def test_fine_stripes_of_a_large_face_become_an_even_grey(width: int) -> None:
    image, quads = face(width)
    image[:, 0::2], image[:, 1::2] = 0, 255
    crop = rectify(image, quads, SIZE)[0].astype(int)
    assert np.abs(crop - 127).max() <= 3


def test_a_large_and_a_small_face_of_one_picture_look_alike() -> None:
    image, quads = face(880)
    small = cv2.resize(image, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    both = np.zeros((image.shape[0], image.shape[1] + small.shape[1], 3), np.uint8)
    both[:, : image.shape[1]] = image
    both[: small.shape[0], image.shape[1] :] = small
    moved = quads / 8 + np.array([image.shape[1], 0], np.float32)
    large, far = rectify(both, np.concatenate([quads, moved]), SIZE).astype(int)
    assert np.abs(large - far)[2:-2, 2:-2].mean() < 3


@pytest.mark.parametrize("far", [1e4, 1e8, np.inf])
def test_a_corner_far_beyond_the_photo_costs_no_more_than_others(far: float) -> None:
    image, quads = face(60)
    quads[0, 2] += np.float32(far)
    assert rectify(image, quads, SIZE).shape == (1, *SIZE, 3)


def test_no_quads_give_no_crops() -> None:
    image, quads = face(60)
    assert rectify(image, quads[:0], SIZE).shape == (0, *SIZE, 3)


def test_the_corners_may_lie_anyhow_in_memory() -> None:
    image, quads = face(250)
    told = np.asfortranarray(np.repeat(quads, 3, axis=0))
    assert np.array_equal(rectify(image, told, SIZE)[1], rectify(image, quads, SIZE)[0])


def test_a_quad_is_widened_on_the_plane_that_it_lies_on() -> None:
    seen = np.array([[100, 50], [160, 60], [170, 150], [80, 130]], np.float32)
    (wide,) = widened(seen[np.newaxis], 0.25)
    own = cv2.getPerspectiveTransform(seen, UNIT_SQUARE)
    corners = cv2.perspectiveTransform(wide[np.newaxis], own)[0]
    assert corners == pytest.approx(UNIT_SQUARE * 1.5 - 0.25, abs=1e-3)


def test_a_quad_that_reaches_the_horizon_is_enlarged_in_the_picture() -> None:
    seen = np.array([[98, 50], [102, 50], [180, 150], [20, 150]], np.float32)
    (wide,) = widened(seen[np.newaxis], 0.5)
    steps = np.diff(wide, axis=0) / np.diff(seen, axis=0).clip(1e-6)
    assert steps[np.diff(seen, axis=0) > 0] == pytest.approx(2.0, abs=1e-3)
