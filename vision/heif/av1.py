"""AV1 (its specification, version 1.0.0 with errata 1), in AVIF files: looked through, and decoded.

A piece reaches Pillow, which has libavif and dav1d, as a file of ours that holds nothing else, and
only where it says the same size as its file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected, costly, damaged
from vision.heif.bits import Bits
from vision.heif.boxes import MAX_BOXES, Fields, box, full_box
from vision.heif.picture import Demand, Picture
from vision.messages import say

if TYPE_CHECKING:
    from PIL import Image

_KIND: Final = "AVIF"
_SIZES: Final = 1
"""Type of the unit that holds the size: the sequence header."""
_FRAMES: Final = frozenset({3, 6})
"""Types of units that start a pass over the pixels."""
_ORDINARY: Final = 3
"""Bytes that a decoder holds of a pixel in the profile of photos: 4:2:0 in up to 10 bits."""
_OTHER: Final = 6
"""Bytes that it holds in other profiles: 4:4:4 in up to 12 bits."""
_ROWS: Final = 256
"""Rows of a picture that are taken over at one time."""
_COPIES: Final = 7
"""Bytes of a pixel in colours on its way through Pillow: three at first, four in its own form."""


def demand(picture: Picture) -> Demand:
    """What decoding the pieces takes.

    Raises:
        PhotoRejected: a piece is damaged, or says another size than the file.
    """
    each = [_look(picture, piece) for piece in picture.pieces]
    return Demand(max(one.passes for one in each), max(one.held for one in each))


def decoded(picture: Picture) -> Iterator[NDArray[np.uint8]]:
    """The pieces as (h, w, 3) BGR, row by row.

    Raises:
        PhotoRejected: one is damaged, or Pillow has no decoder here.
    """
    from PIL import AvifImagePlugin, Image

    if not AvifImagePlugin.SUPPORTED:
        raise PhotoRejected(say("photo.no_avif"))
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    for piece in picture.pieces:
        file = io.BytesIO(_file(picture, piece))
        try:
            with Image.open(file, formats=["AVIF"]) as image:
                pixels = _pixels(image)
        except (OSError, ValueError, SyntaxError, RuntimeError):
            raise damaged(_KIND) from None
        if pixels.shape[1::-1] != picture.piece:
            raise damaged(_KIND)
        yield pixels


def _pixels(image: Image.Image) -> NDArray[np.uint8]:
    """A decoded picture as (h, w, 3) BGR, a part at a time, since each is copied on its way."""
    width, height = image.size
    pixels = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _ROWS):
        rows = image.crop((0, top, width, min(height, top + _ROWS)))
        pixels[top : top + _ROWS] = np.asarray(rows.convert("RGB"))[:, :, ::-1]
    return pixels


def _file(picture: Picture, piece: bytes) -> bytes:
    """A file with one piece."""
    head = box(b"ftyp", b"avif", bytes(4), b"avifmif1miaf")
    before = len(_meta(picture, piece, 0)) + len(head) + 8
    return b"".join((head, _meta(picture, piece, before), box(b"mdat", piece)))


def _meta(picture: Picture, piece: bytes, before: int) -> bytes:
    """One item, where it lies, and its properties."""
    sides = (side.to_bytes(4, "big") for side in picture.piece)
    place = before.to_bytes(4, "big") + len(piece).to_bytes(4, "big")
    properties = [full_box(b"ispe", *sides), box(b"av1C", picture.parameters)]
    if picture.colours:
        properties.append(box(b"colr", picture.colours))
    numbers = bytes(range(1, len(properties) + 1))
    one = b"\0\1"
    return full_box(
        b"meta",
        full_box(b"hdlr", bytes(4), b"pict", bytes(13)),
        full_box(b"pitm", one),
        full_box(b"iloc", b"\x44\0", one, one, bytes(2), one, place),
        full_box(b"iinf", one, full_box(b"infe", one, bytes(2), b"av01\0", version=2)),
        box(
            b"iprp",
            box(b"ipco", *properties),
            full_box(b"ipma", b"\0\0", one, one, bytes([len(numbers)]), numbers),
        ),
    )


def _units(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The type and the content of each unit of a piece."""
    body = Fields(_KIND, memoryview(data))
    for _ in range(MAX_BOXES):
        if not body.left:
            return
        head = body.number(1)
        body.number(head >> 2 & 1)
        yield head >> 3 & 15, bytes(body.take(_length(body) if head & 2 else body.left))
    raise costly(_KIND)


def _length(body: Fields) -> int:
    """The next number, seven bits of which are in each byte."""
    value = 0
    for shift in range(0, 56, 7):
        byte = body.number(1)
        value |= (byte & 127) << shift
        if byte < 128:
            return value
    raise damaged(_KIND)


def _look(picture: Picture, piece: bytes) -> Demand:
    """What decoding a piece takes."""
    passes, held = 0, 0
    for of_type, content in _units(piece):
        passes += of_type in _FRAMES
        if of_type == _SIZES:
            profile, size = _sizes(content)
            held = max(held, _OTHER if profile else _ORDINARY)
            if size != picture.piece:
                raise damaged(_KIND)
    if not held or not passes:
        raise damaged(_KIND)
    return Demand(passes, held + _COPIES)


def _sizes(content: bytes) -> tuple[int, tuple[int, int]]:
    """The profile, and the greatest width and height, in a sequence header (5.5.1)."""
    bits = Bits(_KIND, content)
    profile, _, reduced = bits.number(3), bits.number(1), bits.number(1)
    if reduced:
        bits.number(5)
    else:
        _pass_over_points(bits)
    of_width, of_height = bits.number(4) + 1, bits.number(4) + 1
    return profile, (bits.number(of_width) + 1, bits.number(of_height) + 1)


def _pass_over_points(bits: Bits) -> None:
    """Pass over times and operating points, which films need."""
    delay = 0
    if bits.number(1):
        bits.number(64)
        if bits.number(1):
            bits.any_number()
        if bits.number(1):
            delay = bits.number(5) + 1
            bits.number(42)
    display = bits.number(1)
    for _ in range(bits.number(5) + 1):
        bits.number(12)
        if bits.number(5) > 7:
            bits.number(1)
        if delay and bits.number(1):
            bits.number(2 * delay + 1)
        if display and bits.number(1):
            bits.number(4)
