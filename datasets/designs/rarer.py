"""Features of some real tile sets that drawn ones rarely have: flowers, birds and numbers.

They were found by reading the tile sets of other people's games (:mod:`datasets.sets.games`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from datasets.designs.drawing.design import TileDesign
from datasets.designs.drawing.finish import Finish
from datasets.designs.drawing.palette import Palette, Rng, rng_for
from datasets.designs.engravings import EngravingSet, sample_engravings
from datasets.designs.faces.bamboo import OTHERS, BambooStyle, Eight, One
from datasets.designs.faces.bonus import BonusStyle, with_words
from datasets.designs.faces.lettering import IndexStyle, LetterStyle, sample_index
from datasets.designs.factory import SetStyle, in_style, sample_style
from datasets.designs.fonts import FontSpec
from datasets.designs.icons import IconSet, sample_icons
from datasets.designs.invented import sample_invented

_SHARE: Final = 0.4
"""Probability that a tile set has each of the rare features."""
_STICKS: Final = 0.5
"""Probability that the bamboos of a tile set are rare ones."""
_EIGHTS: Final[tuple[Eight, ...]] = ("zigzag", "zigzag-up", "columns", "rows", "pairs")
"""Unusual arrangements of the eight of bamboo."""
_EIGHTS_SHARES: Final = (0.08, 0.17, 0.45, 0.15, 0.15)
"""Probability of each of the arrangements in :data:`_EIGHTS`."""
_TO_THE_EDGE: Final = 0.5
"""Probability that an eight of bamboo in four columns is as wide as the face."""

_ICONS: Final = 0.6
"""Probability that a tile set shows icons, if there are any."""
_ENGRAVINGS: Final = 0.3
"""Probability that a tile set shows engravings, if there are any."""


def draw_rarer_design(seed: int, fonts: Sequence[FontSpec]) -> TileDesign:
    """Draw the tile set of a seed with some rare features, but no pictures by other people.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    return in_style(with_rarer_makes(sample_style(seed, fonts), rng_for(seed, "rarer")))


def with_rarer_makes(
    style: SetStyle,
    rng: Rng,
    icons: tuple[IconSet, ...] = (),
    engravings: tuple[EngravingSet, ...] = (),
) -> SetStyle:
    """The style with some rare features.

    These are flowers and seasons with a character alone or an emblem with a word; a single stick
    or a peacock with a tail of eyes for the one of bamboo; large corner numbers, or numbers in
    the middle where there is room; English names on winds and dragons; all dragons as pictures; a
    white dragon like a lattice; bamboos in unusual arrangements or hard to count; the orchid's
    traditional character; birds, plants and the like drawn by other people.

    Args:
        style: style of the tile set.
        rng: chooses the features.
        icons: pictures of birds, plants and the like by other people; may be empty.
        engravings: faces that other people drew; may be empty.
    """
    bonus, letters, index, finish = style.bonus, style.letters, style.index, style.finish
    palette, fonts = style.palette, style.fonts
    if rng.random() < _SHARE:
        bonus = _rarer_bonus(bonus, rng)
    bamboo = _rarer_bamboo(style.bamboo, palette, rng)
    if rng.random() < _SHARE:
        while index is None:
            index = sample_index(rng, palette)
        index, finish = _large_numbers(index, finish, rng)
    if rng.random() < _SHARE / 2:
        inks = (palette.red, palette.black, palette.blue)
        letters = replace(letters, names=inks[int(rng.integers(len(inks)))])
        index = None if index is None else replace(index, honours=False)
    elif rng.random() < _SHARE / 2:
        letters = replace(letters, dragons="picture", white="picture")
        index = None if index is None else replace(index, honours=True)
    if letters.white == "frame" and rng.random() < _SHARE / 2:
        letters = _latticed(letters)
    if fonts.bonus.has("蘭") and rng.random() < _SHARE:
        fonts = replace(fonts, words={**fonts.words, "蘭": "蘭"})
    style = replace(
        style, bonus=bonus, letters=letters, index=index, finish=finish, bamboo=bamboo, fonts=fonts
    )
    if icons and rng.random() < _ICONS:
        style = _with_icons(style, rng, icons)
    if engravings and rng.random() < _ENGRAVINGS:
        style = replace(style, engravings=sample_engravings(rng, engravings))
    return style


