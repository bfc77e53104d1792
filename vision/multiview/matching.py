"""Finds the same tiles again in another picture of the same table.

Tiles lie nearly in one plane, so the change of view from one picture to the other is projective.
It is found by trial: a tile of the one picture that may be a tile of the other gives a first
guess, good near by; tiles that fall on tiles refine it, farther and farther away. The guess under
which the most tiles fall on tiles that show the same wins.
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
"""How many tiles two pictures must share to be known as pictures of the same table."""

LEAST_EVIDENCE: Final = 7.0
"""Log-odds, summed over the shared tiles, that they are the same rather than any others."""

_WORST: Final = -4.0
_NEAR: Final = 0.5
_REACHES: Final = (2.0, 4.0, 8.0, 16.0, 64.0)
_MOST_SEEDS: Final = 80
_SEED_EVIDENCE: Final = 1.0
_PLENTY: Final = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """How the tiles of a second picture are found again in a first.

    Attributes:
        pairs: (m, 2) int, indices in the first and in the second picture of the same tiles.
        matrix: (3, 3) float64, takes pixels of the second picture to pixels of the first.
        evidence: log-odds that they are the same tiles.
    """

    pairs: NDArray[np.int64]
    matrix: Matrix
    evidence: float


def match_tiles(
    first: Quads, first_chances: Chances, second: Quads, second_chances: Chances
) -> Match | None:
    """The tiles that two pictures share; None where they do not seem to show the same table.

    Args:
        first: (n, 4, 2) face corners in pixels, from the top-left as read upright.
        first_chances: (n, 45) probabilities of what they show.
        second: (m, 4, 2), likewise of the other picture.
        second_chances: (m, 45).
    """
    if len(first) < LEAST_TILES or len(second) < LEAST_TILES:
        return None
    alike = _likeness(first_chances, second_chances)
    best: Match | None = None
    enough = _PLENTY * min(len(first), len(second))
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
    """(n, m) log-odds that two tiles show the same face rather than any two faces."""
    same = (first @ second.T) * len(READING_LABELS)
    likeness: Chances = np.log(np.maximum(same, np.exp(_WORST)))
    return likeness


def _seeds(alike: Chances, first: Chances, second: Chances) -> list[tuple[int, int]]:
    """Pairs that probably show the same, the likeliest and rarest first; backs are no help."""
    value = alike.copy()
    value[first[:, column(BACK)] > 0.5] = _WORST
    value[:, second[:, column(BACK)] > 0.5] = _WORST
    fit = value >= _SEED_EVIDENCE
    rarity = fit.sum(axis=1, keepdims=True) * fit.sum(axis=0, keepdims=True)
    rows, columns = np.nonzero(fit)
    order = np.lexsort((-value[rows, columns], rarity[rows, columns]))[:_MOST_SEEDS]
    return [(int(rows[k]), int(columns[k])) for k in order]


def _grow(first: Quads, second: Quads, alike: Chances, seed: tuple[int, int]) -> Match | None:
    """The match that grows from one pair of tiles."""
    centres, others = first.mean(axis=1), second.mean(axis=1)
    widths = np.linalg.norm(first[:, 1] - first[:, 0], axis=1)
    away = np.linalg.norm(centres - centres[seed[0]], axis=1) / max(float(widths[seed[0]]), 1e-6)
    pairs = np.array([seed], np.int64)
    matrix = _view(first, second, pairs)
    for reach in _REACHES:
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
    """(k, 2) pairs of ``near`` tiles and moved tiles that are each other's nearest and close."""
    if len(near) == 0:
        return np.zeros((0, 2), np.int64)
    apart = np.linalg.norm(centres[near][:, np.newaxis] - moved[np.newaxis], axis=2)
    apart /= np.maximum(widths[near], 1e-6)[:, np.newaxis]
    apart = np.where(np.isfinite(apart), apart, np.inf)
    partner = apart.argmin(axis=1)
    rows = np.arange(len(near))
    mutual = (apart[:, partner].argmin(axis=0) == rows) & (apart[rows, partner] <= _NEAR)
    return np.stack([near[mutual], partner[mutual]], axis=1).astype(np.int64)


def _view(first: Quads, second: Quads, pairs: NDArray[np.int64]) -> Matrix | None:
    """(3, 3) from the second picture to the first, by the corners of tiles that are the same."""
    source = second[pairs[:, 1]].reshape(-1, 2).astype(np.float64)
    target = first[pairs[:, 0]].reshape(-1, 2).astype(np.float64)
    if len(pairs) >= LEAST_TILES:
        found, _ = cv2.findHomography(source, target, 0)
        return np.asarray(found, np.float64) if np.ndim(found) == 2 else None
    padded = np.column_stack([source, np.ones(len(source))])
    solution = np.linalg.lstsq(padded, target, rcond=None)[0]
    return np.vstack([solution.T, [0.0, 0.0, 1.0]])
