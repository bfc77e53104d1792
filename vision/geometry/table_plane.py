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
_BEYOND: Final = 10.0
"""The misfit of tiles in a view that puts one at the horizon or beyond."""
_STEP: Final = 1e-7
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class TablePlane:
    """Tiles as they lie on the table.

    Attributes:
        quads: (n, 4, 2) float32 corners in tile widths, x to the right and y down, up to where and
            how the whole is turned; straight photos are turned little.
        misfit: how far the tiles are from being alike and square, as a mean share of a side.
        view: (3, 3) what takes pixels of the photo to places on the table.
    """

    quads: NDArray[np.float32]
    misfit: float
    view: Vectors

    def place(self, quads: NDArray[np.float32]) -> NDArray[np.float32]:
        """Further quads (m, 4, 2) of the photo as they lie on the table."""
        there = quads @ self.view[:, :2].T + self.view[:, 2]
        depth = np.maximum(there[..., 2:], LEAST_DEPTH)
        return np.asarray(there[..., :2] / depth, np.float32)


def plain_view(quads: NDArray[np.float32]) -> TablePlane:
    """The photo as it is, only brought to scale.

    Args:
        quads: (n, 4, 2) face corners in pixels, n at least 1.
    """
    scaled, width, scale = _to_scale(quads)
    view = np.diag([1 / width, 1 / width, 1.0]) @ scale
    return TablePlane((scaled / width).astype(np.float32), 0.0, view)


def seen_from_above(quads: NDArray[np.float32]) -> TablePlane:
    """The table seen from straight above.

    Tiles that stand or lie higher than the others come out stretched, all the others square. Where
    no such view can be found, this is the plain one.

    Args:
        quads: (n, 4, 2) face corners in pixels, n at least 1; corner 0 is the top-left as read
            upright, up to half a turn.
    """
    scaled, width, scale = _to_scale(quads)
    start = np.array([0.0, 0.0, 0.0, 0.0, np.log(width), np.log(USUAL_PROPORTION)])
    found = least_squares(
        _misfit,
        start,
        _slopes,
        loss="soft_l1",
        f_scale=_OUTLIER,
        args=(scaled, start),
        max_nfev=40,
    )
    (flat,), (lying,) = _flattened(scaled, found.x[np.newaxis])
    if not lying:
        return plain_view(quads)
    misfit = np.abs(_misfit(found.x, scaled, start)[: 3 * len(quads)]).mean()
    across, away, stretch, slope, width, _ = found.x
    wide = np.exp(stretch)
    lying_flat = np.array([[1 / wide, slope, 0.0], [0.0, wide, 0.0], [across, away, 1.0]])
    view = np.diag([np.exp(-width), np.exp(-width), 1.0]) @ lying_flat @ scale
    return TablePlane((flat / np.exp(width)).astype(np.float32), float(misfit), view)


def _to_scale(quads: NDArray[np.float32]) -> tuple[Vectors, float, Vectors]:
    """The quads about their middle, within 1 of it, and the usual width of a tile there.

    With them comes what takes pixels there, (3, 3).
    """
    corners = quads.astype(np.float64)
    middle = corners.mean(axis=(0, 1))
    reach = max(float(np.abs(corners - middle).max()), _TINY)
    scaled: Vectors = (corners - middle) / reach
    widths = np.linalg.norm(sides(scaled)[0], axis=-1)
    scale = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, reach]]) / reach
    return scaled, max(float(np.median(widths)), _TINY), scale


def sides(quads: Vectors) -> tuple[Vectors, Vectors]:
    """The sides (..., n, 2) of quads (..., n, 4, 2) from left to right and from bottom to top."""
    first, second, third, fourth = (quads[..., corner, :] for corner in range(4))
    return (second - first + third - fourth) / 2, (first - fourth + second - third) / 2


def cross(first: Vectors, second: Vectors) -> Vectors:
    """The (...) areas spanned by (..., 2) vectors."""
    product: Vectors = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _flattened(quads: Vectors, views: Vectors) -> tuple[Vectors, NDArray[np.bool_]]:
    """The quads (n, 4, 2) under each of (k, 6) views, (k, n, 4, 2), and whether all lie there.

    In a view that puts a tile at the horizon or beyond they do not.
    """
    depth = 1 + np.einsum("nci,ki->knc", quads, views[:, :2])
    lying = depth.min(axis=(1, 2)) >= LEAST_DEPTH
    wide = np.exp(views[:, 2])[:, np.newaxis, np.newaxis]
    slope = views[:, 3, np.newaxis, np.newaxis]
    x, y = np.moveaxis(quads / np.maximum(depth, LEAST_DEPTH)[..., np.newaxis], -1, 0)
    return np.stack([x / wide + y * slope, y * wide], axis=-1), lying


def _misfit(view: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """How far tiles are from alike and square, (3 n + 5,); the last five prefer a usual photo."""
    misfit: Vectors = _misfits(view[np.newaxis], quads, usual)[0]
    return misfit


def _misfits(views: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """The misfit of each of (k, 6) views: (k, 3 n + 5)."""
    count = len(quads)
    spread = (_USUAL_HORIZON, _USUAL_HORIZON, _USUAL_STRETCH, _USUAL_STRETCH, _USUAL_SPREAD)
    unusual = (views - usual)[:, [0, 1, 2, 3, 5]] / spread * _OUTLIER
    unusual[:, 4] *= np.sqrt(count)
    flat, lying = _flattened(quads, views)
    right, up = sides(flat)
    across, along = np.hypot(right[..., 0], right[..., 1]), np.hypot(up[..., 0], up[..., 1])
    width, height = np.exp(views[:, 4, np.newaxis]), np.exp(views[:, 4:].sum(axis=1))
    slant = (right * up).sum(axis=-1) / np.maximum(across * along, _TINY)
    unlike = np.concatenate([across / width - 1, along / height[:, np.newaxis] - 1, slant], axis=1)
    unlike[~lying] = _BEYOND
    return np.concatenate([unlike, unusual], axis=1)


def _slopes(view: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """How the misfits of a view (6,) change with each of its numbers: (3 n + 5, 6)."""
    views = np.concatenate([view[np.newaxis], view + _STEP * np.eye(len(view))])
    misfits = _misfits(views, quads, usual)
    slopes: Vectors = (misfits[1:] - misfits[0]).T / _STEP
    return slopes
