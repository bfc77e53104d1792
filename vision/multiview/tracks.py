"""Tracking of tiles from frame to frame, so that each is read only until its label is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.tiles import READING_LABELS
from vision.evidence.beliefs import Beliefs
from vision.evidence.candidates import Candidates
from vision.geometry.crops import rectify
from vision.geometry.quads import turned_like
from vision.multiview.motion import Matrix, carried, in_view
from vision.multiview.votes import OF_FRAMES, log_chances, voted
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Detections

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Known:
    """When the label of a tracked tile is known and needs no further look.

    Attributes:
        sure: least probability of the label after ``few`` looks.
        few: number of looks after which a label with that probability is known.
        most: number of looks after which any label is known.
    """

    sure: float = 0.97
    few: int = 3
    most: int = 10


@dataclass(frozen=True, slots=True)
class Presence:
    """When a tracked tile is on the table.

    Attributes:
        finds: number of detections from which it belongs to a reading.
        misses: number of frames in a row without a detection, though it should be in view, after
            which it has been taken away.
        near: largest distance in tile widths between the centres of a track and its detection.
    """

    finds: int = 2
    misses: int = 3
    near: float = 0.5


@dataclass(frozen=True, slots=True)
class SamePicture:
    """When a known tile looks as it did when it was last read, or was exchanged.

    Attributes:
        alike: least correlation of the two pictures.
        size: (height, width) in pixels of the pictures that are compared.
        shift: largest offset in pixels between them, each way.
        flat: standard deviation in grey levels, 0..255, below which a picture is plain; two plain
            pictures are alike.
    """

    alike: float = 0.75
    size: tuple[int, int] = (32, 24)
    shift: int = 2
    flat: float = 6.0


KNOWN: Final = Known()
PRESENCE: Final = Presence()
SAME_PICTURE: Final = SamePicture()

_FAR: Final = 1e6
"""Distance in tile widths that stands for one that is not finite."""
_NO_WIDTH: Final = 1e-6
"""Minimum width in pixels of a tile in divisions."""
_COUNT: Final = len(READING_LABELS)


@dataclass(slots=True, eq=False)
class Track:
    """One tile on the table.

    Attributes:
        quad: (4, 2) float32 corners in pixels of the newest frame, clockwise from the top-left as
            read upright at the first look.
        score: score of the newest detection, 0..1.
        down: probability, 0..1, of that detection that the tile lies face down.
        found: number of detections.
        missed: number of frames in a row without a detection.
        sums: (4, 45) summed log-probabilities for each turn of the quad.
        looks: (4,) number of looks in each sum.
        none: number of looks in which there seemed to be no tile.
        patch: (32, 24) float32 grey picture of the tile at its newest look.
        seen: what was seen of it at that look, one candidate.
        certain: probability, 0..1, of a tile at that look.
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
    seen: Candidates | None = None
    certain: float = 1.0

    @property
    def turn(self) -> int:
        """The number of corners by which to roll the quad, by most looks."""
        best = self.sums.max(axis=1) / np.maximum(self.looks, 1)
        return int(np.lexsort((best, self.looks))[-1])

    @property
    def upright(self) -> Quads:
        """The quad (4, 2), clockwise from the top left of the tile when upright."""
        return np.roll(self.quad, -self.turn, axis=0)

    @property
    def chances(self) -> NDArray[np.float64]:
        """The joint probabilities (45,) of all looks; equal ones before the first look."""
        turn = self.turn
        looks = np.maximum(self.looks[turn : turn + 1], 1)
        both: NDArray[np.float64] = voted(self.sums[turn : turn + 1], looks, OF_FRAMES)
        return both.reshape(_COUNT)

    @property
    def known(self) -> bool:
        """Whether the label is known, so that no further look is needed."""
        looks = int(self.looks.sum()) + self.none
        if looks >= KNOWN.most or (looks >= KNOWN.few and not self.is_tile):
            return True
        return int(self.looks[self.turn]) >= KNOWN.few and float(self.chances.max()) >= KNOWN.sure

    @property
    def is_tile(self) -> bool:
        """Whether there is a tile at all, by most looks."""
        return int(self.looks.sum()) >= self.none

    @property
    def readable(self) -> bool:
        """Whether the tile belongs to a reading."""
        return self.found >= PRESENCE.finds and bool(self.looks.any()) and self.is_tile

    def look(self, probabilities: NDArray[np.float64], turn: int, *, tile: bool) -> None:
        """Count one look.

        Args:
            probabilities: (45,) of the labels.
            turn: number of corners by which to roll the quad, as it was read.
            tile: whether there seemed to be a tile.
        """
        if not tile:
            self.none += 1
            return
        self.sums[turn % 4] += log_chances(probabilities)
        self.looks[turn % 4] += 1

    def forget(self) -> None:
        """Start again, since another tile lies there now."""
        self.sums[:], self.looks[:], self.none, self.patch = 0.0, 0, 0, None


