"""The detector's training targets in each cell, computed from the quads of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SECTORS: Final = 4
"""Number of half-turn sectors of a tile's direction, centred on 0, 45, 90 and 135 degrees."""
STRIDE: Final = 8
"""Side of a cell of the detector's output grid, in input pixels."""
MIN_VISIBLE: Final = 0.6
"""Visible share below which the loss ignores a tile."""
MIN_WIDTH: Final = 9.0
"""Width in pixels below which the loss ignores a tile."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Targets:
    """The training targets of one picture of (8 * h, 8 * w) pixels.

    Attributes:
        heat: (2, h, w) in 0..1, 1 in the cell at the centre of a face or a back, less around it.
        care: (h, w), 0 where the loss ignores the cell.
        sector: (4, h, w) share of each half-turn sector; all 0 away from centres.
        corners: (4, 8, h, w) corner offsets in cells for each sector.
        weight: (4, h, w) weight of the corner loss, inverse to the tile's size in cells.
    """

    heat: Floats
    care: Floats
    sector: Floats
    corners: Floats
    weight: Floats


def _foot_to_head(quad: Floats) -> Floats:
    """The vector (2,) from the middle of a quad's bottom side to the middle of its top side."""
    return np.asarray((quad[0] + quad[1] - quad[2] - quad[3]) / 2, np.float32)


def half_turn_angle(quad: Floats) -> float:
    """Direction from the foot to the head of a quad (4, 2) in sectors, 0..4; 0 is image-up."""
    head = _foot_to_head(quad)
    angle = float(np.arctan2(head[0], -head[1]))
    return (angle % np.pi) / np.pi * SECTORS


def orders(quad: Floats) -> list[tuple[int, float, Floats]]:
    """The sectors a quad belongs to, its share in each, and the corner order used there.

    Within a sector the quad's head points to within 90 degrees of the sector's own direction, so
    that the regressed corners change continuously.
    """
    angle, head = half_turn_angle(quad), _foot_to_head(quad)
    found = []
    for sector in (int(np.floor(angle)) % SECTORS, int(np.ceil(angle)) % SECTORS):
        away = abs((angle - sector + SECTORS / 2) % SECTORS - SECTORS / 2)
        centre = sector * np.pi / SECTORS
        along = head[0] * np.sin(centre) - head[1] * np.cos(centre)
        ordered = quad if along >= 0 else np.roll(quad, 2, axis=0)
        found.append((sector, 1.0 - away, ordered))
    return found if found[0][0] != found[1][0] else [(found[0][0], 1.0, found[0][2])]


def _bump(
    centre: Floats, reach: float, size: tuple[int, int]
) -> tuple[tuple[slice, slice], Floats]:
    """The cells around a centre, and in each of them how near it is to that: 1 there, less away."""
    rows, columns = size
    low = np.maximum(np.floor(centre - 3 * reach).astype(int), 0)
    high = np.maximum(low, np.minimum(np.ceil(centre + 3 * reach).astype(int) + 1, (columns, rows)))
    dy = np.arange(low[1], high[1])[:, None] - centre[1]
    dx = np.arange(low[0], high[0])[None, :] - centre[0]
    bump = np.exp(-(dx**2 + dy**2) / (2 * (0.45 * reach) ** 2)).astype(np.float32)
    return (slice(low[1], high[1]), slice(low[0], high[0])), bump


def encode(
    quads: Floats, face_down: NDArray[np.bool_], visible: Floats, size: tuple[int, int]
) -> Targets:
    """The training targets of a picture.

    Args:
        quads: (n, 4, 2) pixels.
        face_down: (n,) bool.
        visible: (n,) share of each quad that can be seen.
        size: (height, width) of the picture in pixels, multiples of 8.
    """
    rows, columns = size[0] // STRIDE, size[1] // STRIDE
    heat = np.zeros((2, rows, columns), np.float32)
    care = np.ones((rows, columns), np.float32)
    sector = np.zeros((SECTORS, rows, columns), np.float32)
    corners = np.zeros((SECTORS, 8, rows, columns), np.float32)
    weight = np.zeros((SECTORS, rows, columns), np.float32)
    nearest = np.zeros((rows, columns), np.float32)
    for quad, down, seen in zip(quads, face_down, visible, strict=True):
        cells = quad / STRIDE - 0.5
        centre = cells.mean(axis=0)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        short = min(float(sides[0] + sides[2]), float(sides[1] + sides[3])) / 2
        reach = max(1.0, 0.3 * short / STRIDE)
        window, bump = _bump(centre, reach, (rows, columns))
        if not bump.size:
            continue
        if seen < MIN_VISIBLE or short < MIN_WIDTH:
            care[window] = np.where(bump > 0.05, 0, care[window])
            continue
        peak = np.unravel_index(int(bump.argmax()), bump.shape)
        bump[peak] = 1.0
        layer = heat[int(down)]
        layer[window] = np.maximum(layer[window], bump)
        own = (bump > np.maximum(nearest[window], 0.25)) | (bump == 1.0)
        nearest[window] = np.where(own, bump, nearest[window])
        ys, xs = np.nonzero(own)
        ys, xs = ys + window[0].start, xs + window[1].start
        sector[:, ys, xs] = 0
        weight[:, ys, xs] = 0
        for index, share, ordered in orders(cells):
            sector[index, ys, xs] = share
            if share > 0.25:
                offsets = ordered.reshape(8, 1) - np.tile(np.stack([xs, ys]), (4, 1))
                corners[index][:, ys, xs] = offsets
                weight[index, ys, xs] = STRIDE / max(short, 16.0)
    care = np.maximum(care, (heat.max(axis=0) == 1.0).astype(np.float32))
    return Targets(heat, care, sector, corners, weight)
