"""Flowers, seasons and jokers: a picture with a character, a number or a word."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face
from datasets.designs.drawing.palette import Palette, Rng, Typefaces, rng_for
from datasets.designs.faces import birds, dragons, emblems, plants
from datasets.designs.faces import season_scenes as scenes
from datasets.designs.faces.lettering import rectangle
from datasets.designs.icons import IconStyle, draw_icon

Pictures = Literal["own", "shuffled", "anything", "emblems", "none"]
Marking = Literal["both", "character", "number", "word", "word-number", "alone", "none"]

_SEASONS: Final = ("SPRING", "SUMMER", "AUTUMN", "WINTER")
_WORDS: Final = {
    "f": (
        ("PLUM", "ORC", "MUM", "BAM"),
        ("PLUM", "ORCH", "CHRY", "BAMB"),
        ("PLUM", "ORCHID", "MUM", "BAMBOO"),
        ("PLUM", "ORCHID", "CHRYSANTH", "BAMBOO"),
    ),
    "y": (
        ("SPR", "SUM", "AUT", "WIN"),
        _SEASONS,
        _SEASONS,
        _SEASONS,
    ),
}
_JOKERS: Final = ("福", "祿", "壽", "貴", "喜", "財", "神", "百搭", "JOKER", "JOKER")
_LISTS: Final = (0.4, 0.25, 0.15, 0.2)
"""Probability of each of the lists of words in :func:`with_words`."""
_WORDS_ALONE: Final = 0.75
"""Probability that :func:`with_words` leaves out the numbers."""
_WORD_SIZES: Final = (0.13, 0.24)
"""Least and greatest height of words in :func:`with_words`, in units of the face's width."""
_WRITTEN: Final = 0.15
"""Probability that :func:`with_any_pictures` marks the tiles with Chinese numbers."""
_WEIGHTS: Final = (-0.004, 0.014)
"""Range of the thickening of characters by :func:`with_any_pictures`, in widths of the face."""
_BIRDS: Final = 0.2
"""Share of the icons on flowers and seasons that are birds."""
_CORNERS: Final = ("top-left", "top-right", "lower-left", "lower-right")


@dataclass(frozen=True, slots=True)
class BonusStyle:
    """The flowers and seasons of a tile set and their marks.

    Attributes:
        marking: mark that distinguishes the tiles beside the picture; ``alone`` is a character as
            large as a wind's, without a picture.
        char_corner: corner of the character on flowers and on seasons, as an index.
        number_corner: corner of the number on flowers and on seasons, as an index.
        char_ink: ink of the character on flowers and on seasons.
        number_ink: ink of the number on flowers and on seasons.
        chinese: whether flowers and seasons are numbered in Chinese.
        size: height of a character and of a number, in units of the face's width.
        scenes: whether seasons show scenes instead of plants.
        pictures: ``own`` if each flower shows its plant. With the others only the mark
            distinguishes the tiles: ``shuffled`` puts any plant on any tile, ``anything`` also
            scenes, people and birds, and ``emblems`` single large blossoms, suns or leaves.
        outline: stroke width of outlined pictures, 0 where they are filled.
        zoom: size of the picture.
        words: index of the list of words.
        word_size: height of a word, in units of the face's width.
        framed: form of the corners of a frame around the tile, from 0 to 3; None without a frame.
        weight: units of the face's width by which the strokes of characters are thickened, or
            thinned if negative.
    """

    marking: Marking
    char_corner: tuple[int, int]
    number_corner: tuple[int, int]
    char_ink: tuple[Bgr, Bgr]
    number_ink: tuple[Bgr, Bgr]
    chinese: tuple[bool, bool]
    size: tuple[float, float]
    scenes: bool
    pictures: Pictures
    outline: float
    zoom: float
    words: int
    word_size: float = 0.15
    framed: int | None = None
    weight: float = 0.0

    @property
    def shift(self) -> tuple[float, float]:
        """The box of the picture that leaves room for the writing."""
        if self.marking.startswith("word"):
            return 0.0, -0.11 if self.marking == "word" else -0.04
        return 0.0, -0.06 if min(self.char_corner + self.number_corner) > 1 else 0.05


