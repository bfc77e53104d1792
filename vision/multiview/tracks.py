"""Follows tiles from frame to frame, so that each is looked at only until it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.tiles import READING_LABELS
from vision.evidence.beliefs import NOTHING_BESIDE, Beside, Looks
from vision.geometry.crops import rectify
from vision.geometry.quads import turned_like
from vision.multiview.matching import match_tiles
from vision.multiview.motion import Matrix, carried
from vision.multiview.votes import OF_FRAMES, log_chances, voted
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Detections

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]

SURE: Final = 0.97
"""A tile read with this confidence is known after :data:`FEW_LOOKS`."""
FEW_LOOKS: Final = 3
MOST_LOOKS: Final = 10
"""After so many looks a tile is known as well as it will ever be."""

LEAST_FINDS: Final = 2
"""A tile is told when it was found so often."""
MOST_MISSES: Final = 3
"""A tile that was not found so many times running, where it should be seen, has been taken away."""

ALIKE: Final = 0.75
"""Correlation of a known tile's picture with what lies there now, below which it was exchanged.

Of 100 rendered tiles seen again with other noise and corners 97 correlate more, of pairs of tiles
that show different faces one in a hundred does."""

_NEAR: Final = 0.5
_PATCH: Final = (32, 24)
_SHIFT: Final = 2
_FLAT: Final = 6.0
_COUNT: Final = len(READING_LABELS)


@dataclass(slots=True, eq=False)
class Track:
    """One tile on the table.

    Attributes:
        quad: (4, 2) float32, its corners in the frame looked at last, from the top-left as read
            upright in its first look.
        score: how sure the detector was last, 0..1.
        down: how likely it lay face down by what lay around it then, 0..1.
        found: how often it was found.
        missed: how often running it was not found where it should be.
        sums: (4, 45) summed logarithms of probabilities for each turn of the quad.
        looks: (4,) how many looks are in each sum.
        none: in how many looks there seemed to be no tile.
        patch: (32, 24) float32, its grey picture when it was last looked at.
    """

    quad: Quads
    score: float
    down: float
    found: int = 1
    missed: int = 0
    sums: NDArray[np.float64] = field(default_factory=lambda: np.zeros((4, _COUNT)))
    looks: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, np.int64))
    none: int = 0
    patch: NDArray[np.float32] | None = None

    @property
    def turn(self) -> int:
        """By how many corners the quad is to be rolled, as most looks say."""
        best = self.sums.max(axis=1) / np.maximum(self.looks, 1)
        return int(np.lexsort((best, self.looks))[-1])

    @property
    def upright(self) -> Quads:
        """(4, 2) the quad from the top-left as read upright."""
        return np.roll(self.quad, -self.turn, axis=0)

    @property
    def chances(self) -> NDArray[np.float64]:
        """(45,) what all looks together say; even chances before the first."""
        turn = self.turn
        looks = np.maximum(self.looks[turn : turn + 1], 1)
        both: NDArray[np.float64] = voted(self.sums[turn : turn + 1], looks, OF_FRAMES)
        return both.reshape(_COUNT)

    @property
    def known(self) -> bool:
        """Whether more looks would tell nothing new."""
        looks = int(self.looks.sum()) + self.none
        if looks >= MOST_LOOKS or (looks >= FEW_LOOKS and not self.is_tile):
            return True
        return int(self.looks[self.turn]) >= FEW_LOOKS and float(self.chances.max()) >= SURE

    @property
    def is_tile(self) -> bool:
        """Whether most looks say that there is a tile at all."""
        return int(self.looks.sum()) >= self.none

    @property
    def told(self) -> bool:
        """Whether it belongs into a reading."""
        return self.found >= LEAST_FINDS and bool(self.looks.any()) and self.is_tile

    def look(self, probabilities: NDArray[np.float64], turn: int, *, tile: bool) -> None:
        """Count one look at it."""
        if not tile:
            self.none += 1
            return
        self.sums[turn % 4] += log_chances(probabilities)
        self.looks[turn % 4] += 1

    def forget(self) -> None:
        """Begin anew: another tile lies there now."""
        self.sums[:], self.looks[:], self.none, self.patch = 0.0, 0, 0, None


class Tracks:
    """The tiles on the table, as far as they are known.

    Attributes:
        every: all tracks, in no particular order; those out of view are kept too.
    """

    def __init__(self) -> None:
        self.every: list[Track] = []

    def carry(self, matrix: Matrix) -> None:
        """Move all tiles as the camera has moved, by the (3, 3) change of view."""
        for track in self.every:
            track.quad = carried(matrix, track.quad).astype(np.float32)

    def meet(self, found: Detections, image: Image) -> None:
        """Bring the tracks up to date with what was found in a frame.

        Args:
            found: the tiles of the frame.
            image: (h, w, 3) uint8 BGR frame.
        """
        pairs = _nearest([track.quad for track in self.every], found.quads)
        for place, index in pairs.items():
            track = self.every[place]
            track.quad = turned_like(found.quads[index], track.quad)
            track.score, track.down = float(found.scores[index]), float(found.down[index])
            track.found, track.missed = track.found + 1, 0
        for place, track in enumerate(self.every):
            if place not in pairs and in_view(track.quad, image.shape):
                track.missed += 1
        new = sorted(set(range(len(found))) - set(pairs.values()))
        self.every = [track for track in self.every if track.missed < MOST_MISSES]
        self.every += [
            Track(found.quads[i].copy(), float(found.scores[i]), float(found.down[i])) for i in new
        ]

    def check(self, image: Image) -> None:
        """Forget what is known of tiles that look otherwise than when they were last looked at."""
        looked = [track for track in self.every if track.patch is not None]
        patches = _patches(image, [track.quad for track in looked])
        for track, patch in zip(looked, patches, strict=True):
            if track.patch is not None and _correlation(track.patch, patch) < ALIKE:
                track.forget()

    def unknown(self, shape: tuple[int, ...]) -> list[Track]:
        """The tiles in view that want another look."""
        return [t for t in self.every if not t.known and t.missed == 0 and in_view(t.quad, shape)]

    def new(self, shape: tuple[int, ...]) -> list[Track]:
        """The finds in view that were not made often enough to be believed."""
        return [
            t
            for t in self.every
            if t.found < LEAST_FINDS and t.missed == 0 and in_view(t.quad, shape)
        ]

    def known(self, shape: tuple[int, ...]) -> Beside:
        """The tiles in view that want no further look."""
        known = [t for t in self.told(shape) if t.known]
        if not known:
            return NOTHING_BESIDE
        return Beside(np.stack([t.quad for t in known]), np.stack([t.chances for t in known]))

    def vote(self, tracks: Sequence[Track], looks: Looks) -> None:
        """Count one look at each of the ``tracks``, n of them."""
        parts = zip(tracks, looks.probabilities, looks.turns, looks.tiles, strict=True)
        for track, row, turn, tile in parts:
            track.look(row, int(turn), tile=bool(tile))

    def remember(self, image: Image, tracks: Sequence[Track]) -> None:
        """Keep how the tracks look now, for :meth:`check`."""
        for track, patch in zip(tracks, _patches(image, [t.quad for t in tracks]), strict=True):
            track.patch = patch

    def told(self, shape: tuple[int, ...]) -> list[Track]:
        """The tiles in view that belong into a reading."""
        return [track for track in self.every if track.told and in_view(track.quad, shape)]

    def recognise(self, earlier: Sequence[Track]) -> bool:
        """Take over what is known of the same tiles from before the camera could not be followed.

        Args:
            earlier: the tracks as they were then.

        Returns:
            Whether the tiles now in view are those of before.
        """
        now, then = ([t for t in tracks if t.looks.any()] for tracks in (self.every, earlier))
        if not now or not then:
            return False
        match = match_tiles(*_described(now), *_described(then))
        if match is None:
            return False
        for i, j in match.pairs:
            new, old = now[int(i)], then[int(j)]
            shift = new.turn - old.turn
            new.sums += np.roll(old.sums, shift, axis=0)
            new.looks += np.roll(old.looks, shift)
            new.none += old.none
            new.found += old.found
        return True


def in_view(quad: Quads, shape: tuple[int, ...]) -> bool:
    """Whether all corners (4, 2) lie within a picture of ``shape`` (height, width, ...)."""
    return bool(
        (quad >= 0).all() and (quad[:, 0] < shape[1]).all() and (quad[:, 1] < shape[0]).all()
    )


def _described(tracks: Sequence[Track]) -> tuple[Quads, NDArray[np.float64]]:
    return np.stack([t.upright for t in tracks]), np.stack([t.chances for t in tracks])


def _nearest(quads: Sequence[Quads], found: Quads) -> dict[int, int]:
    """Which of the found tiles each of the known ones is, by where they lie."""
    if not quads or len(found) == 0:
        return {}
    known = np.stack(quads)
    widths = np.linalg.norm(known[:, 1] - known[:, 0], axis=1)
    apart = np.linalg.norm(
        known.mean(axis=1)[:, np.newaxis] - found.mean(axis=1)[np.newaxis], axis=2
    )
    apart = np.nan_to_num(apart / np.maximum(widths, 1e-6)[:, np.newaxis], nan=1e6, posinf=1e6)
    places, indices = linear_sum_assignment(np.minimum(apart, 1.0))
    return {int(p): int(i) for p, i in zip(places, indices, strict=True) if apart[p, i] <= _NEAR}


def _patches(image: Image, quads: Sequence[Quads]) -> NDArray[np.float32]:
    """(n, 32, 24) float32 grey pictures of the quads."""
    if not quads:
        return np.zeros((0, *_PATCH), np.float32)
    greys = rectify(image, np.stack(quads), _PATCH).mean(axis=3, dtype=np.float32)
    return np.asarray(greys, np.float32)


def _correlation(before: NDArray[np.float32], now: NDArray[np.float32]) -> float:
    """Of two grey pictures (32, 24), the best over small shifts; two plain ones are alike."""
    inner = before[_SHIFT:-_SHIFT, _SHIFT:-_SHIFT]
    if inner.std() < _FLAT and now.std() < _FLAT:
        return 1.0
    return float(cv2.matchTemplate(now, inner, cv2.TM_CCOEFF_NORMED).max())
