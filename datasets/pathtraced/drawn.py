"""Draws planned scenes quickly, without path tracing, for many photos of many designs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.pathtraced.scenes import design_of, plan_deal
from datasets.pathtraced.table.plan import Placed, ScenePlan, TileShape
from datasets.props.camera import Camera, TileBox
from datasets.scenes.layouts import STOREY
from datasets.scenes.scenes import Scene, render
from datasets.sets.faces import FaceSet

SCALE: Final = 2
"""Factor of the width and height over path-traced scenes, for the resolution of a phone."""


def planned_deals(
    sets: Sequence[FaceSet], count: int, first: int
) -> Iterator[tuple[int, FaceSet, tuple[ScenePlan, ...]]]:
    """Number, design and four photos of ``count`` deals from ``first`` on, with designs in turn."""
    for number in range(first, first + count):
        faces = sets[number % len(sets)]
        yield number, faces, plan_deal(number, design_of(number), faces, samples=1)


def drawn(plan: ScenePlan, faces: FaceSet) -> Scene:
    """The planned tiles and camera, drawn without path tracing."""
    view = plan.view
    height, width = (side * SCALE for side in view.size)
    focal = view.focal * SCALE
    intrinsic = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    outer = np.hstack([view.rotation, (-view.rotation @ view.position)[:, np.newaxis]])
    camera = Camera(intrinsic @ outer, view.position)
    rng = np.random.default_rng([plan.number, 5])
    tiles = [_as_box(tile, plan) for tile in plan.tiles]
    return render(rng, faces, tiles, camera, (height, width))


def _as_box(tile: Placed, plan: ScenePlan) -> TileBox:
    """The planned tile in the drawn renderer's terms, placed by its foot."""
    shape = plan.shape
    right, top, outward = tile.axes.T
    if outward[2] < -0.5:
        yaw = float(np.arctan2(-right[1], -right[0]))
        return _box(tile.tile, tile.centre[:2], yaw, "down", tile.centre[2], shape, 0.0)
    yaw = float(np.arctan2(right[1], right[0]))
    lean = float(np.arcsin(np.clip(top[2], -1, 1)))
    ahead = np.array([-np.sin(yaw), np.cos(yaw)]) * shape.height / 2 * (1 - np.cos(lean))
    middle = tile.centre[2] - shape.height / 2 * np.sin(lean)
    middle += shape.depth / 2 * (1 - np.cos(lean))
    return _box(tile.tile, tile.centre[:2] + ahead, yaw, "up", middle, shape, lean)


def _box(
    label: str,
    place: NDArray[np.float64],
    yaw: float,
    pose: str,
    middle: float,
    shape: TileShape,
    lean: float,
) -> TileBox:
    storeys = max(float(middle) / shape.depth - 0.5, 0.0)
    return TileBox(label, float(place[0]), float(place[1]), yaw, pose, storeys * STOREY, lean)
