"""Suits, winds and dragons as designers draw them: any picture, told by the number in a corner.

A suit is one picture by somebody else's hand (:mod:`datasets.designs.icons`) or bars, as many as
the tile's number or a single large one; winds are letters or words; dragons are pictures in their
colours; the ground may be coloured or patterned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr
from datasets.designs.drawing.ink import SCALE, Face, pts
from datasets.designs.drawing.palette import Palette, Rng, Typefaces
from datasets.designs.faces.circles import LAYOUTS
from datasets.designs.icons import BIRDS, OTHERS, IconSet, Picture, sample_picture

Ground = Literal["paper", "coloured", "shaded", "stripes", "checks", "dots"]
Winds = Literal["usual", "letters", "words"]

_GROUNDS: Final[tuple[Ground, ...]] = ("paper", "coloured", "shaded", "stripes", "checks", "dots")
_GROUND_SHARES: Final = (0.6, 0.14, 0.08, 0.06, 0.06, 0.06)
_WINDS: Final[tuple[Winds, ...]] = ("usual", "letters", "words")
_WIND_SHARES: Final = (0.35, 0.35, 0.3)
_WIND_NAMES: Final = {"1z": "EAST", "2z": "SOUTH", "3z": "WEST", "4z": "NORTH"}
_SUITS: Final = "mps"
_USUAL: Final = {"m": 0.45, "p": 0.2, "s": 0.15}
"""Probability that a suit keeps the usual picture, by the suit."""
_BARS: Final = {"m": 0.0, "p": 0.05, "s": 0.3}
"""Probability that bars stand for an invented suit."""
_COUNTED: Final = 0.6
"""Probability that an invented suit shows as many pictures as its number."""
_PICTURED: Final = 0.5
"""Probability that the dragons are pictures by somebody else's hand."""


@dataclass(frozen=True, slots=True)
class InventedSuit:
    """What stands for a suit.

    Attributes:
        picture: the picture; None for bars.
        ink: the colour of the bars.
        counted: whether there are as many as the tile's number; else a single large one.
    """

    picture: Picture | None
    ink: Bgr
    counted: bool


@dataclass(frozen=True, slots=True)
class Invented:
    """The inventions of a tile set.

    Attributes:
        suits: what stands for each suit, by its letter; the others are drawn as usual.
        winds: characters as usual, single letters or English words.
        wind_ink: colour of letters and words.
        dragons: pictures of the white, green and red dragon; empty where they are drawn as usual.
        ground: what the faces are printed on.
        tint: its second colour.
    """

    suits: dict[str, InventedSuit]
    winds: Winds
    wind_ink: Bgr
    dragons: tuple[Picture, ...]
    ground: Ground
    tint: Bgr

    def shows(self, code: str) -> bool:
        """Whether the tile is drawn by :func:`draw_invented`."""
        if code[-1] == "z":
            return self.winds != "usual" if code in _WIND_NAMES else bool(self.dragons)
        return code[-1] in self.suits


def sample_invented(rng: Rng, palette: Palette, icons: tuple[IconSet, ...]) -> Invented:
    """Random inventions, of at least one suit.

    Args:
        rng: chooses them.
        palette: the colours of the tile set.
        icons: pictures by other people, at least one set.
    """
    inks = (palette.black, palette.red, palette.green, palette.blue, palette.accent)
    suits: dict[str, InventedSuit] = {}
    while not suits:
        for suit in _SUITS:
            if rng.random() >= _USUAL[suit]:
                bars = rng.random() < _BARS[suit]
                picture = None if bars else _picture(rng, palette, icons)
                ink = inks[int(rng.integers(len(inks)))]
                suits[suit] = InventedSuit(picture, ink, bars or bool(rng.random() < _COUNTED))
    dragons: tuple[Picture, ...] = ()
    if rng.random() < _PICTURED:
        own = icons[int(rng.integers(len(icons)))]
        shown = own.others[int(rng.integers(len(own.others)))]
        dragons = tuple(
            Picture(shown, "one" if rng.random() < 0.7 else "colours", (ink,))
            for ink in (palette.blue, palette.green, palette.red)
        )
    return Invented(
        suits=suits,
        winds=_WINDS[int(rng.choice(3, p=_WIND_SHARES))],
        wind_ink=inks[int(rng.integers(len(inks)))],
        dragons=dragons,
        ground=_GROUNDS[int(rng.choice(len(_GROUNDS), p=_GROUND_SHARES))],
        tint=_tint(rng, palette.paper),
    )


def _picture(rng: Rng, palette: Palette, icons: tuple[IconSet, ...]) -> Picture:
    chosen = icons[int(rng.integers(len(icons)))]
    kind = BIRDS if rng.random() < 0.15 else OTHERS
    return sample_picture(rng, chosen, palette, kind)


def _tint(rng: Rng, paper: Bgr) -> Bgr:
    """A colour near the paper's lightness, so that prints stay readable on it."""
    blue, green, red = (int(np.clip(part + rng.integers(-70, 31), 0, 255)) for part in paper)
    return blue, green, red


def draw_ground(face: Face, style: Invented) -> None:
    """Cover a face that is still empty with the tile set's ground."""
    rows, columns = face.pixels.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns]
    step = SCALE // 10
    if style.ground == "paper":
        return
    share = {
        "coloured": np.ones((rows, columns)),
        "shaded": y / rows,
        "stripes": ((x + y) // step % 2).astype(float),
        "checks": ((x // step + y // step) % 2).astype(float),
        "dots": ((x % step - step / 2) ** 2 + (y % step - step / 2) ** 2 < (step / 4) ** 2) * 1.0,
    }[style.ground][..., np.newaxis]
    mixed = face.pixels * (1 - share) + np.array(style.tint, np.float64) * share
    face.pixels[:] = mixed.astype(np.uint8)


def draw_invented(face: Face, code: str, style: Invented, fonts: Typefaces) -> None:
    """Draw an invented suit, wind or dragon on a face.

    Args:
        face: the face to draw on.
        code: code of a tile that the style shows.
        style: the inventions of the tile set.
        fonts: its typefaces.
    """
    middle = face.height / 2
    if code in _WIND_NAMES:
        name = _WIND_NAMES[code]
        if style.winds == "letters":
            face.glyph(fonts.latin, name[0], (0.5, middle, 0.6, 0.7), style.wind_ink)
        else:
            face.word(fonts.latin, name, (0.5, middle, 0.86, 0.3), style.wind_ink)
    elif code[-1] == "z":
        style.dragons[int(code[0]) - 5].stamp(face, (0.5, middle, 0.8, 0.8 * face.height))
    else:
        _draw_suit(face, int(code[0]), style.suits[code[-1]])


def _draw_suit(face: Face, number: int, suit: InventedSuit) -> None:
    if number == 1 or not suit.counted:
        places, size = [(0.0, 0.0)], 0.62
    else:
        places, size = list(LAYOUTS[number]), min(0.4, 0.62 / np.sqrt(number) * 1.1)
    for across, down in places:
        x, y = 0.5 + 0.27 * across, face.height / 2 + 0.36 * face.height * down
        if suit.picture is None:
            half = size / 2
            ends: NDArray[np.float64] = pts((x, y - half), (x, y + half))
            face.line(ends, suit.ink, size / 4)
        else:
            suit.picture.stamp(face, (x, y, size, size))
