"""Classes of tiles that do not depend on the seat, and which of them each meld holds."""

from __future__ import annotations

from typing import Final

from scorer.melds import COPIES, GREEN, JOKER, MELDS
from scorer.tiles import (
    PLAYING_TILES,
    SUITS,
    is_dragon,
    is_honour,
    is_major,
    is_minor,
    is_suit,
    is_terminal,
    is_wind,
)


def _numbered(first: int, last: int) -> frozenset[str]:
    return frozenset(
        code for code in PLAYING_TILES if is_suit(code) and first <= int(code[0]) <= last
    )


CLASSES: Final[dict[str, frozenset[str]]] = {
    **{
        name: frozenset(filter(belongs, PLAYING_TILES))
        for name, belongs in (
            ("suit", is_suit),
            ("honour", is_honour),
            ("wind", is_wind),
            ("dragon", is_dragon),
            ("terminal", is_terminal),
            ("major", is_major),
            ("minor", is_minor),
        )
    },
    "green": frozenset(GREEN),
    "even": frozenset(code for code in PLAYING_TILES if is_suit(code) and int(code[0]) % 2 == 0),
    "five": _numbered(5, 5),
    "low": _numbered(1, 3),
    "middle": _numbered(4, 6),
    "high": _numbered(7, 9),
    "below_five": _numbered(1, 4),
    "above_five": _numbered(6, 9),
    "reversible": frozenset(
        (*(f"{n}p" for n in (1, 2, 3, 4, 5, 8, 9)), *(f"{n}s" for n in (2, 4, 5, 6, 8, 9)), "5z")
    ),
}
"""Every class by the name that ruleset files use."""

MASKS: Final = {name: sum(7 * COPIES[code] for code in codes) for name, codes in CLASSES.items()}
"""The places of a class in a packed count of tiles."""

SUIT_MASKS: Final = tuple(
    sum(7 * COPIES[code] for code in PLAYING_TILES if code[1] == suit) for suit in SUITS
)

CLASS_BITS: Final = {name: 1 << place for place, name in enumerate(CLASSES)}

HELD: Final = tuple(
    sum(bit for name, bit in CLASS_BITS.items() if CLASSES[name].intersection(MELDS[number].tiles))
    if number in MELDS
    else 0
    for number in range(JOKER)
)
"""The classes of which each meld holds a tile, by its number."""

_FIELDS: Final = {"chow": 0, "pung": 4, "kong": 8, "pair": 24}
_EXPOSED_FIELD: Final = 12

COUNTED: Final = tuple(
    1 << (_FIELDS[MELDS[number].kind] + (0 if MELDS[number].concealed else _EXPOSED_FIELD))
    if number in MELDS
    else 0
    for number in range(JOKER)
)
"""One meld of its kind and exposure in a packed count of melds, by its number."""

CHOW_COUNTED: Final = COUNTED[next(n for n in MELDS if MELDS[n].kind == "chow")]
"""A concealed chow in such a count."""


def fields_of(kinds: tuple[str, ...], *, concealed: bool | None) -> tuple[int, ...]:
    """Where in a packed count of melds the wanted ones are counted."""
    shifts = {True: (0,), False: (_EXPOSED_FIELD,), None: (0, _EXPOSED_FIELD)}[concealed]
    return tuple(_FIELDS[kind] + shift for kind in kinds for shift in shifts)
