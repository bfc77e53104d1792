"""Positions of the phone from which the relevant tiles are in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.pathtraced.table.plan import Floats, Placed, Point, TileShape, View

_LONG_SIDE_MM: Final = 36.0
"""Long side of the sensor in millimetres."""


def box_points(tile: Placed, shape: TileShape) -> Floats:
    """The eight corners (8, 3) of a tile's box."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    local = signs * np.array([1.0, shape.height, shape.depth])
    return np.asarray(tile.centre + local @ tile.axes.T)


def face_points(tile: Placed, shape: TileShape, *, back: bool) -> Floats:
    """Corners (4, 3) of the face, or of the back, from its top-left as somebody sees it upright."""
    side = -1.0 if back else 1.0
    x, y = side / 2, shape.height / 2
    local = np.array([[-x, y], [x, y], [x, -y], [-x, -y]])
    corners = np.column_stack([local, np.full(4, side * shape.depth / 2)])
    return np.asarray(tile.centre + corners @ tile.axes.T)


def _rotation(elevation: float, azimuth: float, roll: float) -> Floats:
    flat = np.array([np.sin(azimuth), np.cos(azimuth), 0.0])
    forward = flat * np.cos(elevation) - np.array([0.0, 0.0, np.sin(elevation)])
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    down = np.cross(forward, right)
    cos, sin = np.cos(roll), np.sin(roll)
    return np.stack([cos * right - sin * down, sin * right + cos * down, forward])


def frame(
    points: Floats,
    *,
    elevation: float,
    azimuth: float,
    roll: float,
    lens: float,
    size: tuple[int, int],
    margin: float,
    aperture: float,
) -> View:
    """The nearest view in a direction that holds all points.

    Args:
        points: (n, 3) world points that must be in the picture.
        elevation: radians above the table.
        azimuth: radians; 0 looks along +y.
        roll: radians by which the phone is turned in the hand.
        lens: focal length in millimetres for a 36 mm long side.
        size: (height, width) in pixels.
        margin: share of the picture left free at each side.
        aperture: f-number for a 36 mm sensor.
    """
    rotation = _rotation(elevation, azimuth, roll)
    focal = lens / _LONG_SIDE_MM * max(size)
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    inner = np.array([size[1], size[0]]) * (1 - 2 * margin)
    middle = np.array([size[1], size[0]]) / 2
    distance = 30.0
    for _ in range(60):
        view = View(target - rotation[2] * distance, rotation, focal, size, distance, aperture)
        seen = view.project(points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        shift = ((low + high) / 2 - middle) / focal * distance
        target = target + rotation[0] * shift[0] + rotation[1] * shift[1]
        distance *= float(((high - low) / inner).max()) ** 0.7
    return view


def hand_view(
    rng: Generator,
    tiles: Sequence[Placed],
    shape: TileShape,
    *,
    elevation: tuple[float, float],
    size: tuple[int, int],
    opposite: bool,
    also: Sequence[Point] = (),
) -> View:
    """A player's own view of a hand, focused on the tiles in hand.

    Args:
        rng: source of randomness.
        tiles: the tiles, all of which must be in the picture.
        shape: shape of the tiles.
        elevation: range of the angle above the table, in degrees.
        size: (height, width) in pixels.
        opposite: whether the picture is taken from the other side of the table.
        also: further points that must be in the picture.
    """
    points = np.concatenate([box_points(tile, shape) for tile in tiles])
    view = frame(
        np.concatenate([points, np.array(also).reshape(-1, 3)]),
        elevation=float(np.deg2rad(rng.uniform(*elevation))),
        azimuth=float(rng.normal(0, 0.16) + (np.pi if opposite else 0.0)),
        roll=float(rng.normal(0, 0.045)),
        lens=float(rng.uniform(24, 35)),
        size=size,
        margin=float(rng.uniform(0.025, 0.1)),
        aperture=float(rng.uniform(6.5, 13.0)),
    )
    row = [tile.centre for tile in tiles if tile.group in {"hand", "sheet"}]
    away = (np.array(row) - view.position) @ view.rotation[2]
    return replace(view, focus=float(np.median(away)))
