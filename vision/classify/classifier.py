"""Tells what the found tiles show, and which way up, with the shipped classifier."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.classify.bamboo_count import OnnxBamboos
from vision.classify.bonus_marks import OnnxMarks, way_up
from vision.classify.bonus_signs import BonusReader
from vision.classify.corner_numbers import Numerals
from vision.classify.negatives import with_negatives
from vision.classify.signs import OnnxSigns
from vision.classify.views import (
    AGREEMENT,
    TURNS,
    Angles,
    Views,
    all_angles,
    nearness_of,
    parallel_to,
    turned_crops,
)
from vision.errors import ModelError
from vision.geometry.proportions import heights_beside
from vision.geometry.quads import put_at, rolled
from vision.messages import say
from vision.runtime.session import Model, load_model
from vision.vocabulary.detections import Classified
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

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
_BATCH: Final = 32
MOVED: Final = 0.03
"""How far a corner must be put elsewhere, in widths or heights of the tile, for another look."""
_MOVED_FAR: Final = 0.06
"""From there on also a tile that is clear gets one: part of its print may be cut off. Of 1584 tiles
of deals looked at one more is read right so and none the other way round."""
_FARTHEST: Final = 0.4
"""How far a corner may be put elsewhere; beyond that the crop tells nothing of it."""


class _Look(NamedTuple):
    """What n views of tiles show.

    Attributes:
        angles: (n,) int, index of each view's :class:`vision.classify.views.Angles`.
        crops: (n, h, w, 3) uint8 BGR.
        probabilities: (n, 45), calibrated.
        upright: (n,) logit that the view is the right way up, by picture and marks.
        embeddings: (n, d) of unit length.
        valid: (n,) probability that it shows a tile.
        corners: (n, 4, 2) how far right and down of the view's face the tile's corners lie, in
            widths and heights of that face.
    """

    angles: Ints
    crops: NDArray[np.uint8]
    probabilities: Floats
    upright: Floats
    embeddings: Floats
    valid: Floats
    corners: Floats


class OnnxClassifier:
    """The shipped classifier of rectified faces.

    Attributes:
        entry: what the registry says of it.
        size: (height, width) of the crops it looks at, in pixels.
    """

    def __init__(
        self, model: Model, marks: OnnxMarks, signs: OnnxSigns, bamboos: OnnxBamboos
    ) -> None:
        size, labels = model.metadata.get("size"), model.metadata.get("labels")
        if not isinstance(size, list) or len(size) != 2 or labels != list(READING_LABELS):
            raise ModelError(say("model.other_tiles", file=model.entry.file))
        least = model.metadata.get("min_valid")
        if not isinstance(least, float):
            raise ModelError(say("model.no_tile_answer", file=model.entry.file))
        self._model, self._marks, self._bamboos = model, marks, bamboos
        self._numerals, self._bonus = Numerals(signs), BonusReader(signs)
        self._least = least
        self.entry: Final = model.entry
        self.size: Final = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls, threads: int = 1) -> OnnxClassifier:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        model = load_model("classifier", threads=threads)
        readers = OnnxMarks.load(threads), OnnxSigns.load(threads), OnnxBamboos.load(threads)
        return cls(model, *readers)

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show.

        Of the views of each tile the one that looks most upright is read.
        """
        views = self.look(image, quads)
        return views.read(views.pick(views.credence()))

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """All that the classifier has to say of the quads, in one to five views of each.

        A tile that is clearly upright and clearly read in one view is looked at no further: first
        as its quad stands, then with its corners where they seem to be, then upside down, then
        sideways. Nor is a clear back. But one whose corners seem to be far off is looked at there.
        """
        angles, beside = all_angles(quads), nearness_of(quads)
        nearness = beside * parallel_to(quads)
        looks = [self._look(image, quads, angles, np.arange(angles.count))]
        better, moved = put_at(quads, looks[0].corners, _FARTHEST)
        doubtful = ~_clear(angles, nearness, looks[0])
        cut = moved > np.where(doubtful, MOVED, _MOVED_FAR)
        further = (((0,), cut), ((2,), doubtful), ((1, 3), doubtful))
        for turns, wanted in further:
            chosen = np.nonzero(np.isin(angles.turns, turns) & wanted[angles.owners])[0]
            looks.append(self._look(image, better, angles, chosen))
            doubtful[angles.owners[chosen[_clear(angles, nearness, looks[-1])]]] = False
        every = _Look(*(np.concatenate(parts) for parts in zip(*looks, strict=True)))
        owners, rolls = angles.owners[every.angles], angles.turns[every.angles]
        shown = rolled(better[owners], rolls)
        probabilities = self._bonus.applied(image, shown, every.probabilities)
        probabilities = self._bamboos.applied(image, shown, probabilities)
        probabilities = self._numerals.applied(image, shown, probabilities)
        return Views(
            better,
            owners,
            rolls,
            angles.ups[every.angles],
            nearness,
            heights_beside(better, beside, image.shape[:2]),
            every.crops,
            probabilities,
            every.upright + angles.outline[every.angles],
            every.embeddings,
            every.valid >= self._least,
        )

    def embed(self, crops: NDArray[np.uint8]) -> Floats:
        """Unit directions (n, d) of (n, h, w, 3) uint8 BGR crops of the classifier's size."""
        return self._run(crops)[2]

    def _look(self, image: NDArray[np.uint8], quads: Floats, angles: Angles, chosen: Ints) -> _Look:
        """The chosen ones of the angles, which are in the order of their turns."""
        turns, seen = angles.turns[chosen], quads[angles.owners[chosen]]
        crops = [turned_crops(image, seen[turns == turn], turn, self.size) for turn in TURNS]
        every = np.concatenate(crops)
        probabilities, upright, *rest = self._run(every)
        probabilities = self._marks.applied(image, rolled(seen, turns), probabilities)
        return _Look(chosen, every, probabilities, upright + way_up(probabilities), *rest)

    def _run(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """The model's answers for crops (n, h, w, 3) uint8 BGR, as in :class:`_Look`."""
        probabilities, upright, embeddings, valid, corners = self._answers(crops)
        both = with_negatives(probabilities, crops, lambda dark: self._answers(dark)[0])
        return both, upright, embeddings, valid, corners

    def _answers(self, crops: NDArray[np.uint8]) -> tuple[Floats, ...]:
        """The same of the crops as they are."""
        parts = [
            self._model.run(crops[start : start + _BATCH])
            for start in range(0, max(1, len(crops)), _BATCH)
        ]
        return tuple(
            np.concatenate([part[i].astype(np.float32) for part in parts]) for i in range(5)
        )


def _clear(angles: Angles, nearness: Floats, look: _Look) -> NDArray[np.bool_]:
    """Which views show a tile so clearly that no other one need be looked at.

    Args:
        angles: all the ways up.
        nearness: (n, n) of the tiles, as in :class:`vision.classify.views.Views`.
        look: the views.
    """
    owners, ups = angles.owners[look.angles], angles.ups[look.angles]
    read = look.probabilities.max(axis=1) > CLEARLY_READ
    clear = read & (look.upright > CLEARLY_UPRIGHT)
    lies = np.zeros((angles.count, 2), np.float32)
    lies[owners[clear]] = ups[clear]
    agreement = AGREEMENT * (ups * (nearness @ lies)[owners]).sum(axis=1)
    alike = read & (look.upright > 0) & (look.upright + agreement > CLEARLY_AS_OTHERS)
    back = look.probabilities[:, column(BACK)] > CLEARLY_BACK
    return np.asarray(clear | alike | back, np.bool_)
