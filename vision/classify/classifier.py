"""What detected tiles show and which way up they lie, by the shipped classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.classify.bonus_marks import OnnxMarks, upright_logits
from vision.classify.crop_reader import CropReader
from vision.classify.indices import with_indices
from vision.classify.views import (
    ACROSS,
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
from vision.runtime.session import Model, load_model, run_in_batches
from vision.vocabulary.detections import Classified
from vision.vocabulary.labels import BLANK_COLUMNS, BONUS_COLUMNS, INDICES, column
from vision.vocabulary.odds import likeliest

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClearView:
    """When one view of a tile is so clear that no other way up is looked at.

    Attributes:
        read: minimum probability of its label; enough by itself for a back or a face without a
            print, which no other view shows better.
        upright: minimum logit of being the right way up.
        upright_as_others: minimum of that logit together with the agreement of clear tiles nearby,
            if the logit is above 0 by itself.
    """

    read: float = 0.9
    upright: float = 2.0
    upright_as_others: float = 2.5


@dataclass(frozen=True, slots=True)
class MovedCorners:
    """When a tile is rectified again because the classifier sees its corners elsewhere.

    Both distances are in widths or heights of the tile.

    Attributes:
        clear: minimum distance for a tile of which a view is clear: part of its print may be cut
            off.
        farthest: distance to which a correction is limited, since the crop shows no more.
    """

    clear: float = 0.06
    farthest: float = 0.4


@dataclass(frozen=True, slots=True)
class ViewBudget:
    """How many views of the tiles of one photo are read, so that a reading takes a bounded time.

    Attributes:
        share: maximum number of further views after the first of each tile, as a share of the
            number of tiles.
        least: that number if there are few tiles.
        valid: minimum probability, in its first view, that a crop shows a tile at all, for another
            view of it to be read.
    """

    share: float = 1.0
    least: int = 24
    valid: float = 0.02

    def of(self, tiles: int) -> int:
        """Maximum number of further views of so many tiles."""
        return max(self.least, round(self.share * tiles))


CLEAR_VIEW: Final = ClearView()
MOVED_CORNERS: Final = MovedCorners()
VIEW_BUDGET: Final = ViewBudget()
_PLAIN: Final = [column(BACK), *BLANK_COLUMNS]
"""Columns of what shows no print."""


class _Reads(NamedTuple):
    """What the classifier reads in n views of tiles.

    Attributes:
        angles: (n,) int, index of each view's :class:`vision.classify.views.Angles`.
        crops: (n, h, w, 3) uint8 BGR.
        probabilities: (n, 45), calibrated.
        upright: (n,) logit that the view is the right way up, by the picture alone.
        embeddings: (n, d) of unit length.
        valid: (n,) probability that it shows a tile.
        corners: (n, 4, 2) how far right of and below the corners of the view's face those of the
            tile lie, in widths and heights of that face.
    """

    angles: Ints
    crops: NDArray[np.uint8]
    probabilities: Floats
    upright: Floats
    embeddings: Floats
    valid: Floats
    corners: Floats


class OnnxClassifier:
    """The shipped classifier of rectified faces, with the readers of bonus marks and of indices.

    Attributes:
        entry: what the registry says of it.
        size: (height, width) of the crops it looks at, in pixels.

    Raises:
        ModelError: the model was made for other labels.
    """

    def __init__(self, model: Model, marks: OnnxMarks, indices: CropReader) -> None:
        size, labels = model.metadata.get("size"), model.metadata.get("labels")
        if not isinstance(size, list) or len(size) != 2 or labels != list(READING_LABELS):
            raise ModelError(say("model.other_tiles", file=model.entry.file))
        self._model, self._marks, self._indices = model, marks, indices
        self.entry: Final = model.entry
        self.size: Final = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls, threads: int = 1) -> OnnxClassifier:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        indices = CropReader.load("indices", INDICES, threads)
        return cls(load_model("classifier", threads=threads), OnnxMarks.load(threads), indices)

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show.

        Of the views of each tile the one that looks most upright is read.
        """
        views = with_indices(self.look(image, quads), image, self._indices)
        return views.read(views.pick(views.credence()))

    def glance(self, image: NDArray[np.uint8], quads: Floats) -> Floats:
        """Probabilities (n, 45) of what upright ``quads`` (n, 4, 2) show, in one view of each."""
        return run_in_batches(self._model, turned_crops(image, quads, 0, self.size))[0]

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """What the classifier reads in one to four views of each of the (n, 4, 2) ``quads``.

        A tile is looked at first as its quad stands. If that is not clear (:class:`ClearView`), it
        is looked at upside down; by then its corners lie where the classifier saw them. If that is
        not clear either and the tile seems to lie across, both other orientations follow. A clear
        tile whose corners were far off is looked at once more. The further views are limited in
        number (:class:`ViewBudget`); those of what most looks like a tile come first.
        """
        angles, beside = all_angles(quads), nearness_of(quads)
        nearness = beside * parallel_to(quads)
        reads = [self._read(image, quads, angles, np.arange(angles.count))]
        better, moved = put_at(quads, reads[0].corners, MOVED_CORNERS.farthest)
        valid, left = reads[0].valid, VIEW_BUDGET.of(angles.count)
        likely = valid >= VIEW_BUDGET.valid
        clear = [_clear(angles, nearness, reads[0])]
        doubtful = likely & ~clear[0]
        cut = likely & ~doubtful & (moved > MOVED_CORNERS.clear)
        heights = heights_beside(better, beside)
        for turns, wanted in (((2,), doubtful), (ACROSS, doubtful), ((0,), cut)):
            if turns == ACROSS:
                so_far = _views(better, angles, nearness, heights, reads)
                doubtful &= so_far.across(angles, np.concatenate(clear))
            asked = likeliest(valid, wanted, left // len(turns))
            chosen = np.nonzero(np.isin(angles.turns, turns) & asked[angles.owners])[0]
            left -= len(chosen)
            reads.append(self._read(image, better, angles, chosen))
            clear.append(_clear(angles, nearness, reads[-1]))
            doubtful[angles.owners[chosen[clear[-1]]]] = False
        views = _views(better, angles, nearness, heights, reads)
        shown = rolled(better[views.owners], views.turns)
        probabilities = self._marks.refined(image, shown, views.probabilities)
        upright = views.upright + upright_logits(probabilities)
        return replace(views, probabilities=probabilities, upright=upright)

    def embed(self, crops: NDArray[np.uint8]) -> Floats:
        """Embeddings (n, d) of unit length, of crops (n, *size, 3) uint8 BGR."""
        return run_in_batches(self._model, crops)[2]

    def _read(
        self, image: NDArray[np.uint8], quads: Floats, angles: Angles, chosen: Ints
    ) -> _Reads:
        """The views at the chosen angles, which are in the order of their turns."""
        turns, seen = angles.turns[chosen], quads[angles.owners[chosen]]
        crops = [turned_crops(image, seen[turns == turn], turn, self.size) for turn in TURNS]
        every = np.concatenate(crops)
        return _Reads(chosen, every, *run_in_batches(self._model, every))


def _views(
    quads: Floats, angles: Angles, nearness: Floats, heights: Floats, reads: Sequence[_Reads]
) -> Views:
    """The views read so far of tiles with these corners, by their pictures alone."""
    every = _Reads(*(np.concatenate(parts) for parts in zip(*reads, strict=True)))
    return Views(
        quads,
        angles.owners[every.angles],
        angles.turns[every.angles],
        angles.ups[every.angles],
        nearness,
        heights,
        every.crops,
        every.probabilities,
        every.upright + angles.outline[every.angles],
        every.embeddings,
        every.valid,
    )


def _clear(angles: Angles, nearness: Floats, reads: _Reads) -> NDArray[np.bool_]:
    """Which views (m,) are clear, as :class:`ClearView` defines it.

    That of a flower or season never is: its picture does not show well which way up it is.

    Args:
        angles: all angles of the n tiles.
        nearness: (n, n) of the tiles, as in :class:`vision.classify.views.Views`.
        reads: of the m views.
    """
    owners, ups = angles.owners[reads.angles], angles.ups[reads.angles]
    shown = reads.probabilities.argmax(axis=1)
    read = (reads.probabilities.max(axis=1) > CLEAR_VIEW.read) & ~np.isin(shown, BONUS_COLUMNS)
    clear = read & (reads.upright > CLEAR_VIEW.upright)
    lies = np.zeros((angles.count, 2), np.float32)
    lies[owners[clear]] = ups[clear]
    agreement = AGREEMENT * (ups * (nearness @ lies)[owners]).sum(axis=1)
    agreed = reads.upright + agreement > CLEAR_VIEW.upright_as_others
    alike = read & (reads.upright > 0) & agreed
    return np.asarray(clear | alike | read & np.isin(shown, _PLAIN), np.bool_)
