"""How many of each tile a set holds, and which were read more often than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from scorer.tiles import BONUS_TILES, PLAYING_TILES

USUAL_COPIES: Final[Mapping[str, int]] = MappingProxyType(
    {**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)}
)
"""How many of each face a set has unless its profile says otherwise."""

NO_CHANGES: Final[Mapping[str, int]] = MappingProxyType({})
"""The changes of a set that has the usual number of every face."""


def copies_of_each(changes: Mapping[str, int]) -> dict[str, int]:
    """How many of each face a set has whose numbers differ so from the usual ones."""
    return {**USUAL_COPIES, **changes}


def surplus(labels: Iterable[str], changes: Mapping[str, int] = NO_CHANGES) -> dict[str, int]:
    """How often each face was read that was read more often than the set has it.

    Args:
        labels: all the tiles of a photo.
        changes: how many of a face this set has, where it is not the usual number.
    """
    limits = copies_of_each(changes)
    return {
        label: count
        for label, count in Counter(labels).items()
        if label in limits and count > limits[label]
    }
