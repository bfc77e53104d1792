"""The colours and typefaces of one drawn set."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.designs.drawing.design import Bgr
from datasets.designs.errors import FontError
from datasets.designs.fonts import FontSpec, glyph_mask
from datasets.designs.fonts.glyphs import FORMAL_NUMERALS, NUMERALS, SIMPLIFIED_FORMAL_NUMERALS

Rng = np.random.Generator

_BODIES: Final[tuple[tuple[float, Bgr], ...]] = (
    (5, (235, 240, 242)),
    (3, (222, 236, 243)),
    (3, (205, 230, 242)),
    (2, (190, 220, 236)),
    (2, (228, 232, 232)),
    (1.5, (208, 214, 216)),
    (1.5, (240, 235, 228)),
    (1, (165, 205, 228)),
    (1, (215, 226, 238)),
    (0.7, (225, 238, 222)),
    (0.4, (228, 220, 240)),
)
_DARK_BODIES: Final[tuple[Bgr, ...]] = ((34, 32, 32), (52, 70, 24), (78, 40, 28), (36, 30, 96))
_BACKS: Final[tuple[Bgr, ...]] = (
    (70, 140, 40),
    (88, 112, 22),
    (150, 170, 60),
    (60, 90, 20),
    (170, 90, 30),
    (200, 140, 60),
    (120, 60, 20),
    (90, 180, 220),
    (70, 150, 205),
    (60, 120, 175),
    (30, 30, 32),
    (50, 40, 170),
    (40, 120, 235),
    (140, 60, 110),
    (200, 150, 200),
    (232, 236, 238),
    (60, 200, 245),
)


_BLOTCH: Final = 0.58
"""Share of its bounding box that a glyph's ink may cover; glyphs with more are hard to read."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one set, each BGR 0-255.

    Attributes:
        paper: the front layer.
        black, red, green, blue, accent: the inks; the accent is yellow, brown or a second blue.
        numeral: ink of the character suit's numerals and of the winds.
        wan: ink of the character that names that suit.
        second: third ink of the circles beside green and red: the black or the blue.
        back: the back layer.
        sides: the layers seen from the side, front to back.
        red_fives: whether the fives of the three suits are entirely red.
        dark: whether the paper is darker than the inks.
    """

    paper: Bgr
    black: Bgr
    red: Bgr
    green: Bgr
    blue: Bgr
    accent: Bgr
    numeral: Bgr
    wan: Bgr
    second: Bgr
    back: Bgr
    sides: tuple[Bgr, ...]
    red_fives: bool
    dark: bool

    @property
    def inks(self) -> tuple[Bgr, ...]:
        """Red, green and the second ink."""
        return self.red, self.green, self.second


@dataclass(frozen=True, slots=True)
class Typefaces:
    """The typeface of each kind of lettering in one set."""

    numerals: FontSpec
    wan: FontSpec
    winds: FontSpec
    dragons: FontSpec
    bonus: FontSpec
    latin: FontSpec
    words: dict[str, str]
    """The chosen forms of characters that have several, by the usual form."""


def rng_for(seed: int, purpose: str) -> Rng:
    """An independent generator for one purpose of one design, the same on every machine."""
    return np.random.default_rng([seed, zlib.crc32(purpose.encode())])


def sample_palette(rng: Rng) -> Palette:
    """The colours of a set."""
    dark = bool(rng.random() < 0.035)
    if dark:
        paper = _near(rng, _DARK_BODIES[int(rng.integers(len(_DARK_BODIES)))], 8)
    else:
        weights = np.array([weight for weight, _ in _BODIES])
        pick = int(rng.choice(len(_BODIES), p=weights / weights.sum()))
        paper = _near(rng, _BODIES[pick][1], 8)
    black, red, green, blue = _light_inks(rng) if dark else _dark_inks(rng)
    accents: list[Bgr] = [(30, 180, 230), (40, 110, 190), (190, 130, 30), (30, 90, 150), red]
    accent = accents[int(rng.integers(len(accents)))]
    second = blue if rng.random() < 0.5 else black
    if rng.random() < 0.06:
        second = green
    numeral = second if rng.random() < 0.75 else (black, blue, green)[int(rng.integers(3))]
    roll = rng.random()
    wan = red if roll < 0.84 else numeral if roll < 0.92 else black if roll < 0.97 else green
    if rng.random() < 0.04:
        numeral = red
    if rng.random() < 0.06:
        red = green = blue = second = accent = numeral = wan = black
    back = _near(rng, _BACKS[int(rng.integers(len(_BACKS)))], 14)
    return Palette(
        paper=paper,
        black=black,
        red=red,
        green=green,
        blue=blue,
        accent=accent,
        numeral=numeral,
        wan=wan,
        second=second,
        back=paper if rng.random() < 0.04 else back,
        sides=_sides(rng, paper, back),
        red_fives=bool(rng.random() < 0.04),
        dark=dark,
    )


_FORMAL_SHARE: Final = 0.3
"""Share of tile sets with formal numerals, higher than on tables to learn nine more characters."""
_SIMPLIFIED_SHARE: Final = 0.3
"""Share of the tile sets with formal numerals that have simplified ones."""


def sample_typefaces(rng: Rng, fonts: Sequence[FontSpec]) -> Typefaces:
    """The typefaces of a set, brush and regular-script faces preferred.

    Raises:
        FontError: none of the typefaces has the characters that tiles need.
    """
    simplified = rng.random() < 0.12
    words = {
        "萬": "万" if simplified or rng.random() < 0.08 else "萬",
        "東": "东" if simplified else "東",
        "發": str(rng.choice(["發", "发", "発"], p=[0.15, 0.8, 0.05]))
        if simplified
        else str(rng.choice(["發", "発"], p=[0.85, 0.15])),
        "蘭": "兰" if simplified or rng.random() < 0.4 else "蘭",
        "五": "伍" if rng.random() < 0.55 else "五",
    }
    numerals = NUMERALS.replace("五", words["五"])
    if rng.random() < _FORMAL_SHARE:
        modern = rng.random() < _SIMPLIFIED_SHARE
        numerals = SIMPLIFIED_FORMAL_NUMERALS if modern else FORMAL_NUMERALS
    words["numerals"] = numerals

    def pick(text: str, base: FontSpec | None = None) -> FontSpec:
        if base is not None and base.has(text) and rng.random() < 0.72:
            return base
        return _able(rng, fonts, text)

    base = pick(numerals)
    bonus = pick("春夏秋冬梅菊竹" + words["蘭"], base)
    latin_able = [font for font in fonts if font.has("0123456789ABCDEFNPSW")]
    if not latin_able:
        raise FontError("none of the typefaces has Arabic numerals and Latin capitals")
    return Typefaces(
        numerals=base,
        wan=pick(words["萬"], base),
        winds=pick("南西北" + words["東"], base),
        dragons=pick("中白" + words["發"], base),
        bonus=bonus,
        latin=latin_able[int(rng.integers(len(latin_able)))],
        words=words,
    )


def _able(rng: Rng, fonts: Sequence[FontSpec], text: str) -> FontSpec:
    """One of the typefaces that have all of the text."""
    able = [font for font in fonts if font.has(text)]
    if not able:
        raise FontError(f"none of the typefaces has all of: {text}")
    weights = np.array([_liking(font.name) for font in able])
    weights *= [0.05 if density(font, text[-1]) > _BLOTCH else 1.0 for font in able]
    return able[int(rng.choice(len(able), p=weights / weights.sum()))]


def density(font: FontSpec, char: str) -> float:
    """The share of a character's bounding box that its ink covers, 0-1."""
    return float(glyph_mask(font.glyphs[char], char).mean()) / 255