def with_inventions(style: SetStyle, rng: Rng, icons: tuple[IconSet, ...]) -> SetStyle:
    """The style with suits, winds and dragons as designers draw them, and numbers in a corner."""
    index = style.index
    while index is None or not index.suits:
        index = sample_index(rng, style.palette)
    size = float(rng.uniform(0.14, 0.32))
    invented = sample_invented(rng, style.palette, icons)
    honours = index.honours or bool(invented.dragons) or invented.winds == "usual"
    index = replace(index, size=size, suits=True, honours=honours and invented.winds != "letters")
    finish = replace(style.finish, depth=0.0, zoom=(1 - size / 1.6, 0.85, style.finish.zoom[2]))
    style = replace(style, invented=invented, index=index, finish=finish)
    return _with_icons(style, rng, icons)


def _with_icons(style: SetStyle, rng: Rng, icons: tuple[IconSet, ...]) -> SetStyle:
    """The style with icons; flowers and seasons that show icons differ by their marks alone."""
    shown, bonus = sample_icons(rng, icons), style.bonus
    if shown.bonus and bonus.marking in ("number", "alone"):
        bonus = replace(bonus, marking="both")
    return replace(style, icons=shown, bonus=bonus)


def _rarer_bonus(bonus: BonusStyle, rng: Rng) -> BonusStyle:
    framed = int(rng.integers(4)) if rng.random() < 0.5 else None
    if rng.random() < 0.5:
        return replace(bonus, marking="alone", pictures="none", framed=framed)
    bonus = with_words(bonus, rng)
    zoom = float(rng.uniform(0.75, 0.95))
    return replace(bonus, pictures="emblems", zoom=zoom)


def _rarer_bamboo(bamboo: BambooStyle, palette: Palette, rng: Rng) -> BambooStyle:
    ones: tuple[One, ...] = ("stick", "stick", "peacock", "peacock")
    if rng.random() < _SHARE:
        bamboo = replace(bamboo, one=ones[int(rng.integers(len(ones)))])
    if rng.random() < _STICKS:
        return _rarer_sticks(bamboo, palette, rng)
    return bamboo


def _rarer_sticks(bamboo: BambooStyle, palette: Palette, rng: Rng) -> BambooStyle:
    """Bamboos whose number shows neither in their colours nor in the gaps between them."""
    others = {
        number: int(rng.integers(len(OTHERS[number])))
        for number, share in ((2, 0.1), (6, 0.5), (7, 0.35))
        if rng.random() < share
    }
    eight = _EIGHTS[int(rng.choice(len(_EIGHTS), p=_EIGHTS_SHARES))]
    wide = eight == "columns" and rng.random() < _TO_THE_EDGE
    colours, roll = bamboo.colours, rng.random()
    if roll < 0.7:
        inks = (palette.green, palette.blue, palette.red, palette.black)
        first, second = (inks[int(rng.choice(4, p=[0.55, 0.15, 0.15, 0.15]))] for _ in range(2))
        if roll < 0.35:
            second = first
        colours = dict(colours)
        for number, upper in ((6, 3), (8, 4), (9, int(rng.choice([3, 6])))):
            colours[number] = (first,) * upper + (second,) * (number - upper)
        if rng.random() < _SHARE:
            colours[6] = (first, second) * 3
    return replace(
        bamboo,
        eight=eight,
        others=others,
        colours=colours,
        fill=float(rng.uniform(0.86, 1.13)),
        knots=int(rng.choice([2, 3, 4, 5, 6], p=[0.35, 0.25, 0.2, 0.12, 0.08])),
        slim=float(rng.uniform(0.6, 1.1 if wide else 1.5)),
        scale=(
            float(rng.uniform(1.0, 1.12) if wide else rng.uniform(0.55, 1.08)),
            float(rng.uniform(0.8, 1.05)),
        ),
    )


def _large_numbers(index: IndexStyle, finish: Finish, rng: Rng) -> tuple[IndexStyle, Finish]:
    """The style with large numbers, and everything else smaller and away from them."""
    size = float(rng.uniform(0.16, 0.32))
    index = replace(index, size=size, suits=True, within=bool(rng.random() < 0.6))
    aside = {"left": 0.05, "right": -0.05}.get(index.corner, 0.0)
    shift = (aside * float(rng.uniform(0, 2)), float(rng.uniform(0, 0.09)))
    suits, honours, bonus = finish.zoom
    zoom = (min(suits, 1.0 - size / 2), min(honours, 0.88), bonus)
    return index, replace(finish, zoom=zoom, shift=shift)


def _latticed(letters: LetterStyle) -> LetterStyle:
    return replace(letters, frame=letters.frame[:1], frame_pattern=3)
