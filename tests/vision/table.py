"""Lays tiles on an imaginary table: corner coordinates for tests, seen from any angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import parse_tiles

TILE_WIDTH = 60.0
TILE_HEIGHT = 80.0
PITCH = 64.0
"""Distance between the centres of touching tiles, in pixels: their rounded edges leave a gap."""


@dataclass(frozen=True)
class Laid:
    """Tiles as they lie: labels and (n, 4, 2) float32 corners in pixels."""

    labels: list[str]
    quads: NDArray[np.float32]


def tile(x: float, y: float, *, degrees: float = 0.0) -> NDArray[np.float32]:
    """The corners of one tile around its centre, turned clockwise."""
    half = np.array([TILE_WIDTH, TILE_HEIGHT]) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return (corners @ rotation(degrees).T + [x, y]).astype(np.float32)


def rotation(degrees: float) -> NDArray[np.float64]:
    """The (2, 2) matrix that turns clockwise on a page whose y runs down."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def lay(*rows: str, gap: float = 60.0, row_distance: float = 130.0) -> Laid:
    """Rows of tiles, the far one first; ``|`` within a row parts groups, ``-`` turns a tile.

    Tiles are written as hand strings; ``-`` before a group lays its tiles sideways.
    """
    labels: list[str] = []
    quads: list[NDArray[np.float32]] = []
    for number, row in enumerate(rows):
        x = 100.0
        for place, group in enumerate(row.split("|")):
            sideways = group.strip().startswith("-")
            step = TILE_HEIGHT + 4 if sideways else PITCH
            x += gap if place and not sideways else 0.0
            for label in parse_tiles(group.strip().lstrip("-")):
                y = 100.0 + number * row_distance
                quads.append(tile(x + step / 2, y, degrees=90.0 if sideways else 0.0))
                labels.append(label)
                x += step
    return Laid(labels, np.array(quads, np.float32).reshape(-1, 4, 2))


def see(laid: Laid, matrix: NDArray[np.float64]) -> Laid:
    """The same tiles after a (3, 3) projective change of view."""
    flat = laid.quads.reshape(-1, 2).astype(np.float64)
    mapped = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    points = mapped[:, :2] / mapped[:, 2:]
    return Laid(laid.labels, points.reshape(-1, 4, 2).astype(np.float32))


def turned(laid: Laid, degrees: float) -> Laid:
    """The same tiles in a photo taken with the camera turned."""
    matrix = np.eye(3)
    matrix[:2, :2] = rotation(degrees)
    return see(laid, matrix)


def shuffled(laid: Laid, order: Sequence[int]) -> Laid:
    """The same tiles found in another order."""
    return Laid([laid.labels[i] for i in order], laid.quads[list(order)])
