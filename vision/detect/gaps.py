"""Where rows of tiles go on: places next to tiles, which may hold another or be empty."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.quads import holds, inside, sides_of, turned_like
from vision.geometry.table_plane import sides
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_TOUCHING: Final = 0.35
"""How far off, as a share of a step, a middle may be from where a tile would be."""
_STEP: Final = 1.03
"""From a lone tile to the next, in tiles: they seldom touch everywhere."""
_GROWTH: Final = (0.85, 1.18)
"""Of a tile to the next, by perspective."""
_BEYOND: Final = 0.2
"""How likely a tile lies beyond the last of a row, or beside a lone one, before it is looked at. On
sheets taken anew (5755 tiles) and changed table photos (1560), 28 and 24 tiles are missed without
such looks and 14 and 11 finds invented; with 0.15 23, 24, 14 and 11, with 0.2 21, 23, 14 and 11,
with 0.25 17, 22, 17 and 13, with 0.35 13, 18, 50 and 21."""
_BETWEEN: Final = 0.3
"""The same between two tiles, where a row seldom has a gap. On changed table photos 25 tiles are
missed with 0.2, 23 with 0.3 and 16 with 0.4, and 12 finds invented with each, 13 with 0.6; on the
benchmark 13, 12 and 12 missed and 3 invented, 9 with 0.6. But of 348 hands on rendered tables one
fewer is right with 0.3 and two fewer with 0.4, one of a single player more with either."""
_CONCEALED: Final = 0.75
"""The same where a concealed set would be whole: between two tiles that show the same face, and
beyond two of these that have a face-down tile on their other side."""
_LACKING: Final = 0.4
"""The same beyond two or three face-down tiles and beyond two that show the same face, where these
lie by themselves, of a concealed kong that then is likely."""


class Places(NamedTuple):
    """Where tiles may lie that were not found.

    Attributes:
        quads: (m, 4, 2) face corners in pixels.
        chances: (m,) float32 from 0 to 1, how likely one lies there by what lies beside it.
    """

    quads: Floats
    chances: Floats

    def chosen(self, which: NDArray[np.bool_]) -> Places:
        """The places (m,) of which that is true."""
        return Places(self.quads[which], self.chances[which])


def continued(
    quads: Floats, shape: tuple[int, ...], shown: NDArray[np.intp] | None = None
) -> Places:
    """Places of one more tile in gaps and at the ends of rows and round lone tiles.

    Where a row goes on after a gap of one tile, the place lies midway. Else each lies as far beyond
    the last tile of a row as that lies beyond the one before, and is seen as much larger or smaller
    as half their difference says; beside a lone tile it touches one of its sides. Places on known
    tiles or not wholly in the picture are left out.

    Args:
        quads: (n, 4, 2) face corners in pixels of the tiles that are known.
        shape: of the picture, height first.
        shown: (n,) what they show, by its place in :data:`scorer.tiles.READING_LABELS`, if known.
    """
    middles = quads.mean(axis=1)
    across, up = sides(quads.astype(np.float64))
    steps = np.stack([across, -up, -across, up], axis=1)
    beside, beyond, third = (_reached(middles, steps, count) for count in (1, 2, 3))
    sizes = np.sqrt(np.prod(sides_of(quads), axis=0))
    gaps: list[tuple[Floats, float]] = []
    ends: list[tuple[Floats, float]] = []
    for tile, side in np.argwhere(beside < 0):
        before, after = beside[tile, (side + 2) % 4], beyond[tile, side]
        if after >= 0:
            midway = (quads[tile] + turned_like(quads[after], quads[tile])) / 2
            gaps.append((midway, _chance_between(shown, tile, after)))
        elif before >= 0:
            growth = float(np.sqrt(np.clip(sizes[tile] / sizes[before], *_GROWTH)))
            further = _further(quads[tile], middles[tile] - middles[before], growth)
            behind = (before, beyond[tile, (side + 2) % 4], third[tile, (side + 2) % 4])
            ends.append((further, _chance_beyond(shown, tile, behind)))
        elif (beside[tile] < 0).all():
            ends.append((_further(quads[tile], steps[tile, side] * _STEP, 1.0), _BEYOND))
    every = [*gaps, *ends]
    places = Places(
        np.array([quad for quad, _ in every], np.float32).reshape(-1, 4, 2),
        np.array([chance for _, chance in every], np.float32),
    )
    places = places.chosen(inside(places.quads, shape))
    return places.chosen(~repeated(places.quads, quads))


def _chance_between(shown: NDArray[np.intp] | None, one: int, other: int) -> float:
    """How likely a tile lies between two, by what the tiles show."""
    return _CONCEALED if _like_faces(shown, one, other) else _BETWEEN


def _chance_beyond(
    shown: NDArray[np.intp] | None, last: int, behind: tuple[int, int, int]
) -> float:
    """How likely a tile lies beyond the last of a row, by what it and those behind it show.

    Behind is -1 where there is none.
    """
    before, second, third = behind
    if shown is None or shown[last] != shown[before]:
        return _BEYOND
    if second < 0:
        return _LACKING
    if shown[last] == column(BACK):
        return _LACKING if shown[second] == column(BACK) and third < 0 else _BEYOND
    return _CONCEALED if shown[second] == column(BACK) else _BEYOND


def _like_faces(shown: NDArray[np.intp] | None, one: int, other: int) -> bool:
    """Whether two tiles are known to show the same face."""
    return shown is not None and bool(shown[one] == shown[other] != column(BACK))


def repeated(quads: Floats, known: Floats) -> NDArray[np.bool_]:
    """(n,) which of the quads (n, 4, 2) can only be of a known tile (m, 4, 2) or an earlier quad.

    The middle of one lies in the other.
    """
    told = np.zeros(len(quads), np.bool_)
    for place, quad in enumerate(quads):
        others = np.concatenate([known, quads[:place][~told[:place]]])
        told[place] = _same(quad, others).any()
    return told


def _same(quad: Floats, others: Floats) -> NDArray[np.bool_]:
    """(n,) which of the quads (n, 4, 2) can only be of the same tile as the quad (4, 2)."""
    middles, middle = others.mean(axis=1), quad.mean(axis=0)
    reach = float(np.linalg.norm(quad - middle, axis=1).max())
    near: NDArray[np.bool_] = np.linalg.norm(middles - middle, axis=1) < 2 * reach
    near[near] = [
        holds(quad, middles[other]) or holds(others[other], middle) for other in np.nonzero(near)[0]
    ]
    return near


def _further(quad: Floats, step: NDArray[np.floating], growth: float) -> Floats:
    """The quad (4, 2) moved by a step (2,) and grown, both so many times."""
    middle = quad.mean(axis=0)
    further: Floats = (quad - middle + step) * growth + middle
    return further


def _reached(middles: Floats, steps: Doubles, count: int) -> NDArray[np.int64]:
    """(n, 4) which tile lies so many steps to each side of each, -1 where none does."""
    places = middles[:, np.newaxis] + count * steps
    nowhere = np.full((*places.shape[:2], 1), np.inf)
    away = np.concatenate([np.linalg.norm(places[:, :, np.newaxis] - middles, axis=3), nowhere], 2)
    every = np.arange(len(middles))
    away[every, :, every] = np.inf
    far = away.min(axis=2) >= _TOUCHING * np.linalg.norm(steps, axis=2)
    return np.where(far, -1, away.argmin(axis=2))
