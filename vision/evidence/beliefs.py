"""What is believed of each candidate in a photo or a frame once all evidence is weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.evidence.candidates import Candidates
from vision.evidence.judge import Judge
from vision.evidence.likeness import repeated, with_duplicates, with_likeness, within_copies
from vision.geometry.overlap import parts_of_others
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.labels import column

Chances = NDArray[np.float64]
Bools = NDArray[np.bool_]

LEAST: Final = 0.45
"""Minimum probability of a tile for a candidate to be accepted: one tap removes a false positive,
while a missed tile takes several."""
_TINY: Final = 1e-9
"""Smallest probability by which is divided."""


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What is believed of n candidates.

    Attributes:
        probabilities: (n, 45) float64 of the labels, if it is a tile; each row sums to 1, and the
            columns are :data:`scorer.tiles.READING_LABELS`.
        chances: (n,) float64 from 0 to 1, the probability that it is a tile.
        tiles: (n,) bool, whether it is accepted as a tile.
    """

    probabilities: Chances
    chances: Chances
    tiles: Bools


def weigh(
    judge: Judge,
    found: Candidates,
    shape: tuple[int, ...],
    copies: Mapping[str, int] = NO_CHANGES,
) -> Beliefs:
    """All evidence about the candidates of one picture, weighed together.

    Args:
        judge: says which of them are faces and backs.
        found: n candidates.
        shape: of their picture, (height, width, ...) in pixels.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.
    """
    chances = judge.judged(found, shape)
    face, back = chances[:, 1], chances[:, 2]
    tile = face + back
    labels = _of_faces(found.probabilities.astype(np.float64))
    labels = with_duplicates(labels, found.embeddings, copies)
    labels = with_likeness(labels, found.embeddings, face)
    labels = _of_faces(within_copies(labels, face, copies))
    share = back / np.maximum(tile, _TINY)
    share[repeated(found.embeddings, face)] = 1.0
    labels *= (1 - share)[:, np.newaxis]
    labels[:, column(BACK)] = share
    likely = tile >= LEAST
    return Beliefs(labels, tile, likely & ~parts_of_others(found.quads, likely))


def _of_faces(labels: Chances) -> Chances:
    """The probabilities (n, 45) of labels if it is not a back; equal ones if nothing was read."""
    faces = np.maximum(labels, _TINY)
    faces[:, column(BACK)] = 0
    shares: Chances = faces / faces.sum(axis=1, keepdims=True)
    return shares
