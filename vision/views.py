"""The ways up in which found tiles are looked at, and which of them is read.

A quad's corners tell a tile's direction up to half a turn, and where its outline is nearly square
not even that. So each tile is looked at several times, turned, before one view is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.rectify import rectify
from vision.stages import Classified

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_CLEARLY_UPRIGHT: Final = 0.92
"""Width over height below which a quad's long side is taken to be the tile's."""

AGREEMENT: Final = 2.0
"""Logit for lying as all the other tiles lie; chosen on rendered photos of held-out designs."""
_ROUNDS: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Tiles of one photo, each looked at in one to four ways up.

    Attributes:
        count: how many tiles were looked at.
        owners: (m,) int, index of the tile that each view shows.
        turns: (m,) int, how many corners the tile's quad was rolled forward for the view.
        ups: (m, 2) float32 of unit length, where the view's top lies in the photo.
        crops: (m, h, w, 3) uint8 BGR, the flattened views.
        probabilities: (m, 45) float32, calibrated; columns are
            :data:`scorer.tiles.READING_LABELS`.
        upright: (m,) float32, logit that the view is the right way up.
        embeddings: (m, d) float32 of unit length.
        tiles: (m,) bool, whether the view shows a tile at all.
    """

    count: int
    owners: Ints
    turns: Ints
    ups: Floats
    crops: NDArray[np.uint8]
    probabilities: Floats
    upright: Floats
    embeddings: Floats
    tiles: NDArray[np.bool_]

    def credence(self) -> Floats:
        """(m,) how well each view can be read as it stands, comparable within a tile."""
        best: Floats = self.upright + np.log(self.probabilities.max(axis=1))
        return best

    def pick(self, credence: Floats) -> Ints:
        """(count,) index of each tile's view to be read: the one with the most credence.

        Tiles mostly lie the same way up, so each is also asked to agree with the others: a view
        gains up to :data:`AGREEMENT` where all of them do, nothing where they lie at all angles.
        """
        picked = self._best(credence)
        for _ in range(_ROUNDS):
            chosen = self.ups[picked]
            others = (chosen.sum(axis=0) - chosen) / max(1, self.count - 1)
            agreement = (self.ups * others[self.owners]).sum(axis=1)
            picked = self._best(credence + AGREEMENT * agreement)
        return picked

    def _best(self, credence: Floats) -> Ints:
        order = np.argsort(credence, kind="stable")
        picked = np.zeros(self.count, np.int64)
        picked[self.owners[order]] = order
        return picked

    def read(self, picked: Ints) -> Classified:
        """What the picked views show."""
        return Classified(
            self.probabilities[picked],
            self.turns[picked],
            self.embeddings[picked],
            self.tiles[picked],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Angles:
    """The ways up in which tiles could be looked at.

    Both ways up each, and sideways too where the outline does not tell the long side. The first
    ``count`` are the tiles as their quads stand.

    Attributes:
        count: how many tiles there are.
        owners: (m,) int, the tile of each.
        turns: (m,) int, 0 to 3, how many corners the tile's quad is rolled forward.
        ups: (m, 2) float32 of unit length, where the top lies in the photo.
        crops: (m, h, w, 3) uint8 BGR, the flattened faces.
    """

    count: int
    owners: Ints
    turns: Ints
    ups: Floats
    crops: NDArray[np.uint8]


def all_angles(image: NDArray[np.uint8], quads: Floats, size: tuple[int, int]) -> Angles:
    """Every way up in which the quads of a photo could be looked at.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) face corners in pixels, clockwise.
        size: (height, width) of the crops.
    """
    top = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    top = top + np.linalg.norm(quads[:, 2] - quads[:, 3], axis=1)
    side = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    side = side + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    every = np.arange(len(quads))
    doubtful = every[top > _CLEARLY_UPRIGHT * side]
    upright = rectify(image, quads, size)
    sideways = rectify(image, np.roll(quads[doubtful], -1, axis=1), size)
    owners = np.concatenate([every, every, doubtful, doubtful])
    turns = np.repeat([0, 2, 1, 3], [len(every), len(every), len(doubtful), len(doubtful)])
    ups = quads[:, 0] + quads[:, 1] - quads[:, 2] - quads[:, 3]
    right = quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]
    both = np.concatenate([ups, -ups, right[doubtful], -right[doubtful]])
    lengths = np.linalg.norm(both, axis=1, keepdims=True)
    flipped = [crops[:, ::-1, ::-1] for crops in (upright, sideways)]
    return Angles(
        len(quads),
        owners,
        turns,
        (both / np.maximum(lengths, 1e-6)).astype(np.float32),
        np.concatenate([upright, flipped[0], sideways, flipped[1]]),
    )
