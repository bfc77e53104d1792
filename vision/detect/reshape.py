"""Tiles found too narrow, low or high for their place are looked at again in another shape.

Where a print is as wide as its face, as eight bamboos in four columns are, or like tiles lie side
by side, a find may hold three quarters of a tile or reach into the next one. What is hardly read
may lie across its tile: that is looked at where the tiles beside it say it lies. And two finds may
be the halves of one tile (:mod:`vision.detect.halves`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.detect.gaps import open_places
from vision.detect.halves import Pairs, united
from vision.geometry.overlap import shared
from vision.geometry.proportions import Shapes, beside_in_row, shapes_of, sizes
from vision.geometry.quads import rolled, sides_of, turned_like
from vision.geometry.table_plane import seen_from_above
from vision.vocabulary.detections import Classified, Classifier, Detections, Detector, classified
from vision.vocabulary.labels import chance_of_print, column

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_FEW: Final = 6
"""Of fewer tiles it is not known how a tile looks at its place."""
_MISSHAPEN: Final = 0.16
"""How much longer or shorter a side must be than is usual, as a logarithm, for another look. Of
21365 finds on rendered hands and tables of held-out designs 221 are looked at again, 21 that were
misread are then read right and none the other way round; from 0.1 on 393 are, 22 and one."""
_TILE: Final = 0.9
"""How likely it must then be a tile, and how surely be read,"""
_HARDLY_LESS: Final = 0.05
"""and by how much less surely than before at most."""
_SURELY_TILE: Final = 0.99
"""How likely it is a tile as it is, and how surely read,"""
_SURELY_READ: Final = 0.9
"""from which it is left so: of such finds on 29 deals seven were put in another shape, all of them
farther from the tile, and one was misread there."""
_HARDLY: Final = 0.6
"""How surely a find is read below which it is looked at where its neighbours say that it lies: with
0.9 two photos of the benchmark's 120 are read worse so."""
_BESIDE: Final = 0.95
"""How surely it must be read there,"""
_BY: Final = 0.05
"""and by how much more surely than before."""
_PRINT: Final = 0.5
"""Chance of print from which a find may be a part of a printed tile."""
_PLAIN: Final = 0.3
"""Chance of a back from which a find is not looked at there: nothing is read of it."""
_ASTRAY: Final = 0.6
"""How far off that may be, in widths of the find,"""
_THERE: Final = 0.1
"""and how far its corner that is farthest off, up to which the find lies there already."""
_TAKEN: Final = 0.2
"""Which share of it, or of another tile, no other may have in common with it."""
_HELD: Final = (0.0, 0.5, 1.0)
"""What of a side stays where it is: its beginning, its middle or its end."""
_SHAPE, _THERE_INSTEAD, _WHOLE = range(3)
"""What is tried: another shape, another place, or one tile in place of two."""


