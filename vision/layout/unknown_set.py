"""Tells whether the tiles of a photo belong to a set whose faces the reader does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tiles import BACK, BLANK
from vision.messages import say
from vision.vocabulary.readings import DOUBTFUL_BELOW, TileReading

UNKNOWN_SET: Final = say("reading.unknown_set")
"""The one warning about the tiles of a set that the reader does not know."""
_UNPRINTED: Final = frozenset({BACK, BLANK, "5z"})
"""Labels of tiles that may have nothing on them, which tell nothing of the set's pictures."""


@dataclass(frozen=True, slots=True)
class UnknownSet:
    """When so many printed faces are doubtful that the reader does not know the set.

    Of known sets at most 40 % are doubtful, on blurred and distant photos; of an art set 84 %.

    Attributes:
        faces: minimum number of printed faces; fewer may be doubtful by chance.
        share: minimum share of doubtful faces among the printed ones, 0 to 1.
    """

    faces: int = 8
    share: float = 0.6


LIMITS: Final = UnknownSet()


def is_unknown_set(tiles: Sequence[TileReading]) -> bool:
    """Whether most printed faces among all tiles of a photo are doubtful."""
    printed = [tile for tile in tiles if tile.label not in _UNPRINTED]
    doubtful = sum(tile.confidence < DOUBTFUL_BELOW for tile in printed)
    return len(printed) >= LIMITS.faces and doubtful >= LIMITS.share * len(printed)
