"""Matching of the tiles in two pictures of the same table.

Tiles lie nearly in one plane, so the change of view between the pictures is a homography. It is
found by trial: a tile of one picture that may be a tile of the other gives a first guess, which is
accurate near it; tiles that then coincide refine it, farther and farther away. The homography under
which the labels of coinciding tiles agree best is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.multiview.motion import Matrix, carried
from vision.runtime.opencv import cv2
from vision.vocabulary.labels import column

Quads = NDArray[np.float32]
Chances = NDArray[np.float64]

LEAST_TILES: Final = 3
"""Minimum number of tiles that two pictures of the same table share."""

LEAST_EVIDENCE: Final = 7.0
"""Minimum log-odds, summed over the shared tiles, that two pictures show the same table."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How the homography is grown from one pair of tiles.

    Attributes:
        worst: least log-odds of a pair, so that no single misread tile decides.
        near: largest distance in tile widths between the centres of tiles that coincide.
        reaches: distances in tile widths from the first pair up to which tiles are used in turn.
        seeds: maximum number of first pairs that are tried.
        seed_evidence: least log-odds of a first pair.
        plenty: share of the tiles of the smaller picture that ends the search when they coincide.
    """

    worst: float = -4.0
    near: float = 0.5
    reaches: tuple[float, ...] = (2.0, 4.0, 8.0, 16.0, 64.0)
    seeds: int = 80
    seed_evidence: float = 1.0
    plenty: float = 0.8


TRIAL: Final = Trial()

_LIKELY_BACK: Final = 0.5
"""Probability of a back above which a tile cannot be the first of a pair: backs look alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """The tiles that two pictures share.

    Attributes:
        pairs: (m, 2) int64, indices of each shared tile in the first and in the second picture.
        matrix: (3, 3) float64 homography from pixels of the second picture to the first.
        evidence: log-odds that they are the same tiles.
    """

    pairs: NDArray[np.int64]
    matrix: Matrix
    evidence: float


def match_tiles(
    first: Quads, first_chances: Chances, second: Quads, second_chances: Chances
) -> Match | None:
    """Match the tiles of two pictures; None if they do not seem to show the same table.

    Args:
        first: (n, 4, 2) float32 corners in pixels, clockwise from the top-left as read upright.
        first_chances: (n, 45) probabilities of the labels.
        second: (m, 4, 2) float32 face corners in the other picture.
        second_chances: (m, 45) probabilities of the labels there.
    """
    if len(first) < LEAST_TILES or len(second) < LEAST_TILES:
        return None
    alike = _likeness(first_chances, second_chances)
    best: Match | None = None
    enough = TRIAL.plenty * min(len(first), len(second))
    for i, j in _seeds(alike, first_chances, second_chances):
        grown = _grow(first, second, alike, (i, j))
        if grown is not None and (best is None or grown.evidence > best.evidence):
            best = grown
            if len(grown.pairs) >= enough and grown.evidence >= len(grown.pairs):
                break
    if best is None or len(best.pairs) < LEAST_TILES or best.evidence < LEAST_EVIDENCE:
        return None
    return best


def _likeness(first: Chances, second: Chances) -> Chances:
    """Log-odds (n, m) that two tiles show the same face rather than any two faces."""
    same = (first @ second.T) * len(READING_LABELS)
    likeness: Chances = np.log(np.maximum(same, np.exp(TRIAL.worst)))
    return likeness


def _seeds(alike: Chances, first: Chances, second: Chances) -> list[tuple[int, int]]:
    """Pairs of tiles that probably show the same face, the likeliest first."""
    value = alike.copy()
    value[first[:, column(BACK)] > _LIKELY_BACK] = TRIAL.worst
    value[:, second[:, column(BACK)] > _LIKELY_BACK] = TRIAL.worst
    rows, columns = np.nonzero(value >= TRIAL.seed_evidence)
    order = np.argsort(-value[rows, columns], kind="stable")[: TRIAL.seeds]
    return [(int(rows[k]), int(columns[k])) for k in order]


def _grow(first: Quads, second: Quads, alike: Chances, seed: tuple[int, int]) -> Match | None:
    """The match that grows from one pair of tiles."""
    centres, others = first.mean(axis=1), second.mean(axis=1)
    widths = np.linalg.norm(first[:, 1] - first[:, 0], axis=1)
    away = np.linalg.norm(centres - centres[seed[0]], axis=1) / max(float(widths[seed[0]]), 1e-6)
    pairs = np.array([seed], np.int64)
    matrix = _view(first, second, pairs)
    for reach in TRIAL.reaches:
        for _ in range(2):
            if matrix is None:
                return None
            near = np.flatnonzero(away <= reach)
            pairs = _fallen_together(carried(matrix, others), centres, widths, near)
            if len(pairs) == 0:
                return None
            matrix = _view(first, second, pairs)
        if alike[pairs[:, 0], pairs[:, 1]].sum() < 0:
            return None
    if matrix is None:
        return None
    return Match(pairs, matrix, float(alike[pairs[:, 0], pairs[:, 1]].sum()))


def _fallen_together(
    moved: Matrix, centres: Quads, widths: NDArray[np.float32], near: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Pairs (k, 2) of ``near`` tiles and moved tiles that coincide and are each other's nearest."""
    if len(near) == 0:
        return np.zeros((0, 2), np.int64)
    apart = np.linalg.norm(centres[near][:, np.newaxis] - moved[np.newaxis], axis=2)
    apart /= np.maximum(widths[near], 1e-6)[:, np.newaxis]
    apart = np.where(np.isfinite(apart), apart, np.inf)
    partner = apart.argmin(axis=1)
    rows = np.arange(len(near))
    mutual = (apart[:, partner].argmin(axis=0) == rows) & (apart[rows, partner] <= TRIAL.near)
    return np.stack([near[mutual], partner[mutual]], axis=1).astype(np.int64)


def _view(first: Quads, second: Quads, pairs: NDArray[np.int64]) -> Matrix | None:
    """Homography (3, 3) from the second picture to the first by the corners of shared tiles."""
    source = second[pairs[:, 1]].reshape(-1, 2).astype(np.float64)
    target = first[pairs[:, 0]].reshape(-1, 2).astype(np.float64)
    if len(pairs) >= LEAST_TILES:
        found, _ = cv2.findHomography(source, target, 0)
        return np.asarray(found, np.float64) if np.ndim(found) == 2 else None
    padded = np.column_stack([source, np.ones(len(source))])
    solution = np.linalg.lstsq(padded, target, rcond=None)[0]
    return np.vstack([solution.T, [0.0, 0.0, 1.0]])