class Tracks:
    """The tiles on the table.

    Attributes:
        every: all tracks in no particular order, with those out of view.
    """

    def __init__(self) -> None:
        self.every: list[Track] = []

    def carry(self, matrix: Matrix) -> None:
        """Move all tiles by the homography (3, 3) of the camera's motion."""
        for track in self.every:
            track.quad = carried(matrix, track.quad).astype(np.float32)

    def meet(self, found: Detections, image: Image) -> None:
        """Update the tracks with the detections of a frame.

        Args:
            found: the detections.
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
        self.every = [track for track in self.every if track.missed < PRESENCE.misses]
        self.every += [
            Track(found.quads[i].copy(), float(found.scores[i]), float(found.down[i])) for i in new
        ]

    def check(self, image: Image) -> None:
        """Start again with tiles that look different from when they were last read."""
        looked = [track for track in self.every if track.patch is not None]
        patches = _patches(image, [track.quad for track in looked])
        for track, patch in zip(looked, patches, strict=True):
            if track.patch is not None and _correlation(track.patch, patch) < SAME_PICTURE.alike:
                track.forget()

    def unknown(self, shape: tuple[int, ...]) -> list[Track]:
        """The tiles in view that need another look."""
        return [t for t in self.every if not t.known and t.missed == 0 and in_view(t.quad, shape)]

    def new(self, shape: tuple[int, ...]) -> list[Track]:
        """The tiles in view that were detected too rarely so far to be read."""
        return [
            t
            for t in self.every
            if t.found < PRESENCE.finds and t.missed == 0 and in_view(t.quad, shape)
        ]

    def known(self, shape: tuple[int, ...]) -> list[Candidates]:
        """The tiles in view whose labels are known, as they were last seen, with what they show."""
        return [
            replace(
                track.seen,
                quads=track.upright[np.newaxis].astype(np.float32),
                probabilities=track.chances[np.newaxis].astype(np.float32),
            )
            for track in self.readable(shape)
            if track.known and track.seen is not None
        ]

    def vote(
        self,
        tracks: Sequence[Track],
        candidates: Candidates,
        turns: NDArray[np.int64],
        beliefs: Beliefs,
    ) -> None:
        """Count one look at each of the n ``tracks``.

        Args:
            tracks: the tiles that were looked at.
            candidates: what was seen of them.
            turns: (n,) by how many corners each quad was rolled as it was read.
            beliefs: of these candidates first.
        """
        for place, track in enumerate(tracks):
            tile = bool(beliefs.tiles[place])
            track.look(beliefs.probabilities[place], int(turns[place]), tile=tile)
            track.seen = candidates.chosen(np.array([place]))
            track.certain = float(beliefs.chances[place])

    def remember(self, image: Image, tracks: Sequence[Track]) -> None:
        """Keep the pictures of the tracks in this frame for :meth:`check`."""
        for track, patch in zip(tracks, _patches(image, [t.quad for t in tracks]), strict=True):
            track.patch = patch

    def readable(self, shape: tuple[int, ...]) -> list[Track]:
        """The tiles in view that belong to a reading."""
        return [track for track in self.every if track.readable and in_view(track.quad, shape)]


def _nearest(quads: Sequence[Quads], found: Quads) -> dict[int, int]:
    """The index of the detection of each known tile that has one, by the distance between them."""
    if not quads or len(found) == 0:
        return {}
    known = np.stack(quads)
    widths = np.linalg.norm(known[:, 1] - known[:, 0], axis=1)
    apart = np.linalg.norm(
        known.mean(axis=1)[:, np.newaxis] - found.mean(axis=1)[np.newaxis], axis=2
    )
    apart = np.nan_to_num(
        apart / np.maximum(widths, _NO_WIDTH)[:, np.newaxis], nan=_FAR, posinf=_FAR
    )
    places, indices = linear_sum_assignment(np.minimum(apart, 1.0))
    return {
        int(p): int(i) for p, i in zip(places, indices, strict=True) if apart[p, i] <= PRESENCE.near
    }


def _patches(image: Image, quads: Sequence[Quads]) -> NDArray[np.float32]:
    """Grey pictures (n, 32, 24) float32 of the quads."""
    if not quads:
        return np.zeros((0, *SAME_PICTURE.size), np.float32)
    greys = rectify(image, np.stack(quads), SAME_PICTURE.size).mean(axis=3, dtype=np.float32)
    return np.asarray(greys, np.float32)


def _correlation(before: NDArray[np.float32], now: NDArray[np.float32]) -> float:
    """Largest correlation of two grey pictures (32, 24) over small shifts; 1 if both are plain."""
    shift = SAME_PICTURE.shift
    inner = before[shift:-shift, shift:-shift]
    if inner.std() < SAME_PICTURE.flat and now.std() < SAME_PICTURE.flat:
        return 1.0
    return float(cv2.matchTemplate(now, inner, cv2.TM_CCOEFF_NORMED).max())
