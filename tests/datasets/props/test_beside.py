"""Dice, cards, paper and boxes that lie about the tiles of drawn scenes."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.props.beside import lay_beside
from datasets.props.boxes import box, sides_seen
from datasets.props.camera import Camera, TileBox, look_at
from datasets.props.lookalikes.dice import draw_die

SIZE = (240, 400)
SUN = np.array([0.0, -0.5, 0.8])
TILES = [TileBox("1p", x, 0.0) for x in (-1.0, 0.0, 1.0)]


def camera(distance: float = 14.0, elevation: float = 50) -> Camera:
    return look_at(
        np.array([0.0, 0.0, 0.0]),
        elevation=np.deg2rad(elevation),
        azimuth=0.0,
        roll=0.0,
        distance=distance,
        focal=300.0,
        size=SIZE,
    )


def table() -> np.ndarray:
    return np.full((*SIZE, 3), 100, np.uint8)


def test_at_most_three_sides_of_a_box_are_seen_each_from_outside() -> None:
    corners = box(np.zeros(3), *np.eye(3))
    seen = list(sides_seen(corners, camera()))
    assert {tuple(normal) for _, _, normal in seen} >= {(0.0, 0.0, 1.0)}
    assert len(seen) <= 3
    for _, points, normal in seen:
        assert normal @ (camera().position - points.mean(axis=0)) > 0


def test_sides_of_a_box_have_square_corners_in_turn() -> None:
    corners = box(np.zeros(3), *np.eye(3))
    for _, points, _ in sides_seen(corners, camera()):
        steps = np.roll(points, -1, axis=0) - points
        assert np.allclose(np.linalg.norm(steps, axis=1), 1)
        assert np.allclose(steps.sum(axis=0), 0)


@pytest.mark.parametrize("seed", range(6))
def test_a_die_stands_where_it_is_put(seed: int) -> None:
    canvas = table()
    draw_die(np.random.default_rng(seed), canvas, (2.0, 1.0), camera(), SUN)
    rows, columns = np.nonzero((canvas != 100).any(axis=2))
    x, y = camera().project(np.array([2.0, 1.0, 0.3]))
    assert abs(columns.mean() - x) < 4
    assert abs(rows.mean() - y) < 8
    assert 6 < np.ptp(columns) < 30


@pytest.mark.parametrize("seed", range(8))
def test_the_middle_of_a_thing_is_kept_clear_of_the_tiles(seed: int) -> None:
    canvas, seen_by = table(), camera(elevation=89.9)
    lay_beside(np.random.default_rng(seed), canvas, [TILES[1]], seen_by, SUN, 1)
    x, y = seen_by.project(np.zeros(3)).round().astype(int)
    rows, columns = np.nonzero((canvas != 100).any(axis=2))
    middle = np.array([columns.mean() - x, rows.mean() - y]) if len(rows) else np.full(2, 99)
    assert np.linalg.norm(middle) > 300 / 14


def test_more_things_cover_more_of_the_table() -> None:
    painted = []
    for count in (0, 2, 12):
        canvas = table()
        lay_beside(np.random.default_rng(5), canvas, TILES, camera(), SUN, count)
        painted.append(int((canvas != 100).any(axis=2).sum()))
    assert painted[0] == 0 < painted[1] < painted[2]


def test_nothing_is_painted_that_reaches_behind_the_camera() -> None:
    canvas = table()
    for seed in range(20):
        lay_beside(np.random.default_rng(seed), canvas, TILES, camera(distance=0.3), SUN, 5)
        draw_die(np.random.default_rng(seed), canvas, (0.0, 0.0), camera(distance=0.3), SUN)
    assert (canvas == 100).all()
