"""Windows on flowers and seasons that hold a character, a word, a number or nothing.

The reader of signs is trained on them and on :mod:`datasets.crops.corner_numbers`. Some windows are
cut out of a rendered close-up of a tile that bears nothing but its picture, and a sign in any
typeface is drawn into them. Others show rendered tiles with printed marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.crops.crops import cut_crops
from datasets.crops.laid_signs import (
    CORNERS,
    SIDE,
    Edges,
    Glyph,
    Lay,
    Windows,
    any_of,
    drawn_by,
    heavier,
    with_sign,
)
from datasets.designs.drawing.palette import rng_for
from datasets.designs.errors import FontError
from datasets.designs.faces.bonus import BonusStyle, with_any_pictures, with_words
from datasets.designs.factory import SetStyle, sample_style
from datasets.designs.fonts import FontSpec, glyph_mask
from datasets.designs.icons import IconSet
from datasets.designs.rarer import with_rarer_makes
from datasets.scenes.close_ups import close_up
from datasets.scenes.scenes import STAND_IN
from datasets.sets.fresh import drawn_set
from scorer.tiles import BONUS_TILES, READING_LABELS
from vision.classify.bonus_signs import (
    LOWER_PLACE,
    MIDDLE,
    MIDDLE_PLACE,
    STRIP,
    UPPER_PLACE,
    WINDOWS,
    windows,
)
from vision.classify.signs import FIRST_CHARACTER, NONE

Image = NDArray[np.uint8]

FIRST_SEED: Final = 4_000_000
"""First seed of the tile sets whose flowers and seasons bear nothing but pictures."""
MARKED_SEED: Final = 5_000_000
"""First seed of the tile sets with printed marks."""
COUNT: Final = 90_000
"""Number of tile sets of either kind for training; larger seeds are held out."""
FACE: Final = (134, 101)
"""Height and width in pixels of the faces that windows are cut from."""

CHARACTERS: Final = ("梅", "蘭兰", "菊", "竹", "春", "夏", "秋", "冬")
"""The characters of flowers and seasons, in the order of :data:`scorer.tiles.BONUS_TILES`."""
_NUMBERS: Final = ("1一", "2二", "3三", "4四")
"""The forms of the numbers of flowers and seasons."""
_WORDS: Final = (
    ("PLUM", "PLM", "PLUM"),
    ("ORC", "ORCH", "ORCHID"),
    ("MUM", "CHRY", "CHRYS", "CHRYSANTH", "MUM"),
    ("BAM", "BAMB", "BAMBOO"),
    ("SPR", "SPRING", "SPG"),
    ("SUM", "SUMM", "SUMMER"),
    ("AUT", "AUTM", "AUTUMN", "FALL"),
    ("WIN", "WINT", "WINTER"),
)
"""The words for flowers and seasons, in the order of :data:`scorer.tiles.BONUS_TILES`."""
_OTHERS: Final = "福祿壽貴喜財神發中東南西北萬ABCDEFGHKMNPRSUW"
"""Other characters that flowers and seasons may bear."""
_OTHER_WORDS: Final = ("EAST", "SOUTH", "WEST", "NORTH", "DRAGON", "FLOWER", "JOKER", "RED", "WIND")
"""Words that name no flower or season."""
_LETTERS: Final = "".join(sorted({letter for words in _WORDS for word in words for letter in word}))
_BIRD: Final = "1s"
_LABELS: Final = (*BONUS_TILES, _BIRD, STAND_IN)
_SHARES: Final = {STAND_IN: 0.0, _BIRD: 0.5}
_SHOWN: Final = np.array([READING_LABELS.index(label) for label in (*BONUS_TILES, _BIRD)])
_CORNER_CHARACTERS: Final = Lay(FACE[1], (0.17, 0.47), (0.09, 0.28), (0.09, 0.3))
"""Size and place of characters in corners."""
_CORNER_NUMBERS: Final = Lay(FACE[1], (0.12, 0.34), (0.08, 0.22), (0.08, 0.24))
"""Size and place of numbers in corners."""
_ALONE: Final = Lay(SIDE / MIDDLE, (0.42, 0.82))
"""Size and place of a character in the middle."""
_STRIP_FACE: Final = SIDE / (STRIP * FACE[0] / FACE[1])
"""Width of the face in pixels of the window that shows a strip."""
_WORD: Final = Lay(
    _STRIP_FACE, (0.1, 0.27), down=(0.08, 0.22), squeeze=SIDE / _STRIP_FACE, widest=99.0
)
"""Size and place of a word in a strip."""
_SHORT_WORD: Final = Lay(FACE[1], (0.1, 0.2), (0.16, 0.3), (0.08, 0.22), widest=99.0)
"""Size and place of a word in a corner."""
_STRIPS: Final[dict[int, Edges]] = {UPPER_PLACE: ("middle", "low"), LOWER_PLACE: ("middle", "high")}
_SPACES: Final = (0.05, 0.45)
"""Least and greatest space between letters, in letter heights."""
_HIGH: Final = 90
"""Height of letters in a word's mask, in pixels."""
_RARER: Final = 0.5
"""Share of the tile sets with rare features."""
_LOOSE: Final = 0.8
"""Share of the tile sets whose flowers and seasons have arbitrary pictures."""
_WORDED: Final = 0.25
"""Share of the tile sets with printed marks that have words."""