def sample_bonus(rng: Rng, palette: Palette) -> BonusStyle:
    """A style for flowers, seasons and jokers."""
    kinds: list[Marking] = ["both", "character", "number", "word", "word-number"]
    marking = kinds[int(rng.choice(5, p=[0.52, 0.17, 0.14, 0.07, 0.1]))]
    flower, season = (0, 1) if rng.random() < 0.6 else (1, 0)
    cool = (palette.blue, palette.black, palette.green)[int(rng.choice(3, p=[0.45, 0.4, 0.15]))]
    number_ink = (cool, palette.red)
    char_ink = (cool, palette.red)
    if marking != "number" and rng.random() < 0.55:
        number_ink = (palette.red, cool)
        if rng.random() < 0.2:
            char_ink = (palette.red, cool)
    elif marking != "number" and rng.random() < 0.2:
        char_ink = number_ink = (palette.red, palette.red)
    char_corner, number_corner = _mark_corners(rng, flower, season)
    pictures: Pictures = "own"
    if marking != "number" and rng.random() < 0.5:
        pictures = "shuffled" if rng.random() < 0.5 else "anything"
    return BonusStyle(
        marking=marking,
        char_corner=char_corner,
        number_corner=number_corner,
        char_ink=char_ink,
        number_ink=number_ink,
        chinese=(bool(rng.random() < 0.1), bool(rng.random() < 0.3)),
        size=(float(rng.uniform(0.2, 0.42)), float(rng.uniform(0.15, 0.32))),
        scenes=bool(rng.random() < 0.4),
        pictures=pictures,
        outline=float(rng.uniform(0.012, 0.022)) if rng.random() < 0.6 else 0.0,
        zoom=float(rng.uniform(0.8, 1.0)) * (0.85 if marking.startswith("word") else 1.0),
        words=int(rng.random() < 0.4),
    )


def with_words(style: BonusStyle, rng: Rng) -> BonusStyle:
    """The style with a random list of words, mostly on pictures unrelated to the tile."""
    marking: Marking = "word" if rng.random() < _WORDS_ALONE else "word-number"
    pictures = ("anything", "shuffled", style.pictures)[int(rng.integers(3))]
    words = int(rng.choice(len(_LISTS), p=_LISTS))
    size = float(rng.uniform(*_WORD_SIZES))
    return replace(style, marking=marking, pictures=pictures, words=words, word_size=size)


def with_any_pictures(style: BonusStyle, rng: Rng) -> BonusStyle:
    """The style with pictures unrelated to the tile, and characters of any thickness."""
    pictures: Pictures = "shuffled" if rng.random() < 0.5 else "anything"
    style = replace(style, pictures=pictures, weight=float(rng.uniform(*_WEIGHTS)))
    if not style.marking.startswith("word") and rng.random() < _WRITTEN:
        return replace(style, marking="number", chinese=(True, True))
    return style


