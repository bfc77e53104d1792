"""Corrects detections that cover a tile only in part, or reach into the next one.

Where a print is as wide as its face, as eight bamboos in four columns, or equal tiles lie side by
side, a detection may be too narrow, low or high for its place; it is looked at again in the usual
shape. One that is hardly legible may lie across its tile; it is looked at where the tiles beside it
say that it lies. And two detections may be the halves of one tile (:mod:`vision.detect.halves`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.detect.gaps import open_places
from vision.detect.halves import Pairs, possible_halves
from vision.geometry.overlap import shared
from vision.geometry.proportions import Shapes, beside_in_row, shapes_of, sizes
from vision.geometry.quads import rolled, sides_of, turned_like
from vision.geometry.table_plane import seen_from_above
from vision.vocabulary.detections import Classified, Classifier, Detections, Detector, classified
from vision.vocabulary.labels import chance_of_print, column

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ShapeChange:
    """When a tile is looked at in another shape, and when that shape replaces the first.

    Attributes:
        fewest: number of tiles below which nothing is known of the usual shape.
        unusual: difference of the logarithm of a side from the usual one for another look.
        surely_tile: score from which a tile that is read with ``surely_read`` keeps its shape.
        surely_read: confidence of the picture from which such a tile keeps its shape.
        score: minimum score in the new shape.
        read: minimum confidence of the picture in the new shape.
        loss: largest decrease of that confidence.
        fixed: the points of a side that stay in place, one after the other: its beginning, its
            middle and its end.
    """

    fewest: int = 6
    unusual: float = 0.16
    surely_tile: float = 0.99
    surely_read: float = 0.9
    score: float = 0.9
    read: float = 0.9
    loss: float = 0.05
    fixed: tuple[float, ...] = (0.0, 0.5, 1.0)


SHAPE: Final = ShapeChange()


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """When a tile is looked at where its neighbours say it lies, and when that place replaces it.

    Lengths are in widths of the detection.

    Attributes:
        hardly_read: confidence of the picture below which a tile is looked at there.
        back: probability of a back from which it is not, since a back has nothing to read.
        farthest: maximum distance of the middle of that place from the tile's.
        same: largest offset of a corner up to which the tile lies there already.
        read: minimum confidence of the picture there, and of two halves as one tile.
        gain: minimum increase of that confidence.
    """

    hardly_read: float = 0.6
    back: float = 0.3
    farthest: float = 0.6
    same: float = 0.1
    read: float = 0.95
    gain: float = 0.05


PLACE: Final = PlaceChange()

_PRINTED: Final = 0.5
"""Minimum probability of print for a detection to be a half of a printed tile, or such a tile."""

_OVERLAP: Final = 0.2
"""Common area, as a share of the smaller, from which a new shape lies on another tile."""

_SHAPE, _PLACE, _WHOLE = range(3)
"""What is tried: another shape, another place, or one tile in place of two."""


class _Tries(NamedTuple):
    """Corrections to be tried.

    Attributes:
        quads: (m, 4, 2) float32 corners in pixels.
        owners: (m,) index of the tile that each corrects.
        others: (m,) index of the other tile that it replaces, -1 for none.
        way: (m,) what is tried: ``_SHAPE``, ``_PLACE`` or ``_WHOLE``.
    """

    quads: Floats
    owners: Ints
    others: Ints
    way: Ints


def reshaped(
    detector: Detector,
    classifier: Classifier,
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    turns: NDArray[np.int64],
    tiles: Bools,
) -> tuple[Detections, Classified] | None:
    """The detections with some of them corrected, and their reading; None if none is better so.

    Args:
        detector: estimates how likely they are tiles after the correction.
        classifier: reads what they show then.
        image: (h, w, 3) uint8 BGR.
        found: n detections.
        seen: their reading.
        turns: (n,) by how many corners each must be rolled to be upright.
        tiles: (n,) which of them are tiles.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    accepted = np.nonzero(tiles)[0]
    quads = rolled(seen.quads, turns)[accepted]
    if len(quads) < SHAPE.fewest:
        return None
    tries, shapes = _corrections(found, seen, accepted, quads, image.shape)
    if not len(tries.owners):
        return None
    owned = found.chosen(accepted[tries.owners]).at(tries.quads)
    again = classified(classifier, image, owned)
    likely = detector.verify(image, owned, again.quads)
    after = shapes.of(tries.owners, sizes(again.quads) - sizes(quads)[tries.owners])
    legible = seen.legible[accepted[tries.owners]]
    better = _better(tries, again, likely.scores, legible, shapes.of(tries.owners), after)
    order = _chosen(tries, better, after.misfit(), quads, again.quads)
    if (order < 0).all():
        return None
    now = np.arange(len(found))
    now[accepted] = np.where(order < 0, accepted, len(found) + order)
    return found.joined(likely).chosen(now), seen.joined(again).chosen(now)


