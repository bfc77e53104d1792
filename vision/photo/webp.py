"""The header of a WebP file (RFC 9649). Of an animation, the first picture is made a file."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from vision.errors import costly, damaged
from vision.photo.costs import MAX_PARTS, Header
from vision.photo.jpeg import EXIF_PREFIX

_START: Final = 12
"""Bytes of a file before its first chunk."""
_FRAME_HEAD: Final = 16
"""Bytes of an animation's frame before its chunks."""
_WITH_EXIF: Final = 0x08
"""Flag of an extended file that says which way the camera was held."""
_ON_CANVAS: Final = 0x02
"""Flag of an extended file whose pictures lie somewhere on its canvas."""
_CANVAS_BYTES: Final = 12
"""Bytes a pixel that the decoder of such a file holds beside the decoded ones: three canvases."""
_LOSSLESS_BYTES: Final = 4
"""Bytes a pixel that the decoder of pictures without loss holds beside the decoded ones."""


def read_webp(data: bytes) -> Header:
    """The header of a WebP file, without colour profiles, notes and later pictures.

    Raises:
        PhotoRejected: the file is cut short, holds no picture, or too many chunks.
    """
    if 8 + int.from_bytes(data[4:8], "little") > len(data) + 1:
        raise damaged("WebP")
    view = memoryview(data)
    canvas: tuple[int, int] | None = None
    picture, exif, frame, animated = b"", b"", b"", False
    for name, body in _chunks(view[_START:]):
        if name == b"VP8X" and len(body) >= 10:
            canvas = _number(body[4:7]) + 1, _number(body[7:10]) + 1
        elif name == b"ANMF" and not animated:
            animated, frame = True, bytes(body[:_FRAME_HEAD])
            picture = next(
                (_chunk(n, b) for n, b in _chunks(body[_FRAME_HEAD:]) if n in _PICTURES), b""
            )
        elif name in _PICTURES and not picture:
            picture = _chunk(name, body)
        elif name == b"EXIF":
            exif = _chunk(name, bytes(body).removeprefix(EXIF_PREFIX))
    size = _size(picture)
    beside = size[0] * size[1] * _LOSSLESS_BYTES if picture[:4] == b"VP8L" else 0
    packed, flags = len(picture), _WITH_EXIF if exif else 0
    if animated and canvas is not None and canvas != size:
        flags |= _ON_CANVAS
        picture = _chunk(b"ANIM", bytes(6)) + _chunk(b"ANMF", frame + picture)
        beside += canvas[0] * canvas[1] * _CANVAS_BYTES
    width, height = canvas or size
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    content = b"WEBP" + _chunk(b"VP8X", bytes([flags, 0, 0, 0]) + sides) + picture + exif
    file = b"RIFF" + struct.pack("<I", len(content)) + content
    return Header("WebP", width, height, file, packed, animated, beside=beside)


_PICTURES: Final = frozenset({b"VP8 ", b"VP8L"})
"""Chunks that hold a picture."""


def _chunks(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """The name and content of each whole chunk.

    Raises:
        PhotoRejected: there are too many.
    """
    position, parts = 0, 0
    while position + 8 <= len(data):
        parts += 1
        if parts > MAX_PARTS:
            raise costly("WebP")
        length = _number(data[position + 4 : position + 8])
        end = position + 8 + length
        if end > len(data):
            return
        yield bytes(data[position : position + 4]), data[position + 8 : end]
        position = end + length % 2


def _number(data: memoryview) -> int:
    return int.from_bytes(data, "little")


def _chunk(name: bytes, body: bytes | memoryview) -> bytes:
    return name + struct.pack("<I", len(body)) + bytes(body) + b"\0" * (len(body) % 2)


def _size(picture: bytes) -> tuple[int, int]:
    """The size in a chunk that holds a picture.

    Raises:
        PhotoRejected: it holds none.
    """
    if picture.startswith(b"VP8L") and picture[8:9] == b"\x2f" and len(picture) >= 13:
        bits = int.from_bytes(picture[9:13], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if picture.startswith(b"VP8 ") and picture[11:14] == b"\x9d\x01\x2a" and len(picture) >= 18:
        width, height = struct.unpack_from("<HH", picture, 14)
        return width & 0x3FFF, height & 0x3FFF
    raise damaged("WebP")
