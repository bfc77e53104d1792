"""Tells what the found tiles show, and which way up, with the shipped classifier."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.errors import ModelError
from vision.rectify import rectify
from vision.sessions import Model, load_model
from vision.stages import Classified

Floats = NDArray[np.float32]

_BATCH: Final = 32
_CLEARLY_UPRIGHT: Final = 0.92
"""Width over height below which a quad's long side is taken to be the tile's."""


class OnnxClassifier:
    """The shipped classifier of rectified faces."""

    def __init__(self, model: Model) -> None:
        size, labels = model.metadata.get("size"), model.metadata.get("labels")
        if not isinstance(size, list) or len(size) != 2 or labels != list(READING_LABELS):
            raise ModelError(f"{model.entry.file} was not made for these tiles.")
        self._model = model
        self._size = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls) -> OnnxClassifier:
        """Open the shipped model.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(load_model("classifier"))

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show.

        Each tile is looked at both ways up, and sideways too where its outline does not tell the
        long side; the turn that looks most upright is the one that is read.
        """
        count = len(quads)
        top = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
        top = top + np.linalg.norm(quads[:, 2] - quads[:, 3], axis=1)
        side = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
        side = side + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
        every = np.arange(count)
        sideways = every[top > _CLEARLY_UPRIGHT * side]
        owners = np.concatenate([every, every, sideways, sideways])
        turns = np.repeat([0, 2, 1, 3], [count, count, len(sideways), len(sideways)])
        corners = (np.arange(4) + turns[:, np.newaxis]) % 4
        turned = np.take_along_axis(quads[owners], corners[:, :, np.newaxis], axis=1)
        probabilities, upright, embeddings = self._run(rectify(image, turned, self._size))
        best = np.full(count, -np.inf)
        picked = np.zeros(count, np.int64)
        for index, owner in enumerate(owners):
            score = upright[index] + np.log(probabilities[index].max())
            if score > best[owner]:
                best[owner], picked[owner] = score, index
        return Classified(probabilities[picked], turns[picked], embeddings[picked])

    def _run(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats]:
        """Probabilities (n, 45), upright logits (n,) and embeddings (n, d) of crops."""
        parts = [
            self._model.run(crops[start : start + _BATCH])
            for start in range(0, max(1, len(crops)), _BATCH)
        ]
        probabilities, upright, embeddings = (
            np.concatenate([part[i].astype(np.float32) for part in parts]) for i in range(3)
        )
        return probabilities, upright, embeddings
