"""Pictures of one to six tiles from near, as sharp as in a phone's photo.

A whole scene takes three times as long per tile, and most of its tiles are too small for a word or
character on them to be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from datasets.props.backgrounds import draw_background
from datasets.props.camera import look_at
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import SHARES, Scene, choose_labels, random_conditions, render
from datasets.sets.dyes import dyed, random_dye
from datasets.sets.faces import FaceSet

_WIDTHS: Final = (48.0, 160.0)
"""Least and greatest width of a tile in pixels."""
_ROOM: Final = 0.6
"""Tile widths by which the picture is wider and higher than the tiles."""
_SIDE: Final = 32
"""Divisor of the picture's sides in pixels, which the detector needs."""
_ACROSS: Final = 3
"""Maximum number of tiles in a row."""
_MOST: Final = 6
"""Maximum number of tiles in a picture."""
_DYED: Final = 0.3
"""Share of the pictures whose tile set has dyed or dark plastic with light prints."""
_ELEVATIONS: Final = (25.0, 90.0)
"""Least and greatest elevation of the camera in degrees."""


def close_up(
    rng: Generator, sets: Sequence[FaceSet], shares: Mapping[str, float] = SHARES
) -> Scene:
    """A photo of a few tiles of one of the sets in one or two rows, in fair light, with no clutter.

    Args:
        rng: source of all randomness.
        sets: tile sets to choose from.
        shares: frequency of a face relative to the others, which have 1.
    """
    faces = sets[int(rng.integers(len(sets)))]
    labels = choose_labels(rng, faces, shares)[: int(rng.integers(1, _MOST + 1))]
    faces = replace(faces, faces={label: faces.faces[label] for label in labels})
    if rng.random() < _DYED:
        faces = dyed(faces, random_dye(rng))
    across = min(len(labels), _ACROSS)
    rows = [labels[start : start + across] for start in range(0, len(labels), across)]
    gap = float(rng.uniform(1.02, 1.4)) / faces.proportion
    tiles = [
        replace(tile, yaw=tile.yaw + float(rng.normal(0, 0.03)))
        for number, row in enumerate(rows)
        for tile in row_of(row, 0.0, -number * gap)
    ]
    width = float(np.exp(rng.uniform(*np.log(_WIDTHS))))
    side = _SIDE * math.ceil((max(across, len(rows) * gap) + _ROOM) * width / _SIDE)
    middle = np.array([(across - 1) / 2, -(len(rows) - 1) * gap / 2])
    focal = side * float(rng.uniform(1.0, 3.0))
    camera = look_at(
        np.array([*(middle + rng.normal(0, 0.15, 2)), 0.3]),
        elevation=np.deg2rad(rng.uniform(*_ELEVATIONS)),
        azimuth=rng.normal(0, 0.4),
        roll=rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi),
        distance=focal / width,
        focal=focal,
        size=(side, side),
    )
    table = draw_background(rng, (side, side), 0)
    conditions = replace(random_conditions(rng), harsh=False)
    return render(rng, faces, tiles, camera, (side, side), table, conditions)
