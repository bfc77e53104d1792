"""Which plain sides are backs: by the classifier's word, by what lies around and by their colour.

The classifier knows a plain side well, but hardly whether it is a blank face. The second verifier
sees the sides of the tile (:mod:`vision.detect.verifier`); and the paper of a blank face is that of
the faces that show print.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scorer.tiles import BACK
from vision.evidence.colour import Papers
from vision.runtime.weights import Weights
from vision.vocabulary.detections import Classified, Detections
from vision.vocabulary.labels import BLANK_COLUMNS, column, sure_prints
from vision.vocabulary.odds import log_odds

Chances = NDArray[np.float64]

_MOST_UNLIKE: Final = 30.0
_USUAL: Final = 10.0
"""CIELAB distance that tells neither of a back nor of a face."""
_LEAST: Final = 1e-3
"""Less than this the classifier's probability is not taken to be."""


@dataclass(frozen=True, slots=True)
class BackWeights(Weights):
    """How much classifier and colour count for whether a side without print is a back.

    Attributes:
        classifier: weight of the classifier's log-odds of a back against a face without print.
        colour: weight of :func:`unlike_prints`.
    """

    table: ClassVar = "face_down"

    classifier: float
    colour: float


def with_backs(papers: Papers, found: Detections, seen: Classified, known: Chances) -> Chances:
    """The probabilities (n, 45) of finds once it is said which plain sides are backs.

    Args:
        papers: of the n finds and of m tiles that are known already.
        found: the finds.
        seen: what the classifier says of them.
        known: (m, 45), what the other tiles are known to show.
    """
    chances = seen.probabilities.astype(np.float64)
    unlike = unlike_prints(papers, found.scores, seen, known)
    blank = chances[:, BLANK_COLUMNS].sum(axis=1)
    plain = blank + chances[:, column(BACK)]
    weights = BackWeights.shipped()
    share = expit(weights.classifier * own_word(chances) + weights.colour * unlike)
    chances[:, BLANK_COLUMNS] *= (plain * (1 - share) / np.maximum(blank, _LEAST))[:, np.newaxis]
    chances[:, column(BACK)] = plain * share * np.exp(log_odds(found.down))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def own_word(probabilities: Chances) -> NDArray[np.float64]:
    """(n,) how many times as likely each is a back as a blank face, of (n, 45), as a logarithm."""
    back, blank = probabilities[:, column(BACK)], probabilities[:, BLANK_COLUMNS].sum(axis=1)
    told: NDArray[np.float64] = np.log((back + _LEAST) / (blank + _LEAST))
    return told


def unlike_prints(
    papers: Papers, scores: NDArray[np.floating], seen: Classified, known: Chances
) -> NDArray[np.float64]:
    """How much further than usual a find's colour is from those of the others that show print.

    Args:
        papers: of the n finds and of m tiles that are known already.
        scores: (n,) chance 0..1 that each find is a tile.
        seen: what the classifier says of the finds.
        known: (m, 45), what the other tiles are known to show.

    Returns:
        (n,) tens of CIELAB, from the one most like it; 0 where no other surely shows print.
    """
    chances = seen.probabilities.astype(np.float64)
    evidence = np.concatenate([scores * chances.max(axis=1) * seen.tiles, np.ones(len(known))])
    prints = sure_prints(np.concatenate([chances, known]), evidence)
    unlike = np.zeros(len(chances))
    for index in range(len(chances)):
        nearest = papers.unlike(prints, index, _MOST_UNLIKE)
        if nearest is not None:
            unlike[index] = (nearest - _USUAL) / 10
    return unlike