class Signs(NamedTuple):
    """The glyphs and typefaces of signs that can be drawn on flowers and seasons.

    Attributes:
        characters: for each flower and season the glyphs of its character.
        numbers: for each number from one to four its glyphs.
        others: glyphs of other signs that such tiles may bear.
        letters: typefaces in which words are written.
    """

    characters: tuple[list[Glyph], ...]
    numbers: tuple[list[Glyph], ...]
    others: list[Glyph]
    letters: list[FontSpec]


def signs_on_tiles(fonts: Sequence[FontSpec]) -> Signs:
    """The signs of these typefaces that can be drawn on flowers and seasons.

    Raises:
        FontError: a character or number is in none of the typefaces.
    """
    signs = Signs(
        tuple(drawn_by(fonts, texts) for texts in CHARACTERS),
        tuple(drawn_by(fonts, texts) for texts in _NUMBERS),
        drawn_by(fonts, _OTHERS),
        [font for font in fonts if font.has(_LETTERS)],
    )
    if not all((*signs.characters, *signs.numbers, signs.letters)):
        raise FontError("none of the typefaces has the characters of flowers and seasons")
    return signs


def windows_of_pictures(
    rng: Generator, fonts: Sequence[FontSpec], icons: tuple[IconSet, ...]
) -> Windows:
    """Windows from one picture of a few flowers and seasons that bear only pictures."""
    style = _style(FIRST_SEED + int(rng.integers(COUNT)), fonts, icons)
    return _cut(rng, style, replace(style.bonus, marking="none"))


def windows_of_marked(
    rng: Generator, fonts: Sequence[FontSpec], icons: tuple[IconSet, ...]
) -> Windows:
    """Windows from one picture of a few flowers and seasons with printed marks."""
    style = _style(MARKED_SEED + int(rng.integers(COUNT)), fonts, icons)
    bonus = style.bonus
    if rng.random() < _WORDED:
        bonus = with_words(bonus, rng)
    return _cut(rng, style, bonus)


def _style(seed: int, fonts: Sequence[FontSpec], icons: tuple[IconSet, ...]) -> SetStyle:
    style, rng = sample_style(seed, fonts), rng_for(seed, "marks")
    if rng.random() < _LOOSE:
        style = replace(style, bonus=with_any_pictures(style.bonus, rng))
    if rng.random() < _RARER:
        style = with_rarer_makes(style, rng, icons)
    return replace(style, index=None)


def _cut(rng: Generator, style: SetStyle, bonus: BonusStyle) -> Windows:
    faces = drawn_set(f"marks-{style.seed}", replace(style, bonus=bonus), _LABELS)
    crops = cut_crops(rng, close_up(rng, [faces], _SHARES), FACE)
    chosen = (crops.turns == 0) & np.isin(crops.labels, _SHOWN)
    labels = [READING_LABELS[label] for label in crops.labels[chosen]]
    signs = np.array([_signs(label, bonus) for label in labels], np.int64).reshape(-1, WINDOWS)
    return Windows(windows(crops.images[chosen], SIDE), signs, np.ones(len(labels), np.bool_))


