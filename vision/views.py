"""The ways up in which found tiles are looked at, and which of them is read.

A quad's corners tell a tile's direction up to half a turn, and where its outline is nearly square
not even that. So each tile is looked at several times, turned, before one view is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
    """Tiles of one photo, each looked at in two or four ways up.

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
    """

    count: int
    owners: Ints
    turns: Ints
    ups: Floats
    crops: NDArray[np.uint8]
    probabilities: Floats
    upright: Floats
    embeddings: Floats

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
        return Classified(self.probabilities[picked], self.turns[picked], self.embeddings[picked])


def turned_quads(quads: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """The ways up in which tiles should be looked at.

    Both ways up each, and sideways too where the outline does not tell the long side.

    Args:
        quads: (n, 4, 2) face corners, clockwise.

    Returns:
        owners (m,), turns (m,), the turned quads (m, 4, 2), and where the top of each lies, as
        unit directions (m, 2).
    """
    top = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    top = top + np.linalg.norm(quads[:, 2] - quads[:, 3], axis=1)
    side = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    side = side + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    every = np.arange(len(quads))
    sideways = every[top > _CLEARLY_UPRIGHT * side]
    owners = np.concatenate([every, every, sideways, sideways])
    turns = np.repeat([0, 2, 1, 3], [len(every), len(every), len(sideways), len(sideways)])
    corners = (np.arange(4) + turns[:, np.newaxis]) % 4
    turned = np.take_along_axis(quads[owners], corners[:, :, np.newaxis], axis=1)
    ups = turned[:, 0] + turned[:, 1] - turned[:, 2] - turned[:, 3]
    ups = ups / np.maximum(np.linalg.norm(ups, axis=1, keepdims=True), 1e-6)
    return owners, turns, turned, ups.astype(np.float32)
