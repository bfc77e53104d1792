"""How people write tiles: the one table of their notations, and what reads it.

=================  ==============================================================================
``222m 0p 5f``     digits before the suit, as Tenhou and most programs for riichi write: ``m``
                   characters, ``p`` circles, ``s`` bamboo, ``z`` winds and dragons; 0 is the red
                   five. ``5f`` to ``8f`` are the seasons, as the flowers of one series go on.
``M222 Z1``        the same suit first, as programs that name a tile ``M1``.
``W2``             characters (wan): PyMahjongGB, the judge of Botzone, writes ``W``.
``E E E``, ``RRR`` winds and the red and green dragon by their English initials.
``Red dragon``     the names of the table in English: ``2 bamboo``, ``three of circles``.
``wewewe c1c1``    Kajongg (KDE): ``s`` stones, ``b`` bamboo, ``c`` characters, ``w`` winds, ``d``
                   dragons, ``f`` flowers, ``y`` seasons. A string is taken as one of it only with
                   a wind, dragon, flower or season, which nobody else writes so.
``一萬 紅中``        the Chinese names, in either script.
``🀇 🀄``            Unicode's mahjong tiles.
=================  ==============================================================================

Letters that stand for two suits are asked about: ``B`` is bamboo (Kajongg) or circles (bing,
PyMahjongGB), ``C`` characters (Kajongg, python-majiang) or circles, ``T`` bamboo (tiao,
PyMahjongGB) or circles (tong), ``D`` dots (python-majiang) or dragons (Kajongg).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from scorer.messages import Refused, say


class NotationError(Refused):
    """A hand string or a tile code that cannot be understood."""


_SUITS: Final = {
    "m": "characters character chars char cracks crack craks crak wan man manzu 萬子 万子 萬 万",
    "p": "circles circle dots dot tong pin pinzu 筒子 餅子 饼子 筒 餅 饼",
    "s": "bamboos bamboo bams bam sticks stick tiao sou souzu 索子 條子 条子 索 條 条",
    "f": "flowers flower 花",
    "y": "seasons season 季",
}
"""What a suit is called after or before a number, by its letter."""

_TILES: Final = {
    "1z": "east wind|east|東風|东风|東|东",
    "2z": "south wind|south|南風|南风|南",
    "3z": "west wind|west|西風|西风|西",
    "4z": "north wind|north|北風|北风|北",
    "5z": "white dragon|white|wd|白板|白",
    "6z": "green dragon|green|gd|青發|青发|發財|发财|發|发",
    "7z": "red dragon|red|rd|紅中|红中|中",
    "1f": "plum flower|plum blossom|plum|梅",
    "2f": "orchid flower|orchid|蘭|兰",
    "3f": "chrysanthemum flower|chrysanthemum|菊",
    "4f": "bamboo flower|竹",
    "1y": "spring season|spring|春",
    "2y": "summer season|summer|夏",
    "3y": "autumn season|autumn|fall|秋",
    "4y": "winter season|winter|冬",
    "back": "back",
    "blank": "blank",
    "other": "other",
}
"""What tiles without a number are called, by their codes."""

_FIRST_GLYPH: Final = 0x1F000
_BLOCK: Final = (
    *(f"{number}z" for number in (1, 2, 3, 4, 7, 6, 5)),
    *(f"{number}{suit}" for suit in "msp" for number in range(1, 10)),
    *("1f", "2f", "4f", "3f", "1y", "2y", "3y", "4y", "other", "back"),
)
"""The tiles of Unicode's block, from U+1F000 on."""

_INITIALS: Final = {"E": "1z", "S": "2z", "W": "3z", "N": "4z", "G": "6z", "R": "7z"}

_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

_NUMBERS: Final = {
    **{word: n for n, word in enumerate(_WORDS, 1)},
    **{sign: n for n, sign in enumerate("一二三四五六七八九", 1)},
    "伍": 5,
}

_KAJONGG: Final = {
    **{f"{own}{n}": f"{n}{suit}" for own, suit in ("cm", "sp", "bs") for n in range(1, 10)},
    **{f"w{wind}": f"{n}z" for n, wind in enumerate("eswn", 1)},
    "db": "5z",
    "dw": "5z",
    "dg": "6z",
    "dr": "7z",
    **{f"{kind}{wind}": f"{n}{kind}" for kind in "fy" for n, wind in enumerate("eswn", 1)},
}
"""Kajongg's names of tiles; ``db`` is the White dragon (bai), which kindred names call ``dw``."""

_LAST: Final = {"z": 7, "f": 8, "y": 4}
"""The highest number of a kind; 9 of the suits, whose 0 is the red five."""

_LETTERS: Final = {"w": "m"}
"""Letters beside the codes' own that stand for one suit alone."""

_ASKED: Final = {"b": "which_b", "c": "which_c", "d": "which_d", "t": "which_t"}
"""The question about each letter that may stand for several things."""

_SET: Final = re.compile(r"\(([^()]*)\)|[\[{<]([^\[\]{}<>]*)[\]}>]|([^\s,;()\[\]{}<>-]+)")


def codes_of(text: str) -> list[str]:
    """The codes of the tiles that a text names, in the order written, however they are written.

    Raises:
        NotationError: the text holds something that is not a tile, or that may be one of two.
    """
    plain = _plain(text)
    kajongg = _kajongg(plain)
    if kajongg is not None:
        return kajongg
    codes: list[str] = []
    position = 0
    while position < len(plain):
        match = _token().match(plain, position)
        if match is None:
            words = say(
                "unreadable_tiles",
                rest=plain[position:].strip(),
                text=plain,
                letters=say("tile_letters"),
            )
            raise NotationError(words)
        codes.extend(_meant(match, plain))
        position = match.end()
    return codes


