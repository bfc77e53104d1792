"""How a tile set of the world is made: its backs, its sides, and what its White dragon shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.designs.drawing.design import Bgr
from datasets.scenes.art import art_set
from datasets.scenes.backs import draw_back_picture, mean_colour
from datasets.scenes.scenes import DYED, SHARES
from datasets.sets.dyes import dyed, random_dye
from datasets.sets.faces import FacesBut, FaceSet
from scorer.tiles import BLANK

Image = NDArray[np.uint8]

WHITE: Final = "5z"
"""The White dragon."""
_ART: Final = 0.08
"""Share of the sets whose suits show other pictures."""
_PALE_BACKS: Final = 0.20
"""Share of the sets whose backs have the colour of their faces."""
_PICTURED_BACKS: Final = 0.30
"""Share of the sets whose backs show a picture instead of one colour."""
_SOLID: Final = 0.20
"""Share of the sets whose sides have the colour of the face all through."""
_PLAIN_DRAGONS: Final = 0.35
"""Share of the sets whose White dragon is a plain face."""
_SPARES: Final = 0.15
"""Share of the sets with a framed White dragon of which plain spares are laid too."""
_SPARE_SHARE: Final = 3.0
"""Frequency of plain spares relative to other tiles, where they are laid."""
_FREQUENCIES: Final = (1.0, 2.0, 4.0)
"""The frequencies of the White dragon relative to other tiles, equally likely."""
_PRINTED: Final = 25.0
"""Least range of the grey levels of a face that has a print."""


@dataclass(frozen=True, slots=True)
class Make:
    """A tile set as it is made and dealt in one picture.

    Attributes:
        faces: its faces and colours.
        shares: frequency of some labels relative to 1.
        plain: label of the plain faces that lie among its tiles.
    """

    faces: FaceSet
    shares: Mapping[str, float]
    plain: str


def random_make(rng: Generator, faces: FaceSet) -> Make:
    """The tile set with random backs, sides and White dragons; the faces keep their labels."""
    if rng.random() < _ART:
        faces = art_set(rng, faces)
    if rng.random() < DYED:
        faces = dyed(faces, random_dye(rng))
    faces = _other_sides(rng, _other_backs(rng, faces))
    shares = {**SHARES, WHITE: float(rng.choice(_FREQUENCIES))}
    chance = rng.random()
    framed = not is_plain(faces, WHITE)
    if framed and chance < _SPARES:
        faces = replace(faces, faces=FacesBut(faces.faces, {BLANK: _plain(faces)}))
        return Make(faces, {**shares, BLANK: _SPARE_SHARE}, BLANK)
    if not framed or chance < _SPARES + _PLAIN_DRAGONS:
        return plain_dragons(Make(faces, shares, WHITE))
    return Make(faces, shares, WHITE)


def plain_dragons(make: Make) -> Make:
    """The same make with a plain White dragon, and without spares, which would look the same."""
    faces = replace(make.faces, faces=FacesBut(make.faces.faces, {WHITE: _plain(make.faces)}))
    return Make(faces, {**make.shares, BLANK: 0.0}, WHITE)


def is_plain(faces: FaceSet, label: str) -> bool:
    """Whether the set's face of this label has no print, or is missing."""
    if label not in faces.faces:
        return True
    face = faces.faces[label][0]
    rows, columns = face.shape[0] // 16, face.shape[1] // 16
    inside = face[rows : face.shape[0] - rows, columns : face.shape[1] - columns]
    low, high = np.percentile(inside.mean(axis=2), (1, 99))
    return bool(high - low < _PRINTED)


def _plain(faces: FaceSet) -> tuple[Image, ...]:
    """The set's blank face, or one in the colour of its body."""
    if BLANK in faces.faces:
        return faces.faces[BLANK]
    return (np.full((90, 68, 3), faces.body_bgr, np.uint8),)


def _other_backs(rng: Generator, faces: FaceSet) -> FaceSet:
    """The set with backs as pale as its faces, with pictured ones, or as it is."""
    chance = rng.random()
    if chance < _PALE_BACKS:
        return _with_back(faces, _near(rng, faces.body_bgr), None)
    if chance < _PALE_BACKS + _PICTURED_BACKS:
        picture = draw_back_picture(rng, faces.back_bgr)
        return _with_back(faces, mean_colour(picture), picture)
    return faces


def _with_back(faces: FaceSet, colour: Bgr, picture: Image | None) -> FaceSet:
    sides = (*faces.side_bgrs[:-1], colour) if len(faces.side_bgrs) > 1 else faces.side_bgrs
    return replace(faces, back_bgr=colour, side_bgrs=sides, back_picture=picture)


def _near(rng: Generator, colour: Bgr) -> Bgr:
    """Almost the same colour, mostly a little darker."""
    near = np.array(colour) + rng.normal(0, 7, 3) - rng.uniform(0, 14)
    blue, green, red = (int(part) for part in np.clip(near, 0, 255))
    return blue, green, red


def _other_sides(rng: Generator, faces: FaceSet) -> FaceSet:
    """The set with sides in the colour of its body all through, or as it is."""
    if rng.random() < _SOLID:
        return replace(faces, side_bgrs=(faces.body_bgr,))
    return faces
