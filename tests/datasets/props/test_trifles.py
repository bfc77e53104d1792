"""Small things lie where they are put, and a room begins beyond the tiles' own place."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.props.beside import Thing, lay_beside
from datasets.props.camera import Camera, TileBox, look_at
from datasets.props.rooms import draw_room, draw_sleeve
from datasets.props.trifles import TRIFLES, chips, draw_print

SIZE = (240, 320)
SUN = np.array([0.0, -0.5, 0.8])
TILES = [TileBox("1p", x, 0.0) for x in (-1.0, 0.0, 1.0)]


def camera(elevation: float = 50.0, distance: float = 14.0) -> Camera:
    return look_at(
        np.zeros(3),
        elevation=np.deg2rad(elevation),
        azimuth=0.0,
        roll=0.0,
        distance=distance,
        focal=260.0,
        size=SIZE,
    )


def table() -> np.ndarray:
    return np.full((*SIZE, 3), 101, np.uint8)


def changed(canvas: np.ndarray) -> np.ndarray:
    return np.asarray((canvas != 101).any(axis=2))


@pytest.mark.parametrize("thing", tuple(dict.fromkeys(TRIFLES)))
@pytest.mark.parametrize("seed", range(3))
def test_a_thing_begins_where_it_is_put(thing: Thing, seed: int) -> None:
    canvas = table()
    thing(np.random.default_rng(seed), canvas, (1.0, 1.0), camera(), SUN)
    x, y = camera().project(np.array([1.0, 1.0, 0.1])).astype(int)
    painted = changed(canvas)
    assert painted[y - 8 : y + 9, x - 8 : x + 9].any()
    assert painted.mean() < 0.5


@pytest.mark.parametrize("thing", tuple(dict.fromkeys(TRIFLES)))
def test_a_thing_behind_the_camera_is_not_painted(thing: Thing) -> None:
    canvas = table()
    thing(np.random.default_rng(0), canvas, (0.0, -60.0), camera(), SUN)
    assert not changed(canvas).any()


def test_only_the_chosen_things_are_laid() -> None:
    usual, chosen = table(), table()
    lay_beside(np.random.default_rng(2), usual, TILES, camera(), SUN, 4)
    lay_beside(np.random.default_rng(2), chosen, TILES, camera(), SUN, 4, [chips])
    assert changed(chosen).any()
    assert not np.array_equal(usual, chosen)


def test_prints_differ() -> None:
    prints = [draw_print(np.random.default_rng(seed)) for seed in range(12)]
    assert len({each.shape for each in prints}) > 4
    assert np.mean([each.std() > 10 for each in prints]) > 0.7


@pytest.mark.parametrize("seed", range(6))
def test_a_room_begins_beyond_the_tiles(seed: int) -> None:
    canvas, seen = table(), camera(elevation=20)
    draw_room(np.random.default_rng(seed), canvas, TILES, seen)
    beyond = changed(canvas)
    assert beyond[0].mean() > 0.9
    near = np.array([[x, y, 0.0] for x in (-1.5, 0, 1.5) for y in (-0.7, 0.0, 0.7)])
    for x, y in seen.project(near).astype(int):
        assert not beyond[y, x]


def test_from_above_there_is_only_the_table() -> None:
    canvas = table()
    draw_room(np.random.default_rng(1), canvas, TILES, camera(elevation=89, distance=3.0))
    assert not changed(canvas).any()


def test_a_sleeve_comes_from_the_border() -> None:
    for seed in range(5):
        canvas = table()
        draw_sleeve(np.random.default_rng(seed), canvas)
        arm = changed(canvas)
        border = np.concatenate([arm[0], arm[-1], arm[:, 0], arm[:, -1]])
        assert border.any()
        assert 0.005 < arm.mean() < 0.5
