"""Racks: a ledge that tiles stand on and a board that they lean against, longer than the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.props.backgrounds import draw_wood
from datasets.props.boxes import box, paint_box
from datasets.props.camera import Camera, TileBox

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

RACKED: Final = "racked"
"""Pose of a tile that leans on a rack."""

_AMBIENT: Final = 0.55
"""Brightness 0..1 of sides that the sun does not reach."""
_PLASTICS: Final = (
    *((25, 90, 25), (30, 30, 150), (120, 50, 20), (30, 30, 30)),
    *((40, 120, 190), (205, 225, 230), (60, 60, 60), (90, 60, 40)),
)


def draw_rack(
    rng: Generator,
    canvas: Image,
    tiles: Sequence[TileBox],
    height: float,
    depth: float,
    camera: Camera,
    sun: Floats,
) -> None:
    """Paint the rack of the tiles in the pose ``racked``, in place.

    Args:
        rng: chooses the look of the rack.
        canvas: (h, w, 3) uint8 BGR.
        tiles: tiles in one row along x.
        height: height of a tile in its widths.
        depth: depth of a tile in its widths.
        camera: the camera of the picture.
        sun: (3,) unit vector towards the light.
    """
    row = [tile for tile in tiles if tile.pose == RACKED]
    if not row:
        return
    beyond = rng.uniform(0.1, 4.0, 2)
    left = min(tile.x for tile in row) - 0.5 - beyond[0]
    right = max(tile.x for tile in row) + 0.5 + beyond[1]
    foot = np.array([left, row[0].y - height / 2, row[0].z])
    lean = row[0].lean
    along = np.array([0.0, np.cos(lean), np.sin(lean)])
    behind = np.array([0.0, np.sin(lean), -np.cos(lean)])
    length = np.array([right - left, 0.0, 0.0])
    before = depth * np.sin(lean) + rng.uniform(0.1, 0.9)
    back = rng.uniform(0.1, 0.6) + height * np.cos(lean)
    thick = row[0].z
    ledge = box(
        foot - np.array([0.0, before, thick]),
        length,
        np.array([0.0, before + back, 0.0]),
        np.array([0.0, 0.0, thick]),
    )
    board = box(
        foot + behind * 0.02,
        length,
        behind * rng.uniform(0.1, 0.3),
        along * height * rng.uniform(0.35, 1.1),
    )
    texture = _material(rng)
    for corners in (ledge, board):
        paint_box(canvas, corners, texture, camera, sun, _AMBIENT)


def _material(rng: Generator) -> Image:
    """A texture of wood with its grain along the rack, or of plastic in any colour."""
    if rng.random() < 0.5:
        return draw_wood(rng, (48, 384))
    image = np.empty((48, 384, 3), np.uint8)
    usual = _PLASTICS[int(rng.integers(len(_PLASTICS)))]
    colour = usual if rng.random() < 0.6 else rng.integers(0, 256, 3)
    image[:] = np.clip(np.array(colour) + rng.normal(0, 12, 3), 0, 255)
    return image
