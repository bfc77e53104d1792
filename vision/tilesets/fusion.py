"""How a set profile and the classifier decide together what a tile shows.

For each label k the classifier gives a probability p_k. The profile adds two similarities, each the
largest over the views in which the tile was read: the cosine c_k between the embedding of the view
and the prototype of the label, and the correlation r_k of the view's ink with that of the label's
pictures (:mod:`vision.tilesets.templates`). The fused probabilities are the softmax of ::

    classifier * log p_k + [k has shots] * (cosine * c_k + ink * r_k - offset)

The weights were fitted for suits and winds, with the least negative log-likelihood on drawn
pictures of held-out designs whose profiles were made from one photo each. Fitted for all faces they
say fewer tiles with 0.9; ``python -m models.fitting profiles`` does so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, READING_LABELS
from vision.classify.views import Views
from vision.runtime.weights import Weights
from vision.tilesets.profile import SetProfile
from vision.tilesets.templates import Templates
from vision.vocabulary.detections import Classified
from vision.vocabulary.labels import column
from vision.vocabulary.odds import softmax

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ProfileWeights(Weights):
    """How much the classifier and the similarities to labels that have shots count, in logits.

    Attributes:
        classifier: per unit of the logarithm of the classifier's probability.
        cosine: per unit of the cosine between embeddings, which lies in -1..1.
        ink: per unit of the correlation of ink, which lies in -1..1.
        offset: what is taken off, so that labels gain nothing by having shots.
    """

    table: ClassVar = "set_profile"

    classifier: float
    cosine: float
    ink: float
    offset: float


_FLOOR: Final = 1e-9
"""Minimum probability in logarithms and divisions."""


def fuse(
    log_chances: Doubles, cosines: Doubles, correlations: Doubles, columns: Sequence[int]
) -> Doubles:
    """The fused probabilities (n, 45) by the formula in the docstring of this module.

    Args:
        log_chances: (n, 45) logarithms of the classifier's probabilities.
        cosines: (n, k) in -1..1, similarity of embeddings to the labels ``columns``.
        correlations: (n, k) in -1..1, similarity of ink to the same labels.
        columns: indices of the k labels that have shots.
    """
    weights = ProfileWeights.shipped()
    scores = weights.classifier * log_chances
    scores[:, columns] += weights.cosine * cosines + weights.ink * correlations - weights.offset
    return softmax(scores)


def read_with_profile(views: Views, profile: SetProfile, templates: Templates) -> Classified:
    """Classify the tiles of a photo with what the profile knows of their tile set.

    A face that the tile set lacks is never read, and where the white dragon is a blank tile every
    blank is read as one. Whether there is a tile at all depends on the classifier alone.

    Args:
        views: of the tiles of one photo.
        profile: of the tile set in the photo.
        templates: those of the same profile.
    """
    plain = views.pick(views.credence())
    if views.count == 0:
        return views.read(plain)
    allowed = _allowed(views.probabilities[plain].astype(np.float64), profile)
    cosines = templates.cosines(views.embeddings)
    correlations = templates.correlations(views.crops)
    fused = fuse(
        np.log(np.maximum(allowed, _FLOOR)),
        best_of_views(views, cosines),
        best_of_views(views, correlations),
        templates.columns.tolist(),
    )
    fused = _as_sure_of_backs(_allowed(fused, profile), allowed)
    weights = ProfileWeights.shipped()
    alike = weights.cosine * cosines + weights.ink * correlations
    picked = views.pick(_credence(views, fused.argmax(axis=1), templates, alike))
    alone = views.read(plain)
    return replace(
        views.read(picked),
        probabilities=fused.astype(np.float32),
        valid=alone.valid,
    )


def _as_sure_of_backs(fused: Doubles, plain: Doubles) -> Doubles:
    """The fused probabilities (n, 45) with backs no less certain than without the profile.

    A profile has no pictures of backs, so it says nothing about a tile that still looks like one.

    Args:
        fused: (n, 45), each row summing to 1.
        plain: (n, 45), the probabilities without the profile.
    """
    down = fused.argmax(axis=1) == column(BACK)
    sure = np.maximum(fused[:, column(BACK)], plain[:, column(BACK)])
    rest = (1 - sure) / np.maximum(1 - fused[:, column(BACK)], _FLOOR)
    surer = fused * rest[:, np.newaxis]
    surer[:, column(BACK)] = sure
    return np.where(down[:, np.newaxis], surer, fused)


def best_of_views(views: Views, similarities: Floats) -> Doubles:
    """The largest similarity over the views of each tile, (count, k).

    Args:
        views: m views of the ``count`` tiles of one photo.
        similarities: (m, k) similarity of each view to k labels.
    """
    best = np.full((views.count, similarities.shape[1]), -np.inf)
    np.maximum.at(best, views.owners, similarities)
    return best


def _credence(
    views: Views, labels: NDArray[np.int64], templates: Templates, alike: Floats
) -> Floats:
    """Scores (m,) of the views, the higher the likelier that a view shows its tile upright.

    Args:
        views: m views of the ``count`` tiles of one photo.
        labels: (count,) int, column of the label of each tile.
        templates: whose ``columns`` say which label each column of ``alike`` belongs to.
        alike: (m, k) similarity of each view to the labels with shots, in logits.
    """
    wanted = labels[views.owners]
    every = np.arange(len(wanted))
    chances = np.maximum(views.probabilities[every, wanted], _FLOOR)
    weight = ProfileWeights.shipped().classifier
    credence: Floats = (views.upright + weight * np.log(chances)).astype(np.float32)
    places = np.full(len(READING_LABELS), -1)
    places[templates.columns] = np.arange(len(templates.columns))
    known = places[wanted] >= 0
    credence[known] += alike[every[known], places[wanted][known]]
    return credence


def _allowed(chances: Doubles, profile: SetProfile) -> Doubles:
    """The probabilities (n, 45) without the faces that the set lacks, each row summing to 1."""
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
