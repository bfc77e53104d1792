"""Detections of two searches of one photo, at two sizes, combined into one."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.network import SAME_TILE
from vision.geometry.quads import sides_of
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import chances_of, log_odds

_UNSEEN: Final = 0.1
"""Score that a search gives to a tile that it did not detect; its score is at most this high."""


def seen_twice(one: Detections, other: Detections) -> Detections:
    """The detections of both searches, with one for each tile.

    The score is the mean of both in log-odds; the corners are those of the higher score.
    """
    first, second = _same_tiles(one, other)
    both = _together(one.chosen(first), other.chosen(second))
    return both.joined(_alone(one, first)).joined(_alone(other, second))


def _same_tiles(one: Detections, other: Detections) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices (m,) of detections of the one search and of the same tiles in the other."""
    middles, others = one.quads.mean(axis=1), other.quads.mean(axis=1)
    shorter = np.minimum(sides_of(one.quads)[0][:, np.newaxis], sides_of(other.quads)[0])
    away = np.linalg.norm(middles[:, np.newaxis] - others, axis=2)
    away = np.where(away < SAME_TILE * shorter, away, np.inf)
    nearest = away == away.min(axis=1, keepdims=True, initial=np.inf)
    nearest &= away == away.min(axis=0, initial=np.inf)
    first, second = np.nonzero(nearest & np.isfinite(away))
    return first, second


def _together(one: Detections, other: Detections) -> Detections:
    """One detection for each tile, from two detections in the same order."""
    surer = other.scores > one.scores
    quads = np.where(surer[:, np.newaxis, np.newaxis], other.quads, one.quads)
    down = np.asarray((one.down + other.down) / 2, np.float32)
    return Detections(quads, _mean(one.scores, other.scores), down)


def _alone(found: Detections, shared: NDArray[np.intp]) -> Detections:
    """The detections that the other search does not share, with lower scores."""
    left = found.chosen(~np.isin(np.arange(len(found)), shared))
    unseen = np.full(len(left), _UNSEEN, np.float32)
    return Detections(left.quads, _mean(left.scores, unseen), left.down)


def _mean(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean (n,) in log-odds of two scores (n,) each."""
    return np.asarray(chances_of((log_odds(one) + log_odds(other)) / 2), np.float32)
