"""Windows on suited tiles, with a number in them or none: what the reader of numbers learns from.

A window on a tile without numbers is cut out of a rendered close-up, and a digit of any typeface is
laid into it; so each tile serves many times, and where the digit stands is known. Others are of
rendered tiles that have numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.close_ups import close_up
from datasets.crops import cut_crops
from datasets.designs.design import FontError
from datasets.designs.factory import sample_style
from datasets.designs.fonts import FontSpec, glyph_mask
from datasets.designs.lettering import OPEN_MIDDLE, IndexStyle
from datasets.designs.palette import rng_for, with_formal_numerals
from datasets.designs.rarer import with_rarer_makes
from datasets.faces import FaceSet
from datasets.fresh import drawn_set
from datasets.numbered import FIRST_SEED, numbered_style, numbered_tiles
from datasets.scenes import SHARES, STAND_IN
from scorer.tiles import READING_LABELS, SUIT_TILES
from vision.numerals import NUMBERS, SUIT_COLUMNS, WINDOW, upper, windows

Image = NDArray[np.uint8]

PLAIN_SEED: Final = 3_000_000
"""Seeds of the sets without numbers are as large; those with numbers have smaller ones."""
COUNT: Final = 90_000
"""How many sets of either kind are learnt from; of larger seeds none is."""
NONE: Final = 0
"""The class of a window without a number; the others are the numbers themselves."""
UNCLEAR: Final = -1
"""That of one with an upside-down six or nine, of which nothing is to be learnt."""
FACE: Final = (160, 120)
SIDE: Final = 56
"""Height and width of faces that windows are cut out of, and the side of a window then: larger than
when they are read, for the digits to be drawn in."""

_PLACES: Final = {
    "left": (0,),
    "right": (1,),
    "lower-left": (2,),
    "lower-right": (3,),
    "both": (0, 3),
    "turned": (0, 3),
}
"""In which windows the numbers of a style stand."""
_MIDDLE: Final = 4
WRITTEN: Final = 5
"""The window for Chinese numerals."""
_CHARACTERS: Final = {STAND_IN: 0.0} | {f"{number}m": 12.0 for number in range(1, 10)}
_FORMAL: Final = 0.5
"""Share of the sets for these that have formal numerals beside those that have them anyhow."""
_FAULTLESS: Final = "23457"
"""Digits that upside down look like no other."""
_LETTERS: Final = (*"ESWNFCP", *_FAULTLESS)
_SIZES: Final = (0.105, 0.34)
"""Heights of digits in widths of the face."""
_LEAST_CONTRAST: Final = 60
_TRIES: Final = 8
_RARER: Final = 0.5
"""Share of the sets without numbers that have what few sets have."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows on upright suited tiles.

    Attributes:
        images: (n, 6, 56, 56, 3) uint8 BGR: the five of :func:`vision.numerals.windows`, and the
            upper half, where characters have their numeral.
        numbers: (n, 6) int64, the number in each, :data:`NONE` or :data:`UNCLEAR`.
        open: (n,) bool, whether the tile has room for a number in its middle.
    """

    images: Image
    numbers: NDArray[np.int64]
    open: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.images)


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
    """Windows of one picture of a few tiles without numbers."""
    return _cut(rng, plain_set(PLAIN_SEED + int(rng.integers(COUNT)), fonts), None)


def windows_of_numbered(rng: Generator, fonts: Sequence[FontSpec]) -> Windows:
    """Windows of one picture of a few tiles of a set; most of these sets have numbers."""
    style = numbered_style(FIRST_SEED + int(rng.integers(COUNT)), fonts)
    return _cut(rng, numbered_tiles(style), style.index)


def windows_of_characters(rng: Generator, fonts: Sequence[FontSpec]) -> Windows:
    """Windows of one picture mostly of characters, with any numerals, half of them formal ones."""
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
        rng: of its typeface, size, place and colour.
        window: uint8 BGR.
        place: which of the five windows it is.
        text: one character.
        fonts: typefaces that have it.
        turned: whether it stands upside down.
    """
    mask = glyph_mask(fonts[int(rng.integers(len(fonts)))].glyphs[text], text)
    face = FACE[1]
    high = float(np.exp(rng.uniform(*np.log(_SIZES)))) * face
    wide = high * mask.shape[1] / mask.shape[0]
    if wide > 1.25 * high:
        high, wide = 1.25 * high * high / wide, 1.25 * high
    mask = mask[::-1, ::-1] if turned else mask
    x = max(rng.uniform(0.07, 0.17) * face, wide / 2 + 0.02 * face)
    y = max(rng.uniform(0.08, 0.2) * face, high / 2 + 0.02 * face)
    if place == _MIDDLE:
        x, y = SIDE / 2 + rng.normal(0, 0.02 * face, 2)
    x, y = (SIDE - x if place in (1, 3) else x), (SIDE - y if place in (2, 3) else y)
    cover = _laid(rng, mask, (wide, high), (float(x), float(y)))
    under = window[cover > 0.3]
    ink = _ink(rng, under.mean(axis=0) if len(under) else window.mean(axis=(0, 1)))
    share = cover[..., np.newaxis] * float(rng.uniform(0.75, 1))
    return np.asarray(window * (1 - share) + ink * share, np.uint8)


