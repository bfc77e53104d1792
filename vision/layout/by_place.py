"""Plain tiles lie face up in hand and face down in sets that would be none otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, PLAIN_FACES, READING_LABELS
from vision.vocabulary.melds import find_set
from vision.vocabulary.readings import Part

Doubles = NDArray[np.float64]

_BACK: Final = READING_LABELS.index(BACK)
_ODDS: Final = 50.0
"""How much likelier tiles that are shown to be counted lie face up in hand than elsewhere."""
_ODDS_IN_SETS: Final = 1000.0
"""How much likelier each plain tile lies face down where that alone makes the tiles a set."""
_ODDS_OF_THE_FOURTH: Final = 20.0
"""How much likelier a fourth tile lies face down where three do: a kong shows two tiles or none."""


def with_faces_up(probabilities: Doubles, hand: Sequence[int]) -> Doubles:
    """What n tiles show, (n, 45), once it is known which lie in a hand.

    A tile that surely lies face down stays one.

    Args:
        probabilities: each row sums to 1.
        hand: the tiles in hand.
    """
    return _weighed(probabilities, hand, 1 / _ODDS)


def with_faces_down(probabilities: Doubles, parts: Sequence[Part]) -> Doubles:
    """What n tiles show, (n, 45), once it is known which were laid apart together.

    Where tiles laid apart make no set, but would if the plain ones among them lay face down, these
    are taken for that unless they are surely white dragons or blanks. Where three of four lie face
    down so does the fourth, unless it surely does not.

    Args:
        probabilities: each row sums to 1.
        parts: of all hands.
    """
    plain: list[int] = []
    fourths: list[int] = []
    for part in parts:
        if part.role != "set":
            continue
        labels = [READING_LABELS[probabilities[index].argmax()] for index in part.tiles]
        down = [BACK if label in PLAIN_FACES else label for label in labels]
        if find_set(labels) is None and find_set(down) is not None:
            plain += [part.tiles[k] for k, label in enumerate(labels) if label in PLAIN_FACES]
        elif len(labels) == 4 and labels.count(BACK) == 3:
            fourths += [part.tiles[k] for k, label in enumerate(labels) if label != BACK]
    told = _weighed(probabilities, plain, _ODDS_IN_SETS)
    return _weighed(told, fourths, _ODDS_OF_THE_FOURTH)


def _weighed(probabilities: Doubles, chosen: Sequence[int], odds: float) -> Doubles:
    """The same where the chosen tiles are so many times as likely to lie face down."""
    changed = probabilities.copy()
    changed[list(chosen), _BACK] *= odds
    told: Doubles = changed / changed.sum(axis=1, keepdims=True)
    return told
