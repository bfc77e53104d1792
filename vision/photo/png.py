"""The header of a PNG file (W3C PNG, third edition), and whether its pixels unpack to its size.

Only the chunks that make the picture reach the decoder: notes and colour profiles are packed, and
may unpack to anything.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final

from vision.errors import costly, damaged
from vision.photo.costs import MAX_PARTS, Header

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
_KEPT: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT", b"IEND"})
"""Chunks of the picture itself, and of the way it was held."""
_AROUND: Final = 12
"""Bytes of a chunk's length, name and checksum."""
_SAMPLES: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples of a pixel, by the kind of colour."""
_STEP: Final = 16 * 1024
"""Bytes that are unpacked at one time; they become at most a thousand times as many."""


def read_png(data: bytes) -> Header:
    """The header of a PNG whose chunks have the right checksums and end with the last.

    Raises:
        PhotoRejected: a chunk is damaged or missing, or there are too many.
    """
    head = b""
    animated, packed, position = False, 0, len(SIGNATURE)
    view, kept = memoryview(data), [memoryview(SIGNATURE)]
    for _ in range(MAX_PARTS):
        end = position + _AROUND + int.from_bytes(view[position : position + 4], "big")
        checked = view[position + 4 : end - 4]
        if end > len(data) or zlib.crc32(checked) != int.from_bytes(view[end - 4 : end], "big"):
            break
        name = bytes(checked[:4])
        if not head:
            if name != b"IHDR" or len(checked) != 17:
                break
            head = bytes(checked[4:])
        animated |= name == b"acTL"
        if name in _KEPT:
            kept.append(view[position:end])
            packed += len(checked) - 4 if name == b"IDAT" else 0
        if name == b"IEND":
            return _header(head, b"".join(kept), packed, animated=animated)
        position = end
    else:
        raise costly("PNG")
    raise damaged("PNG")


def _header(head: bytes, picture: bytes, packed: int, *, animated: bool) -> Header:
    width, height, bits, colour, *_, interlaced = struct.unpack(">IIBBBBB", head)
    row = -(-width * _SAMPLES.get(colour, 1) * bits // 8) + 1
    passes = 4 * height if interlaced else 0
    return Header("PNG", width, height, picture, packed, animated, unpacked=row * height + passes)


def check_unpacked(header: Header) -> None:
    """Raise :class:`PhotoRejected` for a PNG whose data unpack to more than its rows."""
    data = memoryview(header.picture)
    unpack = zlib.decompressobj()
    position, rest = len(SIGNATURE), header.unpacked
    while position < len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        start, position = position + 8, position + _AROUND + length
        if bytes(data[start - 4 : start]) != b"IDAT":
            continue
        for part in range(start, start + length, _STEP):
            try:
                rest -= len(unpack.decompress(data[part : min(part + _STEP, start + length)]))
            except zlib.error:
                raise damaged("PNG") from None
            if rest < 0:
                raise costly("PNG")
            if unpack.eof:
                return
