"""Labels for the tiles in photos of one of each face, by an assignment of faces to tiles.

The photos show all 42 faces once, the bonus tiles and dragons alone, or a whole box, in any order
and in any number of photos, which are decided together; a few faces may be missing, and spare
blanks, jokers and tiles lying face down may lie among them. Each face is assigned to one tile so
that the product of the classifier's probabilities is largest; a tile that gets no face is a spare,
a joker or a back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import (
    BACK,
    BLANK,
    BONUS_TILES,
    DRAGONS,
    OTHER,
    READING_LABELS,
    TILES,
)
from vision.classify.views import Views
from vision.errors import NoTilesFound
from vision.layout.rows import find_rows
from vision.messages import Message, say
from vision.tilesets.profile import ProfileError, Shot
from vision.vocabulary.copies import USUAL_COPIES
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

PICTURED: Final = (*DRAGONS, *BONUS_TILES)
"""The faces that differ most from tile set to tile set, which may be photographed alone."""

DOUBTFUL: Final = 5.0
"""Minimum margin of a clear label: by how much the assignment's log-probability must fall if the
tile is given another label. People are asked about labels with a smaller margin."""

MOST_ASKED: Final = 12
"""Maximum number of tiles in one photo that people are asked about."""

_SPARES: Final = (BACK, BLANK, OTHER)
"""Labels of tiles that are not faces of the set."""
_MOST_SPARES: Final = 10
"""Maximum number of tiles besides one of each face; what has more is a whole box."""
_MOST_TILES: Final = sum(USUAL_COPIES.values()) + _MOST_SPARES
"""Maximum number of tiles in one photo."""
_GUESSES: Final = 5
"""Number of labels offered for a tile that people are asked about."""
_FLOOR: Final = 1e-6
"""Minimum probability in logarithms."""
_FORBIDDEN: Final = 1e6
"""Cost of an assignment that may not be made."""
_SPARE_COST: Final = 3.0
"""Cost, in negative log-probability, of a spare in a photo that has no more tiles than faces."""


@dataclass(frozen=True, slots=True, eq=False)
class SetTile:
    """One tile of a set photo.

    Attributes:
        quad: (4, 2) float32 face corners in pixels, clockwise from the top-left as read upright.
        label: the face that was assigned to it.
        margin: how much the log-probability of the assignment falls if the tile has another label;
            below :data:`DOUBTFUL` people should check it.
        guesses: the likeliest labels for the tile by itself, best first.
        crop: (h, w, 3) uint8 BGR, flat and upright.
        embedding: (d,) float32 of unit length, the classifier's embedding of the crop.
        nothing_on_it: whether the face seems to be blank.
    """

    quad: Floats
    label: str
    margin: float
    guesses: tuple[str, ...]
    crop: NDArray[np.uint8]
    embedding: Floats
    nothing_on_it: bool


@dataclass(frozen=True, slots=True, eq=False)
class SetPhoto:
    """A photo of one of each face, with a label for every tile.

    Attributes:
        tiles: row by row, each row from left to right.
        warnings: faults of the photo, for people.
    """

    tiles: tuple[SetTile, ...]
    warnings: tuple[Message, ...] = ()

    def doubtful(self) -> tuple[int, ...]:
        """Indices of the few tiles that people should be asked about, the least certain first."""
        weak = [i for i, tile in enumerate(self.tiles) if tile.margin < DOUBTFUL]
        return tuple(sorted(weak, key=lambda i: self.tiles[i].margin)[:MOST_ASKED])

    def missing(self) -> tuple[str, ...]:
        """The faces that the photo should show but does not."""
        have = {tile.label for tile in self.tiles}
        wanted = expected_faces(len(self.tiles))
        return tuple(label for label in wanted if label not in have)

    def shots(self) -> tuple[Shot, ...]:
        """The pictures that a profile keeps: of every tile that does not lie face down."""
        return tuple(
            Shot(tile.label, tile.crop, tile.embedding) for tile in self.tiles if tile.label != BACK
        )

    def blank_white(self) -> bool | None:
        """Whether the white dragon has nothing on it; None if the photo shows no white dragon."""
        whites = [tile.nothing_on_it for tile in self.tiles if tile.label == "5z"]
        return any(whites) if whites else None

    def with_labels(self, labels: Mapping[int, str]) -> SetPhoto:
        """The photo with labels from people.

        A tile that had one of these faces until now gets the former label of the tile that has the
        face now.

        Args:
            labels: the labels by the indices of their tiles.

        Raises:
            ProfileError: a label is unknown, or one face is given to two tiles.
        """
        tiles = list(self.tiles)
        said = list(labels.values())
        for label in said:
            if label not in READING_LABELS:
                raise ProfileError(say("set.unknown_label", label=label))
            if label in TILES and said.count(label) > 1:
                raise ProfileError(say("set.label_twice", label=label))
        for index, label in labels.items():
            former = tiles[index].label
            for other, tile in enumerate(tiles):
                if tile.label == label and label in TILES and other not in labels:
                    tiles[other] = replace(tile, label=former)
            tiles[index] = replace(tiles[index], label=label, margin=float("inf"))
        return replace(self, tiles=tuple(tiles))

    def without(self, indices: Collection[int]) -> SetPhoto:
        """The photo without the tiles at these indices."""
        kept = (tile for index, tile in enumerate(self.tiles) if index not in indices)
        return replace(self, tiles=tuple(kept))


def expected_faces(count: int) -> tuple[str, ...]:
    """The faces that ``count`` tiles of a set should show: all, or bonus tiles and dragons."""
    return TILES if count > len(PICTURED) + len(_SPARES) else PICTURED


def is_box(count: int) -> bool:
    """Whether so many tiles are a whole box, in which faces lie several times."""
    return count > len(TILES) + _MOST_SPARES


def label_set_photo(views: Views, warnings: Sequence[Message] = ()) -> SetPhoto:
    """Label each tile of a photo of one of each face, as :func:`label_set_photos`."""
    (photo,) = label_set_photos([views], [warnings])
    return photo


def label_set_photos(
    each: Sequence[Views], warnings: Sequence[Sequence[Message]]
) -> tuple[SetPhoto, ...]:
    """Label the tiles of a set in all of its photos together.

    Where they are more than one of each face and some spares, they are taken for a whole box: a
    face may lie there four times, and of each photo the clearest tile of each face is kept.

    Args:
        each: the classifier's views of the tiles of each photo.
        warnings: faults of each photo, for people.

    Raises:
        NoTilesFound: a photo has no tiles.
        ProfileError: there are more tiles than boxes of a set hold, one in each photo.
    """
    if not each:
        return ()
    count = sum(views.count for views in each)
    if not all(views.count for views in each):
        raise NoTilesFound(say("set.no_tiles"))
    if count > _MOST_TILES * len(each):
        raise ProfileError(say("set.too_many_tiles", count=count, most=_MOST_TILES))
    box = is_box(count)
    faces = _all_faces(len(each)) if box else expected_faces(count)
    picked = [views.pick(views.credence()) for views in each]
    labels, _ = assign(_picked(each, picked), faces)
    start, again = 0, []
    for views in each:
        columns = np.array([column(label) for label in labels[start : start + views.count]])
        chances = views.probabilities[np.arange(len(views.owners)), columns[views.owners]]
        again.append(views.pick(views.upright + np.log(np.maximum(chances, _FLOOR))))
        start += views.count
    labels, margins = assign(_picked(each, again), faces)
    start, photos = 0, []
    for views, chosen, told in zip(each, again, warnings, strict=True):
        part = slice(start, start + views.count)
        tiles = _set_tiles(views, chosen, labels[part], margins[part])
        photos.append(SetPhoto(_clearest(tiles) if box else tiles, tuple(told)))
        start += views.count
    return tuple(photos)


def _all_faces(boxes: int) -> tuple[str, ...]:
    """Every face as often as so many boxes have it."""
    return tuple(face for face, copies in USUAL_COPIES.items() for _ in range(boxes * copies))


def _picked(each: Sequence[Views], picked: Sequence[NDArray[np.int64]]) -> Doubles:
    """The probabilities (n, 45) of the picked views of all photos, one after the other."""
    rows = [views.probabilities[some] for views, some in zip(each, picked, strict=True)]
    return np.concatenate(rows).astype(np.float64)


def _set_tiles(
    views: Views, picked: NDArray[np.int64], labels: Sequence[str], margins: Doubles
) -> tuple[SetTile, ...]:
    """The tiles of one photo in reading order, each in its picked view."""
    corners = np.stack(
        [
            np.roll(quad, -int(turn), axis=0)
            for quad, turn in zip(views.quads, views.turns[picked], strict=True)
        ]
    )
    tiles = []
    for index in (i for row in find_rows(corners) for i in row.members):
        view = picked[index]
        row = views.probabilities[view]
        guesses = tuple(READING_LABELS[k] for k in np.argsort(-row, kind="stable")[:_GUESSES])
        tiles.append(
            SetTile(
                corners[index],
                labels[index],
                float(margins[index]),
                guesses,
                views.crops[view],
                views.embeddings[view],
                bool(row[column(BLANK)] > row[column("5z")]),
            )
        )
    return tuple(tiles)


def _clearest(tiles: Sequence[SetTile]) -> tuple[SetTile, ...]:
    """Of each label the tile that a guess names first and that has the largest margin."""
    best: dict[str, SetTile] = {}
    for tile in tiles:
        known = best.get(tile.label)
        if known is None or _clearness(tile) > _clearness(known):
            best[tile.label] = tile
    return tuple(tile for tile in tiles if best[tile.label] is tile)


def _clearness(tile: SetTile) -> tuple[bool, float]:
    return tile.guesses[0] == tile.label, tile.margin


def assign(
    probabilities: NDArray[np.floating], faces: Sequence[str] = TILES
) -> tuple[list[str], Doubles]:
    """The likeliest labels of tiles that show each face only as often as it is there.

    A tile that gets no face is a spare, a joker or a back.

    Args:
        probabilities: (n, 45), the columns are :data:`scorer.tiles.READING_LABELS`.
        faces: the faces that may be assigned, of the 42, each as often as it may be.

    Returns:
        n labels, and (n,) float64 margins: how much the log-probability of the whole assignment
        falls if the tile has any other label.
    """
    from scipy.optimize import linear_sum_assignment

    count = len(probabilities)
    chances = np.asarray(probabilities, np.float64)
    spare_columns = [column(label) for label in _SPARES]
    face_chances = chances[:, [column(label) for label in faces]].copy()
    shown = np.array(faces)
    face_chances[:, shown == "5z"] += chances[:, [column(BLANK)]]
    spare_chances = chances[:, spare_columns]
    cost = np.full((count, len(faces) + count), _FORBIDDEN)
    cost[:, : len(faces)] = -np.log(np.maximum(face_chances, _FLOOR))
    leave_out = -np.log(np.maximum(spare_chances.max(axis=1), _FLOOR))
    if count <= len(faces):
        leave_out += _SPARE_COST
    cost[np.arange(count), len(faces) + np.arange(count)] = leave_out
    _, columns = linear_sum_assignment(cost)
    best = float(cost[np.arange(count), columns].sum())
    labels, margins = [], np.zeros(count)
    for index, choice in enumerate(columns.tolist()):
        if choice < len(faces):
            labels.append(faces[choice])
        else:
            labels.append(_SPARES[int(spare_chances[index].argmax())])
        without = cost.copy()
        same = np.nonzero(shown == faces[choice])[0] if choice < len(faces) else choice
        without[index, same] = _FORBIDDEN
        rows, others = linear_sum_assignment(without)
        margins[index] = float(without[rows, others].sum()) - best
    return labels, margins
