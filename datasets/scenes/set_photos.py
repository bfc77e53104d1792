"""Photographs of one of each face of a tile set, as people take them to teach Kongbox the set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from datasets.props.camera import TileBox
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import Scene, render
from datasets.scenes.tables import phone_camera
from datasets.sets.faces import FaceSet
from scorer.tiles import TILES


def lay_out_set(
    rng: Generator, labels: Sequence[str], height: float, columns: int
) -> list[TileBox]:
    """The tiles in rows of ``columns`` with small gaps, as uneven as if laid by hand.

    Args:
        rng: source of the unevenness.
        labels: labels of the tiles in order.
        height: height of a face in tile widths.
        columns: number of tiles in a row.
    """
    tiles: list[TileBox] = []
    gap = rng.uniform(1.04, 1.35)
    for row, start in enumerate(range(0, len(labels), columns)):
        line = row_of(labels[start : start + columns], rng.normal(0, 0.1), -row * height * gap)
        tiles += [
            TileBox(
                tile.label,
                tile.x + rng.normal(0, 0.01),
                tile.y + rng.normal(0, 0.03),
                rng.normal(0, 0.015),
            )
            for tile in line
        ]
    return tiles


def set_photo(
    rng: Generator,
    faces: FaceSet,
    size: tuple[int, int] = (1200, 1600),
    labels: Sequence[str] = TILES,
) -> Scene:
    """A photo, ``size`` (height, width) pixels, of one of each of ``labels`` in any order."""
    shuffled = [str(label) for label in rng.permutation(np.array(labels))]
    columns = min(len(shuffled), int(rng.integers(8, 13)))
    tiles = lay_out_set(rng, shuffled, 1 / faces.proportion, columns)
    return render(rng, faces, tiles, phone_camera(rng, tiles, size), size)
