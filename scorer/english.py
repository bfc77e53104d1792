"""Every message of the scorer in English, by its id; the names of tiles and winds.

A place in braces is named after what is put there. After a colon stands what that is: ``tile`` or
``seat`` for a code that is shown by its name, ``word`` for words that a page translates as they
are (codes of a deal such as ``too_few``, names of a ruleset); and, where there are several, how
they are joined (one of :data:`JOINTS`). ``!r`` puts a text into quotation marks.
"""

from __future__ import annotations

from typing import Final

JOINTS: Final = {
    "comma": ", ",
    "semicolon": "; ",
    "or": " or ",
    "or_a": " or a ",
    "and": " and ",
    "on": " on ",
}
"""What stands between several values in one place, by the word after the colon."""

SEAT_NAMES: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
"""The winds by the codes of the seats."""

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SUITS: Final = {"m": "characters", "p": "circles", "s": "bamboo"}

TILE_NAMES: Final = {
    **{
        f"{n}{c}": f"{word} {suit}"
        for c, suit in _SUITS.items()
        for n, word in enumerate(_NUMBERS, 1)
    },
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

_NOTATION: Final = {
    "unknown_tile_code": "unknown tile code {code!r}",
    "unknown_tile_code_in": "unknown tile code {code!r} in {text!r}",
    "unreadable_tiles": "cannot read {rest!r} in {text!r}",
    "meld_of_wrong_length": "{text!r} holds {tiles} tiles; a set laid down has 3 or 4",
}

ENGLISH: Final = {**_NOTATION}
"""The English template of each message, by its id."""