def sets_of(text: str) -> list[tuple[str, bool]]:
    """The sets that a text names, each with whether it is concealed: in round brackets.

    Sets are parted by blanks, commas or dashes, or stand in brackets of any kind.

    Raises:
        NotationError: a bracket lacks its other half.
    """
    plain = _plain(text)
    left = _SET.sub("", plain).strip(" ,;-")
    if left:
        raise NotationError(say("bracket_alone", bracket=left[0], text=plain))
    found = (match.groups() for match in _SET.finditer(plain))
    return [(round_ or square or bare or "", round_ is not None) for round_, square, bare in found]


def _plain(text: str) -> str:
    """The text with full width characters made plain, dashes alike, and no variation selectors."""
    plain = unicodedata.normalize("NFKC", text)
    plain = re.sub("[\u2010-\u2015\u2212]", "-", plain)
    return re.sub("[\ufe0e\ufe0f]", "", plain).strip()


def _kajongg(text: str) -> list[str] | None:
    """The codes of a text in Kajongg's notation; None of any other text."""
    low = "".join(text.lower().split())
    names = [low[start : start + 2] for start in range(0, len(low), 2)]
    if any(name not in _KAJONGG for name in names):
        return None
    if all(name[1].isdigit() for name in names):
        return None
    return [_KAJONGG[name] for name in names]


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    """What may stand at a place of a text."""
    suits = _any_of(chain.from_iterable(names.split() for names in _SUITS.values()))
    tiles = _any_of(chain.from_iterable(names.split("|") for names in _TILES.values()))
    many = rf"[0-9]+|(?:{_any_of(_NUMBERS)})+"
    return re.compile(
        rf"""
          (?P<gap>[\s,;:+|/&.·、。()\[\]{{}}<>「」【】-]+)
        | (?P<numbers>{many}) [ ]? (?:of[ ])? (?P<suit>{suits}) (?![a-z])
        | (?P<digits>[0-9](?:[,-]?[0-9])*)
          (?:(?P<letter>[mpszfyw]) | [ ](?P<apart>[mpszfy])(?![a-z0-9]))
        | (?P<tile>{tiles}) (?![a-z])
        | (?P<before>[mpszw]|(?:{suits})[ ]?) (?P<after>[0-9]+) (?![0-9mpszfyw])
        | (?P<glyph>[\U0001f000-\U0001f02b])
        | (?P<initials>(?-i:[ESWN]+|[RG]+)) (?![a-z0-9])
        | (?P<asked>[bcdt][0-9]+ | [0-9]+[bcdt](?![a-z]) | [bcdt](?![a-z0-9]))
        """,
        re.VERBOSE | re.IGNORECASE,
    )


def _any_of(names: Iterable[str]) -> str:
    """An alternation of names, the longest first; a blank in them is any one blank."""
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(re.escape(name) for name in longest_first)


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The code of each tile's name, and the letter of each suit's, in small letters."""
    suits = {name: suit for suit, names in _SUITS.items() for name in names.split()}
    tiles = {name: code for code, names in _TILES.items() for name in names.split("|")}
    return suits | tiles


def _meant(match: re.Match[str], text: str) -> Iterator[str]:
    """The codes of what is at one place of a text."""
    found = {name: part.lower() for name, part in match.groupdict().items() if part is not None}
    if "asked" in found:
        letter = next(sign for sign in found["asked"] if sign in _ASKED)
        raise NotationError(say(_ASKED[letter], shown=match["asked"]))
    if "tile" in found:
        yield _codes()[found["tile"]]
    elif "glyph" in found:
        yield _BLOCK[ord(found["glyph"]) - _FIRST_GLYPH]
    elif "initials" in found:
        yield from (_INITIALS[sign] for sign in match["initials"])
    elif "numbers" in found:
        yield from _numbered(_values(found["numbers"]), _codes()[found["suit"]], text)
    elif "digits" in found:
        suit = found.get("letter") or found["apart"]
        numbers = [int(sign) for sign in found["digits"] if sign.isdigit()]
        yield from _numbered(numbers, _LETTERS.get(suit, suit), text)
    elif "before" in found:
        suit = found["before"].strip()
        letter = _codes().get(suit) or _LETTERS.get(suit, suit)
        yield from _numbered(map(int, found["after"]), letter, text)


def _values(text: str) -> list[int]:
    """The numbers written in digits or as words, one after the other."""
    if text.isdecimal():
        return [int(sign) for sign in text]
    return [_NUMBERS[word] for word in re.findall(_any_of(_NUMBERS), text)]


def _numbered(numbers: Iterable[int], suit: str, text: str) -> Iterator[str]:
    """The codes of numbers of a kind."""
    for number in numbers:
        if suit in "mps":
            yield f"{number or 5}{suit}"
        elif not 1 <= number <= _LAST[suit]:
            letters = say("tile_letters")
            words = say("unknown_tile_code_in", code=f"{number}{suit}", text=text, letters=letters)
            raise NotationError(words)
        elif suit == "f" and number > 4:
            yield f"{number - 4}y"
        else:
            yield f"{number}{suit}"
