"""What the judge is told of the candidates of a picture: of each, and of each two.

Training and app compute these features by the same functions. They are the judge's own scale: each
is roughly within -2 and 2, and none depends on the size of the picture, on its orientation, or on
the order of the candidates.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.evidence.candidates import Candidates
from vision.geometry.overlap import common_areas
from vision.geometry.quads import areas, sides_of
from vision.geometry.table_plane import USUAL_PROPORTION, sides
from vision.vocabulary.labels import BLANK_COLUMNS, column
from vision.vocabulary.odds import log_odds

Floats = NDArray[np.float32]

GROUPS: Final = {"seen": 2, "read": 4, "labels": 45, "form": 11, "counts": 4}
"""Number of features of each candidate by group, in their order."""
UNARY: Final = sum(GROUPS.values())
"""Number of features of each candidate."""
PAIRED: Final = 24
"""Number of features of each two candidates."""
COSINE: Final = 14
"""Place of the cosine of two embeddings in the features of a pair; its cube follows."""
DISTANCES: Final = slice(16, 19)
"""Places of the distances of colours in the features of a pair."""
_LEAST: Final = 1e-3
"""Number added to probabilities before their logarithm is taken."""
_LIGHTNESS: Final = np.array([0.5, 1.0, 1.0], np.float32)
"""Weights of lightness and the two colour axes of CIELAB in a distance: light falls unevenly."""


def features(found: Candidates, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """The features of n candidates, and of each two.

    Args:
        found: the candidates.
        shape: of their picture, (height, width, ...) in pixels.

    Returns:
        (n, :data:`UNARY`) float32; and (n, n, :data:`PAIRED`) float32, at [i, j] what is seen of
        candidate i from candidate j, 0 where both are the same.
    """
    typical = _typical(found)
    groups = (_seen(found), _read(found), _labels(found), _form(found, shape, typical))
    unary = np.concatenate([*groups, _counts(found)], axis=1)
    return unary.astype(np.float32), _pairs(found, typical).astype(np.float32)


def _typical(found: Candidates) -> tuple[float, float]:
    """Shorter side in pixels and area of the picture's typical tile, 1 if there is none."""
    weights = found.scores.astype(np.float64) ** 2 + _LEAST
    return _median(sides_of(found.quads)[0], weights), _median(areas(found.quads) + 1, weights)


def _median(values: NDArray[np.floating], weights: NDArray[np.float64]) -> float:
    """The weighted median of values (n,), at least 1."""
    if not len(values):
        return 1.0
    order = np.argsort(values, kind="stable")
    heap = np.cumsum(weights[order])
    return max(1.0, float(values[order][np.searchsorted(heap, heap[-1] / 2)]))


def _seen(found: Candidates) -> NDArray[np.float64]:
    """(n, 2) log-odds of a tile, and of one that lies face down, by detector and verifier."""
    return np.column_stack([log_odds(found.scores) / 2, log_odds(found.down) / 2])


def _read(found: Candidates) -> NDArray[np.float64]:
    """(n, 4) log-odds of a tile by the classifier, of its best label and its best two; entropy."""
    ranked = np.sort(found.probabilities.astype(np.float64), axis=1)
    entropy = -(ranked * np.log(ranked + _LEAST)).sum(axis=1)
    best, two = ranked[:, -1], ranked[:, -2:].sum(axis=1)
    return np.column_stack(
        [log_odds(found.valid) / 2, log_odds(best) / 2, log_odds(two) / 3, entropy]
    )


def _labels(found: Candidates) -> NDArray[np.float64]:
    """(n, 45) logarithms of the labels' probabilities."""
    logs: NDArray[np.float64] = np.log(found.probabilities.astype(np.float64) + _LEAST) / 3
    return logs


def _form(
    found: Candidates, shape: tuple[int, ...], typical: tuple[float, float]
) -> NDArray[np.float64]:
    """(n, 11) size, proportion and place of each, and how many there are."""
    quads = found.quads.astype(np.float64)
    across, down, width, height = _axes(quads)
    short = np.minimum(width, height)
    side, area = typical
    skew = np.linalg.norm(quads[:, 0] - quads[:, 1] + quads[:, 2] - quads[:, 3], axis=1) / short
    low, high = quads.min(axis=1), np.array(shape[1::-1]) - quads.max(axis=1)
    border = np.minimum(low, high).min(axis=1) / side
    count, likely = len(quads), np.count_nonzero(found.scores > 0.5)
    every = np.ones(count)
    return np.column_stack(
        [
            np.log(short / side),
            np.log(np.maximum(width, height) / short),
            np.log((areas(found.quads) + 1) / area),
            np.log(height / width),
            np.minimum(skew, 2),
            (across * down).sum(axis=1) / (width * height),
            np.clip(border, -1, 4) / 2,
            quads[:, :, 1].mean(axis=1) / shape[0] - 0.5,
            every * np.log(side / 40),
            every * np.log(max(count, 1)) / 3,
            every * np.log(likely + 1) / 3,
        ]
    )


