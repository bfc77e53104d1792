"""Tells what the found tiles show, and which way up, with the shipped classifier."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.errors import ModelError
from vision.sessions import Model, load_model
from vision.stages import Classified
from vision.views import Views, all_angles, nearness_of, turned_crops

Floats = NDArray[np.float32]

CLEARLY_UPRIGHT: Final = 2.0
"""Logit above which a view is taken to be the right way up, and"""
CLEARLY_READ: Final = 0.9
"""the probability that its label then needs, for no other way up to be looked at. On 6840 tiles of
held-out designs no tile that lay another way up was taken for clear."""
_BATCH: Final = 32
_LOOKS: Final = ((0,), (2,), (1, 3))


class OnnxClassifier:
    """The shipped classifier of rectified faces.

    Attributes:
        entry: what the registry says of it.
        size: (height, width) of the crops it looks at, in pixels.
    """

    def __init__(self, model: Model) -> None:
        size, labels = model.metadata.get("size"), model.metadata.get("labels")
        if not isinstance(size, list) or len(size) != 2 or labels != list(READING_LABELS):
            raise ModelError(f"{model.entry.file} was not made for these tiles.")
        least = model.metadata.get("min_valid")
        if not isinstance(least, float):
            raise ModelError(f"{model.entry.file} does not say what it takes for a tile.")
        self._model, self._least = model, least
        self.entry: Final = model.entry
        self.size: Final = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls, threads: int = 1) -> OnnxClassifier:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(load_model("classifier", threads=threads))

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show.

        Of the views of each tile the one that looks most upright is read.
        """
        views = self.look(image, quads)
        return views.read(views.pick(views.credence()))

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """All that the classifier has to say of the quads, in one to four ways up each.

        A tile that is clearly upright and clearly read one way up is looked at no further: first as
        its quad stands, then upside down, then sideways.
        """
        angles = all_angles(quads)
        doubtful = np.ones(angles.count, bool)
        looks, crops, answers = [], [], []
        for turns in _LOOKS:
            look = np.nonzero(np.isin(angles.turns, turns) & doubtful[angles.owners])[0]
            wanted = [angles.owners[look[angles.turns[look] == turn]] for turn in turns]
            shown = np.concatenate(
                [
                    turned_crops(image, quads[owners], turn, self.size)
                    for turn, owners in zip(turns, wanted, strict=True)
                ]
            )
            seen = self._run(shown)
            clear = (seen[1] > CLEARLY_UPRIGHT) & (seen[0].max(axis=1) > CLEARLY_READ)
            doubtful[angles.owners[look[clear]]] = False
            looks.append(look)
            crops.append(shown)
            answers.append(seen)
        order = np.concatenate(looks)
        probabilities, upright, embeddings, valid = (
            np.concatenate(parts) for parts in zip(*answers, strict=True)
        )
        return Views(
            angles.count,
            angles.owners[order],
            angles.turns[order],
            angles.ups[order],
            nearness_of(quads),
            np.concatenate(crops),
            probabilities,
            upright + angles.outline[order],
            embeddings,
            valid >= self._least,
        )

    def embed(self, crops: NDArray[np.uint8]) -> Floats:
        """Unit directions (n, d) of (n, h, w, 3) uint8 BGR crops of the classifier's size."""
        return self._run(crops)[2]

    def _run(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        """The model's answers for crops.

        Returns:
            probabilities (n, 45); upright logits (n,); embeddings (n, d); the probabilities (n,)
            of being a tile.
        """
        parts = [
            self._model.run(crops[start : start + _BATCH])
            for start in range(0, max(1, len(crops)), _BATCH)
        ]
        probabilities, upright, embeddings, valid = (
            np.concatenate([part[i].astype(np.float32) for part in parts]) for i in range(4)
        )
        return probabilities, upright, embeddings, valid
