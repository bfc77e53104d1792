"""The result of reading one picture, tile by tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MISSED: Final = "missed"
"""The label read of a tile that was not detected."""
NOTHING: Final = "nothing"
"""The true label of a false positive."""


@dataclass(frozen=True, slots=True, eq=False)
class TileOutcome:
    """The result for one true tile, or for one false positive.

    Attributes:
        wanted: the true label, or ``nothing``.
        got: the label read, or ``missed``.
        accepted: the labels that are right.
        confidence: of the reading; 0 for a missed tile.
        quad: (4, 2) the corners as detected, or the true corners of a missed tile.
        in_top3: whether a right label is among the three likeliest.
        corners: (4,) error of each corner in tile widths; None unless it was detected.
        turn: number of corners by which the detection is turned.
        across: narrower side of a true tile's face in pixels.
    """

    wanted: str
    got: str
    accepted: frozenset[str]
    confidence: float
    quad: Floats
    in_top3: bool = False
    corners: Floats | None = None
    turn: int = 0
    across: float = 0.0

    @property
    def found(self) -> bool:
        """Whether it is a tile and was detected."""
        return self.corners is not None

    @property
    def right(self) -> bool:
        """Whether it was detected and read right."""
        return self.found and self.got in self.accepted


@dataclass(frozen=True, slots=True, eq=False)
class PhotoOutcome:
    """The result for one picture.

    Attributes:
        name: name of the picture.
        group: the tile set that it shows.
        tiles: every tile that counts, and every false positive.
        finds: for each of :data:`LEAST_OVERLAPS` the scores of the detections, and which are tiles.
        seconds: wall-clock time of each stage.
    """

    name: str
    group: str
    tiles: tuple[TileOutcome, ...]
    finds: tuple[tuple[tuple[float, bool], ...], ...]
    seconds: Mapping[str, float]

    @property
    def failures(self) -> tuple[TileOutcome, ...]:
        """The tiles missed, misread or invented."""
        return tuple(tile for tile in self.tiles if not tile.right)