def reshaped(
    detector: Detector,
    classifier: Classifier,
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    turns: NDArray[np.int64],
    tiles: Bools,
) -> tuple[Detections, Classified] | None:
    """The finds with those in another shape that are likelier so, or None if none is.

    Args:
        detector: tells how likely they are tiles in that shape.
        classifier: tells what they show.
        image: (h, w, 3) uint8 BGR.
        found: the finds.
        seen: what the classifier says of them.
        turns: (n,) how far each must be rolled to be upright.
        tiles: (n,) which of them are tiles.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    told = np.nonzero(tiles)[0]
    if len(told) < _FEW:
        return None
    quads = rolled(seen.quads, turns)[told]
    table = seen_from_above(quads)
    beside = beside_in_row(table.quads)
    shapes = shapes_of(table.quads, beside)
    sure = (found.scores[told] >= _SURELY_TILE) & (seen.legible[told] >= _SURELY_READ)
    hardly = (seen.legible[told] < _HARDLY) & (seen.probabilities[told, column(BACK)] < _PLAIN)
    by_neighbours = _beside_others(quads, hardly, image.shape)
    rows = {tile: told[row] for tile, row in zip(told.tolist(), beside, strict=True)}
    halves = united(seen.quads, table.place(seen.quads), _printed(seen), rows)
    tries = _joined(_tries(quads, shapes, sure), by_neighbours, _made_whole(halves, told))
    if not len(tries.owners):
        return None
    owned = found.chosen(told[tries.owners]).at(tries.quads)
    again = classified(classifier, image, owned)
    likely = detector.verify(image, owned, again.quads)
    before = shapes.of(tries.owners)
    after = shapes.of(tries.owners, sizes(again.quads) - sizes(quads)[tries.owners])
    better = again.tiles & (likely.scores >= _TILE)
    better &= _read_better(tries, again, seen.legible[told[tries.owners]], before, after)
    order = _chosen(tries, better, after.misfit(), quads, again.quads)
    if (order < 0).all():
        return None
    taken = np.arange(len(found))
    taken[told] = np.where(order < 0, told, len(found) + order)
    return found.joined(likely).chosen(taken), seen.joined(again).chosen(taken)


def _printed(seen: Classified) -> Bools:
    """Which finds (n,) may be parts of a printed tile, or such a tile."""
    return chance_of_print(seen.probabilities.astype(np.float64)) >= _PRINT


class _Tries(NamedTuple):
    """Other shapes.

    Attributes:
        quads: (m, 4, 2) float32 corners in pixels.
        owners: (m,) of which tile each is one.
        others: (m,) which other tile is a part of the same then, -1 for none.
        way: (m,) what is tried: :data:`_SHAPE`, :data:`_THERE_INSTEAD` or :data:`_WHOLE`.
    """

    quads: Floats
    owners: Ints
    others: Ints
    way: Ints


def _read_better(
    tries: _Tries, again: Classified, legible: Floats, before: Shapes, after: Shapes
) -> Bools:
    """Which tries (m,) are read surely enough to stand in place of the finds before.

    Args:
        tries: what is tried.
        again: what the classifier says of them.
        legible: (m,) how surely the find of each was read.
        before: its shape, and
        after: that in which it was seen now.
    """
    read = again.legible
    shapelier = (read >= _TILE) & (read >= legible - _HARDLY_LESS)
    shapelier &= after.suit_better_than(before) & (tries.way == _SHAPE)
    there = (tries.way == _THERE_INSTEAD) & (read >= legible + _BY)
    whole = (tries.way == _WHOLE) & _printed(again)
    return np.asarray(shapelier | ((there | whole) & (read >= _BESIDE)), np.bool_)


def _chosen(
    tries: _Tries, better: Bools, misfit: NDArray[np.float64], quads: Floats, now: Floats
) -> Ints:
    """Which try stands in place of each tile (n,), -1 for none: halves first, then the shapeliest.

    Args:
        tries: what is tried.
        better: (m,) which of them may be chosen: where they do not lie on other tiles.
        misfit: (m,) how ill they suit their place.
        quads: (n, 4, 2) corners of the tiles.
        now: (m, 4, 2) corners where the tries were seen.
    """
    order = np.full(len(quads), -1)
    for number in np.lexsort((misfit, tries.way != _WHOLE)).tolist():
        owner, other = tries.owners[number], tries.others[number]
        apart = np.delete(quads, [owner, other] if other >= 0 else [owner], axis=0)
        free = better[number] and order[owner] < 0
        if free and (shared(now[number], apart) < _TAKEN).all():
            order[owner] = number
    return order


def _joined(*tries: _Tries) -> _Tries:
    return _Tries(*(np.concatenate(each) for each in zip(*tries, strict=True)))


def _gathered(found: Sequence[tuple[Floats, int]], way: int) -> _Tries:
    """Quads, each with the tile of which it is one."""
    owners = np.array([owner for _, owner in found], np.intp)
    quads = np.array([quad for quad, _ in found], np.float32).reshape(-1, 4, 2)
    return _Tries(quads, owners, np.full(len(owners), -1), np.full(len(owners), way))


def _made_whole(halves: Pairs, told: Ints) -> _Tries:
    """Two finds as one, by their places among those that are told as tiles."""
    places = {find: place for place, find in enumerate(told.tolist())}
    owners, others = (
        np.array([places.get(find, -1) for find in which.tolist()], np.intp)
        for which in (halves.owners, halves.others)
    )
    return _Tries(halves.quads, owners, others, np.full(len(owners), _WHOLE))


def _beside_others(quads: Floats, chosen: Bools, shape: tuple[int, ...]) -> _Tries:
    """Where the chosen (n,) of the tiles (n, 4, 2) would lie by those beside them."""
    found: list[tuple[Floats, int]] = []
    for owner in np.nonzero(chosen)[0].tolist():
        places = open_places(np.delete(quads, owner, axis=0), shape).quads
        away = np.linalg.norm(places.mean(axis=1) - quads[owner].mean(axis=0), axis=1)
        width = float(sides_of(quads[owner][np.newaxis])[0][0])
        for place in places[away < _ASTRAY * width]:
            corners = turned_like(place, quads[owner]) - quads[owner]
            if np.linalg.norm(corners, axis=1).max() > _THERE * width:
                found.append((place, owner))
    return _gathered(found, _THERE_INSTEAD)


def _tries(quads: Floats, shapes: Shapes, sure: Bools) -> _Tries:
    """The usual shape, with one side or the middle where it is, of tiles (n, 4, 2) that have not.

    Those that are ``sure`` (n,) stay as they are. A tile as much higher or lower as its row stands
    or lies elsewhere and has its own shape. One that is too wide may have a thick outline; none was
    ever read better narrower.
    """
    narrow = shapes.table[:, 0] < -_MISSHAPEN
    unlike = (np.abs(shapes.table) > _MISSHAPEN) & (np.abs(shapes.row) > _MISSHAPEN)
    unusual = np.column_stack([narrow, unlike[:, 1]]) & ~sure[:, np.newaxis]
    return _gathered(
        [
            (_stretched(quads[owner], axis, float(np.exp(-shapes.table[owner, axis])), held), owner)
            for owner, axis in np.argwhere(unusual).tolist()
            for held in _HELD
        ],
        _SHAPE,
    )


def _stretched(quad: Floats, axis: int, factor: float, held: float) -> Floats:
    """The quad (4, 2) so many times as wide (axis 0) or high (1), what is held of it in place."""
    stretched = quad.copy()
    for start, end in ((0, 1), (3, 2)) if axis == 0 else ((0, 3), (1, 2)):
        side = quad[end] - quad[start]
        kept = quad[start] + held * side
        stretched[start] = kept - held * factor * side
        stretched[end] = kept + (1 - held) * factor * side
    return stretched
