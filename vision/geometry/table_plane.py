"""The plane of the table: tiles as seen from straight above, in tile widths instead of pixels.

All tiles of a game are equally wide and equally high and their corners are square. The view of the
table that makes the photo's tiles most nearly so is found by least squares: two numbers say where
the table's horizon lies, two more how it is stretched, and two the size of a tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

USUAL_PROPORTION: Final = 1.35
"""Usual height of a tile's face over its width."""

LEAST_DEPTH: Final = 0.15
"""Smallest distance of a tile from the horizon, where 1 is that of the middle of the tiles."""


@dataclass(frozen=True, slots=True)
class PlaneFit:
    """How the view of the table is fitted to the tiles by least squares.

    Coordinates are relative to the middle of the tiles, with the farthest corner at 1.

    Attributes:
        outlier: error of a tile, as a share of its side, from which it counts less and less.
        horizon: usual size of either number that says where the horizon lies; 0 is straight above.
        stretch: usual size of the logarithm of the stretch, and of the slope.
        proportion: usual difference of the logarithm of a tile's height over its width from that
            of :data:`USUAL_PROPORTION`.
        beyond_horizon: misfit of every tile in a view that puts one at the horizon or beyond.
        step: change of each number of a view by which slopes are measured.
        evaluations: maximum number of views that are tried.
    """

    outlier: float = 0.1
    horizon: float = 0.5
    stretch: float = 0.7
    proportion: float = 0.1
    beyond_horizon: float = 10.0
    step: float = 1e-7
    evaluations: int = 40


PLANE_FIT: Final = PlaneFit()

_DAMPING: Final = 1e-3
"""Damping of the first step of the fit, as a share of the curvature."""
_CONVERGED: Final = 1e-8
"""Relative change of the cost at which the fit ends."""
_TINY: Final = 1e-6
"""Smallest length by which is divided, in pixels or in the coordinates of :class:`PlaneFit`."""


