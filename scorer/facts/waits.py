"""Where the winning tile lies in a reading."""

from __future__ import annotations

from functools import lru_cache

from scorer.facts.asked import WaitKind
from scorer.melds import MELDS


@lru_cache(maxsize=4096)
def wait_of(number: int, tile: str) -> WaitKind:
    """What the meld waited for before the tile came.

    >>> wait_of(102, "3m")
    'edge'
    """
    meld = MELDS[number]
    if meld.kind == "pair":
        return "pair"
    if meld.kind != "chow":
        return "two_pairs"
    place, first = meld.tiles.index(tile), int(meld.tile[0])
    if place == 1:
        return "closed"
    if (place, first) in ((2, 1), (0, 7)):
        return "edge"
    return "two_sided"
