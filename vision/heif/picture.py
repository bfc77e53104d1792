"""The picture of an HEIF file: its pieces, how they lie, and how it was held (ISO/IEC 23008-12).

An iPhone cuts its photos into squares of 512 pixels, each a picture of its own; their grid is the
picture. Which way up it is belongs to the picture, and what Exif says of it does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.errors import costly, damaged
from vision.heif.boxes import Fields
from vision.heif.colours import check_matrix
from vision.heif.items import Items, read_items
from vision.heif.steps import NAMES, Step, read_step, shown_size

MAX_PIECES: Final = 1_000
"""Maximum number of pieces of a picture; the largest photos of phones have 192."""
MAX_PARAMETERS: Final = 4_096
"""Maximum length in bytes of a property of a piece; an iPhone's parameters are 120."""
MAX_STEPS: Final = 3
"""Maximum number of items between the one that is named as the picture and its pieces."""

_CODED: Final = {b"hvc1": b"hvcC", b"av01": b"av1C"}
"""Types of items that hold pixels, each with the property that says how they are coded."""
_SAME: Final = frozenset({b"iden", b"tmap"})
"""Types of items that show another as it is, or under a map of its lights; the other is read."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What decoding the pieces takes.

    Attributes:
        passes: how often a decoder may pass over all pixels of a piece.
        held: bytes that it holds of each pixel of a piece beside those of the picture.
    """

    passes: int
    held: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it lies in its file.

    Attributes:
        coding: ``hvcC`` for HEVC, ``av1C`` for AV1: the name of the box with its parameters.
        parameters: that box's content, the same for all pieces.
        colours: the content of the box that says how colours were coded; empty if none does.
        pieces: the coded pieces, row by row.
        piece: width and height of a piece in pixels.
        columns: number of pieces beside each other.
        width: pixels from left to right, as stored.
        height: pixels from top to bottom, as stored.
        steps: what is done with the pixels before they are shown, in order.
    """

    coding: str
    parameters: bytes
    colours: bytes
    pieces: tuple[bytes, ...]
    piece: tuple[int, int]
    columns: int
    width: int
    height: int
    steps: tuple[Step, ...]

    @property
    def shown(self) -> tuple[int, int]:
        """Width and height in pixels of what is shown."""
        return shown_size(self.steps, self.width, self.height)

    @property
    def coded(self) -> int:
        """Number of pixels of all pieces."""
        return self.piece[0] * self.piece[1] * len(self.pieces)

    @property
    def packed(self) -> int:
        """Number of bytes of the pieces."""
        return sum(len(piece) for piece in self.pieces)


def read_picture(kind: str, data: bytes) -> Picture:
    """The picture of a file, without the pieces having been looked into.

    Raises:
        PhotoRejected: the file is damaged, in too many parts, or made in an unusual way.
    """
    items = read_items(kind, data)
    number, steps = items.primary, list[Step]()
    for _ in range(MAX_STEPS):
        steps = _steps(items, number) + steps
        of_type = items.types.get(number, b"")
        if of_type not in _SAME:
            break
        number = next(iter(items.parts.get(number, ())), 0)
    if of_type == b"grid":
        rows, columns, size = _grid(items, number)
        pieces = items.parts.get(number, [])
        if len(pieces) != rows * columns:
            raise damaged(kind)
        return _picture(items, pieces, columns, size, steps)
    return _picture(items, [number], 1, None, steps)


def _steps(items: Items, number: int) -> list[Step]:
    """What is done with an item's picture, in the order in which it is named."""
    steps = [
        read_step(items.kind, name, content)
        for name, content in items.properties_of(number)
        if name in NAMES
    ]
    if len(steps) > len(NAMES):
        raise damaged(items.kind)
    return steps


def _grid(items: Items, number: int) -> tuple[int, int, tuple[int, int]]:
    """Rows, columns, and width and height of a grid."""
    if items.length(number) > 16:
        raise damaged(items.kind)
    body = Fields(items.kind, memoryview(items.bytes_of(number)))
    body.number(1)
    wide = 4 if body.number(1) & 1 else 2
    rows, columns = body.number(1) + 1, body.number(1) + 1
    return rows, columns, (body.number(wide), body.number(wide))


def _picture(
    items: Items,
    pieces: list[int],
    columns: int,
    size: tuple[int, int] | None,
    steps: list[Step],
) -> Picture:
    """A picture of these items, checked against the size that it says it has."""
    kind = items.kind
    if len(pieces) > MAX_PIECES:
        raise costly(kind)
    of_type = items.types.get(pieces[0], b"") if pieces else b""
    if of_type not in _CODED:
        raise costly(kind)
    told = [_told(items, piece) for piece in pieces]
    first = told[0]
    piece, parameters = first[b"ispe"], first[_CODED[of_type]]
    if any(items.types.get(each) != of_type for each in pieces) or any(
        other[b"ispe"] != piece or other[_CODED[of_type]] != parameters for other in told
    ):
        raise costly(kind)
    if sum(items.length(each) for each in pieces) > len(items.file):
        raise damaged(kind)
    across, down = _size(kind, piece)
    width, height = size or (across, down)
    rows = len(pieces) // columns
    if not 0 <= across * columns - width < across or not 0 <= down * rows - height < down:
        raise damaged(kind)
    return Picture(
        _CODED[of_type].decode(),
        parameters,
        first[b"colr"],
        tuple(items.bytes_of(each) for each in pieces),
        (across, down),
        columns,
        width,
        height,
        tuple(steps),
    )


def _told(items: Items, number: int) -> dict[bytes, bytes]:
    """The size, the parameters and the colours of a coded item; nothing where it tells none.

    Raises:
        PhotoRejected: its properties are too long, or its colours are not known to be converted.
    """
    told = dict.fromkeys((b"ispe", b"colr", *_CODED.values()), b"")
    for name, content in items.properties_of(number):
        if name == b"colr" and bytes(content[:4]) != b"nclx":
            continue
        if name in told and not told[name]:
            if len(content) > MAX_PARAMETERS:
                raise costly(items.kind)
            told[name] = bytes(content)
    if told[b"colr"]:
        coding = "av1C" if told[b"av1C"] else "hvcC"
        check_matrix(items.kind, int.from_bytes(told[b"colr"][8:10], "big"), coding)
    return told


def _size(kind: str, content: bytes) -> tuple[int, int]:
    """Width and height of a piece."""
    body = Fields(kind, memoryview(content))
    body.version()
    width, height = body.number(4), body.number(4)
    if not width or not height:
        raise damaged(kind)
    return width, height