def seen_from_above(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Quads (n, 4, 2) in tile widths as seen from straight above, x to the right and y down.

    Where the whole lies and how it is turned is arbitrary; photos from the front are turned little.
    Tiles that stand, or lie higher than the others, come out stretched. Where no such view is
    found, the table is only scaled to tile widths.

    Args:
        quads: (n, 4, 2) face corners in pixels, n at least 1; corner 0 is the top-left as read
            upright, up to half a turn.
    """
    corners = quads.astype(np.float64)
    middle = corners.mean(axis=(0, 1))
    scaled = (corners - middle) / max(float(np.abs(corners - middle).max()), _TINY)
    width = max(float(np.median(np.linalg.norm(sides(scaled)[0], axis=-1))), _TINY)
    start = np.array([0.0, 0.0, 0.0, 0.0, np.log(width), np.log(USUAL_PROPORTION)])
    found = _fitted(start, scaled)
    (flat,), (lying,) = _flattened(scaled, found[np.newaxis])
    size = max(float(np.exp(found[4])), _TINY)
    return np.asarray(flat / size if lying else scaled / width, np.float32)


def sides(quads: Vectors) -> tuple[Vectors, Vectors]:
    """Mean sides (..., n, 2) of quads (..., n, 4, 2), left to right and bottom to top."""
    first, second, third, fourth = (quads[..., corner, :] for corner in range(4))
    return (second - first + third - fourth) / 2, (first - fourth + second - third) / 2


def cross(first: Vectors, second: Vectors) -> Vectors:
    """Signed areas (...) of the parallelograms of two vectors (..., 2) each."""
    product: Vectors = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _flattened(quads: Vectors, views: Vectors) -> tuple[Vectors, NDArray[np.bool_]]:
    """The quads (n, 4, 2) in each of (k, 6) views.

    Returns:
        quads (k, n, 4, 2), and (k,) whether the view keeps all of them before the horizon.
    """
    depth = 1 + np.einsum("nci,ki->knc", quads, views[:, :2])
    lying = depth.min(axis=(1, 2)) >= LEAST_DEPTH
    wide = np.exp(views[:, 2])[:, np.newaxis, np.newaxis]
    slope = views[:, 3, np.newaxis, np.newaxis]
    x, y = np.moveaxis(quads / np.maximum(depth, LEAST_DEPTH)[..., np.newaxis], -1, 0)
    return np.stack([x / wide + y * slope, y * wide], axis=-1), lying


def _fitted(usual: Vectors, quads: Vectors) -> Vectors:
    """The view (6,) of quads (n, 4, 2) with the least misfit, robust against outliers.

    The method is that of Levenberg and Marquardt with weights by which large errors count less
    ("Numerical Optimization", Nocedal and Wright, 2006, section 10.3); SciPy has it too, but its
    import takes as long as reading a photo.
    """
    view, damping = usual.copy(), _DAMPING
    errors = _misfit(view, quads, usual)
    for _ in range(PLANE_FIT.evaluations):
        weights = 1 / np.sqrt(1 + (errors / PLANE_FIT.outlier) ** 2)
        slopes = _slopes(view, quads, usual)
        curvature = slopes.T @ (slopes * weights[:, np.newaxis])
        damped = curvature + damping * np.diag(np.maximum(np.diag(curvature), _TINY))
        tried = view - np.linalg.solve(damped, slopes.T @ (weights * errors))
        errors_there = _misfit(tried, quads, usual)
        gain = _cost(errors) - _cost(errors_there)
        if gain > 0:
            view, errors, damping = tried, errors_there, damping / 10
        else:
            damping *= 10
        if abs(gain) <= _CONVERGED * _cost(errors):
            break
    return view


def _cost(errors: Vectors) -> float:
    """The sum of smoothed absolute errors (m,), quadratic below the outliers' size."""
    return float((np.sqrt(1 + (errors / PLANE_FIT.outlier) ** 2) - 1).sum())


def _misfit(view: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """The residuals (3 n + 5,) of one view (6,), as :func:`_misfits` gives them."""
    misfit: Vectors = _misfits(view[np.newaxis], quads, usual)[0]
    return misfit


def _misfits(views: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """The residuals (k, 3 n + 5) of each of (k, 6) views.

    Three residuals of each tile say how far it is from the common size and from square corners; the
    last five say how unusual the view is.
    """
    count = len(quads)
    horizon, stretch = PLANE_FIT.horizon, PLANE_FIT.stretch
    spread = (horizon, horizon, stretch, stretch, PLANE_FIT.proportion)
    unusual = (views - usual)[:, [0, 1, 2, 3, 5]] / spread * PLANE_FIT.outlier
    unusual[:, 4] *= np.sqrt(count)
    flat, lying = _flattened(quads, views)
    right, up = sides(flat)
    across, along = np.hypot(right[..., 0], right[..., 1]), np.hypot(up[..., 0], up[..., 1])
    width = np.maximum(np.exp(views[:, 4, np.newaxis]), _TINY)
    height = np.maximum(np.exp(views[:, 4:].sum(axis=1)), _TINY)
    slant = (right * up).sum(axis=-1) / np.maximum(across * along, _TINY)
    unlike = np.concatenate([across / width - 1, along / height[:, np.newaxis] - 1, slant], axis=1)
    unlike[~lying] = PLANE_FIT.beyond_horizon
    return np.concatenate([unlike, unusual], axis=1)


def _slopes(view: Vectors, quads: Vectors, usual: Vectors) -> Vectors:
    """The Jacobian (3 n + 5, 6) of the residuals of a view (6,), by finite differences."""
    views = np.concatenate([view[np.newaxis], view + PLANE_FIT.step * np.eye(len(view))])
    misfits = _misfits(views, quads, usual)
    slopes: Vectors = (misfits[1:] - misfits[0]).T / PLANE_FIT.step
    return slopes
