"""Sees the table from straight above: tiles in tile widths instead of pixels.

All tiles of a game are equally wide and equally high and their corners are square. The view of the
table that makes the photo's tiles most nearly so is found by least squares: two numbers say where
the table's horizon lies, two more how it is stretched, and two the size of a tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

Vectors = NDArray[np.float64]

USUAL_PROPORTION: Final = 1.35
"""Height of a tile's face over its width."""

LEAST_DEPTH: Final = 0.15
"""Nearest the horizon that a tile is believed to lie, 1 being the middle of the tiles."""

_OUTLIER: Final = 0.1
"""From this error on, as a share of a tile's side, a tile counts for less and less."""
_USUAL_HORIZON: Final = 0.5
_USUAL_STRETCH: Final = 0.7
_USUAL_SPREAD: Final = 0.1
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Tiles as they lie on the table.

    Attributes:
        quads: (n, 4, 2) float32 corners in tile widths, x to the right and y down, up to where and
            how the whole is turned; straight photos are turned little.
        misfit: how far the tiles are from being alike and square, as a mean share of a side.
    """

    quads: NDArray[np.float32]
    misfit: float


def plain_view(quads: NDArray[np.float32]) -> TablePlane:
    """The photo as it is, only brought to scale.

    Args:
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    scaled, width = _to_scale(quads)
    return TablePlane((scaled / width).astype(np.float32), 0.0)


def seen_from_above(quads: NDArray[np.float32]) -> TablePlane:
    """The table seen from straight above.

    Tiles that stand or lie higher than the others come out stretched, all the others square. Where
    no such view can be found, this is the plain one.

    Args:
        quads: (n, 4, 2) face corners in pixels, n at least 1; corner 0 is the top-left as read
            upright, up to half a turn.
    """
    scaled, width = _to_scale(quads)
    start = np.array([0.0, 0.0, 0.0, 0.0, np.log(width), np.log(USUAL_PROPORTION)])
    found = least_squares(
        _misfit, start, loss="soft_l1", f_scale=_OUTLIER, args=(scaled, start), max_nfev=40
    )
    flat = _flattened(scaled, found.x)
    if flat is None:
        return plain_view(quads)
    misfit = np.abs(_misfit(found.x, scaled, start)[: 3 * len(quads)]).mean()
    return TablePlane((flat / np.exp(found.x[4])).astype(np.float32), float(misfit))


def _to_scale(quads: NDArray[np.float32]) -> tuple[Vectors, float]:
    """The quads about their middle, within 1 of it, and the usual width of a tile there."""
    corners = quads.astype(np.float64)
    middle = corners.mean(axis=(0, 1))
    reach = max(float(np.abs(corners - middle).max()), _TINY)
    scaled: Vectors = (corners - middle) / reach
    widths = np.linalg.norm(sides(scaled)[0], axis=-1)
    return scaled, max(float(np.median(widths)), _TINY)


def sides(quads: Vectors) -> tuple[Vectors, Vectors]:
    """The (n, 2) sides of quads (n, 4, 2) from left to right and from bottom to top."""
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    up = (quads[:, 0] - quads[:, 3] + quads[:, 1] - quads[:, 2]) / 2
    return right, up


def _flattened(quads: Vectors, view: Vectors) -> Vectors | None:
    """The quads (n, 4, 2) under a view (6,); None if it puts a tile at the horizon or beyond."""
    depth = 1 + quads @ view[:2]
    if depth.min() < LEAST_DEPTH:
        return None
    stretch = np.array([[np.exp(-view[2]), view[3]], [0.0, np.exp(view[2])]])
    plane: Vectors = (quads / depth[..., np.newaxis]) @ stretch.T
    return plane


def _misfit(view: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """How far tiles are from alike and square, (3 n + 5,); the last five prefer a usual photo."""
    spread = (_USUAL_HORIZON, _USUAL_HORIZON, _USUAL_STRETCH, _USUAL_STRETCH, _USUAL_SPREAD)
    unusual = (view - usual)[[0, 1, 2, 3, 5]] / spread * _OUTLIER
    unusual[4] *= np.sqrt(len(quads))
    flat = _flattened(quads, view)
    if flat is None:
        return np.concatenate([np.full(3 * len(quads), 10.0), unusual])
    right, up = sides(flat)
    wide = np.linalg.norm(right, axis=1) / np.exp(view[4])
    high = np.linalg.norm(up, axis=1) / np.exp(view[4] + view[5])
    slant = (right * up).sum(axis=1) / np.maximum(
        np.linalg.norm(right, axis=1) * np.linalg.norm(up, axis=1), _TINY
    )
    return np.concatenate([wide - 1, high - 1, slant, unusual])
