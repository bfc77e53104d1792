"""The views of a tile, which differ in orientation, and the choice of the one that is read.

A quad's corners give a tile's direction up to half a turn, and seen from low down not even that. So
each tile that is not clear at once is looked at in several orientations before one view is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.crops import rectify
from vision.geometry.quads import side_lengths, sides_of
from vision.geometry.table_plane import sides
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Classified
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

OUTLINE: Final = 1.0
"""Difference in the logit of being upright between a face that is clearly higher than wide and one
that is clearly wider. It is small, since tiles of players at the sides look narrow from a seat and
one's own look wide."""

AGREEMENT: Final = 3.0
"""Logit that a view gains where all tiles nearby lie in its orientation."""
PROPORTION: Final = 4.0
"""Difference in the logit between a view that is as high over its width as the tiles nearby and one
that is a quarter turned."""
_NEARBY: Final = 2.0
"""Distance, in lengths of a tile, at which another tile's weight has fallen to 1/e."""
_PARALLEL: Final = 10.0
"""Standard deviation, in degrees, of the directions of tiles that were laid parallel."""
_ROUNDS: Final = 3
"""Number of passes in which the views of all tiles are made to agree."""
TURNS: Final = (0, 2, 1, 3)
"""The orientations, as the number of corners by which a quad is rolled, the likeliest first."""
ACROSS: Final = (1, 3)
"""The orientations across the long axis of a quad."""
NEAR: Final = 100.0
"""Width in pixels above which tiles are sharper than nearly all in the classifier's training."""
_LEARNT: Final = 50
"""Usual width in pixels of the tiles in the classifier's training, to which nearer ones are reduced
before they are brought to its input size."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Tiles of one photo, each seen in one to four views.

    Attributes:
        quads: (n, 4, 2) float32, the tiles' corners in the photo, as corrected by the classifier.
        owners: (m,) int, index of the tile that each view shows.
        turns: (m,) int, how many corners the tile's quad was rolled forward for the view.
        ups: (m, 2) float32 of unit length, the direction of the view's top in the photo.
        nearness: (n, n) float32, weight of each other tile's orientation for a tile's own, by how
            near and how parallel it lies; rows sum to 1 at most, and to 0 for a single tile.
        heights: (2, n, n) float32 of :func:`vision.geometry.proportions.heights_beside`.
        crops: (m, h, w, 3) uint8 BGR, the flattened views.
        probabilities: (m, 45) float32, calibrated; columns are
            :data:`scorer.tiles.READING_LABELS`.
        upright: (m,) float32, logit of being the right way up, by picture, small print and outline.
        embeddings: (m, d) float32 of unit length.
        valid: (m,) float32 from 0 to 1, probability that the view shows a tile at all.
    """

    quads: Floats
    owners: Ints
    turns: Ints
    ups: Floats
    nearness: Floats
    heights: Floats
    crops: NDArray[np.uint8]
    probabilities: Floats
    upright: Floats
    embeddings: Floats
    valid: Floats

    @property
    def count(self) -> int:
        """Number of tiles."""
        return len(self.quads)

    def credence(self) -> Floats:
        """(m,) logits that each view is the one to read; comparable only within a tile."""
        best: Floats = self.upright + np.log(self.probabilities.max(axis=1))
        return best

    def pick(self, credence: Floats) -> Ints:
        """(count,) index of each tile's view to be read: the one with the highest logit.

        Tiles mostly lie as those beside them, so a view gains up to :data:`AGREEMENT` where all of
        them do, and nothing where they lie at all angles. A tile that may lie in several
        orientations has a share in each, so that it counts little; a back, which has no right way
        up, does not count. Its sides show whether a tile lies crosswise to those right beside it:
        a view gains or loses up to half of :data:`PROPORTION`.

        Args:
            credence: (m,) logits of the views, such as :meth:`credence` gives.
        """
        agreed = credence
        for _ in range(_ROUNDS):
            shares = self._shares(agreed)
            agreed = credence + self._support(shares, self.owners, self.turns, self.ups)
        return self._best(agreed)

    def across(self, angles: Angles, clear: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which tiles (count,) lie so that a view across the long axis is likelier than any so far.

        That is judged by the outline of the tile and by how those nearby lie that are clear.

        Args:
            angles: all orientations of the tiles.
            clear: (m,) which of the views are clear.
        """
        votes = clear.astype(np.float32)
        seen = self.credence() + self._support(votes, self.owners, self.turns, self.ups)
        unseen = angles.outline + self._support(votes, angles.owners, angles.turns, angles.ups)
        across = np.isin(angles.turns, ACROSS)
        likeliest, other = np.full((2, self.count), -np.inf, np.float32)
        np.maximum.at(likeliest, self.owners, seen)
        np.maximum.at(other, angles.owners[across], unseen[across])
        return np.asarray(other > likeliest, np.bool_)

    def _support(self, shares: Floats, owners: Ints, turns: Ints, ups: Floats) -> Floats:
        """(k,) logit that orientations gain by how the tiles nearby lie.

        Args:
            shares: (m,) probability of each view to be the one of its tile.
            owners: (k,) the tile of each orientation.
            turns: (k,) how many corners its quad is rolled forward.
            ups: (k, 2) unit direction of its top in the photo.
        """
        lies = np.zeros((self.count, 2), np.float32)
        weights = shares * (1 - self.probabilities[:, column(BACK)])
        np.add.at(lies, self.owners, weights[:, np.newaxis] * self.ups)
        agreement = AGREEMENT * (ups * (self.nearness @ lies)[owners]).sum(axis=1)
        upended = self.turns % 2 == 0
        standing, lying = (
            np.bincount(self.owners, shares * way, self.count) for way in (upended, ~upended)
        )
        high = self.heights[0] @ standing + self.heights[1] @ lying
        proportion = PROPORTION * np.where(turns % 2 == 0, 0.5, -0.5) * high[owners]
        return np.asarray(agreement + proportion, np.float32)

    def _shares(self, credence: Floats) -> Floats:
        """(m,) probability of each view among those of its tile."""
        highest = np.full(self.count, -np.inf, np.float32)
        np.maximum.at(highest, self.owners, credence)
        likely = np.exp(credence - highest[self.owners])
        whole = np.bincount(self.owners, likely, self.count)
        shares: Floats = (likely / whole[self.owners]).astype(np.float32)
        return shares

    def _best(self, credence: Floats) -> Ints:
        order = np.argsort(credence, kind="stable")
        picked = np.zeros(self.count, np.int64)
        picked[self.owners[order]] = order
        return picked

    def read(self, picked: Ints) -> Classified:
        """What the picked views (count,) show."""
        return Classified(
            self.quads,
            self.probabilities[picked],
            self.turns[picked],
            self.embeddings[picked],
            self.valid[picked],
        )


def nearness_of(quads: Floats) -> Floats:
    """Weights (n, n) of the other tiles for each, by distance, of their quads (n, 4, 2).

    Each row sums to 1, or to 0 where there is no other tile.
    """
    middles = quads.mean(axis=1)
    away = np.linalg.norm(middles[:, np.newaxis] - middles, axis=2)
    length = side_lengths(quads).max(axis=1)
    weights = np.exp(-away / (_NEARBY * np.maximum(length, 1.0)[:, np.newaxis]))
    np.fill_diagonal(weights, 0)
    shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares.astype(np.float32)


def parallel_to(quads: Floats) -> Floats:
    """How parallel each two tiles lie, (n, n) from 0 to 1, of their quads (n, 4, 2).

    Tiles in rows are parallel or crosswise, while of those thrown on a table each lies as it fell.
    The two sides that agree best are compared, since seen from low down the others converge.
    """
    right, up = (
        np.degrees(np.arctan2(side[:, 1], side[:, 0])) for side in sides(quads.astype(np.float64))
    )
    pairs = ((up, up), (up, right), (right, up), (right, right))
    apart = np.min([np.abs((a[:, np.newaxis] - b + 90) % 180 - 90) for a, b in pairs], axis=0)
    return np.asarray(np.exp(-((apart / _PARALLEL) ** 2) / 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Angles:
    """The orientations in which tiles could be looked at: four for each, in the order ``TURNS``.

    Attributes:
        count: number of tiles.
        owners: (m,) int, index of the tile.
        turns: (m,) int, 0 to 3, how many corners the tile's quad is rolled forward.
        ups: (m, 2) float32 of unit length, the direction of the top in the photo.
        outline: (m,) float32, logit of being the right way up by the tile's outline alone.
    """

    count: int
    owners: Ints
    turns: Ints
    ups: Floats
    outline: Floats


def all_angles(quads: Floats) -> Angles:
    """Every orientation in which the quads (n, 4, 2) in pixels, clockwise, could be looked at."""
    every = np.arange(len(quads))
    ups = quads[:, 0] + quads[:, 1] - quads[:, 2] - quads[:, 3]
    right = quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]
    both = np.concatenate([ups, -ups, right, -right])
    lengths = np.linalg.norm(both, axis=1, keepdims=True)
    slender = OUTLINE / 2 * np.clip(4 * np.log(_heights(quads) / _widths(quads)), -1, 1)
    outline = np.concatenate([slender, slender, -slender, -slender]).astype(np.float32)
    return Angles(
        len(quads),
        np.tile(every, 4),
        np.repeat(TURNS, len(every)),
        (both / np.maximum(lengths, 1e-6)).astype(np.float32),
        outline,
    )


def turned_crops(
    image: NDArray[np.uint8], quads: Floats, turn: int, size: tuple[int, int]
) -> NDArray[np.uint8]:
    """The quads rectified after they were rolled forward by some corners: (n, *size, 3) uint8 BGR.

    Very near tiles are reduced first, so that they show no more detail than the classifier knows.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels.
        turn: number of corners, 0 to 3.
        size: (height, width) of the crops.
    """
    rolled = np.roll(quads, -(turn % 2), axis=1)
    near = sides_of(quads)[0] > NEAR
    flat = np.empty((len(quads), *size, 3), np.uint8)
    flat[~near] = rectify(image, rolled[~near], size)
    coarse = rectify(image, rolled[near], (round(size[0] * _LEARNT / size[1]), _LEARNT))
    for index, crop in zip(np.nonzero(near)[0], coarse, strict=True):
        cv2.resize(crop, size[::-1], dst=flat[index])
    return flat[:, ::-1, ::-1] if turn >= 2 else flat


def _widths(quads: Floats) -> Floats:
    """(n,) mean length in pixels of the upper and lower sides, at least a millionth."""
    rows: Floats = np.linalg.norm(quads[:, [1, 2]] - quads[:, [0, 3]], axis=2).mean(axis=1)
    return np.maximum(rows, 1e-6)


def _heights(quads: Floats) -> Floats:
    """(n,) mean length in pixels of the left and right sides, at least a millionth."""
    return _widths(np.roll(quads, -1, axis=1))