def _corrections(
    found: Detections, seen: Classified, accepted: Ints, quads: Floats, shape: tuple[int, ...]
) -> tuple[_Tries, Shapes]:
    """All corrections to be tried, and the shapes of the tiles before.

    Args:
        found: n detections.
        seen: their reading.
        accepted: (m,) indices of those that are tiles.
        quads: (m, 4, 2) the corners of these, upright.
        shape: shape of the picture, height first.
    """
    table = seen_from_above(quads)
    beside = beside_in_row(table.quads)
    shapes = shapes_of(table.quads, beside)
    rows = {tile: accepted[row] for tile, row in zip(accepted.tolist(), beside, strict=True)}
    halves = possible_halves(seen.quads, table.place(seen.quads), _printed(seen), rows)
    tries = _joined(
        _other_shapes(quads, shapes, _surely_read(found, seen)[accepted]),
        _other_places(quads, _hardly_read(seen)[accepted], shape),
        _made_whole(halves, accepted),
    )
    return tries, shapes


def _surely_read(found: Detections, seen: Classified) -> Bools:
    """Which detections (n,) are read so surely that their shape is right."""
    read = seen.legible >= SHAPE.surely_read
    return np.asarray((found.scores >= SHAPE.surely_tile) & read, np.bool_)


def _hardly_read(seen: Classified) -> Bools:
    """Which detections (n,) are hardly legible, and no backs."""
    face = seen.probabilities[:, column(BACK)] < PLACE.back
    return np.asarray((seen.legible < PLACE.hardly_read) & face, np.bool_)


def _printed(seen: Classified) -> Bools:
    """Which detections (n,) may be a printed tile, or a half of one."""
    return chance_of_print(seen.probabilities.astype(np.float64)) >= _PRINTED


def _better(
    tries: _Tries,
    again: Classified,
    scores: Floats,
    legible: Floats,
    before: Shapes,
    after: Shapes,
) -> Bools:
    """Which corrections (m,) are tiles, and read surely enough to replace what they correct.

    Args:
        tries: the m corrections.
        again: their reading.
        scores: (m,) their scores.
        legible: (m,) the confidence of the picture before each.
        before: the shape before each.
        after: the shape in which the classifier saw the tile after each.
    """
    read = again.legible
    shapelier = (read >= SHAPE.read) & (read >= legible - SHAPE.loss)
    shapelier &= after.suit_better_than(before) & (tries.way == _SHAPE)
    there = (tries.way == _PLACE) & (read >= legible + PLACE.gain)
    whole = (tries.way == _WHOLE) & _printed(again)
    better = shapelier | ((there | whole) & (read >= PLACE.read))
    return np.asarray(better & again.tiles & (scores >= SHAPE.score), np.bool_)


def _chosen(
    tries: _Tries, better: Bools, misfit: NDArray[np.float64], quads: Floats, now: Floats
) -> Ints:
    """Index of the correction that replaces each tile (n,), -1 for none.

    Whole tiles come before halves, then the correction that suits its place best; none may lie on
    another tile.

    Args:
        tries: the m corrections.
        better: (m,) which of them are read better than before.
        misfit: (m,) their differences from the usual shape.
        quads: (n, 4, 2) corners of the tiles.
        now: (m, 4, 2) corners where the classifier saw the corrected tiles.
    """
    order = np.full(len(quads), -1)
    for number in np.lexsort((misfit, tries.way != _WHOLE)).tolist():
        owner, other = tries.owners[number], tries.others[number]
        apart = np.delete(quads, [owner, other] if other >= 0 else [owner], axis=0)
        free = better[number] and order[owner] < 0
        if free and (shared(now[number], apart) < _OVERLAP).all():
            order[owner] = number
    return order


