"""What two searches of a photo, one of them closer, say together of the tiles in it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from vision.geometry.quads import sides_of
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import log_odds

SAME: Final = 0.5
"""Two middles nearer than this share of a tile's shorter side are of the same tile."""
_UNSEEN: Final = 0.1
"""Score of what a search did not find, of which it is known that it is no higher."""


def seen_twice(one: Detections, other: Detections) -> Detections:
    """The finds of both searches, those of the same tile as one.

    Scores are taken together as the mean of their log-odds. Where both found a tile, its corners
    are those of the surer find.
    """
    first, second = _same_tiles(one, other)
    both = _together(one.chosen(first), other.chosen(second))
    return both.joined(_alone(one, first)).joined(_alone(other, second))


def _same_tiles(one: Detections, other: Detections) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which finds (m,) of the one search are of the same tiles as which of the other."""
    middles, others = one.quads.mean(axis=1), other.quads.mean(axis=1)
    shorter = np.minimum(sides_of(one.quads)[0][:, np.newaxis], sides_of(other.quads)[0])
    away = np.linalg.norm(middles[:, np.newaxis] - others, axis=2)
    away = np.where(away < SAME * shorter, away, np.inf)
    nearest = away == away.min(axis=1, keepdims=True, initial=np.inf)
    nearest &= away == away.min(axis=0, initial=np.inf)
    first, second = np.nonzero(nearest & np.isfinite(away))
    return first, second


def _together(one: Detections, other: Detections) -> Detections:
    """Finds of the same tiles, in the same order."""
    surer = other.scores > one.scores
    quads = np.where(surer[:, np.newaxis, np.newaxis], other.quads, one.quads)
    down = np.asarray((one.down + other.down) / 2, np.float32)
    return Detections(quads, _mean(one.scores, other.scores), down)


def _alone(finds: Detections, shared: NDArray[np.intp]) -> Detections:
    """The finds without those that another search has too."""
    left = finds.chosen(~np.isin(np.arange(len(finds)), shared))
    unseen = np.full(len(left), _UNSEEN, np.float32)
    return Detections(left.quads, _mean(left.scores, unseen), left.down)


def _mean(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(expit((log_odds(one) + log_odds(other)) / 2), np.float32)
