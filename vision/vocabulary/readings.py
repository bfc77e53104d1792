"""The reading of a photo: its tiles, the players' hands, and what people should check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS
from vision.messages import Message

MeldKind = Literal["chow", "pung", "kong"]
Role = Literal["hand", "set", "bonus"]
"""What tiles that lie together are: tiles in hand, a meld laid apart, or flowers and seasons."""
Position = Literal["near", "right", "far", "left"]
"""The side of the photo at which a player sits."""

MELD_SIZES: Final[Mapping[MeldKind, int]] = MappingProxyType({"chow": 3, "pung": 3, "kong": 4})
"""Number of tiles in each kind of meld."""

DOUBTFUL_BELOW: Final = 0.97
"""Confidence below which people should check a tile, by :mod:`benchmarks.joint.joint`."""
FULL_HAND: Final = (13, 14)
"""Number of tiles in a hand before and after going out, each kong counted as three."""

POSITIONS: Final[tuple[Position, ...]] = ("near", "right", "far", "left")
"""The sides of a photo of the table, in the order in which players have their turns."""

Corner = tuple[float, float]
Quad = tuple[Corner, Corner, Corner, Corner]

_PROBABILITY_DIGITS: Final = 4
"""Decimals of a probability in JSON."""
_PIXEL_DIGITS: Final = 1
"""Decimals of a coordinate in pixels in JSON."""
_SECONDS_DIGITS: Final = 4
"""Decimals of a time in seconds in JSON."""


def _check_labels(what: str, labels: tuple[str, ...]) -> None:
    for label in labels:
        if label not in READING_LABELS:
            raise ValueError(f"{what} holds the unknown label {label!r}")


def to_quad(corners: NDArray[np.floating]) -> Quad:
    """Corners (4, 2) as plain numbers.

    Raises:
        ValueError: the array has another shape.
    """
    if corners.shape != (4, 2):
        raise ValueError(f"a quad has shape (4, 2), not {corners.shape}")
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile of the photo.

    Attributes:
        quad: the face's corners in pixels of the upright photo: top-left, top-right,
            bottom-right, bottom-left of the tile as read upright.
        label: one of :data:`scorer.tiles.READING_LABELS`.
        confidence: calibrated probability in 0..1 that the label is right.
        alternatives: the likeliest labels with their probabilities, best first; the first is
            the label itself.
        row: index of the row the tile lies in, counted from the far side of the player.
        red: whether it is a five that is printed all in red.

    Raises:
        ValueError: a label, a probability or the row is out of range.
    """

    quad: Quad
    label: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    row: int
    red: bool = False

    def __post_init__(self) -> None:
        _check_labels("a tile", (self.label, *(label for label, _ in self.alternatives)))
        for probability in (self.confidence, *(p for _, p in self.alternatives)):
            if not 0 <= probability <= 1:
                raise ValueError(f"a probability lies in 0..1, not {probability}")
        if self.row < 0:
            raise ValueError(f"a row is counted from 0, not {self.row}")

    def rounded(self) -> TileReading:
        """The tile as it is written down: pixels to one decimal, probabilities to four."""
        a, b, c, d = ((round(x, _PIXEL_DIGITS), round(y, _PIXEL_DIGITS)) for x, y in self.quad)
        return TileReading(
            (a, b, c, d),
            self.label,
            round(self.confidence, _PROBABILITY_DIGITS),
            tuple((label, round(p, _PROBABILITY_DIGITS)) for label, p in self.alternatives),
            self.row,
            self.red,
        )

    def to_json(self) -> dict[str, object]:
        """The tile, rounded, as plain JSON values."""
        tile = self.rounded()
        return {
            "quad": [list(corner) for corner in tile.quad],
            "label": tile.label,
            "confidence": tile.confidence,
            "alternatives": [list(alternative) for alternative in tile.alternatives],
            "row": tile.row,
            **({"red": True} if tile.red else {}),
        }


@dataclass(frozen=True, slots=True)
class MeldReading:
    """A meld that lies apart from the hand.

    Attributes:
        kind: ``chow``, ``pung`` or ``kong``.
        tiles: its three or four labels; face-down tiles of a meld whose face is known have the
            label of that face.
        concealed: whether it was laid down concealed, shown by face-down tiles.

    Raises:
        ValueError: the number of tiles does not fit the kind, or a label is unknown.
    """

    kind: MeldKind
    tiles: tuple[str, ...]
    concealed: bool

    def __post_init__(self) -> None:
        if len(self.tiles) != MELD_SIZES.get(self.kind):
            raise ValueError(f"a {self.kind} cannot have {len(self.tiles)} tiles")
        _check_labels("a set", self.tiles)

    def to_json(self) -> dict[str, object]:
        """The meld in the form in which a deal is written."""
        return {"kind": self.kind, "tiles": list(self.tiles), "concealed": self.concealed}


