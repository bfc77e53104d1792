"""White dragons of which only the frame was seen: the edge of the tile lies further out.

A frame of a white dragon has four corners as a tile has, and blank paper within. Its finds are
looked at once more with a larger quad, from which the classifier sees the edge where there is one.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.belonging import FORM, SCORE, SURE, WEIGHTS
from vision.forms import unlike_in_form
from vision.odds import log_odds
from vision.stages import Classified, Classifier, Detections, Detector

Floats = NDArray[np.float32]
SeenT = TypeVar("SeenT", Detections, Classified)

_WHITE: Final = READING_LABELS.index("5z")
_CLEARLY_WHITE: Final = 0.95
"""Probability of a white dragon, and"""
_MAYBE_TILE: Final = 0.1
"""chance of a tile from which a find is looked at as the frame of a larger one."""
_LARGER: Final = 1.5
"""How many times as large as the frame that is looked for."""
_SURER: Final = 2.0
"""By how much the log-odds must rise for the larger tile to be taken. Of 370 white dragons and what
is read as one, on the benchmark, the table photos in other lights and views, sheets taken anew and
rendered hands, it is taken for four tiles that were found by their frame, and for no other."""


def with_edges(
    detector: Detector,
    classifier: Classifier,
    image: NDArray[np.uint8],
    found: Detections,
    verified: Detections,
    seen: Classified,
) -> tuple[Detections, Classified]:
    """The finds and what they show, framed white dragons with the edges of the tile.

    Of a frame and a larger tile around it, that counts which the detector is surer of and which has
    more of the form of the sure tiles nearby, as :mod:`vision.belonging` weighs both.

    Args:
        detector: that found them.
        classifier: that read them.
        image: (h, w, 3) uint8 BGR.
        found: the finds, as they were found.
        verified: the same, where they were read.
        seen: what they show.
    """
    framed = (seen.probabilities[:, _WHITE] >= _CLEARLY_WHITE) & (verified.scores >= _MAYBE_TILE)
    if not framed.any():
        return verified, seen
    around = classifier.classify(image, _enlarged(seen.quads[framed]))
    judged = detector.verify(image, found.chosen(framed), around.quads)
    others = seen.quads[~framed & (verified.scores >= SURE)]
    surer = log_odds(judged.scores) - log_odds(verified.scores[framed])
    unlike = _unlike(around.quads, others) - _unlike(seen.quads[framed], others)
    better = WEIGHTS[SCORE] * surer + WEIGHTS[FORM] * unlike >= _SURER
    places = np.nonzero(framed)[0][better]
    return _exchanged(verified, places, judged, better), _exchanged(seen, places, around, better)


def _enlarged(quads: Floats) -> Floats:
    middles = quads.mean(axis=1, keepdims=True)
    larger: Floats = middles + (quads - middles) * np.float32(_LARGER)
    return larger


def _unlike(quads: Floats, tiles: Floats) -> NDArray[np.float64]:
    """(n,) how unlike (n, 4, 2) are in form to tiles (m, 4, 2)."""
    every = np.concatenate([quads, tiles])
    return unlike_in_form(every, np.arange(len(quads), len(every)))[: len(quads)]


def _exchanged(old: SeenT, places: NDArray[np.intp], new: SeenT, which: NDArray[np.bool_]) -> SeenT:
    """The old ones with those at some places exchanged for those ``which`` of the new."""
    arrays = {each.name: getattr(old, each.name).copy() for each in fields(old)}
    for name, array in arrays.items():
        array[places] = getattr(new, name)[which]
    return type(old)(**arrays)
