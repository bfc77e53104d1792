"""A white dragon without any print and a tile that lies face down both show one plain colour.

All tiles of a table are of one set: a blank face has the colour of the faces beside it, and a back
seldom has.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, PLAIN_FACES, READING_LABELS
from vision.papers import Papers

Chances = NDArray[np.float64]

_BACK: Final = READING_LABELS.index(BACK)
_PLAIN: Final = [_BACK, *(READING_LABELS.index(label) for label in PLAIN_FACES)]
CLEARLY_PRINTED: Final = 0.8
"""Probability of showing print from which a tile tells what colour the faces have."""
LEAST_TELLING: Final = 2
"""How many such tiles, or backs, it takes for their colours to tell anything."""
_COMPARED: Final = 8
"""How many of the nearest tiles with print a plain one is held against: it need be like two of
them, since print may reach to the edge of some and others may be keys of a keyboard."""
ALIKE: Final = 13.0
"""Difference of CIELAB colour at which a plain side is as likely a back as a blank face."""
STEEPNESS: Final = 0.5
"""By how much the log-odds of being a back grow with each unit more."""
MOST: Final = 6.0
"""The log-odds that the faces' colour adds at most, and"""
_MOST_OF_BACKS: Final = 4.0
"""those that the backs' takes away at most: a lamp may be reflected on one of them."""
_CLEARLY_BACK: Final = 0.9
"""Probability from which a back tells what colour backs have."""


def chance_of_print(probabilities: Chances) -> Chances:
    """(n,) that a tile shows print, of the probabilities (n, 45) of its labels."""
    printed: Chances = 1 - probabilities[:, _PLAIN].sum(axis=1)
    return printed


def with_colours(papers: Papers, probabilities: Chances) -> Chances:
    """The probabilities (n, 45) after the colours of plain tiles were held against the others'.

    First against those of the faces, then of what clearly are backs, since all of a set are of one
    colour. Where fewer than two tiles clearly show print nothing is changed.

    Args:
        papers: of the n tiles.
        probabilities: (n, 45), each row summing to 1.
    """
    printed = chance_of_print(probabilities)
    faces = np.nonzero(printed >= CLEARLY_PRINTED)[0]
    plain = np.nonzero(printed < 1 - CLEARLY_PRINTED)[0]
    if len(faces) < LEAST_TELLING or not len(plain):
        return probabilities
    changed = probabilities.copy()
    for index in plain.tolist():
        near = papers.nearest(faces, index, _COMPARED)
        gain = float(np.clip(_odds_of_unlikeness(papers, near, index), -MOST, MOST))
        changed[index] = _with_odds_of_back(changed[index], gain)
    backs = np.nonzero(changed[:, _BACK] >= _CLEARLY_BACK)[0]
    for index in plain.tolist():
        others = backs[backs != index]
        if len(others) >= LEAST_TELLING:
            loss = float(np.clip(_odds_of_unlikeness(papers, others, index), 0, _MOST_OF_BACKS))
            changed[index] = _with_odds_of_back(changed[index], -loss)
    return changed


def _odds_of_unlikeness(papers: Papers, others: NDArray[np.intp], index: int) -> float:
    """Log-odds that a tile's colour is another than that of the others, one of which may err."""
    difference = float(np.sort(papers.unlike(others, index))[LEAST_TELLING - 1])
    return STEEPNESS * (difference - ALIKE)


def _with_odds_of_back(chances: Chances, gain: float) -> Chances:
    """The probabilities (45,) once log-odds are added to those of a back."""
    changed = chances.copy()
    changed[_BACK] *= np.exp(gain)
    return np.asarray(changed / changed.sum(), np.float64)