def _signs(label: str, style: BonusStyle) -> list[int]:
    """The sign in each of the windows on a tile."""
    told = [NONE] * WINDOWS
    if label not in BONUS_TILES:
        return told
    number, kind = int(label[0]), "fy".index(label[1])
    character = FIRST_CHARACTER + BONUS_TILES.index(label)
    if style.marking == "alone":
        told[MIDDLE_PLACE] = character
    if style.marking in ("both", "character"):
        corner = style.char_corner[kind]
        told[corner] = told[UPPER_PLACE if corner < 2 else LOWER_PLACE] = character
    if style.marking.startswith("word"):
        told[UPPER_PLACE if style.number_corner[kind] > 1 else LOWER_PLACE] = character
    if style.marking in ("both", "number", "word-number"):
        told[style.number_corner[kind]] = number
    return told


def marked_window(rng: Generator, window: Image, place: int, signs: Signs) -> tuple[Image, int]:
    """A window (56, 56, 3) after a sign was drawn into it or not, and the sign it now holds.

    Args:
        rng: chooses the sign and how it is drawn.
        window: uint8 BGR, on a tile that bears nothing but its picture.
        place: index of the window among those on such tiles.
        signs: the signs to choose from.
    """
    roll = rng.random()
    index = int(rng.integers(len(BONUS_TILES)))
    if place in _STRIPS:
        return _with_word(rng, window, place, signs, roll)
    if roll < 0.5:
        return _with(rng, window, place, signs.characters[index]), FIRST_CHARACTER + index
    if place != MIDDLE_PLACE and roll < 0.64:
        number = index % len(signs.numbers)
        laid = _with(rng, window, place, signs.numbers[number], _CORNER_NUMBERS)
        return laid, NONE + 1 + number
    if place != MIDDLE_PLACE and roll < 0.72:
        word = _written(rng, signs, _WORDS[index][: 1 + int(rng.integers(2))])
        return with_sign(rng, window, CORNERS[place], word, _SHORT_WORD), FIRST_CHARACTER + index
    if roll < 0.8:
        window = _with(rng, window, place, signs.others)
    elif roll < 0.84:
        window = _with(rng, window, place, signs.characters[index], turned=True)
    return window, NONE


def _with_word(
    rng: Generator, window: Image, place: int, signs: Signs, roll: float
) -> tuple[Image, int]:
    """A strip above or below the picture with or without a word, and the sign of that word."""
    index = int(rng.integers(len(BONUS_TILES)))
    if roll < 0.64:
        word = _written(rng, signs, _WORDS[index])
        return with_sign(rng, window, _STRIPS[place], word, _WORD), FIRST_CHARACTER + index
    if roll < 0.72:
        word = _written(rng, signs, _OTHER_WORDS)
    elif roll < 0.78:
        word = _written(rng, signs, _WORDS[index])[::-1, ::-1]
    else:
        return window, NONE
    return with_sign(rng, window, _STRIPS[place], word, _WORD), NONE


def _written(rng: Generator, signs: Signs, words: Sequence[str]) -> Image:
    """The mask of one of the words in a random typeface."""
    word = words[int(rng.integers(len(words)))]
    able = [font for font in signs.letters if font.has(word)]
    font, space = able[int(rng.integers(len(able)))], round(rng.uniform(*_SPACES) * _HIGH)
    gap = np.zeros((_HIGH, space), np.uint8)
    parts: list[Image] = []
    for letter in word:
        mask = glyph_mask(font.glyphs[letter], letter)
        wide = max(1, round(_HIGH * mask.shape[1] / mask.shape[0]))
        parts += [np.asarray(cv2.resize(mask, (wide, _HIGH), interpolation=cv2.INTER_AREA)), gap]
    return heavier(rng, np.hstack(parts[:-1]))


def _with(
    rng: Generator,
    window: Image,
    place: int,
    drawn: Sequence[Glyph],
    lay: Lay = _CORNER_CHARACTERS,
    *,
    turned: bool = False,
) -> Image:
    mask = any_of(rng, drawn)
    mask = mask[::-1, ::-1] if turned else mask
    return with_sign(rng, window, CORNERS[place], mask, _ALONE if place == MIDDLE_PLACE else lay)
