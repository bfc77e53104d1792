"""Windows on suited tiles with or without a number, to train the reader of signs on.

Some windows are cut out of a rendered close-up of a tile without numbers, and a digit in any
typeface is drawn into them; so each tile can be used many times, and the place of the digit is
known. Others show rendered tiles with printed numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.crops.crops import cut_crops
from datasets.crops.laid_signs import (
    CORNERS,
    SIDE,
    UNCLEAR,
    Glyph,
    Lay,
    Windows,
    any_of,
    drawn_by,
    with_sign,
)
from datasets.crops.numbered import FIRST_SEED, numbered_style, numbered_tiles
from datasets.designs.drawing.palette import rng_for, with_formal_numerals
from datasets.designs.errors import FontError
from datasets.designs.faces.lettering import OPEN_MIDDLE, IndexStyle
from datasets.designs.factory import sample_style
from datasets.designs.fonts import FontSpec, glyph_mask
from datasets.designs.fonts.glyphs import (
    FORMAL_NUMERALS,
    NUMERALS,
    SIMPLIFIED_FORMAL_NUMERALS,
)
from datasets.designs.rarer import with_rarer_makes
from datasets.scenes.close_ups import close_up
from datasets.scenes.scenes import SHARES, STAND_IN
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import drawn_set
from scorer.tiles import READING_LABELS, SUIT_TILES
from vision.classify.corner_numbers import SUIT_COLUMNS, upper, windows
from vision.classify.signs import NONE, NUMBERS

Image = NDArray[np.uint8]

PLAIN_SEED: Final = 3_000_000
"""First seed of the tile sets without numbers; sets with numbers have smaller seeds."""
COUNT: Final = 90_000
"""Number of tile sets of either kind for training; larger seeds are held out."""
FACE: Final = (160, 120)
"""Height and width in pixels of the faces that windows are cut from."""

_PLACES: Final = {
    "left": (0,),
    "right": (1,),
    "lower-left": (2,),
    "lower-right": (3,),
    "both": (0, 3),
    "turned": (0, 3),
}
"""The corner windows that hold the number, for each place of numbers in a style."""
_DIGITS: Final = Lay(FACE[1], (0.105, 0.34), (0.07, 0.17), (0.08, 0.2))
"""Size and place of digits in corners."""
_MIDDLE: Final = 4
"""Index of the window on the middle."""
WRITTEN: Final = 5
"""Index of the window for Chinese numerals."""
_NUMERALS: Final = [
    "".join(dict.fromkeys(forms))
    for forms in zip(NUMERALS, SIMPLIFIED_FORMAL_NUMERALS, FORMAL_NUMERALS, strict=True)
]
"""The Chinese numerals of each number, the plain one first."""
_NUMERAL: Final = Lay(SIDE, (0.42, 0.84))
"""Size and place of a Chinese numeral in its window."""
_BELOW: Final = (0.78, 0.92)
"""Heights, as shares of the window, between which the paper over a numeral fades out."""
_PAPER: Final = 7
"""Side in pixels of the corners of a window that give the paper its colour."""
_ENDS: Final = (slice(_PAPER), slice(SIDE - _PAPER, SIDE))
"""The left and right pixels of a window that belong to those corners."""
_CHARACTERS: Final = {STAND_IN: 0.0} | {f"{number}m": 12.0 for number in range(1, 10)}
_FORMAL: Final = 0.5
"""Share of the tile sets for characters that are given formal numerals."""
_FAULTLESS: Final = "23457"
"""Digits that resemble no other digit when they are upside down."""
_LETTERS: Final = (*"ESWNFCP", *_FAULTLESS)
"""Characters that are drawn in the place of numbers."""
_RARER: Final = 0.5
"""Share of the tile sets without numbers that have rare features."""


def plain_set(seed: int, fonts: Sequence[FontSpec]) -> FaceSet:
    """The suited tiles of a drawn set without numbers.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    style = sample_style(seed, fonts)
    rng = rng_for(seed, "windows")
    if rng.random() < _RARER:
        style = with_rarer_makes(style, rng)
    return drawn_set(f"plain-{seed}", replace(style, index=None), (*SUIT_TILES, STAND_IN))


def windows_of_plain(rng: Generator, fonts: Sequence[FontSpec]) -> Windows:
    """Windows from one picture of a few tiles without numbers."""
    return _cut(rng, plain_set(PLAIN_SEED + int(rng.integers(COUNT)), fonts), None)


def windows_of_numbered(rng: Generator, fonts: Sequence[FontSpec]) -> Windows:
    """Windows from one picture of a few tiles of a tile set; most of these have numbers."""
    style = numbered_style(FIRST_SEED + int(rng.integers(COUNT)), fonts)
    return _cut(rng, numbered_tiles(style), style.index)


def windows_of_characters(rng: Generator, fonts: Sequence[FontSpec]) -> Windows:
    """Windows from one picture mostly of characters; most tile sets have formal numerals."""
    style = sample_style(PLAIN_SEED + int(rng.integers(COUNT)), fonts)
    if rng.random() < _FORMAL:
        style = replace(style, fonts=with_formal_numerals(style.fonts, rng, fonts))
    faces = drawn_set(f"characters-{style.seed}", style, (*SUIT_TILES, STAND_IN))
    return _cut(rng, faces, style.index, _CHARACTERS)


