"""Drawn tile sets whose suited tiles have arbitrary pictures and only their numbers are right.

A network trained on them reads the numbers and nothing else. Some of the sets have no numbers, so
that their tiles cannot be read at all.
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
"""First seed of these tile sets, above the seeds of all other drawn sets."""
_NUMBERED: Final = 0.75
"""Share of the tile sets with numbers."""
_CORNERS: Final[tuple[tuple[Corner, float], ...]] = (
    ("left", 0.26),
    ("right", 0.16),
    ("lower-left", 0.18),
    ("lower-right", 0.15),
    ("both", 0.1),
    ("turned", 0.15),
)
"""Places of the numbers with the share of tile sets that have them there.

``turned`` means two corners, one of them upside down. Most real sets have numbers at the top, but
the other places are learnt better if they are as frequent.
"""
_LARGE: Final = (0.18, 0.34)
"""Least and greatest height of large numbers, in widths of the face."""
_LARGE_SHARE: Final = 0.35
"""Share of the tile sets with large numbers."""
_WITHIN: Final = 0.4
"""Share of numbered sets whose four of circles and eight of bamboo have it in the middle."""


def numbered_style(seed: int, fonts: Sequence[FontSpec]) -> SetStyle:
    """The style of the tile set of a seed; its ``index`` describes the numbers.

    Args:
        seed: seed of the tile set.
        fonts: the typefaces to choose from.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    return replace(style, index=_numbers(style))


def numbered_tiles(style: SetStyle) -> FaceSet:
    """The tile set's 27 suited tiles, labelled by their numbers, and a white dragon."""
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
