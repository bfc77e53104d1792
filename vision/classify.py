"""Tells what the found tiles show, and which way up, with the shipped classifier."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.errors import ModelError
from vision.sessions import Model, load_model
from vision.stages import Classified
from vision.views import AGREEMENT, Angles, Views, all_angles, nearness_of, turned_crops

Floats = NDArray[np.float32]

CLEARLY_UPRIGHT: Final = 2.0
"""Logit above which a view is taken to be the right way up, and"""
CLEARLY_READ: Final = 0.9
"""the probability that its label then needs, for no other way up to be looked at. On 6840 tiles of
held-out designs no tile that lay another way up was taken for clear."""
CLEARLY_AS_OTHERS: Final = 2.5
"""What the logit must come to for that together with the agreement of clear tiles nearby, where it
is above 0 by itself. On 8509 tiles of path-traced scenes a twentieth fewer views are looked at so,
and one tile fewer is misread."""
CLEARLY_BACK: Final = 0.97
"""Probability above which a view is taken for a back, which has no right way up. In the same
scenes a fifth fewer views are looked at so, and two more of the tiles misread."""
_BACK: Final = READING_LABELS.index(BACK)
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
        its quad stands, then upside down, then sideways. Nor is a clear back.
        """
        angles, nearness = all_angles(quads), nearness_of(quads)
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
            doubtful[angles.owners[look[_clear(angles, look, nearness, *seen[:2])]]] = False
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
            nearness,
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


def _clear(
    angles: Angles, look: NDArray[np.int64], nearness: Floats, chances: Floats, upright: Floats
) -> NDArray[np.bool_]:
    """Which views show a tile so clearly that no other way up need be looked at.

    Args:
        angles: all the ways up.
        look: (m,) which of them the views show.
        nearness: (n, n) of the tiles, as in :class:`vision.views.Views`.
        chances: (m, 45) probabilities.
        upright: (m,) logit of each view.
    """
    owners, ups = angles.owners[look], angles.ups[look]
    read = chances.max(axis=1) > CLEARLY_READ
    clear = read & (upright > CLEARLY_UPRIGHT)
    lies = np.zeros((angles.count, 2), np.float32)
    lies[owners[clear]] = ups[clear]
    agreement = AGREEMENT * (ups * (nearness @ lies)[owners]).sum(axis=1)
    alike = read & (upright > 0) & (upright + agreement > CLEARLY_AS_OTHERS)
    back = chances[:, _BACK] > CLEARLY_BACK
    return np.asarray(clear | alike | back, np.bool_)
