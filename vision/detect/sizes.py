"""Which finds are as large as tiles of a set can be on a photo, those nearby and those far off."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from vision.geometry.quads import sides_of
from vision.vocabulary.detections import NO_DETECTIONS, Detections
from vision.vocabulary.odds import log_odds

Floats = NDArray[np.float32]

CLEAR: Final = 0.75
"""Score from which a find is clearly a tile: on ten table photos, nothing that is none reached it.
Where a photo shows such finds, they tell how large its tiles are."""
ANOTHER_SIZE: Final = 0.7
"""Score from which a find counts that is much smaller or larger than tiles are at its place, or of
a search at another size that suited it. On changed table photos nothing is invented so; from 0.6 on
5 finds more are, from 0.45 on 13 more."""
_SIZES: Final = (0.35, 2.9)
"""How much smaller or larger than the typical tile of a photo a tile can be, by perspective."""
_LARGEST: Final = (0.85, 4.5)
"""Score from which a find may be so much larger: two tiles on a rack close to the camera, whose
other tiles lie far beyond, are."""
_WHOLE: Final = 0.65
"""Shorter over longer side from which tiles show their whole height: from the front it is 0.74."""
_SIZES_THERE: Final = (0.38, 1.8)
"""How much smaller or larger than tiles are at its place a find can be that does not count so."""
_RATHER_SMALL: Final = (0.55, 1.5)
"""One smaller than the first has log-odds lower by the second: it may be a tile that lies beyond a
row on a rack near the camera, which looks far larger."""
_HELD: Final = 2.0
"""How many clear tiles weigh as much as the guess that all tiles are of one size."""
_BEYOND: Final = (0.6, 3)
"""Score from which so many finds of another size tell how large tiles are that lie far beyond those
that stand right before the camera."""


def typical_width(found: Detections) -> float:
    """Median length in pixels of the shorter sides of the clear tiles.

    Where none is clear it is that of all, surer tiles counting for more.
    """
    sides = sides_of(found.quads)[0]
    clear = found.scores >= CLEAR
    if clear.any():
        return float(np.median(sides[clear]))
    order = np.argsort(sides)
    weight = np.cumsum(found.scores[order].astype(np.float64) ** 3)
    return float(sides[order][np.searchsorted(weight, weight[-1] / 2)])


def of_tile_size(found: Detections) -> Detections:
    """The finds without those that are far too small or large to be tiles of the same set."""
    return _alike(found, found.scores >= CLEAR)


def of_another_size(others: Detections) -> Detections:
    """Which of the finds can be tiles far beyond those that stand right before the camera.

    Args:
        others: finds that lie on none of those. They are judged by the likely ones among
            themselves; where these are few, none is a tile.
    """
    likely = others.scores >= _BEYOND[0]
    if np.count_nonzero(likely) < _BEYOND[1]:
        return NO_DETECTIONS
    return _alike(others, likely)


def _alike(found: Detections, sure: NDArray[np.bool_]) -> Detections:
    """The finds that can be tiles beside those (n,) that surely are, as likely as they are then.

    Their longer sides are compared: of tiles seen from low down those change least. But where the
    others stand and show their whole height, one that lies is at least about as long as these are
    wide. What is rather small for its place is less likely a tile.
    """
    widths, sides = sides_of(found.quads)
    relative = sides / float(np.median(sides[sure] if sure.any() else sides))
    largest = np.where(found.scores >= _LARGEST[0], _LARGEST[1], _SIZES[1])
    alike = (relative >= _SIZES[0]) & (relative <= largest)
    if not sure.any():
        return found.chosen(alike)
    long, wide = (_sizes_there(found.quads, each, sure) for each in (sides, widths))
    lying = (wide >= _WHOLE * long) & (widths < _WHOLE * sides)
    usual = np.where(lying, wide, long)
    near = (sides >= _SIZES_THERE[0] * usual) & (sides <= _SIZES_THERE[1] * long)
    likely = found.scores >= ANOTHER_SIZE
    small = (sides < _RATHER_SMALL[0] * usual) & ~likely
    scores = np.where(small, _less_likely(found.scores, _RATHER_SMALL[1]), found.scores)
    return replace(found, scores=scores).chosen(alike & (near | likely))


def _less_likely(scores: Floats, by: float) -> Floats:
    """The scores (n,) with log-odds lower by so much."""
    return np.asarray(expit(log_odds(scores) - by), np.float32)


def _sizes_there(quads: Floats, sides: Floats, sure: NDArray[np.bool_]) -> Floats:
    """(n,) lengths of the longer side that tiles have at the place of each quad.

    What lies on a table grows evenly across the picture towards the camera; how, the sure finds
    tell, held by a few more of their middle size so that few of them do not tell too much.
    """
    places = np.column_stack([np.ones(len(quads)), quads.mean(axis=1)]).astype(np.float64)
    known, middle = sides[sure].astype(np.float64), float(np.median(sides[sure]))
    scale = places[sure][:, 1:].std(axis=0) + 3 * middle
    places[:, 1:] = (places[:, 1:] - places[sure][:, 1:].mean(axis=0)) / scale
    held = np.diag([0.0, _HELD, _HELD])
    normal = places[sure].T @ places[sure] + held
    growth = np.linalg.solve(normal, places[sure].T @ known)
    sizes: Floats = np.clip(places @ growth, _SIZES[0] * middle, _SIZES[1] * middle)
    return sizes