def _mark_corners(rng: Rng, flower: int, season: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The corners of character and number: mostly side by side on top, else any two."""
    if rng.random() < 0.25:
        pairs = [rng.permutation(4)[:2] for _ in range(2)]
        if rng.random() < 0.5:
            pairs[1] = pairs[0]
        (a, b), (c, d) = pairs
        return (int(a), int(c)), (int(b), int(d))
    below = 2 if rng.random() < 0.12 else 0
    return (flower + below, season + below), (1 - flower, 1 - season)


def draw_picture(
    face: Face,
    code: str,
    seed: int,
    style: BonusStyle,
    palette: Palette,
    icons: IconStyle | None = None,
) -> None:
    """Draw the picture of a flower or season, or an icon in its place if the set has icons."""
    rng = rng_for(seed, f"picture {code}")
    if icons is not None and icons.bonus:
        draw_icon(face, rng, icons, palette, bird=rng.random() < _BIRDS)
        return
    index = int(code[0]) - 1
    inks = [palette.green, palette.red, palette.second, palette.accent]
    stem = inks[int(rng.choice(4, p=[0.55, 0.05, 0.3, 0.1]))]
    bloom = inks[int(rng.choice(4, p=[0.0, 0.75, 0.15, 0.1]))]
    extra = inks[int(rng.choice(4, p=[0.1, 0.45, 0.2, 0.25]))]
    brush = plants.Brush(face, rng, stem, palette.green, bloom, extra, style.outline)
    if style.framed is not None:
        face.line(rectangle(face, 0.08, style.framed), palette.black, 0.02, closed=True)
    if style.pictures == "none":
        return
    if style.pictures == "emblems":
        emblems.draw_emblem(brush)
        return
    if style.pictures == "anything" and rng.random() < 0.6:
        _draw_anything(brush, rng, palette)
        return
    if code[1] == "y" and style.scenes:
        scenes.draw_scene(brush, index)
        return
    if style.pictures != "own":
        pictures = plants.FLOWERS + plants.SEASONS
        index = int(rng.integers(len(pictures)))
    else:
        pictures = plants.FLOWERS if code[1] == "f" else plants.SEASONS
    pictures[index](brush)


def _draw_anything(brush: plants.Brush, rng: Rng, palette: Palette) -> None:
    """Draw a scene of any season, a person or a bird."""
    chance = rng.random()
    if chance < 0.45:
        scenes.draw_scene(brush, int(rng.integers(4)))
    elif chance < 0.7:
        scenes.person(brush, 0.5, brush.face.height * 0.58, brush.face.height * 0.62)
    else:
        birds.draw_songbird(brush.face, rng, palette)


def draw_marking(face: Face, code: str, style: BonusStyle, fonts: Typefaces) -> None:
    """Write the character, number or word of a flower or season."""
    index, kind = int(code[0]) - 1, "fy".index(code[1])
    if style.marking in ("both", "character", "alone"):
        char = ("梅" + fonts.words["蘭"] + "菊竹", "春夏秋冬")[kind][index]
        box = _corner(face, style.char_corner[kind], style.size[0])
        if style.marking == "alone":
            box = (0.5, face.height / 2, style.size[0] + 0.3, style.size[0] + 0.3)
        face.glyph(fonts.bonus, char, box, style.char_ink[kind], style.weight)
    if style.marking.startswith("word"):
        word = _WORDS[code[1]][style.words][index]
        y = 0.16 if style.number_corner[kind] > 1 else face.height - 0.14
        width = min(0.84, style.word_size * len(word))
        face.word(fonts.latin, word, (0.5, y, width, style.word_size), style.char_ink[kind])
    if style.marking in ("both", "number", "word-number"):
        box = _corner(face, style.number_corner[kind], style.size[1])
        if style.chinese[kind] and style.marking != "word-number":
            ink = style.number_ink[kind]
            face.glyph(fonts.numerals, "一二三四"[index], box, ink, style.weight)
        else:
            face.glyph(fonts.latin, code[0], box, style.number_ink[kind])


def draw_joker(face: Face, rng: Rng, palette: Palette, fonts: Typefaces) -> None:
    """Draw a tile outside the 42: a joker, a fortune god, an emperor."""
    inks = [palette.red, palette.green, palette.blue, palette.black, palette.accent]
    ink, second = inks[int(rng.integers(5))], inks[int(rng.integers(5))]
    if rng.random() < 0.4:
        face.line(rectangle(face, 0.09, int(rng.integers(4))), second, 0.02, closed=True)
    text = str(rng.choice(_JOKERS))
    if text == "JOKER":
        y = face.height * 0.12
        if rng.random() < 0.5:
            dragons.draw_joker(face, rng, palette)
        else:
            brush = plants.Brush(face, rng, second, palette.green, ink, palette.accent, 0.018)
            scenes.person(brush, 0.5, face.height * 0.46, face.height * 0.5)
            y = face.height * float(rng.choice([0.1, 0.88]))
        face.word(fonts.latin, text, (0.5, y, 0.78, 0.16), ink)
        return
    able = fonts.bonus if fonts.bonus.has(text) else fonts.numerals
    if not able.has(text):
        able, text = fonts.latin, "J"
    if len(text) == 2:
        for part, y in zip(text, (0.3, 0.7), strict=True):
            face.glyph(able, part, (0.5, y * face.height, 0.6, 0.38 * face.height), ink)
    elif rng.random() < 0.5:
        face.glyph(able, text, (0.5, face.height / 2, 0.7, 0.6 * face.height), ink)
    else:
        brush = plants.Brush(face, rng, second, palette.green, ink, palette.accent, 0.016)
        if rng.random() < 0.5:
            scenes.draw_scene(brush, int(rng.integers(4)))
        else:
            scenes.person(brush, 0.45, face.height * 0.6, face.height * 0.6)
        face.glyph(able, text, (0.78, 0.22, 0.28, 0.28), ink)
        if rng.random() < 0.5:
            digit = str(rng.integers(1, 5))
            face.glyph(fonts.latin, digit, (0.2, 0.22, 0.2, 0.22), second)


def _corner(face: Face, corner: int, size: float) -> tuple[float, float, float, float]:
    """The box of a mark in one of the four corners."""
    inset = size / 2 + 0.06
    name = _CORNERS[corner]
    x = inset if name.endswith("left") else 1 - inset
    y = inset if name.startswith("top") else face.height - inset
    return x, y, size, size
