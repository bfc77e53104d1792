"""Racks of the drawn scenes."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.props.camera import Camera, TileBox, look_at
from datasets.props.painting import paste
from datasets.props.racks import RACKED, draw_rack

SIZE = (240, 400)
SUN = np.array([0.0, -0.5, 0.8])
ROW = [TileBox("1p", x, 0.0, 0.0, RACKED, 0.4, 1.1) for x in (-1.0, 0.0, 1.0)]


def camera(distance: float = 14.0) -> Camera:
    return look_at(
        np.array([0.0, 0.0, 0.6]),
        elevation=np.deg2rad(40),
        azimuth=0.0,
        roll=0.0,
        distance=distance,
        focal=300.0,
        size=SIZE,
    )


def painted(tiles: list[TileBox], seen_by: Camera, seed: int = 0) -> np.ndarray:
    canvas = np.full((*SIZE, 3), 255, np.uint8)
    draw_rack(np.random.default_rng(seed), canvas, tiles, 1.33, 0.7, seen_by, SUN)
    return np.asarray((canvas != 255).any(axis=2))


@pytest.mark.parametrize("seed", range(6))
def test_a_rack_reaches_beyond_its_row_on_both_sides(seed: int) -> None:
    columns = np.nonzero(painted(ROW, camera(), seed).any(axis=0))[0]
    left, right = camera().project(np.array([[-1.5, -0.67, 0.4], [1.5, -0.67, 0.4]]))[:, 0]
    assert columns.min() < left
    assert columns.max() > right


def test_its_board_stands_behind_the_tiles() -> None:
    seen = painted(ROW, camera())
    behind = camera().project(np.array([[0.0, -0.5, 0.8]]))[0].round().astype(int)
    assert seen[behind[1], behind[0]]


def test_tiles_that_lie_have_no_rack() -> None:
    assert not painted([TileBox("1p", 0.0, 0.0, lean=1.1)], camera()).any()


def test_a_rack_that_reaches_behind_the_camera_is_left_out() -> None:
    assert not painted(ROW, camera(distance=0.8)).any()


def test_a_rack_so_far_off_that_it_is_a_thread_is_painted() -> None:
    canvas = np.zeros((40, 40, 3), np.uint8)
    texture, full = np.full((48, 384, 3), 200, np.uint8), np.full((48, 384), 255, np.uint8)
    quad = np.array([[18, 20], [20, 20], [20, 22], [18, 22]], np.float32)
    paste(canvas, texture, full, quad, 1.0)
    assert canvas.any()
