"""How a set profile and the classifier decide together what a tile shows.

For each label k the classifier gives a probability p_k. The faces that differ from set to set
(dragons, bonus tiles, one bamboo) are pictured; of those with shots, p is the probability that a
tile is any of them. The profile adds two likenesses, each the best over the ways up in which the
tile was looked at: the cosine c_k between the tile's direction and the label's prototype, from
near or from afar (the normalised mean of its shots seen so), and the correlation r_k of the tile's
ink with that of the label's shots, shifted a little. Ink is what is darker than its surroundings,
in shares of the contrast there ("What is the best multi-stage architecture for object
recognition?", Jarrett et al. 2009), so that shade, glare and blur change it little. The fused
probabilities are the softmax of ::

    GENERIC * log p_k + [k has shots] * (cosine * c_k + ink * r_k - offset)

where for pictured labels with shots ``GENERIC * log p + AMONG_PICTURED * log (p_k / p)`` stands for
the first term: which of them a tile is, the set knows better. There is one set of weights for the
pictured labels and one for all others. The weights are those with the least negative log-likelihood
on drawn pictures of held-out designs, whose profiles were made from one photo each;
``python -m models.fitting.profiles`` finds them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.special import logsumexp

from scorer.tiles import BACK, BLANK, BONUS_TILES, DRAGONS, READING_LABELS
from vision.classify.views import Views
from vision.geometry.quads import coarser, smaller
from vision.runtime.opencv import cv2
from vision.tilesets.profile import SetProfile
from vision.vocabulary.finds import Classified
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What the likenesses count for labels that have shots, in logits."""

    cosine: float
    ink: float
    offset: float


GENERIC: Final = 0.56
AMONG_PICTURED: Final = 0.42
PICTURED: Final = Weights(cosine=6.22, ink=11.58, offset=9.81)
PRINTED: Final = Weights(cosine=4.56, ink=8.02, offset=6.55)
PICTURED_LABELS: Final = frozenset({*DRAGONS, *BONUS_TILES, "1s"})

MOST_TEMPLATES: Final = 4
"""How many shots of a label, the newest, a tile's ink is compared with."""

_INK_SIZE: Final = (32, 24)
_SHIFT: Final = 4
"""Pixels of the ink's picture by which a tile may lie elsewhere in its crop."""
_COARSE: Final = 18
"""Width in pixels as which shots are also seen, since tiles may be out of focus."""
_AROUND: Final = 2.0
"""Pixels of the ink's picture within which lie the surroundings, as a standard deviation."""
_DARKEST: Final = 8.0
"""Levels of light, of 255, below which differences are noise, and"""
_FLAT: Final = 0.05
"""contrasts, in logarithms of light, that are."""
_FAINT: Final = 0.002
"""Square of the ink, per pixel, up to which a face is rather plain."""
_FLOOR: Final = 1e-9


class Likeness:
    """A set profile made ready for comparing.

    Args:
        profile: with the directions of its shots, taken from near.
        from_afar: (shots, d) further directions of the same shots, seen from farther away each.

    Attributes:
        columns: (k,) indices in :data:`scorer.tiles.READING_LABELS` of the labels with shots.
    """

    def __init__(self, profile: SetProfile, from_afar: Sequence[Floats] = ()) -> None:
        by_label: dict[str, list[int]] = {}
        for index, shot in enumerate(profile.shots):
            by_label.setdefault(shot.label, []).append(index)
        self.columns = np.array([column(label) for label in by_label], np.int64)
        near = np.stack([shot.embedding for shot in profile.shots])
        groups = list(by_label.values())
        self._prototypes = np.stack([_means(seen, groups) for seen in (near, *from_afar)])
        kept = [(k, i) for k, s in enumerate(groups) for i in s[-MOST_TEMPLATES:]]
        self._owners = np.array([k for k, _ in kept] * 2)
        crops = np.stack([profile.shots[i].crop for _, i in kept])
        pictures = ink(np.concatenate([crops, coarser(crops, _COARSE)]))
        self._templates = _in_units(_windows(pictures)[:, _SHIFT, _SHIFT])

    def cosines(self, embeddings: Floats) -> Floats:
        """(m, k) cosines between directions (m, d) and the nearest prototypes of each label."""
        every = np.einsum("md,ckd->cmk", embeddings, self._prototypes)
        cosines: Floats = every.max(axis=0).astype(np.float32)
        return cosines

    def correlations(self, crops: NDArray[np.uint8]) -> Floats:
        """(m, k) correlations, -1..1, of the ink of (m, h, w, 3) crops with the shots'."""
        windows = _windows(ink(crops))
        found = np.full((len(crops), len(self._owners)), -1, np.float32)
        for down in range(windows.shape[1]):
            units = _in_units(windows[:, down].reshape(-1, *windows.shape[3:]))
            every = (units @ self._templates.T).reshape(len(crops), -1, len(self._owners))
            np.maximum(found, every.max(axis=1), out=found)
        best = np.full((len(self.columns), len(crops)), -1, np.float32)
        np.maximum.at(best, self._owners, found.T)
        return best.T


