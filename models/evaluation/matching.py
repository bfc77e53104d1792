"""Matches detections with true tiles: overlap, corner error and average precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.crops.negatives import is_no_tile, overlap

Floats = NDArray[np.float32]

MIN_IOU: Final = 0.5
"""Intersection over union from which a detection matches a true tile."""
_ON_OTHERS: Final = 0.2
"""Overlap from which a detection lies on a tile that does not count."""
RECALLS: Final = np.linspace(0, 1, 101)
"""The recalls at which precision is averaged, as in the COCO evaluation."""


def overlaps(truth: Floats, found: Floats) -> NDArray[np.float64]:
    """The overlap (n, m) of n true quads with m detections; 0 where they are far apart."""
    result = np.zeros((len(truth), len(found)))
    if not len(truth) or not len(found):
        return result
    middles = found.mean(axis=1)
    for i, wanted in enumerate(truth):
        reach = np.linalg.norm(wanted - wanted.mean(axis=0), axis=1).max() * 2
        away = np.linalg.norm(middles - wanted.mean(axis=0), axis=1)
        for j in np.nonzero(away < reach)[0]:
            result[i, j] = overlap(wanted, found[j])
    return result


def lies_on(quad: Floats, others: Floats) -> bool:
    """Whether a detection (4, 2) lies on one of the quads (n, 4, 2), as tiles that do not count."""
    return not is_no_tile(quad, others, _ON_OTHERS)


def judged(
    truth: Floats, counts: NDArray[np.bool_], found: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which detections are true positives and which false positives.

    A detection on a tile that does not count is neither.

    Args:
        truth: (n, 4, 2) true quads.
        counts: (n,) whether each counts; a largely hidden one may not.
        found: (m, 4, 2) detections.

    Returns:
        whether each detection is a true positive (m,), and whether it is a false positive (m,).
    """
    tiles = np.zeros(len(found), np.bool_)
    for wanted, find in pairs_of(overlaps(truth, found)):
        tiles[find] = counts[wanted]
    let_be = truth[~counts]
    none = [not tile and not lies_on(quad, let_be) for tile, quad in zip(tiles, found, strict=True)]
    return tiles, np.array(none, np.bool_)


def match(truth: Floats, found: Floats, least: float = MIN_IOU) -> list[tuple[int, int]]:
    """One-to-one pairs (truth, detection) of indices that overlap by ``least``, best first."""
    return pairs_of(overlaps(truth, found), least)


def pairs_of(shares: NDArray[np.float64], least: float = MIN_IOU) -> list[tuple[int, int]]:
    """One-to-one pairs of rows and columns whose overlap (n, m) is ``least`` or more."""
    candidates = sorted(
        ((shares[i, j], int(i), int(j)) for i, j in np.argwhere(shares >= least)), reverse=True
    )
    taken_truth: set[int] = set()
    taken_found: set[int] = set()
    chosen = []
    for _, i, j in candidates:
        if i not in taken_truth and j not in taken_found:
            taken_truth.add(i)
            taken_found.add(j)
            chosen.append((i, j))
    return chosen


def corner_errors(truth: Floats, found: Floats) -> tuple[Floats, int]:
    """The error of each corner of a detection in tile widths, whichever way up it was read.

    Args:
        truth: (4, 2) true corners from the tile's own top-left.
        found: (4, 2) corners as read.

    Returns:
        (4,) distances divided by the mean width of the true tile, and the number of corners by
        which the detection is turned: 0 if it was read the right way up.
    """
    width = (np.linalg.norm(truth[1] - truth[0]) + np.linalg.norm(truth[2] - truth[3])) / 2
    turned = [np.linalg.norm(np.roll(found, -k, axis=0) - truth, axis=1) for k in range(4)]
    best = int(np.argmin([errors.sum() for errors in turned]))
    return (turned[best] / max(float(width), 1e-6)).astype(np.float32), best


def average_precision(finds: Sequence[tuple[float, bool]], tiles: int) -> float:
    """Precision averaged over 101 recalls, as the COCO evaluation interpolates it.

    Args:
        finds: score of each detection over all pictures, and whether it is a tile.
        tiles: number of true tiles.
    """
    if not tiles or not finds:
        return 0.0
    order = sorted(finds, key=lambda find: -find[0])
    hits = np.cumsum([hit for _, hit in order])
    recall = hits / tiles
    precision = hits / np.arange(1, len(order) + 1)
    highest = np.maximum.accumulate(precision[::-1])[::-1]
    places = np.searchsorted(recall, RECALLS)
    reached = places < len(highest)
    return float(np.where(reached, highest[np.minimum(places, len(highest) - 1)], 0).mean())


def score_finds(
    shares: NDArray[np.float64], scores: Floats, ignored: NDArray[np.bool_], least: float
) -> list[tuple[float, bool]]:
    """Which detections are tiles, highest score first, without those on ignored tiles.

    Args:
        shares: (n, m) overlaps of true tiles and detections.
        scores: (m,) scores of the detections.
        ignored: (n,) whether a true tile is left out of the figures.
        least: overlap from which a detection is a true positive.
    """
    free = np.ones(len(shares), bool)
    results: list[tuple[float, bool]] = []
    for j in np.argsort(-scores, kind="stable"):
        column = np.where(free & ~ignored, shares[:, j], 0) if len(shares) else np.zeros(0)
        best = int(column.argmax()) if len(column) else -1
        if best >= 0 and column[best] >= least:
            free[best] = False
            results.append((float(scores[j]), True))
        elif not (len(shares) and (shares[ignored, j] > 0.2).any()):
            results.append((float(scores[j]), False))
    return results
