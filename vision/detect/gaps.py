"""Places beside known tiles where another tile may lie: in gaps and at the ends of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.overlap import duplicates
from vision.geometry.quads import inside, sides_of, turned_like
from vision.geometry.table_plane import sides
from vision.vocabulary.detections import Places
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RowSteps:
    """How the tiles of a row follow each other.

    Attributes:
        tolerance: maximum distance of a tile's middle from the middle of the expected next tile, as
            a share of a step.
        step: distance from a lone tile to one beside it, in its widths or heights; tiles seldom
            touch along a whole side.
        growth: smallest and largest ratio of a tile's size to the size of the one before it, by
            perspective.
    """

    tolerance: float = 0.35
    step: float = 1.03
    growth: tuple[float, float] = (0.85, 1.18)


ROW_STEPS: Final = RowSteps()


@dataclass(frozen=True, slots=True)
class PlacePriors:
    """Probabilities that a tile lies at a place, before it is looked at.

    Attributes:
        beyond: beyond the last tile of a row, or beside a lone tile.
        between: between two tiles.
        completes_meld: where a concealed meld would be complete: between two tiles that show the
            same face, or beyond two of these with a face-down tile on their other side.
        completes_kong: where a concealed kong is likely: beyond two or three face-down tiles, or
            beyond two that show the same face, that lie by themselves.
    """

    beyond: float = 0.2
    between: float = 0.3
    completes_meld: float = 0.75
    completes_kong: float = 0.4


PLACE_PRIORS: Final = PlacePriors()


def open_places(quads: Floats, shape: tuple[int, ...], shown: Ints | None = None) -> Places:
    """Places for one more tile in each gap, at each end of a row and on each side of a lone tile.

    A place in a gap of one tile lies midway. A place at an end lies as far beyond the last tile as
    that lies beyond the one before, and changes its size by half of their difference. Places on
    known tiles or not wholly inside the picture are left out.

    Args:
        quads: (n, 4, 2) face corners in pixels of the known tiles.
        shape: shape of the picture, height first.
        shown: (n,) the columns of the labels that they show, if known.
    """
    middles = quads.mean(axis=1)
    across, up = sides(quads.astype(np.float64))
    steps = np.stack([across, -up, -across, up], axis=1)
    beside, beyond, third = (_reached(middles, steps, count) for count in (1, 2, 3))
    sizes = np.sqrt(np.prod(sides_of(quads), axis=0))
    gaps: list[tuple[Floats, float]] = []
    ends: list[tuple[Floats, float]] = []
    for tile, side in np.argwhere(beside < 0):
        opposite = (side + 2) % 4
        before, after = beside[tile, opposite], beyond[tile, side]
        if after >= 0:
            midway = (quads[tile] + turned_like(quads[after], quads[tile])) / 2
            gaps.append((midway, _chance_between(shown, tile, after)))
        elif before >= 0:
            growth = float(np.sqrt(np.clip(sizes[tile] / sizes[before], *ROW_STEPS.growth)))
            further = _further(quads[tile], middles[tile] - middles[before], growth)
            behind = (before, beyond[tile, opposite], third[tile, opposite])
            ends.append((further, _chance_beyond(shown, tile, behind)))
        elif (beside[tile] < 0).all():
            aside = _further(quads[tile], steps[tile, side] * ROW_STEPS.step, 1.0)
            ends.append((aside, PLACE_PRIORS.beyond))
    places = _as_places([*gaps, *ends])
    places = places.chosen(inside(places.quads, shape))
    return places.chosen(~duplicates(places.quads, quads))


def _as_places(found: list[tuple[Floats, float]]) -> Places:
    """Quads (4, 2), each with the probability of a tile there."""
    return Places(
        np.array([quad for quad, _ in found], np.float32).reshape(-1, 4, 2),
        np.array([chance for _, chance in found], np.float32),
    )


def _chance_between(shown: Ints | None, one: int, other: int) -> float:
    """Probability of a tile between two, by what the tiles show."""
    same_face = _same_face(shown, one, other)
    return PLACE_PRIORS.completes_meld if same_face else PLACE_PRIORS.between


def _chance_beyond(shown: Ints | None, last: int, behind: tuple[int, int, int]) -> float:
    """Probability of a tile beyond the last of a row, by what the tiles show.

    Args:
        shown: (n,) columns of the labels, if known.
        last: index of the last tile of the row.
        behind: indices of the three tiles before it, the nearest first, -1 where there is none.
    """
    before, second, third = behind
    if shown is None or shown[last] != shown[before]:
        return PLACE_PRIORS.beyond
    if second < 0:
        return PLACE_PRIORS.completes_kong
    back = column(BACK)
    if shown[last] == back:
        three_backs = shown[second] == back and third < 0
        return PLACE_PRIORS.completes_kong if three_backs else PLACE_PRIORS.beyond
    return PLACE_PRIORS.completes_meld if shown[second] == back else PLACE_PRIORS.beyond


def _same_face(shown: Ints | None, one: int, other: int) -> bool:
    """Whether two tiles are known to show the same face."""
    return shown is not None and bool(shown[one] == shown[other] != column(BACK))


def _further(quad: Floats, step: NDArray[np.floating], growth: float) -> Floats:
    """The quad (4, 2) scaled by ``growth``, its middle moved by ``growth`` times a step (2,)."""
    middle = quad.mean(axis=0)
    further: Floats = (quad - middle + step) * growth + middle
    return further


def _reached(middles: Floats, steps: Doubles, count: int) -> NDArray[np.int64]:
    """Index (n, 4) of the tile that lies ``count`` steps to each side of each tile, -1 for none."""
    places = middles[:, np.newaxis] + count * steps
    nowhere = np.full((*places.shape[:2], 1), np.inf)
    away = np.concatenate([np.linalg.norm(places[:, :, np.newaxis] - middles, axis=3), nowhere], 2)
    every = np.arange(len(middles))
    away[every, :, every] = np.inf
    far = away.min(axis=2) >= ROW_STEPS.tolerance * np.linalg.norm(steps, axis=2)
    return np.where(far, -1, away.argmin(axis=2))
