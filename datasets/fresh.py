"""Drawn sets without end: each is drawn when it is laid, so that training never sees one twice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from datasets.designs.bonus import with_words
from datasets.designs.design import FACE_WIDTH
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.designs.fonts import FontSpec, find_fonts
from datasets.designs.palette import rng_for
from datasets.faces import FaceSet, distinct_back

Image = NDArray[np.uint8]

FIRST_SEED: Final = 1_000_000
"""Above the seeds of any folder of designs, those never trained on among them."""
_FRESH: Final = 100_000
"""How many there are before they come again."""


class _FacesWhenAsked(Mapping[str, tuple[Image, ...]]):
    """Faces of one set, each drawn once, when it is first asked for."""

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


class WithFreshSets(Sequence[FaceSet]):
    """Stored sets, each many times, among sets that are drawn anew whenever they are asked for.

    Args:
        stored: the former; there must be some.
        share: fresh sets among all, above 0 and below 1.
        fonts: the typefaces of the fresh ones.
        labels: the faces that those have.
        worded: how many of those have words on their flowers and seasons whatever their style,
            from 0 to 1.
    """

    def __init__(
        self,
        stored: Sequence[FaceSet],
        share: float,
        fonts: Sequence[FontSpec],
        labels: Collection[str],
        worded: float = 0.0,
    ) -> None:
        self.stored, self.fonts, self.labels, self.worded = stored, fonts, labels, worded
        self.kept = round(_FRESH * (1 - share) / share)

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
        if index < self.kept:
            return self.stored[index % len(self.stored)]
        seed = FIRST_SEED + index - self.kept
        return fresh_set(seed, self.fonts, self.labels, self.worded)


def among_fresh_sets(
    stored: Sequence[FaceSet],
    share: float,
    fonts: Path | None,
    labels: Collection[str],
    worded: float = 0.0,
) -> Sequence[FaceSet]:
    """The stored sets with a ``share`` (0 to below 1) of fresh ones among them.

    Args:
        stored: at least one.
        share: fresh sets among all; at 0 no typefaces are looked for.
        fonts: folder with further typefaces, or None.
        labels: the faces that the fresh ones have.
        worded: how many of those have words on their flowers and seasons, from 0 to 1.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    if share == 0:
        return stored
    return WithFreshSets(stored, share, find_fonts([fonts] if fonts else []), labels, worded)


def fresh_set(
    seed: int, fonts: Sequence[FontSpec], labels: Collection[str], worded: float = 0.0
) -> FaceSet:
    """The drawn set of that seed; its faces are drawn when they are asked for.

    Args:
        seed: which set.
        fonts: the typefaces to choose from, see :func:`datasets.designs.fonts.find_fonts`.
        labels: the faces it shall have.
        worded: how likely its flowers and seasons get words whatever its style.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    rng = rng_for(seed, "words")
    if rng.random() < worded:
        style = replace(style, bonus=with_words(style.bonus, rng))
    name, palette = f"drawn-{seed}", style.palette
    return FaceSet(
        name=name,
        faces=_FacesWhenAsked(style, labels),
        body_bgr=palette.paper,
        back_bgr=distinct_back(name, palette.paper, palette.back),
        side_bgrs=palette.sides,
        proportion=FACE_WIDTH / style.rows,
    )
