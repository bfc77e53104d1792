"""Drawing a whole tile set from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from datasets.designs.drawing.design import FACE_WIDTH, Image, TileDesign
from datasets.designs.drawing.finish import Finish, finished, move, sample_finish
from datasets.designs.drawing.ink import Face
from datasets.designs.drawing.palette import (
    Palette,
    Rng,
    Typefaces,
    rng_for,
    sample_palette,
    sample_typefaces,
)
from datasets.designs.engravings import EngravingStyle, draw_engraving
from datasets.designs.faces.bamboo import BambooStyle, draw_bamboo, sample_bamboo
from datasets.designs.faces.birds import draw_bird
from datasets.designs.faces.bonus import (
    BonusStyle,
    draw_joker,
    draw_marking,
    draw_picture,
    sample_bonus,
)
from datasets.designs.faces.circles import CircleStyle, draw_circles, sample_circles
from datasets.designs.faces.lettering import (
    IndexStyle,
    LetterStyle,
    draw_character,
    draw_honour,
    draw_index,
    draw_name,
    sample_index,
    sample_letters,
)
from datasets.designs.fonts import FontSpec
from datasets.designs.fonts.glyphs import FORMAL_NUMERALS, SIMPLIFIED_FORMAL_NUMERALS
from datasets.designs.icons import IconStyle, draw_icon
from datasets.designs.invented import Invented, draw_ground, draw_invented
from scorer.tiles import BLANK, OTHER, TILES, is_bonus, is_honour


@dataclass(frozen=True, slots=True)
class SetStyle:
    """All choices that determine the look of a tile set."""

    seed: int
    rows: int
    palette: Palette
    fonts: Typefaces
    circles: CircleStyle
    bamboo: BambooStyle
    letters: LetterStyle
    index: IndexStyle | None
    bonus: BonusStyle
    finish: Finish
    icons: IconStyle | None = None
    engravings: EngravingStyle | None = None
    invented: Invented | None = None


def draw_design(seed: int, fonts: Sequence[FontSpec]) -> TileDesign:
    """Draw a whole tile set; the same seed and typefaces give the same set.

    Args:
        seed: seed of the tile set, 0 or more.
        fonts: the typefaces to choose from, see :func:`datasets.designs.fonts.find_fonts`.

    Returns:
        All 42 faces and the blank, and in a third of the sets one to three others.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    return in_style(sample_style(seed, fonts))


def in_style(style: SetStyle) -> TileDesign:
    """Draw a whole tile set in a style, with the faces that :func:`draw_design` gives it."""
    faces = {code: draw_face(code, style) for code in (*TILES, BLANK)}
    rng = rng_for(style.seed, "others")
    if rng.random() < 1 / 3:
        for index in range(int(rng.integers(1, 4))):
            key = f"{OTHER}#{index}" if index else OTHER
            faces[key] = draw_face(key, style)
    palette = style.palette
    return TileDesign(f"drawn-{style.seed:04d}", faces, palette.paper, palette.back, palette.sides)


def has_formal_numerals(seed: int, fonts: Sequence[FontSpec]) -> bool:
    """Whether the character suit of the set of that seed is numbered 壹 to 玖.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    numerals = sample_style(seed, fonts).fonts.words["numerals"]
    return numerals in (FORMAL_NUMERALS, SIMPLIFIED_FORMAL_NUMERALS)


def has_worded_bonus(seed: int, fonts: Sequence[FontSpec]) -> bool:
    """Whether flowers and seasons of the set of that seed bear English words.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    return sample_style(seed, fonts).bonus.marking.startswith("word")


def has_loose_pictures(seed: int, fonts: Sequence[FontSpec]) -> bool:
    """Whether flowers and seasons of the set of that seed differ by their marks alone.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    return sample_style(seed, fonts).bonus.pictures != "own"


def sample_style(seed: int, fonts: Sequence[FontSpec]) -> SetStyle:
    """The choices for the set of that seed.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    palette = sample_palette(rng_for(seed, "palette"))
    index = sample_index(rng_for(seed, "index"), palette)
    proportion = rng_for(seed, "body").uniform(0.69, 0.79)
    return SetStyle(
        seed=seed,
        rows=round(FACE_WIDTH / proportion),
        palette=palette,
        fonts=sample_typefaces(rng_for(seed, "fonts"), fonts),
        circles=sample_circles(rng_for(seed, "circles"), palette),
        bamboo=sample_bamboo(rng_for(seed, "bamboo"), palette),
        letters=sample_letters(rng_for(seed, "letters"), palette),
        index=index,
        bonus=sample_bonus(rng_for(seed, "bonus"), palette),
        finish=sample_finish(rng_for(seed, "finish"), indexed=index is not None),
    )


def draw_face(code: str, style: SetStyle) -> Image:
    """One finished face of a tile, a blank or an ``other``.

    Args:
        code: code of the face.
        style: style of the tile set.

    Returns:
        (rows, FACE_WIDTH, 3) uint8 BGR.
    """
    rng = rng_for(style.seed, f"face {code}")
    face = _empty_face(style)
    zoom, shift = style.finish.zoom[0], style.finish.shift
    if style.invented is not None and style.invented.shows(code):
        draw_invented(face, code, style.invented, style.fonts)
    elif is_bonus(code):
        draw_picture(face, code, style.seed, style.bonus, style.palette, style.icons)
        zoom, shift = style.bonus.zoom, style.bonus.shift
    elif is_honour(code):
        if style.engravings is not None and style.engravings.shows(code):
            draw_engraving(face, code, style.engravings, style.palette)
        else:
            draw_honour(face, code, style.letters, style.fonts, rng_for(style.seed, "dragon"))
        zoom = style.finish.zoom[1] * (1.0 if style.letters.names is None else 0.82)
    elif code.startswith(OTHER):
        draw_joker(face, rng, style.palette, style.fonts)
        zoom = style.finish.zoom[2]
    elif code != BLANK:
        _draw_suit(face, code, style, rng)
    move(face, rng, style.finish, zoom, shift)
    if is_bonus(code):
        draw_marking(face, code, style.bonus, style.fonts)
    elif style.index is not None and code != BLANK and not code.startswith(OTHER):
        draw_index(face, code, style.index, style.fonts)
    if is_honour(code):
        draw_name(face, code, style.letters, style.fonts)
    return finished(face, rng, style.finish)


def _empty_face(style: SetStyle) -> Face:
    face = Face(style.rows, style.palette.paper)
    if style.invented is not None:
        draw_ground(face, style.invented)
    return face


def _draw_suit(face: Face, code: str, style: SetStyle, rng: Rng) -> None:
    """Draw a character, circle or bamboo."""
    number = int(code[0])
    if style.engravings is not None and style.engravings.shows(code):
        draw_engraving(face, code, style.engravings, style.palette)
    elif code[1] == "m":
        draw_character(face, number, style.letters, style.fonts, style.palette)
    elif code[1] == "p":
        draw_circles(face, number, style.circles)
    elif number == 1 and style.icons is not None and style.icons.one:
        draw_icon(face, rng, style.icons, style.palette, bird=True)
    elif number == 1:
        draw_bird(face, rng, style.palette, style.bamboo)
    else:
        draw_bamboo(face, number, style.bamboo)