@dataclass(frozen=True, slots=True)
class Part:
    """Tiles of one player that lie together, and what they are.

    Attributes:
        role: ``hand`` for tiles in hand, ``set`` for a meld laid apart, ``bonus`` for flowers and
            seasons.
        tiles: their indices among the tiles of the reading, from the player's left to right.
        meld: the meld of a ``set``; None where its tiles, as they are read, make no meld.
        confidence: probability in 0..1 that the tiles belong to this player in this role, given
            all other parts.
        reason: why, for people.

    Raises:
        ValueError: there are no tiles, or the confidence is out of range.
    """

    role: Role
    tiles: tuple[int, ...]
    meld: MeldReading | None
    confidence: float
    reason: Message

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("a part of a hand has at least one tile")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a probability lies in 0..1, not {self.confidence}")

    def to_json(self) -> dict[str, object]:
        """The part as plain JSON values."""
        return {
            "role": self.role,
            "tiles": list(self.tiles),
            "meld": None if self.meld is None else self.meld.to_json(),
            "confidence": round(self.confidence, _PROBABILITY_DIGITS),
            "reason": str(self.reason),
        }


@dataclass(frozen=True, slots=True)
class HandReading:
    """The tiles of one player.

    Attributes:
        row: index of the row in which the hand itself lies.
        concealed: labels of the tiles still in hand, as they lie from left to right.
        melds: the melds laid apart.
        bonus: flowers and seasons, wherever they lie.
        position: the side of the photo at which the player sits.
        parts: how the tiles lie; not compared.

    Raises:
        ValueError: the row is negative, a label is unknown or a bonus tile is none.
    """

    row: int
    concealed: tuple[str, ...]
    melds: tuple[MeldReading, ...]
    bonus: tuple[str, ...]
    position: Position = "near"
    parts: tuple[Part, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.row < 0:
            raise ValueError(f"a row is counted from 0, not {self.row}")
        _check_labels("a hand", self.concealed)
        for label in self.bonus:
            if label not in BONUS_TILES:
                raise ValueError(f"{label!r} is neither a flower nor a season")

    def to_json(self) -> dict[str, object]:
        """The hand as plain JSON values."""
        return {
            "row": self.row,
            "concealed": list(self.concealed),
            "melds": [meld.to_json() for meld in self.melds],
            "bonus": list(self.bonus),
        }

    @property
    def size(self) -> int:
        """Number of tiles in the hand, each meld laid apart counted as three."""
        return len(self.concealed) + 3 * len(self.melds)

    @property
    def tiles(self) -> tuple[int, ...]:
        """Indices of all tiles of the player among those of the reading."""
        return tuple(index for part in self.parts for index in part.tiles)


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one photo.

    Attributes:
        width: pixels of the upright photo from left to right.
        height: pixels of the upright photo from top to bottom.
        tiles: all tiles, row by row, each row from left to right.
        hands: the players' hands, by their positions in the order of :data:`POSITIONS`.
        warnings: what people should check.
        seconds: wall-clock time of each stage; not to be changed.

    Raises:
        ValueError: the size is not positive.
    """

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    hands: tuple[HandReading, ...]
    warnings: tuple[Message, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a photo cannot have {self.width} x {self.height} pixels")

    @property
    def aside(self) -> tuple[int, ...]:
        """Indices of the tiles that belong to no hand, such as walls and discards."""
        held = {index for hand in self.hands for index in hand.tiles}
        return tuple(index for index in range(len(self.tiles)) if index not in held)

    def layout_json(self) -> list[dict[str, Any]]:
        """The parts of each hand as plain JSON values."""
        return [
            {"position": hand.position, "parts": [part.to_json() for part in hand.parts]}
            for hand in self.hands
        ]

    def to_json(self, photo: str) -> dict[str, object]:
        """The reading as plain JSON values, under the photo's name."""
        return {
            "photo": photo,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_json() for tile in self.tiles],
            "hands": [hand.to_json() for hand in self.hands],
            "warnings": [str(warning) for warning in self.warnings],
            "seconds": {
                stage: round(seconds, _SECONDS_DIGITS) for stage, seconds in self.seconds.items()
            },
        }