def _laid(
    rng: Generator, mask: Image, size: tuple[float, float], middle: tuple[float, float]
) -> NDArray[np.float32]:
    """How much of each pixel of a window a glyph of that size covers, a little askew."""
    small = (max(1, round(2 * size[0])), max(1, round(2 * size[1])))
    mask = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.uint8)
    angle, shear = rng.normal(0, 0.06, 2)
    askew = np.array([[np.cos(angle), shear - np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / 2
    moved = np.array(middle) - askew @ np.array(small) / 2
    laid = cv2.warpAffine(mask, np.column_stack([askew, moved]), (SIDE, SIDE))
    return np.asarray(laid / np.float32(255), np.float32)


def _ink(rng: Generator, under: NDArray[np.floating]) -> NDArray[np.float64]:
    """A colour that can be told from what lies under it: mostly a dark or strong one."""
    for _ in range(_TRIES):
        if rng.random() < 0.4:
            ink = rng.integers(0, 256, 3).astype(np.float64)
        else:
            strong = rng.permutation(rng.integers(0, (160, 60, 1)))
            ink = np.clip(rng.integers(0, 90) + strong, 0, 255).astype(np.float64)
        ink = 255 - ink if rng.random() < 0.15 else ink
        if np.abs(ink - under).max() > _LEAST_CONTRAST:
            break
    return ink


def as_seen(rng: Generator, window: Image) -> Image:
    """A window (40, 40, 3) uint8 BGR as a photo might show it: coarse, blurred, grainy, pale."""
    if rng.random() < 0.5:
        side = max(12, round(SIDE * rng.uniform(0.35, 0.9)))
        window = np.asarray(cv2.resize(window, (side, side), interpolation=cv2.INTER_AREA))
    if rng.random() < 0.35:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), rng.uniform(0.3, 1.0)))
    smaller = window.shape[0] > WINDOW
    seen = cv2.resize(
        window, (WINDOW, WINDOW), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    ).astype(np.float32)
    seen = seen * rng.uniform(0.65, 1.35) + rng.uniform(-30, 30)
    if rng.random() < 0.5:
        seen += rng.normal(0, rng.uniform(1, 12), seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def letters_on_tiles(fonts: Sequence[FontSpec]) -> list[FontSpec]:
    """The typefaces that have all that stands in corners.

    Raises:
        FontError: there are none.
    """
    able = [font for font in fonts if font.has("".join((*NUMBERS, *_LETTERS)))]
    if not able:
        raise FontError("none of the typefaces has Arabic numerals and Latin capitals")
    return able


def drawn_window(
    rng: Generator, window: Image, place: int, fonts: Sequence[FontSpec], *, room: bool
) -> tuple[Image, int]:
    """A window (56, 56, 3) on a tile without numbers, and the number now in it.

    Args:
        rng: decides what is laid in it.
        window: uint8 BGR.
        place: which it is, but for the upper half.
        fonts: typefaces.
        room: whether anything may stand there.
    """
    roll = rng.random()
    if room and roll < 0.72:
        text = str(rng.choice(NUMBERS))
        return with_digit(rng, window, place, text, fonts, turned=False), int(text)
    if room and roll < 0.77:
        text = str(rng.choice(_LETTERS))
        return with_digit(rng, window, place, text, fonts, turned=text in _FAULTLESS), NONE
    return window, NONE
