"""Boxes on the table, such as racks and dice: their corners and visible sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.props.camera import Camera
from datasets.props.painting import paste

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

NEAREST: Final = 1.0
"""Least distance from the camera, in tile widths, at which a thing is drawn."""

_SIDES: Final = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""The sides of a box as the numbers of their corners in order.

A corner's number has a bit for each axis, which is set if the corner is on the far side.
"""


def box(corner: Floats, *edges: Floats) -> Floats:
    """The corners (8, 3) of a box from one of them and the three edges (3,) that meet there."""
    steps = np.array([[number >> 2 & 1, number >> 1 & 1, number & 1] for number in range(8)])
    return np.asarray(corner + steps @ np.stack(edges))


def turned_box(
    place: tuple[float, float], angle: float, size: tuple[float, float, float]
) -> Floats:
    """The corners (8, 3) of a box that lies on the table, its middle at ``place``.

    Args:
        place: x and y in tile widths.
        angle: its rotation in radians, counter-clockwise seen from above.
        size: its width, depth and height in tile widths.
    """
    wide, long, high = size
    across = np.array([np.cos(angle), np.sin(angle), 0.0]) * wide
    along = np.array([-np.sin(angle), np.cos(angle), 0.0]) * long
    corner = np.array([*place, 0.0]) - (across + along) / 2
    return box(corner, across, along, np.array([0.0, 0.0, high]))


def ahead(camera: Camera, points: Floats) -> bool:
    """Whether all points (n, 3) are far enough in front of the camera to be drawn."""
    depths = points @ camera.matrix[2, :3] + camera.matrix[2, 3]
    return bool(depths.min() >= NEAREST)


def sides_seen(corners: Floats, camera: Camera) -> Iterator[tuple[int, Floats, Floats]]:
    """Number, corners (4, 3) and outward unit normal (3,) of each side that faces the camera.

    Args:
        corners: (8, 3) of :func:`box`.
        camera: the camera of the picture.
    """
    middle = corners.mean(axis=0)
    for number, side in enumerate(_SIDES):
        points = corners[list(side)]
        normal = points.mean(axis=0) - middle
        normal /= np.linalg.norm(normal)
        if normal @ (camera.position - points.mean(axis=0)) > 0:
            yield number, points, normal


def paint_box(
    canvas: Image, corners: Floats, texture: Image, camera: Camera, sun: Floats, ambient: float
) -> None:
    """Paint a box with one texture on all its sides, in place, if it is in front of the camera.

    Args:
        canvas: (h, w, 3) uint8 BGR.
        corners: (8, 3) of :func:`box`.
        texture: (h, w, 3) uint8 BGR.
        camera: the camera of the picture.
        sun: (3,) unit vector towards the light.
        ambient: brightness 0..1 of a side that the sun does not reach.
    """
    if not ahead(camera, corners):
        return
    full = np.full(texture.shape[:2], 255, np.uint8)
    for _, side, normal in sides_seen(corners, camera):
        gain = ambient + (1 - ambient) * max(0.0, float(normal @ sun))
        paste(canvas, texture, full, camera.project(side).astype(np.float32), gain)