def _counts(found: Candidates) -> NDArray[np.float64]:
    """(n, 4) how many like each the picture has, and how many plain whites, backs and prints."""
    chances = found.probabilities.astype(np.float64)
    total = (chances * found.scores[:, np.newaxis]).sum(axis=0)
    plain, backs = total[BLANK_COLUMNS].sum(), total[column(BACK)]
    prints = max(0.0, float(total.sum() - plain - backs))
    every = np.ones(len(chances))
    like = chances @ total
    counts = np.column_stack([like, every * plain, every * backs, every * prints])
    return np.asarray(np.log1p(counts) / 3, np.float64)


def _axes(quads: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Mean sides (n, 2) of quads from left to right and from top to bottom, and their lengths."""
    across, up = sides(quads)
    down = -up
    width, height = (np.maximum(np.linalg.norm(side, axis=1), 1) for side in (across, down))
    return across, down, width, height


def _pairs(found: Candidates, typical: tuple[float, float]) -> Floats:
    """The features (n, n, 24) of each two candidates."""
    quads = found.quads.astype(np.float64)
    across, down, width, height = _axes(quads)
    frames = np.stack([across, down], axis=2)
    flat = np.abs(np.linalg.det(frames)) < 1
    frames[flat] = np.eye(2) * typical[0]
    inverse = np.linalg.inv(frames)
    scale = np.array([1.0, 1 / USUAL_PROPORTION])
    middles = quads.mean(axis=1)
    apart = middles[:, np.newaxis] - middles
    place = np.einsum("jab,ijb->ija", inverse, apart) / scale
    shape = np.einsum("jab,ibc->ijac", inverse, frames) / scale[:, np.newaxis]
    short = np.minimum(width, height)
    alike = found.embeddings @ found.embeddings.T
    inside, other = _shares_covered(found.quads, np.hypot(place[..., 0], place[..., 1]))
    far = np.abs(apart).max(axis=2) / typical[0]
    parts = [
        *_placed(place),
        *_shaped(shape),
        alike,
        alike**3,
        *_coloured(found.colours),
        inside,
        other,
        found.probabilities @ found.probabilities.T,
        np.log(short[:, np.newaxis] / short),
        np.minimum(np.log1p(far), 4) / 2,
    ]
    pairs = np.stack(parts, axis=2).astype(np.float32)
    np.einsum("iik->ik", pairs)[:] = 0
    return pairs


def _placed(place: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Seven features (n, n) of the place (n, n, 2) of one in the widths and heights of another."""
    x, y = np.arcsinh(place[..., 0]) / 2, np.arcsinh(place[..., 1]) / 2
    away = np.hypot(place[..., 0], place[..., 1])
    bumps = [np.exp(-away / 1.2), np.exp(-away / 4), np.exp(-((away - 1) ** 2) / 0.08)]
    return [x, y, np.abs(x), np.abs(y), *bumps]


def _shaped(shape: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Seven features (n, n) of the sides (n, n, 2, 2) of one in the frame of another."""
    wide, high = (
        np.hypot(shape[..., 0, 0], shape[..., 1, 0]),
        np.hypot(shape[..., 0, 1], shape[..., 1, 1]),
    )
    wide, high = np.maximum(wide, 1e-6), np.maximum(high, 1e-6)
    slant = (shape[..., 0] * shape[..., 1]).sum(axis=2) / (wide * high)
    cosine, sine = shape[..., 0, 0] / wide, shape[..., 1, 0] / wide
    usual = 1 / USUAL_PROPORTION
    unlike = np.hypot(np.hypot(np.log(wide), np.log(high * usual)), slant)
    crosswise = np.hypot(np.hypot(np.log(high), np.log(wide * usual)), slant)
    sizes = [np.clip(np.log(wide), -2, 2), np.clip(np.log(high), -2, 2)]
    turned = [cosine**2 - sine**2, 2 * cosine * sine]
    return [*sizes, slant, *turned, np.minimum(unlike, 1.5), np.minimum(crosswise, 1.5)]


def _coloured(colours: Floats) -> list[Floats]:
    """Three distances (n, n) of the colours (n, 6, 3): of borders, of faces, of face and strip."""
    scaled = colours * _LIGHTNESS / 10
    border, face, strips = scaled[:, 0], scaled[:, 1], scaled[:, 2:]
    borders = np.linalg.norm(border[:, np.newaxis] - border, axis=2)
    faces = np.linalg.norm(face[:, np.newaxis] - face, axis=2)
    beside = np.min(
        [np.linalg.norm(face[:, np.newaxis] - strips[:, k], axis=2) for k in range(4)], axis=0
    )
    return [np.minimum(each, 4) / 2 for each in (borders, faces, beside)]


def _shares_covered(quads: Floats, away: NDArray[np.float64]) -> tuple[Floats, Floats]:
    """The shares (n, n) of each candidate that lie on another, and of the other on it."""
    near = (away < 1.3) | (away.T < 1.3)
    common = common_areas(quads, near)
    own = areas(quads) + 1
    share = np.minimum(common / own[:, np.newaxis], 1.2).astype(np.float32)
    return share, share.T