def _means(directions: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """The normalised means (k, d) of groups of directions (n, d)."""
    means = np.stack([directions[list(group)].mean(axis=0) for group in groups])
    unit: Floats = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


def _windows(pictures: Floats) -> Floats:
    """The (m, 9, 9, 3, 24, 16) inner parts of (m, 32, 24, 3) pictures, shifted so far each way."""
    inner = (_INK_SIZE[0] - 2 * _SHIFT, _INK_SIZE[1] - 2 * _SHIFT)
    return sliding_window_view(pictures, inner, axis=(1, 2))


def _in_units(parts: Floats) -> Floats:
    """Parts (n, 3, h, w) of pictures less their means, (n, 3 * h * w), each of unit length."""
    apart = (parts - parts.mean(axis=(2, 3), keepdims=True)).reshape(len(parts), -1)
    faint = np.float32(_FAINT * parts.shape[2] * parts.shape[3])
    units: Floats = apart / np.sqrt((apart**2).sum(axis=1, keepdims=True) + faint)
    return units


def ink(crops: NDArray[np.uint8]) -> Floats:
    """How much darker than its surroundings each place is, (m, 32, 24, 3) float32, about -3..3.

    Args:
        crops: (m, h, w, 3) uint8 BGR faces.
    """
    light = np.log(smaller(crops, _INK_SIZE) + np.float32(_DARKEST))
    pictures = np.empty(light.shape, np.float32)
    for picture, seen in zip(pictures, light, strict=True):
        above = seen - _around(seen)
        contrast = np.sqrt(_around((above**2).sum(axis=2)))
        picture[:] = -above / (contrast + _FLAT)[:, :, np.newaxis]
    return pictures


def _around(picture: Floats) -> Floats:
    """The (h, w) or (h, w, 3) mean of what lies round each place."""
    mean = cv2.GaussianBlur(picture, (0, 0), _AROUND, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mean, np.float32)


def fuse(
    log_chances: Doubles, cosines: Doubles, correlations: Doubles, columns: Sequence[int]
) -> Doubles:
    """The fused probabilities (n, 45), as the module's text states.

    Args:
        log_chances: (n, 45) logarithms of the classifier's probabilities.
        cosines: (n, k) likeness of directions to the labels ``columns``.
        correlations: (n, k) likeness of ink to the same labels.
        columns: indices of the k labels that have shots.
    """
    together, apart = among_pictured(log_chances, columns)
    scores = GENERIC * together + AMONG_PICTURED * apart
    for k, shown in enumerate(columns):
        weights = PICTURED if READING_LABELS[shown] in PICTURED_LABELS else PRINTED
        likeness = weights.cosine * cosines[:, k] + weights.ink * correlations[:, k]
        scores[:, shown] += likeness - weights.offset
    chances: Doubles = np.exp(scores - scores.max(axis=1, keepdims=True))
    fused: Doubles = chances / chances.sum(axis=1, keepdims=True)
    return fused


def among_pictured(log_chances: Doubles, columns: Sequence[int]) -> tuple[Doubles, Doubles]:
    """The chances split in two: whether a tile is any pictured face with shots, and which.

    Args:
        log_chances: (n, 45) logarithms of probabilities.
        columns: indices of the labels that have shots.

    Returns:
        (n, 45) the same, but for pictured faces with shots the logarithm of the probability that
        the tile is any of them; and (n, 45) what is left for each of these, else 0.
    """
    pictured = [shown for shown in columns if READING_LABELS[shown] in PICTURED_LABELS]
    together, apart = log_chances.copy(), np.zeros_like(log_chances)
    if pictured:
        own = log_chances[:, pictured]
        together[:, pictured] = logsumexp(own, axis=1, keepdims=True)
        apart[:, pictured] = own - together[:, pictured]
    return together, apart


def read_with_profile(views: Views, profile: SetProfile, likeness: Likeness) -> Classified:
    """What the views show, read with what is known of the set.

    A tile that the set does not have is never read, and where the white dragon is a blank tile
    every blank is one. Whether there is a tile at all the classifier says alone.

    Args:
        views: of the tiles of one photo.
        profile: of the set that the photo shows.
        likeness: the same profile, made ready.
    """
    plain = views.pick(views.credence())
    if views.count == 0:
        return views.read(plain)
    allowed = _allowed(views.probabilities[plain].astype(np.float64), profile)
    cosines = likeness.cosines(views.embeddings)
    correlations = likeness.correlations(views.crops)
    fused = fuse(
        np.log(np.maximum(allowed, _FLOOR)),
        best_of_views(views, cosines),
        best_of_views(views, correlations),
        likeness.columns.tolist(),
    )
    fused = _as_sure_of_backs(_allowed(fused, profile), allowed)
    alike = PICTURED.cosine * cosines + PICTURED.ink * correlations
    picked = views.pick(_credence(views, fused.argmax(axis=1), likeness, alike))
    alone = views.read(plain)
    return replace(
        views.read(picked),
        probabilities=fused.astype(np.float32),
        tiles=alone.tiles,
        legible=alone.legible,
    )


def _as_sure_of_backs(fused: Doubles, plain: Doubles) -> Doubles:
    """The fused probabilities (n, 45), of backs not lower than without the profile, (n, 45).

    A profile has no shots of backs, so where a tile still looks like one it tells nothing of it.
    """
    down = fused.argmax(axis=1) == column(BACK)
    sure = np.maximum(fused[:, column(BACK)], plain[:, column(BACK)])
    rest = (1 - sure) / np.maximum(1 - fused[:, column(BACK)], _FLOOR)
    surer = fused * rest[:, np.newaxis]
    surer[:, column(BACK)] = sure
    return np.where(down[:, np.newaxis], surer, fused)


def best_of_views(views: Views, likenesses: Floats) -> Doubles:
    """The largest of each tile's likenesses, (count, k).

    Args:
        views: of the tiles of one photo, m of them.
        likenesses: (m, k) of each view to k labels.
    """
    best = np.full((views.count, likenesses.shape[1]), -np.inf)
    np.maximum.at(best, views.owners, likenesses)
    return best


def _credence(views: Views, labels: NDArray[np.int64], likeness: Likeness, alike: Floats) -> Floats:
    """(m,) how well each view shows its tile the right way up, now that its label is known.

    Args:
        views: of the tiles of one photo.
        labels: (count,) indices of the tiles' labels.
        likeness: which columns of ``alike`` belong to which labels.
        alike: (m, k) likeness of each view to the labels with shots.
    """
    wanted = labels[views.owners]
    every = np.arange(len(wanted))
    chances = np.maximum(views.probabilities[every, wanted], _FLOOR)
    credence: Floats = (views.upright + GENERIC * np.log(chances)).astype(np.float32)
    places = np.full(len(READING_LABELS), -1)
    places[likeness.columns] = np.arange(len(likeness.columns))
    known = places[wanted] >= 0
    credence[known] += alike[every[known], places[wanted][known]]
    return credence


def _allowed(chances: Doubles, profile: SetProfile) -> Doubles:
    """The probabilities (n, 45) with no tile that the set lacks, each row summing to 1."""
    result = chances.copy()
    if profile.blank_white:
        result[:, column("5z")] += result[:, column(BLANK)]
        result[:, column(BLANK)] = 0
    result[:, [column(label) for label in _absent(profile.copies)]] = 0
    total = result.sum(axis=1, keepdims=True)
    kept: Doubles = np.where(total > _FLOOR, result / np.maximum(total, _FLOOR), chances)
    return kept


def _absent(copies: Mapping[str, int]) -> list[str]:
    return [label for label, count in copies.items() if count == 0]
