"""Quads of a scene that are no tile: parts of tiles, pairs of tiles, and places without tiles.

A detector's false positives look like these, and the classifier learns to reject them.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.scenes.scenes import Scene
from scorer.tiles import BACK, BLANK

Floats = NDArray[np.float32]

MAX_OVERLAP: Final = 0.45
"""Intersection over union with a tile up to which a quad counts as no tile."""
_PLAIN: Final = frozenset({BACK, BLANK, "5z"})
"""Labels of faces whose parts look like the whole."""


def overlap(a: Floats, b: Floats) -> float:
    """Intersection over union of the convex hulls of two quads (4, 2)."""
    first, second = cv2.convexHull(a), cv2.convexHull(b)
    shared = float(cv2.intersectConvexConvex(first, second)[0])
    union = float(cv2.contourArea(first) + cv2.contourArea(second)) - shared
    return shared / union if union > 0 else 0.0


def is_no_tile(quad: Floats, tiles: Floats, limit: float = MAX_OVERLAP) -> bool:
    """Whether a quad (4, 2) overlaps each of the tiles (n, 4, 2) by less than ``limit``."""
    reach = float(np.linalg.norm(quad - quad.mean(axis=0), axis=1).max())
    for tile in tiles:
        span = float(np.linalg.norm(tile - tile.mean(axis=0), axis=1).max())
        near = float(np.linalg.norm(tile.mean(axis=0) - quad.mean(axis=0))) < reach + span
        if near and overlap(quad, tile) >= limit:
            return False
    return True


def _moved(rng: Generator, quad: Floats) -> Floats:
    """The quad pushed about half a tile along one of its sides, onto its neighbour."""
    across, along = quad[1] - quad[0], quad[3] - quad[0]
    push = rng.uniform(0.4, 0.6) * rng.choice([-1, 1])
    return np.asarray(quad + push * (across if rng.random() < 0.6 else along), np.float32)


def _part(rng: Generator, quad: Floats) -> Floats:
    """A half or less of the quad, or the quad enlarged to about twice its area."""
    u, v = rng.uniform(0.35, 0.62, 2) if rng.random() < 0.6 else rng.uniform(1.55, 2.1, 2)
    if rng.random() < 0.4:
        u, v = (u, 1.0) if rng.random() < 0.5 else (1.0, v)
    left, top = rng.random() * (1 - u), rng.random() * (1 - v)
    shares = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [u, v] + [left, top]
    across, along = quad[1] - quad[0], quad[3] - quad[0]
    return np.asarray(quad[0] + shares[:, :1] * across + shares[:, 1:] * along, np.float32)


def _anywhere(rng: Generator, size: tuple[int, int], width: float) -> Floats:
    """A tile-shaped quad at any place and angle of a picture of ``size`` (height, width)."""
    wide = width * float(np.exp(rng.normal(0, 0.3)))
    tall = wide / rng.uniform(0.66, 0.82)
    box = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    place = rng.uniform(0.05, 0.95, 2) * [size[1], size[0]]
    return np.asarray(box @ turn + place + rng.normal(0, 0.05 * wide, (4, 2)), np.float32)


def quads_without_tiles(rng: Generator, scene: Scene, count: int) -> Floats:
    """Up to ``count`` quads (n, 4, 2) in pixels of the scene that show no tile as a whole."""
    size = (scene.image.shape[0], scene.image.shape[1])
    sides = np.linalg.norm(scene.quads[:, 1] - scene.quads[:, 0], axis=1)
    width = float(np.median(sides)) if len(sides) else float(rng.uniform(25, 120))
    found: list[Floats] = []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.45 or not len(scene.quads):
            quad = _anywhere(rng, size, width)
        else:
            chosen = int(rng.integers(len(scene.quads)))
            plain = scene.labels[chosen] in _PLAIN
            quad = (_moved if kind < 0.75 or plain else _part)(rng, scene.quads[chosen])
        middle = quad.mean(axis=0)
        inside = bool(np.all(middle > 0) and middle[0] < size[1] and middle[1] < size[0])
        if inside and is_no_tile(quad, scene.quads):
            found.append(quad)
    return np.array(found, np.float32).reshape(-1, 4, 2)
