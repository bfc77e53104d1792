"""How many copies of each face a tile set has, and which faces were read more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from scorer.tiles import BONUS_TILES, PLAYING_TILES

USUAL_COPIES: Final[Mapping[str, int]] = MappingProxyType(
    {**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)}
)
"""Number of copies of each face in a tile set whose profile says nothing else."""

NO_CHANGES: Final[Mapping[str, int]] = MappingProxyType({})
"""The changes for a tile set with the usual number of copies of every face."""


def copies_of_each(changes: Mapping[str, int]) -> dict[str, int]:
    """Number of copies of each face in a tile set with these changes to the usual numbers."""
    return {**USUAL_COPIES, **changes}


def surplus(labels: Iterable[str], changes: Mapping[str, int] = NO_CHANGES) -> dict[str, int]:
    """The faces that were read more often than the tile set has copies, with their counts.

    Args:
        labels: the labels of all tiles of a photo.
        changes: number of copies of a face in this tile set, where it is not the usual one.
    """
    limits = copies_of_each(changes)
    return {
        label: count
        for label, count in Counter(labels).items()
        if label in limits and count > limits[label]
    }
