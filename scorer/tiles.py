"""The tile vocabulary: every code the project knows, its names, glyph, order and kind.

Suit tiles are ``1m``-``9m`` (characters), ``1p``-``9p`` (circles),
``1s``-``9s`` (bamboo); winds ``1z``-``4z`` (East, South, West, North); dragons ``5z`` White,
``6z`` Green, ``7z`` Red; flowers ``1f``-``4f``; seasons ``1y``-``4y``.
A reading may also hold ``back``, ``other`` and ``blank``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer import english
from scorer.messages import say
from scorer.notations import NotationError, codes_of

SUITS: Final = ("m", "p", "s")
SUIT_TILES: Final = tuple(f"{n}{suit}" for suit in SUITS for n in range(1, 10))
WINDS: Final = ("1z", "2z", "3z", "4z")
DRAGONS: Final = ("5z", "6z", "7z")
HONOURS: Final = WINDS + DRAGONS
PLAYING_TILES: Final = SUIT_TILES + HONOURS
FLOWERS: Final = ("1f", "2f", "3f", "4f")
SEASONS: Final = ("1y", "2y", "3y", "4y")
BONUS_TILES: Final = FLOWERS + SEASONS
TILES: Final = PLAYING_TILES + BONUS_TILES
"""The 42 faces, in the order in which hands are sorted and shown."""

BACK: Final = "back"
OTHER: Final = "other"
BLANK: Final = "blank"
READING_LABELS: Final = (*TILES, BACK, BLANK, OTHER)
"""Every label a reading can give a tile: the 42 faces, then face down, spare and unknown."""
PLAIN_FACES: Final = ("5z", BLANK)
"""Faces without a print in many tile sets; a tile lying face down may be mistaken for them."""
SAME_UPSIDE_DOWN: Final = frozenset(
    {"1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", *PLAIN_FACES}
)
"""Faces that look the same upside down in many tile sets."""

SEATS: Final = ("E", "S", "W", "N")
SEAT_NAMES: Final = english.SEAT_NAMES

ORDER: Final = {code: index for index, code in enumerate(READING_LABELS)}

NAMES: Final = english.TILE_NAMES
"""What people at the table call each tile, in English."""

GLYPHS: Final[dict[str, str]] = {
    **{c: chr(0x1F007 + n) for n, c in enumerate(SUIT_TILES[:9])},
    **{c: chr(0x1F019 + n) for n, c in enumerate(SUIT_TILES[9:18])},
    **{c: chr(0x1F010 + n) for n, c in enumerate(SUIT_TILES[18:])},
    **{c: chr(0x1F000 + n) for n, c in enumerate(WINDS)},
    "5z": "\U0001f006",
    "6z": "\U0001f005",
    "7z": "\U0001f004",
    "1f": "\U0001f022",
    "2f": "\U0001f023",
    "3f": "\U0001f025",
    "4f": "\U0001f024",
    "1y": "\U0001f026",
    "2y": "\U0001f027",
    "3y": "\U0001f028",
    "4y": "\U0001f029",
    BACK: "\U0001f02b",
    OTHER: "\U0001f02a",
    BLANK: "\u25af",
}
"""Unicode "Mahjong Tiles" block (U+1F000-U+1F02B)."""


def is_suit(code: str) -> bool:
    """Whether the tile is a character, a circle or a bamboo."""
    return code[1:] in SUITS


def is_honour(code: str) -> bool:
    """Whether the tile is a wind or a dragon."""
    return code in HONOURS


def is_wind(code: str) -> bool:
    """Whether the tile is one of the four winds."""
    return code in WINDS


def is_dragon(code: str) -> bool:
    """Whether the tile is one of the three dragons."""
    return code in DRAGONS


def is_bonus(code: str) -> bool:
    """Whether the tile is a flower or a season."""
    return code in BONUS_TILES


def is_terminal(code: str) -> bool:
    """Whether the tile is a 1 or a 9 of a suit."""
    return is_suit(code) and code[0] in "19"


def is_major(code: str) -> bool:
    """Whether the tile is a 1, a 9, a wind or a dragon."""
    return is_terminal(code) or is_honour(code)


def is_minor(code: str) -> bool:
    """Whether the tile is a 2 to 8 of a suit."""
    return is_suit(code) and code[0] not in "19"


def sort_tiles(codes: Iterable[str]) -> list[str]:
    """The codes in the order of :data:`READING_LABELS`.

    Raises:
        NotationError: a code is unknown.
    """
    tiles = list(codes)
    for code in tiles:
        if code not in ORDER:
            raise NotationError(say("unknown_tile_code", code=code))
    return sorted(tiles, key=ORDER.__getitem__)


def parse_tiles(text: str) -> list[str]:
    """The tiles of a hand string such as ``123m55p 777z 1f3y``, in the order written.

    Other notations are read as well: :mod:`scorer.notations` lists them.

    >>> parse_tiles("M123, 2 bamboo, E, 紅中, 0p")
    ['1m', '2m', '3m', '2s', '1z', '7z', '5p']

    Raises:
        NotationError: the text holds something that is not a tile, or that may be one of two.
    """
    return codes_of(text)


def format_tiles(codes: Iterable[str]) -> str:
    """The compact hand string of the codes, in the order given; runs of a kind share its letter.

    Raises:
        NotationError: a code is unknown.
    """
    parts: list[str] = []
    digits, kind = "", ""
    for code in codes:
        if code not in ORDER:
            raise NotationError(say("unknown_tile_code", code=code))
        single = len(code) == 2
        if digits and (not single or code[1] != kind):
            parts.append(digits + kind)
            digits = ""
        if single:
            digits, kind = digits + code[0], code[1]
        else:
            parts.append(code)
    if digits:
        parts.append(digits + kind)
    return " ".join(parts)
