"""Faces made of characters: the character suit, winds, dragons, jokers and corner indices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import Face, Points, pts
from datasets.designs.drawing.palette import Palette, Rng, Typefaces, density
from datasets.designs.faces.dragons import draw_dragon
from datasets.designs.fonts import glyph_mask

Corner = Literal["left", "right", "lower-left", "lower-right", "both"]
WhiteFace = Literal["blank", "frame", "character", "letter", "picture"]
DragonFace = Literal["character", "picture", "letter"]

_LATTICE: Final = 3
_WIND_LETTERS: Final = {"1z": "E", "2z": "S", "3z": "W", "4z": "N"}
_NAMES: Final = {
    "1z": ("EAST", ""),
    "2z": ("SOUTH", ""),
    "3z": ("WEST", ""),
    "4z": ("NORTH", ""),
    "5z": ("WHITE", "DRAGON"),
    "6z": ("GREEN", "DRAGON"),
    "7z": ("RED", "DRAGON"),
}
_OPEN_MIDDLE: Final = ("4p", "8s")
"""Tiles whose picture leaves room for a number in the middle."""


@dataclass(frozen=True, slots=True)
class LetterStyle:
    """The lettering of a tile set; positions and sizes are fractions of the face.

    Attributes:
        numeral: centre y, width and height of a character numeral.
        wan: centre y, width and height of the suit's character.
        weight: units of the face's width by which strokes are thickened, or thinned if negative.
        stretch: whether glyphs fill their box in both directions.
        wind: width and height of a wind or dragon character.
        white: picture of the white dragon.
        white_letter: the letter on the white dragon, if any.
        frame: lines of its frame, from outside in: inset, width, index of the ink.
        frame_inks: colours of the frame.
        frame_corner: form of its corners: 0 square, 1 chamfer, 2 notch, 3 round.
        frame_pattern: marks along the frame: 0 none, 1 dashes, 2 dots, 3 a lattice within it.
        red_frame: whether the red dragon stands in a frame.
        dragons: pictures of the red and the green dragon.
        wind_ink: ink of the winds.
        red_ink, green_ink: inks of the two dragons.
        names: ink of the English names on winds and dragons, None without names.
    """

    numeral: tuple[float, float, float]
    wan: tuple[float, float, float]
    weight: float
    stretch: bool
    wind: tuple[float, float]
    white: WhiteFace
    white_letter: str
    frame: tuple[tuple[float, float, int], ...]
    frame_inks: tuple[Bgr, ...]
    frame_corner: int
    frame_pattern: int
    red_frame: bool
    dragons: DragonFace
    wind_ink: Bgr
    red_ink: Bgr
    green_ink: Bgr
    names: Bgr | None = None


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """The small numbers and letters in a corner.

    Attributes:
        corner: their place; ``both`` is two opposite corners.
        size: their height in units of the face's width.
        inset: distance of their middle from the edges.
        inks: colours for characters, circles, bamboo and honours.
        honours: whether winds and dragons have letters.
        dragons: letters of the white, green and red dragon.
        weight: units of the face's width by which strokes are thickened.
        within: whether tiles with room in their middle have the number there.
    """

    corner: Corner
    size: float
    inset: tuple[float, float]
    inks: tuple[Bgr, Bgr, Bgr, Bgr]
    suits: bool
    honours: bool
    dragons: tuple[str, str, str]
    weight: float
    within: bool = False


def sample_letters(rng: Rng, palette: Palette) -> LetterStyle:
    """A random style for the lettering."""
    split = float(rng.uniform(0.38, 0.47))
    frame_inks = [
        (palette.blue, palette.blue),
        (palette.black, palette.black),
        (palette.green, palette.red),
        (palette.green, palette.green),
        (palette.second, palette.second),
        (palette.blue, palette.red),
        (palette.red, palette.red),
    ]
    whites: list[WhiteFace] = ["blank", "frame", "character", "letter"]
    return LetterStyle(
        numeral=(
            split * 0.56,
            float(rng.uniform(0.52, 0.74)),
            split * float(rng.uniform(0.6, 0.8)),
        ),
        wan=(
            float(rng.uniform(0.68, 0.72)),
            float(rng.uniform(0.52, 0.76)),
            float(rng.uniform(0.36, 0.48)),
        ),
        weight=float(np.clip(rng.normal(0.0, 0.005), -0.007, 0.009)),
        stretch=bool(rng.random() < 0.25),
        wind=(float(rng.uniform(0.58, 0.82)), float(rng.uniform(0.5, 0.8))),
        white=whites[int(rng.choice(4, p=[0.22, 0.63, 0.08, 0.07]))],
        white_letter=str(rng.choice(["", "", "", "P", "B", "白"])),
        frame=_frame(rng),
        frame_inks=frame_inks[int(rng.integers(len(frame_inks)))],
        frame_corner=int(rng.integers(4)),
        frame_pattern=int(rng.choice(3, p=[0.7, 0.2, 0.1])),
        red_frame=bool(rng.random() < 0.04),
        dragons=("character", "picture", "letter")[int(rng.choice(3, p=[0.85, 0.13, 0.02]))],
        wind_ink=palette.numeral if rng.random() < 0.85 else palette.black,
        red_ink=palette.red,
        green_ink=palette.green,
    )


def sample_index(rng: Rng, palette: Palette) -> IndexStyle | None:
    """A random style for the corner numbers, or None."""
    if rng.random() < 0.5:
        return None
    corners: list[Corner] = ["left", "right", "lower-left", "lower-right", "both"]
    main = (palette.red, palette.black, palette.blue, palette.green)[
        int(rng.choice(4, p=[0.5, 0.25, 0.15, 0.1]))
    ]
    inks = (main,) * 4
    if rng.random() < 0.2:
        inks = (palette.numeral, palette.green, palette.blue, palette.red)
    letters = [("P", "F", "C"), ("B", "F", "C"), ("P", "F", "Z"), ("", "F", "C")]
    dragons = letters[int(rng.integers(len(letters)))]
    return IndexStyle(
        corner=corners[int(rng.choice(5, p=[0.5, 0.28, 0.06, 0.06, 0.1]))],
        size=float(rng.uniform(0.12, 0.25)),
        inset=(float(rng.uniform(0.09, 0.15)), float(rng.uniform(0.1, 0.18))),
        inks=inks,
        suits=bool(rng.random() < 0.92),
        honours=bool(rng.random() < 0.85),
        dragons=dragons,
        weight=float(rng.uniform(-0.003, 0.006)),
    )


def draw_character(
    face: Face, number: int, style: LetterStyle, fonts: Typefaces, palette: Palette
) -> None:
    """Draw 1-9 of the character suit."""
    top, width, height = style.numeral
    char = fonts.words["numerals"][number - 1]
    box = (0.5, top * face.height, width, height * face.height)
    fit = style.stretch and number > 3
    red = palette.red_fives and number == 5
    ink = palette.red if red else palette.numeral
    face.glyph(fonts.numerals, char, box, ink, style.weight, fit=fit)
    low, width, height = style.wan
    box = (0.5, low * face.height, width, height * face.height)
    wan = fonts.words["萬"]
    room = (0.55 - density(fonts.wan, wan)) * 0.03
    weight = min(style.weight, max(0.0, room))
    face.glyph(fonts.wan, wan, box, palette.wan, weight, fit=style.stretch)


def draw_honour(face: Face, code: str, style: LetterStyle, fonts: Typefaces, rng: Rng) -> None:
    """Draw a wind or a dragon; the generator decides the pose of picture dragons."""
    middle = face.height / 2
    box = (0.5, middle, style.wind[0], style.wind[1] * face.height)
    if code in _WIND_LETTERS:
        char = {"1z": fonts.words["東"], "2z": "南", "3z": "西", "4z": "北"}[code]
        face.glyph(fonts.winds, char, box, style.wind_ink, style.weight, fit=style.stretch)
    elif code != "5z" and style.dragons == "picture":
        draw_dragon(face, rng, style.green_ink if code == "6z" else style.red_ink)
    elif code != "5z" and style.dragons == "letter":
        letter, ink = ("F", style.green_ink) if code == "6z" else ("C", style.red_ink)
        face.glyph(fonts.latin, letter, (0.5, middle, 0.5, 0.6), ink, style.weight)
    elif code == "6z":
        char = fonts.words["發"]
        face.glyph(fonts.dragons, char, box, style.green_ink, style.weight, fit=style.stretch)
    elif code == "7z":
        if style.red_frame:
            face.line(rectangle(face, 0.1, 3), style.red_ink, 0.022, closed=True)
            box = (0.5, middle, box[2] * 0.75, box[3] * 0.75)
        face.glyph(fonts.dragons, "中", box, style.red_ink, style.weight)
    else:
        _white(face, style, fonts, rng)


def draw_index(face: Face, code: str, style: IndexStyle, fonts: Typefaces) -> None:
    """Add the corner number or letter of a playing tile."""
    kind = code[1]
    if kind in "mps":
        text, ink = (code[0] if style.suits else ""), style.inks["mps".index(kind)]
    else:
        text = _WIND_LETTERS.get(code, "")
        if code in ("5z", "6z", "7z"):
            text = style.dragons[int(code[0]) - 5]
        text, ink = (text if style.honours else ""), style.inks[3]
    if not text:
        return
    mask = glyph_mask(fonts.latin.glyphs[text], text)
    room = style.size * mask.shape[1] / mask.shape[0] / 2 + 0.025
    dx, dy = max(style.inset[0], room), max(style.inset[1], style.size / 2 + 0.025)
    places = {
        "left": [(dx, dy)],
        "right": [(1 - dx, dy)],
        "lower-left": [(dx, face.height - dy)],
        "lower-right": [(1 - dx, face.height - dy)],
        "both": [(dx, dy), (1 - dx, face.height - dy)],
    }[style.corner]
    if style.within and code in _OPEN_MIDDLE:
        places = [(0.5, face.height / 2)]
    for x, y in places:
        face.glyph(fonts.latin, text, (x, y, style.size * 1.25, style.size), ink, style.weight)


def draw_name(face: Face, code: str, style: LetterStyle, fonts: Typefaces) -> None:
    """Add the English name of a wind or dragon, above it and of a dragon below it too."""
    if style.names is None:
        return
    for text, y in zip(_NAMES[code], (0.12, face.height - 0.12), strict=True):
        if text:
            width = min(0.84, 0.14 * len(text))
            face.word(fonts.latin, text, (0.5, y, width, 0.14), style.names)


def rectangle(face: Face, inset: float, corner: int) -> Points:
    """The outline of a frame at a distance from the edges; corners as in :class:`LetterStyle`."""
    x0, y0, x1, y1 = inset, inset, 1 - inset, face.height - inset
    cut = 0.0 if corner == 0 else 0.09
    corners = []
    for cx, cy, sx, sy in ((x0, y0, 1, 1), (x1, y0, -1, 1), (x1, y1, -1, -1), (x0, y1, 1, -1)):
        ends = [(cx, cy + sy * cut), (cx + sx * cut, cy)]
        if corner == 2:
            ends.insert(1, (cx + sx * cut, cy + sy * cut))
        elif corner == 3:
            turn = np.linspace(0, np.pi / 2, 7)[1:-1]
            bend = [
                (cx + sx * cut * (1 - np.sin(a)), cy + sy * cut * (1 - np.cos(a)))
                for a in np.pi / 2 - turn[::-1]
            ]
            ends[1:1] = bend[::-1]
        corners.extend(ends if sx * sy > 0 else ends[::-1])
    return pts(*corners)


def _white(face: Face, style: LetterStyle, fonts: Typefaces, rng: Rng) -> None:
    """The white dragon."""
    middle = face.height / 2
    ink = style.frame_inks[0]
    if style.white == "picture":
        draw_dragon(face, rng, ink)
    if style.white in ("frame", "letter"):
        for inset, width, index in style.frame:
            outline = rectangle(face, inset, style.frame_corner)
            face.line(outline, style.frame_inks[index], width, closed=True)
        if style.frame_pattern == _LATTICE:
            _lattice(face, style)
        elif style.frame_pattern:
            _pattern(face, style)
    if style.white == "character":
        box = (0.5, middle, style.wind[0] * 0.8, style.wind[1] * face.height * 0.85)
        face.glyph(fonts.dragons, "白", box, ink, style.weight)
    elif style.white == "letter" and style.white_letter:
        font = fonts.dragons if style.white_letter == "白" else fonts.latin
        size = 0.3
        face.glyph(font, style.white_letter, (0.5, middle, size, size * 1.3), ink, style.weight)


def _pattern(face: Face, style: LetterStyle) -> None:
    """Dashes or dots along the innermost line of the frame."""
    inset, width, index = style.frame[-1]
    paper_or_ink = face.paper if style.frame_pattern == 1 else style.frame_inks[index]
    outline = rectangle(face, inset, style.frame_corner)
    closed = np.concatenate([outline, outline[:1]])
    for a, b in pairwise(closed):
        steps = max(1, round(float(np.linalg.norm(b - a)) / 0.11))
        for t in (np.arange(steps) + 0.5) / steps:
            x, y = a + (b - a) * t
            face.disc(
                float(x), float(y), width * (0.9 if style.frame_pattern == 1 else 1.4), paper_or_ink
            )


def _lattice(face: Face, style: LetterStyle) -> None:
    """Bars across and along a wide frame, whose middle stays free."""
    inset, _, index = style.frame[-1]
    ink, depth = style.frame_inks[index], 0.16
    for step in range(3):
        outline = rectangle(face, inset + step * depth / 2, 0)
        face.line(outline, ink, 0.02, closed=True)
    right, low = 1 - inset, face.height - inset
    for x in np.arange(inset, right, depth / 2):
        for start, end in ((inset, inset + depth), (low - depth, low)):
            face.line(pts((x, start), (x, end)), ink, 0.02)
    for y in np.arange(inset, low, depth / 2):
        for start, end in ((inset, inset + depth), (right - depth, right)):
            face.line(pts((start, y), (end, y)), ink, 0.02)


def _frame(rng: Rng) -> tuple[tuple[float, float, int], ...]:
    """One to three lines."""
    inset = float(rng.uniform(0.07, 0.2))
    lines = []
    for index in range(int(rng.choice([1, 2, 3], p=[0.35, 0.5, 0.15]))):
        width = float(rng.choice([0.014, 0.022, 0.035, 0.055]))
        lines.append((inset, width, index % 2))
        inset += width / 2 + float(rng.uniform(0.025, 0.06))
    return tuple(lines)
