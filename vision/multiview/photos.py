"""Several photos of the same tiles read as one.

The tiles of the photos are matched (:mod:`vision.multiview.matching`), the probabilities of a tile
in each photo are combined (:mod:`vision.multiview.votes`), and tiles that one photo cut off come
from the others. A tile is marked as doubtful if a photo does not show it although it should.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.errors import PhotoError, PhotoRejected
from vision.geometry.quads import areas
from vision.messages import Message, say
from vision.multiview.matching import Match, match_tiles
from vision.multiview.motion import Matrix, carried, in_view
from vision.multiview.votes import OF_PHOTOS, log_chances, voted
from vision.photo.decode import PhotoData
from vision.pipeline import PhotoReader, Seen
from vision.shipped import open_reader
from vision.tilesets.profile import SetProfile
from vision.vocabulary.readings import Reading

Corners = NDArray[np.float64]
Chances = NDArray[np.float64]

MOST_PHOTOS: Final = 8
"""Maximum number of photos that are read together."""

UNSURE: Final = 0.75
"""Maximum probability of the label of a tile that a photo should show and does not."""

_OVERLAP: Final = 0.8
"""Distance in tile widths between centres below which two tiles cannot both lie there."""
_WHOLE: Final = 1.5
"""By how much a whole tile is larger, in area, than one that the edge of a photo cut off."""
_NEVER: Final = 1e-12
"""Minimum probability of a label when a rest is shared out."""


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """The reading of several photos together.

    Attributes:
        reading: in pixels of the first photo; tiles that it cut off lie outside of it.
        views: for each photo the (3, 3) homography from its pixels to those of the first photo.
        seen_in: for each tile of the reading the indices of the photos that show it.
    """

    reading: Reading
    views: tuple[Matrix, ...]
    seen_in: tuple[tuple[int, ...], ...]

    def to_json(self, photos: Sequence[str]) -> dict[str, object]:
        """The reading as plain JSON values under the name of the first photo.

        Each tile lists under ``seen`` the indices of the photos that show it.

        Args:
            photos: the names of all photos.

        Raises:
            ValueError: the numbers of names and photos differ.
        """
        if len(photos) != len(self.views):
            raise ValueError(f"{len(self.views)} photos cannot have {len(photos)} names")
        told = self.reading.to_json(photos[0])
        tiles = [
            tile.to_json() | {"seen": list(seen)}
            for tile, seen in zip(self.reading.tiles, self.seen_in, strict=True)
        ]
        return told | {"photos": list(photos), "tiles": tiles}


def read_together(photos: Sequence[PhotoData], profile: SetProfile | None = None) -> Together:
    """Read several photos of one player's tiles as one, in any order.

    Args:
        photos: at least one, as for :func:`vision.read_photo`.
        profile: of the tile set on the table, if it is known.

    Raises:
        PhotoError: a photo cannot be read, or does not show the same tiles as the others; the text
            says which by its number.
        ModelError: a shipped model is missing or damaged.
        ProfileError: the profile does not suit the shipped classifier.
    """
    return together(open_reader(profile), photos)


def together(reader: PhotoReader, photos: Sequence[PhotoData]) -> Together:
    """Read several photos of one player's tiles as one with a reader, in any order.

    Raises:
        PhotoError: as for :func:`read_together`.
        ValueError: there is no photo.
    """
    if not photos:
        raise ValueError("at least one photo is needed")
    if len(photos) > MOST_PHOTOS:
        raise PhotoRejected(say("photos.too_many", count=len(photos), most=MOST_PHOTOS))
    seen = [_see(reader, photo, number, len(photos)) for number, photo in enumerate(photos, 1)]
    gathered = _Table(seen[0])
    waiting = dict(enumerate(seen[1:], 1))
    while waiting:
        found = {number: gathered.find(one) for number, one in waiting.items()}
        fitting = {number: match for number, match in found.items() if match is not None}
        if not fitting:
            raise PhotoRejected(_strangers(sorted(waiting), len(photos)))
        best = max(fitting, key=lambda number: fitting[number].evidence)
        gathered.add(best, waiting.pop(best), fitting[best])
    return gathered.read(reader, seen)


def _see(reader: PhotoReader, photo: PhotoData, number: int, count: int) -> Seen:
    """The tiles of one photo; errors name the number of the photo."""
    try:
        return reader.see(photo)
    except PhotoError as error:
        if count == 1:
            raise
        told = say("photos.numbered", number=number, count=count, fault=error.message)
        raise type(error)(told) from error


def _strangers(indices: Sequence[int], count: int) -> Message:
    numbers = tuple(index + 1 for index in indices)
    if len(numbers) == 1:
        return say("photos.stranger", number=numbers[0], count=count)
    return say("photos.strangers", numbers=numbers, count=count)


@dataclass(slots=True, eq=False)
class _Gathered:
    """One tile of several photos.

    Attributes:
        quad: (4, 2) corners in pixels of the first photo.
        said: for each photo that shows it the probabilities (45,) of its labels there.
        certain: largest probability, 0..1, that there is a tile at all.
        missing: number of photos that should show it and do not.
    """

    quad: Corners
    said: dict[int, Chances]
    certain: float
    missing: int = 0


class _Table:
    """The tiles of several photos, in pixels of the first."""

    def __init__(self, first: Seen) -> None:
        self.tiles: list[_Gathered] = []
        self.views: dict[int, Matrix] = {0: np.eye(3)}
        self.sizes: dict[int, tuple[int, ...]] = {0: first.image.shape}
        for quad, row, certain in _each(first.quads.astype(np.float64), first):
            self.tiles.append(_Gathered(quad, {0: row}, certain))

    def quads(self) -> NDArray[np.float64]:
        """The corners (n, 4, 2) of all tiles."""
        return np.stack([tile.quad for tile in self.tiles])

    def chances(self) -> NDArray[np.float64]:
        """The joint probabilities (n, 45) of the photos so far."""
        said = [np.stack(list(tile.said.values())) for tile in self.tiles]
        sums = np.stack([log_chances(rows).sum(axis=0) for rows in said])
        return voted(sums, np.array([len(rows) for rows in said]), OF_PHOTOS)

    def find(self, seen: Seen) -> Match | None:
        """The match between another photo and the tiles so far."""
        quads = self.quads().astype(np.float32)
        return match_tiles(quads, self.chances(), seen.quads, seen.probabilities)

    def add(self, number: int, seen: Seen, match: Match) -> None:
        """Add the tiles of another photo."""
        before, inverse = list(self.tiles), _inverse(match.matrix)
        known = {int(j): int(i) for i, j in match.pairs}
        for i in set(range(len(before))) - set(known.values()):
            before[i].missing += in_view(carried(inverse, before[i].quad), seen.image.shape)
        looked = list(_each(carried(match.matrix, seen.quads), seen))
        for j, i in known.items():
            _, before[i].said[number], certain = looked[j]
            before[i].certain = max(before[i].certain, certain)
        for j in sorted(set(range(len(looked))) - known.keys()):
            quad, row, certain = looked[j]
            part = _overlapped(before, quad)
            if part is None:
                absent = sum(self._shows(n, quad) for n in self.views)
                self.tiles.append(_Gathered(quad, {number: row}, certain, absent))
            elif _area(quad) > _WHOLE * _area(part.quad):
                part.quad, part.said, part.certain, part.missing = quad, {number: row}, certain, 0
        self.views[number], self.sizes[number] = match.matrix, seen.image.shape

    def _shows(self, number: int, quad: Corners) -> bool:
        """Whether a quad lies in a photo."""
        return in_view(carried(_inverse(self.views[number]), quad), self.sizes[number])

    def read(self, reader: PhotoReader, seen: Sequence[Seen]) -> Together:
        """The reading of all photos."""
        quads, chances = self.quads(), self.chances()
        hidden = [i for i, tile in enumerate(self.tiles) if tile.missing >= len(tile.said)]
        for i in hidden:
            chances[i] = _capped(chances[i])
        stages = seen[0].seconds
        seconds = {stage: sum(one.seconds[stage] for one in seen) for stage in stages}
        everywhere = seen[0].faults if all(one.faults for one in seen) else ()
        remarks = list(dict.fromkeys(remark for one in seen for remark in one.remarks))
        if hidden:
            remarks.append(say("photos.hidden", tiles=_tiles(len(hidden))))
        whole = replace(
            seen[0],
            quads=quads.astype(np.float32),
            probabilities=chances,
            chances=np.array([tile.certain for tile in self.tiles]),
            remarks=tuple(remarks),
            faults=everywhere,
            seconds=seconds,
        )
        reading = reader.lay_out(whole)
        order = _places(reading, quads, seen[0])
        first = _mirroring(seen[0])
        views = tuple(first @ self.views[n] @ _mirroring(one) for n, one in enumerate(seen))
        return Together(reading, views, tuple(tuple(sorted(self.tiles[i].said)) for i in order))


def _each(quads: NDArray[np.float64], seen: Seen) -> Iterator[tuple[Corners, Chances, float]]:
    """The corners, the probabilities and the certainty of each tile of a photo."""
    yield from zip(quads, seen.probabilities, seen.chances.tolist(), strict=True)


def _area(quad: Corners) -> float:
    """The area of a quad (4, 2)."""
    return float(areas(quad[np.newaxis].astype(np.float32))[0])


def _overlapped(tiles: Sequence[_Gathered], quad: Corners) -> _Gathered | None:
    """The tile that a quad of another photo overlaps, if any: one of the two was cut off."""
    quads = np.stack([tile.quad for tile in tiles])
    away = np.linalg.norm(quads.mean(axis=1) - quad.mean(axis=0), axis=1)
    nearest = int(away.argmin())
    width = float(np.linalg.norm(quads[nearest][1] - quads[nearest][0]))
    return tiles[nearest] if away[nearest] < _OVERLAP * width else None


def _mirroring(seen: Seen) -> Matrix:
    """The homography between a photo and the picture that was read: its mirror image or itself."""
    turned = np.eye(3)
    if seen.mirrored:
        turned[0] = [-1, 0, seen.image.shape[1]]
    return turned


def _inverse(view: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(view), np.float64)


def _capped(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities (45,) with at most :data:`UNSURE` for the largest one."""
    best = int(chances.argmax())
    if chances[best] <= UNSURE:
        return chances
    others = np.delete(np.arange(len(READING_LABELS)), best)
    rest = np.maximum(chances[others], _NEVER)
    capped = chances.copy()
    capped[others] = (1 - UNSURE) * rest / rest.sum()
    capped[best] = UNSURE
    return capped


def _tiles(count: int) -> Message:
    return say("tiles.one") if count == 1 else say("tiles.several", count=count)


def _places(reading: Reading, quads: NDArray[np.float64], first: Seen) -> list[int]:
    """The index of each tile of the reading among the gathered quads (n, 4, 2)."""
    shown = quads.copy()
    if first.mirrored:
        shown[:, :, 0] = first.image.shape[1] - shown[:, :, 0]
    told = np.array([tile.quad for tile in reading.tiles])
    away = np.linalg.norm(told[:, np.newaxis] - shown[np.newaxis], axis=3).sum(axis=2)
    return [int(i) for i in away.argmin(axis=1)]