def _cut(
    rng: Generator,
    faces: FaceSet,
    index: IndexStyle | None,
    shares: Mapping[str, float] = SHARES,
) -> Windows:
    crops = cut_crops(rng, close_up(rng, [faces], shares), FACE)
    chosen = (crops.turns == 0) & np.isin(crops.labels, SUIT_COLUMNS)
    labels = [READING_LABELS[label] for label in crops.labels[chosen]]
    numbers = np.array([_numbers(label, index) for label in labels], np.int64).reshape(-1, 6)
    free = np.array([label in OPEN_MIDDLE for label in labels], np.bool_)
    shown = crops.images[chosen]
    images = np.concatenate([windows(shown, SIDE), upper(shown, SIDE)[:, np.newaxis]], axis=1)
    return Windows(images, numbers, free)


def _numbers(label: str, index: IndexStyle | None) -> list[int]:
    """The numbers in the windows on a tile, if it shows its own picture."""
    told = [NONE] * 6
    if label[1] == "m":
        told[WRITTEN] = int(label[0])
    if index is None:
        return told
    number = int(label[0])
    if index.within and label in OPEN_MIDDLE:
        told[_MIDDLE] = number
        return told
    for place in _PLACES[index.corner]:
        told[place] = number
    if index.corner == "turned":
        told[3] = NONE if label[0] in _FAULTLESS else UNCLEAR
    return told


def with_digit(
    rng: Generator, window: Image, place: int, text: str, fonts: Sequence[FontSpec], *, turned: bool
) -> Image:
    """A window (56, 56, 3) with a digit or letter in the corner that it shows, or in the middle.

    Args:
        rng: chooses its typeface, size, place and colour.
        window: uint8 BGR.
        place: index of the window among the four corners and the middle.
        text: one character.
        fonts: typefaces that have the character.
        turned: whether the character is upside down.
    """
    mask = glyph_mask(fonts[int(rng.integers(len(fonts)))].glyphs[text], text)
    return with_sign(rng, window, CORNERS[place], mask[::-1, ::-1] if turned else mask, _DIGITS)


def letters_on_tiles(fonts: Sequence[FontSpec]) -> list[FontSpec]:
    """The typefaces that have all characters that are drawn in corners.

    Raises:
        FontError: no typeface has them all.
    """
    able = [font for font in fonts if font.has("".join((*NUMBERS, *_LETTERS)))]
    if not able:
        raise FontError("none of the typefaces has Arabic numerals and Latin capitals")
    return able


def drawn_window(
    rng: Generator, window: Image, place: int, fonts: Sequence[FontSpec], *, room: bool
) -> tuple[Image, int]:
    """A window (56, 56, 3) after a character was drawn into it or not, and the number it now holds.

    Args:
        rng: chooses the character and how it is drawn.
        window: uint8 BGR, on a tile without numbers.
        place: index of the window among the four corners and the middle.
        fonts: typefaces to choose from.
        room: whether the window has room for a character.
    """
    roll = rng.random()
    if room and roll < 0.72:
        text = str(rng.choice(NUMBERS))
        return with_digit(rng, window, place, text, fonts, turned=False), int(text)
    if room and roll < 0.77:
        text = str(rng.choice(_LETTERS))
        return with_digit(rng, window, place, text, fonts, turned=text in _FAULTLESS), NONE
    return window, NONE


def numerals_on_tiles(fonts: Sequence[FontSpec]) -> tuple[list[Glyph], ...]:
    """The glyphs of the Chinese numerals for each number.

    Raises:
        FontError: no typeface has a numeral for one of the numbers.
    """
    numerals = tuple(drawn_by(fonts, texts) for texts in _NUMERALS)
    if not all(numerals):
        raise FontError("none of the typefaces has Chinese numerals")
    return numerals


def written_window(
    rng: Generator, window: Image, numerals: Sequence[Sequence[Glyph]]
) -> tuple[Image, int]:
    """The window (56, 56, 3) for Chinese numerals with another one, and its number.

    Args:
        rng: chooses the numeral, its size, place and colour.
        window: uint8 BGR, on a tile of the suit of characters.
        numerals: the glyphs of each number.
    """
    number = int(rng.integers(len(numerals)))
    mask = any_of(rng, numerals[number])
    return with_sign(rng, _bare(rng, window), CORNERS[_MIDDLE], mask, _NUMERAL), number + 1


def _bare(rng: Generator, window: Image) -> Image:
    """The window with its numeral covered in the colours of its upper corners."""
    left, right = (np.median(window[:_PAPER, x], axis=(0, 1)) for x in _ENDS)
    across = np.linspace(left, right, SIDE)[np.newaxis]
    down = np.linspace(0, rng.normal(0, 12), SIDE)[:, np.newaxis, np.newaxis]
    kept = np.clip((np.linspace(0, 1, SIDE) - _BELOW[0]) / (_BELOW[1] - _BELOW[0]), 0, 1)
    share = kept[:, np.newaxis, np.newaxis]
    return np.asarray(np.clip((across + down) * (1 - share) + window * share, 0, 255), np.uint8)
