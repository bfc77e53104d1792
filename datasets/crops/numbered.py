"""Drawn sets of which any suited tile shows any suited tile's picture: the corner numbers tell.

What is learnt from them reads those numbers and nothing else. Some of the sets have none, so that
nothing can be told of their tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from datasets.designs.drawing.palette import rng_for
from datasets.designs.faces.lettering import Corner, IndexStyle, sample_index
from datasets.designs.factory import SetStyle, sample_style
from datasets.designs.fonts import FontSpec
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import drawn_set
from scorer.tiles import SUIT_TILES

FIRST_SEED: Final = 2_000_000
"""Above the seeds of all other drawn sets."""
_NUMBERED: Final = 0.75
"""Share of the sets with numbers."""
_CORNERS: Final[tuple[tuple[Corner, float], ...]] = (
    ("left", 0.26),
    ("right", 0.16),
    ("lower-left", 0.18),
    ("lower-right", 0.15),
    ("both", 0.1),
    ("turned", 0.15),
)
"""Where these have them, ``turned`` being two corners, one of them upside down. Most sets have them
at the top; where a number stands is no harder to learn for coming as often elsewhere."""
_LARGE: Final = (0.18, 0.34)
_LARGE_SHARE: Final = 0.35
"""Heights in widths of the face of numbers that are large, and the share of sets with such."""
_WITHIN: Final = 0.4
"""Share of those with the numbers of four circles and eight bamboo in the middle."""


def numbered_style(seed: int, fonts: Sequence[FontSpec]) -> SetStyle:
    """The style of the set of that seed, of whose ``index`` it shows the numbers.

    Args:
        seed: which set.
        fonts: the typefaces to choose from.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    return replace(style, index=_numbers(style))


def numbered_tiles(style: SetStyle) -> FaceSet:
    """The set: its 27 suited tiles, named by their numbers, and a white dragon."""
    pictures = rng_for(style.seed, "pictures").choice(SUIT_TILES, len(SUIT_TILES))
    others = {tile: str(picture) for tile, picture in zip(SUIT_TILES, pictures, strict=True)}
    return drawn_set(f"numbered-{style.seed}", style, (*SUIT_TILES, STAND_IN), others)


def _numbers(style: SetStyle) -> IndexStyle | None:
    rng = rng_for(style.seed, "numbers")
    if rng.random() > _NUMBERED:
        return None
    index = style.index
    while index is None:
        index = sample_index(rng, style.palette)
    places, shares = zip(*_CORNERS, strict=True)
    corner: Corner = places[int(rng.choice(len(places), p=shares))]
    size = float(rng.uniform(*_LARGE)) if rng.random() < _LARGE_SHARE else index.size
    within = bool(rng.random() < _WITHIN)
    return replace(index, suits=True, corner=corner, size=size, within=within)