def _joined(*tries: _Tries) -> _Tries:
    """All corrections, one kind after the other."""
    return _Tries(*(np.concatenate(each) for each in zip(*tries, strict=True)))


def _gathered(found: Sequence[tuple[Floats, int]], way: int) -> _Tries:
    """Corrections of one kind: quads (4, 2), each with the index of the tile that it corrects."""
    owners = np.array([owner for _, owner in found], np.intp)
    quads = np.array([quad for quad, _ in found], np.float32).reshape(-1, 4, 2)
    return _Tries(quads, owners, np.full(len(owners), -1), np.full(len(owners), way))


def _made_whole(halves: Pairs, accepted: Ints) -> _Tries:
    """Corrections that join two halves, by their indices in ``accepted``, the tiles."""
    places = {find: place for place, find in enumerate(accepted.tolist())}
    owners, others = (
        np.array([places.get(find, -1) for find in which.tolist()], np.intp)
        for which in (halves.owners, halves.others)
    )
    return _Tries(halves.quads, owners, others, np.full(len(owners), _WHOLE))


def _other_places(quads: Floats, chosen: Bools, shape: tuple[int, ...]) -> _Tries:
    """Places of the ``chosen`` (n,) tiles of quads (n, 4, 2) by the tiles beside them."""
    found: list[tuple[Floats, int]] = []
    for owner in np.nonzero(chosen)[0].tolist():
        places = open_places(np.delete(quads, owner, axis=0), shape).quads
        away = np.linalg.norm(places.mean(axis=1) - quads[owner].mean(axis=0), axis=1)
        width = float(sides_of(quads[owner][np.newaxis])[0][0])
        for place in places[away < PLACE.farthest * width]:
            corners = turned_like(place, quads[owner]) - quads[owner]
            if np.linalg.norm(corners, axis=1).max() > PLACE.same * width:
                found.append((place, owner))
    return _gathered(found, _PLACE)


def _other_shapes(quads: Floats, shapes: Shapes, sure: Bools) -> _Tries:
    """The usual shape for tiles (n, 4, 2) that have another, with different points of it fixed.

    Those that are ``sure`` (n,) keep their shape, and so does a tile as much higher or lower as its
    whole row, which stands or lies elsewhere. A tile that is too wide keeps its shape too: its
    outline may be thick, and none was ever read better narrower.
    """
    narrow = shapes.table[:, 0] < -SHAPE.unusual
    unlike = (np.abs(shapes.table) > SHAPE.unusual) & (np.abs(shapes.row) > SHAPE.unusual)
    unusual = np.column_stack([narrow, unlike[:, 1]]) & ~sure[:, np.newaxis]
    found: list[tuple[Floats, int]] = []
    for owner, axis in np.argwhere(unusual).tolist():
        factor = float(np.exp(-shapes.table[owner, axis]))
        found += [(_stretched(quads[owner], axis, factor, fixed), owner) for fixed in SHAPE.fixed]
    return _gathered(found, _SHAPE)


def _stretched(quad: Floats, axis: int, factor: float, fixed: float) -> Floats:
    """The quad (4, 2) with its width (axis 0) or height (axis 1) multiplied by a factor.

    The point ``fixed`` of each side, from 0 at its beginning to 1 at its end, stays in place.
    """
    stretched = quad.copy()
    for start, end in ((0, 1), (3, 2)) if axis == 0 else ((0, 3), (1, 2)):
        side = quad[end] - quad[start]
        kept = quad[start] + fixed * side
        stretched[start] = kept - fixed * factor * side
        stretched[end] = kept + (1 - fixed) * factor * side
    return stretched