def _liking(name: str) -> float:
    """The weight of a typeface in the choice; brush and regular script are usual on tiles."""
    lower = name.lower()
    if any(part in lower for part in ("kai", "yuji", "brush", "ma-shan", "klee", "cwfs")):
        return 4.0
    if any(part in lower for part in ("zhi-mang", "liu-jian", "long-cang", "tegomin", "antique")):
        return 3.0
    if any(part in lower for part in ("rampart", "train", "dotgothic", "thin", "light", "-100")):
        return 0.25
    if lower.startswith("noto"):
        return 0.5
    return 1.5


def _dark_inks(rng: Rng) -> tuple[Bgr, Bgr, Bgr, Bgr]:
    """Black, red, green and blue for a light body."""
    fade = int(rng.integers(0, 60)) if rng.random() < 0.35 else 0
    black = _near(rng, (28 + fade, 26 + fade, 26 + fade), 12)
    reds: list[Bgr] = [(40, 30, 200), (50, 40, 170), (30, 24, 150), (60, 50, 225), (40, 70, 215)]
    greens: list[Bgr] = [(50, 110, 20), (60, 90, 30), (45, 70, 20), (70, 140, 30), (90, 120, 0)]
    blues: list[Bgr] = [(150, 50, 25), (180, 90, 20), (110, 40, 30), (200, 110, 30), (140, 60, 50)]
    red, green, blue = (
        _near(rng, inks[int(rng.integers(len(inks)))], 16) for inks in (reds, greens, blues)
    )
    return black, _lift(red, fade // 2), _lift(green, fade), _lift(blue, fade)


def _light_inks(rng: Rng) -> tuple[Bgr, Bgr, Bgr, Bgr]:
    """White or gold, light red, light green and light blue for a dark body."""
    mains: list[Bgr] = [(235, 238, 238), (120, 200, 235), (170, 215, 230)]
    main = _near(rng, mains[int(rng.integers(3))], 8)
    return (
        main,
        _near(rng, (90, 90, 240), 20),
        _near(rng, (120, 220, 120), 20),
        _near(rng, (240, 190, 110), 20),
    )


def _sides(rng: Rng, paper: Bgr, back: Bgr) -> tuple[Bgr, ...]:
    """One to three layers."""
    roll = rng.random()
    if roll < 0.15:
        return (paper,)
    if roll < 0.85:
        return paper, back
    return paper, _near(rng, (200, 215, 220), 30), back


def _near(rng: Rng, colour: Bgr, spread: int) -> Bgr:
    """A colour at most that many levels away in each channel."""
    shifted = np.clip(np.array(colour) + rng.integers(-spread, spread + 1, 3), 0, 255)
    return int(shifted[0]), int(shifted[1]), int(shifted[2])


def _lift(colour: Bgr, amount: int) -> Bgr:
    """A paler colour."""
    blue, green, red = (min(255, value + amount) for value in colour)
    return blue, green, red
