"""Which sides without print are backs, and which detections that look like backs lie side by side.

The classifier recognises a side without print well, but hardly whether it is a blank face. The
second verifier sees the sides of the tile (:mod:`vision.detect.verifier`); and the plastic of a
blank face is that of the faces that show print. Three backs side by side, as in a concealed kong,
confirm each other, since little else lies so.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scorer.tiles import BACK
from vision.evidence.colour import FaceColours
from vision.geometry.quads import sides_of
from vision.runtime.weights import Weights
from vision.vocabulary.detections import Classified, Detections
from vision.vocabulary.labels import BLANK_COLUMNS, column, sure_prints
from vision.vocabulary.odds import log_odds

Chances = NDArray[np.float64]

_MOST_UNLIKE: Final = 30.0
"""CIELAB distance to which that of a side from the printed faces is limited."""
_USUAL: Final = 10.0
"""CIELAB distance of a side from the printed faces that fits a back as well as a face."""
_LEAST: Final = 1e-3
"""Lowest probability in ratios of the classifier's probabilities."""
_TINY: Final = 1e-6
"""Lowest length in pixels that is divided by."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """When detections lie side by side. All lengths are in shorter sides of the tile.

    Attributes:
        apart: smallest and largest distance between the middles of two.
        astray: maximum distance of the middle of one from midway between its two neighbours, for
            three in a row.
        larger: maximum ratio of the widest to the narrowest.
    """

    apart: tuple[float, float] = (0.6, 2.0)
    astray: float = 0.5
    larger: float = 1.35


SIDE_BY_SIDE: Final = SideBySide()


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


def with_backs(
    colours: FaceColours, found: Detections, seen: Classified, known: Chances
) -> Chances:
    """The probabilities (n, 45) after sides without print are divided into backs and faces.

    Args:
        colours: of the n detections, followed by m tiles that are known already.
        found: the detections.
        seen: the classifier's answers for them.
        known: (m, 45) probabilities of the known tiles.
    """
    chances = seen.probabilities.astype(np.float64)
    unlike = unlike_prints(colours, found.scores, seen, known)
    blank = chances[:, BLANK_COLUMNS].sum(axis=1)
    plain = blank + chances[:, column(BACK)]
    weights = BackWeights.shipped()
    share = expit(weights.classifier * back_log_odds(chances) + weights.colour * unlike)
    chances[:, BLANK_COLUMNS] *= (plain * (1 - share) / np.maximum(blank, _LEAST))[:, np.newaxis]
    chances[:, column(BACK)] = plain * share * np.exp(log_odds(found.down))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def back_log_odds(probabilities: Chances) -> NDArray[np.float64]:
    """Log-odds (n,) of a back against a face without print, of probabilities (n, 45)."""
    back, blank = probabilities[:, column(BACK)], probabilities[:, BLANK_COLUMNS].sum(axis=1)
    odds: NDArray[np.float64] = np.log((back + _LEAST) / (blank + _LEAST))
    return odds


def unlike_prints(
    colours: FaceColours, scores: NDArray[np.floating], seen: Classified, known: Chances
) -> NDArray[np.float64]:
    """How much further than usual the colour of each detection is from that of printed faces.

    Args:
        colours: of the n detections, followed by m tiles that are known already.
        scores: (n,) probability 0..1 that each detection is a tile.
        seen: the classifier's answers for the detections.
        known: (m, 45) probabilities of the known tiles.

    Returns:
        (n,) tens of CIELAB from the most similar; 0 where no other tile certainly shows print.
    """
    chances = seen.probabilities.astype(np.float64)
    evidence = np.concatenate([scores * chances.max(axis=1) * seen.tiles, np.ones(len(known))])
    prints = sure_prints(np.concatenate([chances, known]), evidence)
    unlike = np.zeros(len(chances))
    for index in range(len(chances)):
        nearest = colours.distance(prints, index, _MOST_UNLIKE)
        if nearest is not None:
            unlike[index] = (nearest - _USUAL) / 10
    return unlike


def backs_in_rows(quads: NDArray[np.float32], backs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which detections (n,) lie in a row of three that look like backs.

    Args:
        quads: (n, 4, 2) corners in pixels.
        backs: (n,) which of them look like backs.
    """
    rows = np.zeros(len(quads), np.bool_)
    which = np.nonzero(backs)[0]
    middles, shorter = quads[which].mean(axis=1), sides_of(quads[which])[0]
    near = _beside(middles, shorter)
    for place in range(len(which)):
        to = middles - middles[place]
        for one, other in combinations(np.nonzero(near[place])[0].tolist(), 2):
            three = [one, place, other]
            alike = shorter[three].max() <= SIDE_BY_SIDE.larger * shorter[three].min()
            astray = np.linalg.norm(to[one] + to[other])
            if alike and astray <= SIDE_BY_SIDE.astray * shorter[place]:
                rows[which[three]] = True
    return rows


def backs_in_pairs(quads: NDArray[np.float32], backs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which detections (n,) that look like backs lie beside another that does and is as large.

    Args:
        quads: (n, 4, 2) corners in pixels.
        backs: (n,) which of them look like backs.
    """
    pairs = np.zeros(len(quads), np.bool_)
    which = np.nonzero(backs)[0]
    shorter = sides_of(quads[which])[0]
    larger = shorter[:, np.newaxis] / np.maximum(shorter, _TINY)
    alike = np.maximum(larger, larger.T) <= SIDE_BY_SIDE.larger
    pairs[which] = (_beside(quads[which].mean(axis=1), shorter) & alike).any(axis=1)
    return pairs


def _beside(middles: NDArray[np.float32], shorter: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(m, m) which detections lie beside each, by their middles (m, 2) and shorter sides (m,)."""
    away = np.linalg.norm(middles[:, np.newaxis] - middles, axis=2)
    away /= np.maximum(shorter, _TINY)[:, np.newaxis]
    nearest, farthest = SIDE_BY_SIDE.apart
    return np.asarray((away > nearest) & (away < farthest), np.bool_)
