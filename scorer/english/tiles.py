"""The names of tiles and winds, and faults in tiles that someone typed."""

from __future__ import annotations

from typing import Final

SEAT_NAMES: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
"""The winds by the codes of the seats."""

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SUITS: Final = {"m": "characters", "p": "circles", "s": "bamboo"}
_ONES: Final = {"1m": "one character", "1p": "one circle"}

TILE_NAMES: Final = {
    **{
        f"{n}{c}": f"{word} {suit}"
        for c, suit in _SUITS.items()
        for n, word in enumerate(_NUMBERS, 1)
    },
    **_ONES,
    "1z": "East wind",
    "2z": "South wind",
    "3z": "West wind",
    "4z": "North wind",
    "5z": "White dragon",
    "6z": "Green dragon",
    "7z": "Red dragon",
    "1f": "plum flower (1)",
    "2f": "orchid flower (2)",
    "3f": "chrysanthemum flower (3)",
    "4f": "bamboo flower (4)",
    "1y": "spring season (1)",
    "2y": "summer season (2)",
    "3y": "autumn season (3)",
    "4y": "winter season (4)",
    "back": "face-down tile",
    "blank": "blank tile",
    "other": "other tile",
}
"""What people at the table call each tile, by its code."""

NOTATION: Final = {
    "unknown_tile_code": "unknown tile code {code!r}",
    "unknown_tile_code_in": "unknown tile code {code!r} in {text!r}; {letters}",
    "unreadable_tiles": "cannot read {rest!r} in {text!r}; {letters}",
    "tile_letters": (
        "write 123m 55p 777z 1f: m for characters, p for circles, s for bamboo, z for winds (1 "
        "East to 4 North) and dragons (5 White, 6 Green, 7 Red), f for flowers, y for seasons"
    ),
    "bracket_alone": "{text!r} has a bracket {bracket} without its partner",
    "which_b": (
        "{shown!r}: is B bamboo, circles (bing) or the White dragon (bai)? Write s for bamboo, p "
        "for circles, 5z for the dragon"
    ),
    "which_c": (
        "{shown!r}: is C characters, circles or the Red dragon (chung)? Write m for characters, p "
        "for circles, 7z for the dragon"
    ),
    "which_d": (
        "{shown!r}: is D dots or a dragon? Write p for dots, 5z for the White, 6z for the Green "
        "and 7z for the Red dragon"
    ),
    "which_t": (
        "{shown!r}: is T circles (tong) or bamboo (tiao)? Write p for circles, s for bamboo"
    ),
    "meld_of_wrong_length": "{text!r} has {tiles:n_tiles}; a set laid down has 3 or 4",
}
