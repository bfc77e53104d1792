"""Drawn sets of which any suited tile shows any suited tile's picture: the corner numbers tell.

What is learnt from them reads those numbers and nothing else. Some of the sets have none, so that
nothing can be told of their tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from datasets.designs.factory import SetStyle, sample_style
from datasets.designs.fonts import FontSpec
from datasets.designs.lettering import IndexStyle, sample_index
from datasets.designs.palette import rng_for
from datasets.faces import FaceSet
from datasets.fresh import SetsWhenAsked, drawn_set
from datasets.scenes import STAND_IN
from scorer.tiles import SUIT_TILES

FIRST_SEED: Final = 2_000_000
"""Above the seeds of all other drawn sets."""
_COUNT: Final = 6_000
_NUMBERED: Final = 0.75
"""Share of the sets with numbers."""
_TURNED: Final = 0.15
"""Share of these that have them in two corners, one of them upside down."""
_LARGE: Final = (0.18, 0.34)
_LARGE_SHARE: Final = 0.35
"""Heights in widths of the face of numbers that are large, and the share of sets with such."""
_WITHIN: Final = 0.4
"""Share of those with the numbers of four circles and eight bamboo in the middle."""


class NumberedSets(SetsWhenAsked):
    """Such sets, each drawn when it is first asked for.

    Args:
        fonts: the typefaces to choose from, see :func:`datasets.designs.fonts.find_fonts`.
    """

    def __init__(self, fonts: Sequence[FontSpec]) -> None:
        super().__init__()
        self.fonts = fonts

    def __len__(self) -> int:
        return _COUNT

    def draw(self, index: int) -> FaceSet:
        """The set of that number."""
        return numbered_set(FIRST_SEED + index, self.fonts)


def numbered_set(seed: int, fonts: Sequence[FontSpec]) -> FaceSet:
    """The set of that seed: its 27 suited tiles, named by their numbers, and a white dragon.

    Args:
        seed: which set.
        fonts: the typefaces to choose from.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    style = replace(style, index=_numbers(style))
    pictures = rng_for(seed, "pictures").choice(SUIT_TILES, len(SUIT_TILES))
    others = {tile: str(picture) for tile, picture in zip(SUIT_TILES, pictures, strict=True)}
    return drawn_set(f"numbered-{seed}", style, (*SUIT_TILES, STAND_IN), others)


def _numbers(style: SetStyle) -> IndexStyle | None:
    rng = rng_for(style.seed, "numbers")
    if rng.random() > _NUMBERED:
        return None
    index = style.index
    while index is None:
        index = sample_index(rng, style.palette)
    corner = "turned" if rng.random() < _TURNED else index.corner
    size = float(rng.uniform(*_LARGE)) if rng.random() < _LARGE_SHARE else index.size
    within = bool(rng.random() < _WITHIN)
    return replace(index, suits=True, corner=corner, size=size, within=within)
