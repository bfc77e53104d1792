"""Which detections are as large as tiles of one tile set can be in a photo, near or far off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.quads import sides_of
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import chances_of, log_odds

Floats = NDArray[np.float32]

CLEAR: Final = 0.75
"""Score from which a detection is clearly a tile, and shows how large the photo's tiles are."""

ANOTHER_SIZE: Final = 0.7
"""Score from which a detection counts although it has another size than the tiles at its place, or
comes from a search at another size."""


@dataclass(frozen=True, slots=True)
class PossibleSizes:
    """How large a tile of the same tile set can be, as its longer side over that of other tiles.

    Attributes:
        any_place: smallest and largest ratio to the median tile of the photo, by perspective.
        surely: score from which a detection may be ``surely_most`` times as large.
        surely_most: largest ratio for such a detection: a tile right before the camera where the
            others lie far beyond.
        this_place: smallest and largest ratio to the tiles expected at its place; detections with
            scores of :data:`ANOTHER_SIZE` are exempt.
        small: ratio to the tiles expected at its place below which a detection is less likely.
        small_odds: log-odds that it loses then. It may still be a tile that lies behind a row on a
            rack near the camera, which looks far larger.
        whole: shorter over longer side from which a tile shows its whole height; seen from low
            down it looks shorter, and the face of a standing tile has 0.74.
        evenness: weight, in clear tiles, of the assumption that tiles are equally large everywhere.
    """

    any_place: tuple[float, float] = (0.35, 2.9)
    surely: float = 0.85
    surely_most: float = 4.5
    this_place: tuple[float, float] = (0.38, 1.8)
    small: float = 0.55
    small_odds: float = 1.5
    whole: float = 0.65
    evenness: float = 2.0


POSSIBLE: Final = PossibleSizes()


def typical_width(found: Detections) -> float:
    """Median width in pixels of the clear tiles.

    Where none is clear it is the median of all detections, weighted by the cubes of their scores.
    """
    sides = sides_of(found.quads)[0]
    clear = found.scores >= CLEAR
    if clear.any():
        return float(np.median(sides[clear]))
    order = np.argsort(sides)
    weight = np.cumsum(found.scores[order].astype(np.float64) ** 3)
    return float(sides[order][np.searchsorted(weight, weight[-1] / 2)])


def of_tile_size(found: Detections) -> Detections:
    """The detections that have the size of a tile, some with lower scores.

    Longer sides are compared, since they change least for tiles seen from low down. But where the
    other tiles stand and show their whole height, one that lies need only be about as long as they
    are wide.

    Args:
        found: n detections; the others are compared with the clear ones.
    """
    sure = found.scores >= CLEAR
    widths, sides = sides_of(found.quads)
    relative = sides / float(np.median(sides[sure] if sure.any() else sides))
    largest = np.where(found.scores >= POSSIBLE.surely, POSSIBLE.surely_most, POSSIBLE.any_place[1])
    alike = (relative >= POSSIBLE.any_place[0]) & (relative <= largest)
    if not sure.any():
        return found.chosen(alike)
    long, wide = (_sizes_there(found.quads, each, sure) for each in (sides, widths))
    lying = (wide >= POSSIBLE.whole * long) & (widths < POSSIBLE.whole * sides)
    usual = np.where(lying, wide, long)
    least, most = POSSIBLE.this_place
    near = (sides >= least * usual) & (sides <= most * long)
    likely = found.scores >= ANOTHER_SIZE
    small = (sides < POSSIBLE.small * usual) & ~likely
    scores = np.where(small, _less_likely(found.scores, POSSIBLE.small_odds), found.scores)
    return replace(found, scores=scores).chosen(alike & (near | likely))


def _less_likely(scores: Floats, by: float) -> Floats:
    """The scores (n,) with log-odds lower by that number."""
    return np.asarray(chances_of(log_odds(scores) - by), np.float32)


def _sizes_there(quads: Floats, sides: Floats, sure: NDArray[np.bool_]) -> Floats:
    """Expected length (n,) in pixels of a tile's side at the place of each quad.

    Tiles on a table grow linearly across the picture towards the camera. The growth is fitted to
    the sure ones by ridge regression, so that few of them say little.

    Args:
        quads: (n, 4, 2) pixels.
        sides: (n,) length of that side of each.
        sure: (n,) which of them surely are tiles.
    """
    places = np.column_stack([np.ones(len(quads)), quads.mean(axis=1)]).astype(np.float64)
    known, middle = sides[sure].astype(np.float64), float(np.median(sides[sure]))
    scale = places[sure][:, 1:].std(axis=0) + 3 * middle
    places[:, 1:] = (places[:, 1:] - places[sure][:, 1:].mean(axis=0)) / scale
    ridge = np.diag([0.0, POSSIBLE.evenness, POSSIBLE.evenness])
    normal = places[sure].T @ places[sure] + ridge
    least, most = POSSIBLE.any_place
    growth = np.linalg.solve(normal, places[sure].T @ known)
    sizes: Floats = np.clip(places @ growth, least * middle, most * middle)
    return sizes
