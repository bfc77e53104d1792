"""Tile sets that are drawn during training: each is drawn on first use and kept in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import FACE_WIDTH
from datasets.designs.drawing.palette import rng_for
from datasets.designs.engravings import EngravingSet
from datasets.designs.faces.bonus import with_any_pictures, with_words
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.designs.fonts import FontSpec, find_fonts
from datasets.designs.icons import IconSet
from datasets.designs.rarer import with_inventions, with_rarer_makes
from datasets.sets.faces import FaceSet, distinct_back

Image = NDArray[np.uint8]

FIRST_SEED: Final = 1_000_000
"""First seed of fresh tile sets, above the seeds of all folders of designs."""
HELD_SEED: Final = 1_500_000
"""First seed of held-out fresh tile sets, below those of pictures for the judge."""
_FRESH: Final = 6_000
"""Number of different fresh tile sets in a run."""


class FacesWhenAsked(Mapping[str, tuple[Image, ...]]):
    """The faces of one tile set, each drawn on first use.

    Args:
        style: style of the tile set.
        labels: labels of its faces.
    """

    def __init__(self, style: SetStyle, labels: Collection[str]) -> None:
        self._style, self._labels = style, labels
        self._drawn: dict[str, tuple[Image, ...]] = {}

    def __getitem__(self, label: str) -> tuple[Image, ...]:
        if label not in self._labels:
            raise KeyError(label)
        if label not in self._drawn:
            self._drawn[label] = (draw_face(label, self._style),)
        return self._drawn[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


@dataclass(frozen=True, slots=True)
class Makes:
    """The frequency of special features in fresh tile sets.

    Attributes:
        worded: share of the sets with words on their flowers and seasons, from 0 to 1.
        loose: share of the sets with arbitrary pictures on their flowers and seasons.
        rarer: share of the sets with rare features (:mod:`datasets.designs.rarer`).
        invented: share of the sets with suits as designers draw them, where there are icons
            (:mod:`datasets.designs.invented`).
        icons: other people's drawings for the rare features.
        engravings: other people's faces for the rare features.
    """

    worded: float = 0.0
    loose: float = 0.0
    rarer: float = 0.0
    invented: float = 0.0
    icons: tuple[IconSet, ...] = ()
    engravings: tuple[EngravingSet, ...] = ()


USUAL: Final = Makes()
"""The features of stored designs."""


class WithFreshSets(Sequence[FaceSet]):
    """Stored tile sets, each repeated, mixed with fresh ones that are drawn on first use.

    All are kept in memory.

    Args:
        stored: the stored tile sets, at least one.
        share: share of fresh sets among all, above 0 and below 1.
        fonts: the typefaces of the fresh sets.
        labels: labels of the fresh sets' faces.
        makes: frequency of the fresh sets' special features.
    """

    def __init__(
        self,
        stored: Sequence[FaceSet],
        share: float,
        fonts: Sequence[FontSpec],
        labels: Collection[str],
        makes: Makes = USUAL,
    ) -> None:
        self.stored, self.fonts, self.labels = stored, fonts, labels
        self.makes = makes
        self.kept = round(_FRESH * (1 - share) / share)
        self._drawn: dict[int, FaceSet] = {}

    def __len__(self) -> int:
        return self.kept + _FRESH

    @overload
    def __getitem__(self, index: int) -> FaceSet: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FaceSet]: ...
    def __getitem__(self, index: int | slice) -> FaceSet | Sequence[FaceSet]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index not in self._drawn:
            self._drawn[index] = self._draw(index)
        return self._drawn[index]

    def _draw(self, index: int) -> FaceSet:
        """The stored tile set of an index, or a fresh one for indices beyond the stored."""
        if index < self.kept:
            return self.stored[index % len(self.stored)]
        seed = FIRST_SEED + index - self.kept
        return fresh_set(seed, self.fonts, self.labels, self.makes)


def among_fresh_sets(
    stored: Sequence[FaceSet],
    share: float,
    fonts: Path | None,
    labels: Collection[str],
    makes: Makes = USUAL,
) -> Sequence[FaceSet]:
    """The stored tile sets mixed with fresh ones.

    Args:
        stored: the stored tile sets, at least one.
        share: share of fresh sets among all, 0 to below 1; at 0 no typefaces are needed.
        fonts: folder with further typefaces, or None.
        labels: labels of the fresh sets' faces.
        makes: frequency of the fresh sets' special features.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    if share == 0:
        return stored
    typefaces = find_fonts([fonts] if fonts else [])
    return WithFreshSets(stored, share, typefaces, labels, makes)


def fresh_set(
    seed: int,
    fonts: Sequence[FontSpec],
    labels: Collection[str],
    makes: Makes = USUAL,
) -> FaceSet:
    """The drawn tile set of a seed, whose faces are drawn on first use.

    Args:
        seed: seed of the tile set.
        fonts: the typefaces to choose from, see :func:`datasets.designs.fonts.find_fonts`.
        labels: labels of its faces.
        makes: probability of each special feature.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    rng = rng_for(seed, "words")
    if rng.random() < makes.worded:
        style = replace(style, bonus=with_words(style.bonus, rng))
    if rng.random() < makes.loose:
        style = replace(style, bonus=with_any_pictures(style.bonus, rng))
    rng = rng_for(seed, "rarer")
    if rng.random() < makes.rarer:
        style = with_rarer_makes(style, rng, makes.icons, makes.engravings)
    rng = rng_for(seed, "invented")
    if makes.icons and rng.random() < makes.invented:
        style = with_inventions(style, rng, makes.icons)
    palette = style.palette
    return FaceSet(
        name=f"drawn-{seed}",
        faces=FacesWhenAsked(style, labels),
        body_bgr=palette.paper,
        back_bgr=distinct_back(f"drawn-{seed}", palette.paper, palette.back),
        side_bgrs=palette.sides,
        proportion=FACE_WIDTH / style.rows,
    )
