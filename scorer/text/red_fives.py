"""Red fives, which are written as noughts: ``0m``, ``0p`` and ``0s``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scorer.deal import MOST

RED_FIVES: Final = {f"0{suit}": f"5{suit}" for suit in "mps"}
"""Each red five and the tile that it is."""

LONGEST: Final = 2000
"""Characters of a text of tiles that are looked at."""

_RED: Final = re.compile(r"0(?=[0-9]*([mps]))")


def red_fives(value: Mapping[object, Any]) -> tuple[str, ...]:
    """The fives among a player's tiles that are written as red ones.

    >>> red_fives({"concealed": ["0p", "5p"], "melds": "406s"})
    ('5p', '5s')
    """
    melds = value.get("melds")
    inner = [melds] if isinstance(melds, str) else melds
    parts = [value.get("concealed")]
    listed = inner if isinstance(inner, list | tuple) else ()
    parts += [
        meld.get("tiles") if isinstance(meld, Mapping) else meld for meld in listed[: MOST.melds]
    ]
    found: list[str] = []
    for part in parts:
        if isinstance(part, str):
            found += [f"5{suit}" for suit in _RED.findall(part[:LONGEST])]
        elif isinstance(part, list | tuple):
            found += [
                RED_FIVES[it]
                for it in part[: MOST.tiles]
                if isinstance(it, str) and it in RED_FIVES
            ]
    return tuple(found)
