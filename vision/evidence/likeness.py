"""Tiles of one set that look unlike show different faces, and those that look alike the same.

A face that is hard to read by itself is read by those beside it that are not: a six of bamboo that
looks unlike all certain eights is not an eight. Every pair of tiles changes the log-odds of both
showing the same label by a function of their embeddings' cosine; all pairs together are solved by
mean-field iteration ("An Introduction to Variational Methods for Graphical Models", Jordan and
others, Machine Learning 37, 1999). Tiles that look alike are also no flower or season of which the
set has only one, and no photo of one set shows more tiles of a face than the set has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, OTHER, READING_LABELS
from vision.vocabulary.copies import NO_CHANGES, copies_of_each
from vision.vocabulary.labels import column
from vision.vocabulary.odds import chances_of, log_odds, softmax


@dataclass(frozen=True, slots=True)
class PairOdds:
    """How the cosine of two embeddings changes the log-odds that both tiles show the same label.

    Attributes:
        even: cosine that changes nothing.
        slope: log-odds per unit of cosine.
        lowest: lower limit of these log-odds.
        highest: upper limit; it is low, since what makes one copy hard to read mostly does so to
            all.
        alike: cosines between which ``same_picture`` is added, in proportion.
        same_picture: log-odds added above these, where both pictures are the same in all that can
            be seen.
    """

    even: float = 0.9
    slope: float = 12.0
    lowest: float = -1.3
    highest: float = 0.3
    alike: tuple[float, float] = (0.96, 0.97)
    same_picture: float = 2.0


@dataclass(frozen=True, slots=True)
class Duplicates:
    """How tiles that look alike count against a label of which the set has one copy.

    Attributes:
        cosine: minimum cosine of two embeddings for both tiles to look alike.
        log_odds: taken off for each other tile that looks alike.
        most: maximum number of others that count, since no face has more than four copies.
    """

    cosine: float = 0.9
    log_odds: float = 2.0
    most: int = 3


@dataclass(frozen=True, slots=True)
class Repeated:
    """When a picture is that of backs, by how many tiles show it.

    Attributes:
        cosine: minimum cosine of two embeddings for both tiles to show the same picture.
        face: minimum probability of a face for a tile to count.
        most: maximum number of faces alike: four of each of two sets, or with all spare tiles of
            one as many plain ones.
    """

    cosine: float = 0.95
    face: float = 0.5
    most: int = 8


PAIR_ODDS: Final = PairOdds()
REPEATED: Final = Repeated()
DUPLICATES: Final = Duplicates()
SLACK: Final = 1.1
"""Expected number of tiles of a face over those of the set up to which nothing is changed: many
tiles that may hardly be one add up."""
_FARTHEST: Final = 50.0
"""Log-odds by which any probability becomes 0."""
_HALVINGS: Final = 16
"""Number of halvings of that range until the surplus is gone, to a thousandth."""
_ROUNDS: Final = 6
"""Number of mean-field iterations."""
_LEAST: Final = 1e-9
"""Lowest probability in logarithms."""
_NOT_COMPARED: Final = np.array([column(label) for label in (BACK, BLANK, OTHER, "5z")])
"""Columns of labels whose tiles may look unlike and still be the same, or show nothing."""


def with_likeness(
    probabilities: NDArray[np.float64],
    embeddings: NDArray[np.float32],
    scores: NDArray[np.floating],
) -> NDArray[np.float64]:
    """The probabilities (n, 45) after every two tiles are compared.

    Args:
        probabilities: (n, 45), each row summing to 1.
        embeddings: (n, d) of unit length.
        scores: (n,) probability 0 to 1 that each is a tile, the weight with which others are
            compared with it.
    """
    cosines = embeddings @ embeddings.T
    same = np.clip(
        PAIR_ODDS.slope * (cosines - PAIR_ODDS.even), PAIR_ODDS.lowest, PAIR_ODDS.highest
    )
    low, high = PAIR_ODDS.alike
    same += PAIR_ODDS.same_picture * np.clip((cosines - low) / (high - low), 0, 1)
    np.fill_diagonal(same, 0)
    weighted = same * scores
    alone = np.log(np.maximum(probabilities, _LEAST))
    shared, compared = probabilities, probabilities
    for _ in range(_ROUNDS):
        faces = shared.copy()
        faces[:, _NOT_COMPARED] = 0
        compared = softmax(alone + weighted @ faces)
        shared = (shared + compared) / 2
    return compared


def repeated(embeddings: NDArray[np.float32], faces: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which tiles (n,) show a picture that more tiles show than two sets have of any face: backs.

    Args:
        embeddings: (n, d) of unit length.
        faces: (n,) probability 0 to 1 that each is a face.
    """
    likely = faces > REPEATED.face
    alike = (embeddings @ embeddings.T >= REPEATED.cosine) & likely
    found: NDArray[np.bool_] = likely & (alike.sum(axis=1) > REPEATED.most)
    return found


def with_duplicates(
    probabilities: NDArray[np.float64],
    embeddings: NDArray[np.float32],
    copies: Mapping[str, int] = NO_CHANGES,
) -> NDArray[np.float64]:
    """The probabilities (n, 45) after tiles that look alike count against single labels.

    Args:
        probabilities: (n, 45), each row summing to 1.
        embeddings: (n, d) of unit length.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.
    """
    cosines = embeddings @ embeddings.T
    np.fill_diagonal(cosines, -1)
    others = np.minimum((cosines >= DUPLICATES.cosine).sum(axis=1), DUPLICATES.most)
    numbers = copies_of_each(copies)
    single = np.array([numbers.get(label) == 1 for label in READING_LABELS])
    doubt = np.exp(-DUPLICATES.log_odds * others)[:, np.newaxis]
    changed = np.where(single, doubt, 1.0) * probabilities
    changed /= changed.sum(axis=1, keepdims=True)
    return changed


def within_copies(
    probabilities: NDArray[np.float64],
    tiles: NDArray[np.float64],
    copies: Mapping[str, int] = NO_CHANGES,
) -> NDArray[np.float64]:
    """The probabilities (n, 45) with no more tiles of a face expected than the set has.

    Where more are, the log-odds of all that may show the face are lowered by the same number, so
    that the least certain of them lose most. What they lose is shared by all other labels alike:
    a set may have a flower twice, and then it is doubtful but not read as something else.

    Args:
        probabilities: (n, 45), each row summing to 1.
        tiles: (n,) probability 0 to 1 that each is a tile.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.
    """
    changed = probabilities.copy()
    for label, number in copies_of_each(copies).items():
        shown = changed[:, column(label)].copy()
        if (tiles * shown).sum() > number * SLACK:
            fewer = _lowered(shown, tiles, number * SLACK)
            changed += ((shown - fewer) / (changed.shape[1] - 1))[:, np.newaxis]
            changed[:, column(label)] = fewer
    return changed


def _lowered(
    shown: NDArray[np.float64], tiles: NDArray[np.float64], most: float
) -> NDArray[np.float64]:
    """Probabilities (n,) of a face with their log-odds lowered until ``most`` are expected."""
    if most == 0:
        return np.zeros_like(shown)
    odds = log_odds(shown)

    def surplus(by: float) -> float:
        return float(tiles @ chances_of(odds - by)) - most

    least, farthest = 0.0, _FARTHEST
    for _ in range(_HALVINGS):
        middle = (least + farthest) / 2
        least, farthest = (middle, farthest) if surplus(middle) > 0 else (least, middle)
    return chances_of(odds - farthest)
