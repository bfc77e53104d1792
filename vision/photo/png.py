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
from vision.photo.jpeg import EXIF_PREFIX

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
_KEPT: Final = frozenset({b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT"})
"""Chunks of the picture itself, and of the way it was held, in front of the last."""
_MAY_LACK: Final = 0x20
"""Bit of a name's first letter, small letters have it, of a chunk that the pixels do not need."""
_AROUND: Final = 12
"""Bytes of a chunk's length, name and checksum."""
_SAMPLES: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples of a pixel, by the kind of colour."""
_STEP: Final = 16 * 1024
"""Bytes that are unpacked at one time; they become at most a thousand times as many."""


def read_png(data: bytes) -> Header:
    """The header of a PNG that has all the chunks of its pixels.

    A chunk that the pixels do not need is left out where its checksum is wrong, and so is all that
    a file which breaks off has behind the pixels.

    Raises:
        PhotoRejected: a chunk of the picture is damaged or missing, or there are too many.
    """
    head = b""
    animated, packed, position = False, 0, len(SIGNATURE)
    view, kept = memoryview(data), [SIGNATURE]
    for _ in range(MAX_PARTS):
        end = position + _AROUND + int.from_bytes(view[position : position + 4], "big")
        name, content = bytes(view[position + 4 : position + 8]), view[position + 8 : end - 4]
        cut = end > len(data)
        if packed and (name == b"IEND" or (cut and name != b"IDAT")):
            kept.append(_chunk(b"IEND", b""))
            return _header(head, b"".join(kept), packed, animated=animated)
        whole = not cut and view[end - 4 : end] == _checksum(name, content)
        if not whole and (cut or not name[0] & _MAY_LACK):
            break
        if not head:
            if name != b"IHDR" or len(content) != 13:
                break
            head = bytes(content)
        animated |= name == b"acTL"
        if name in _KEPT and whole:
            bare = bytes(content).removeprefix(EXIF_PREFIX) if name == b"eXIf" else content
            kept.append(_chunk(name, bare))
            packed += len(content) if name == b"IDAT" else 0
        position = end
    else:
        raise costly("PNG")
    raise damaged("PNG")


def _checksum(name: bytes, content: bytes | memoryview) -> bytes:
    return zlib.crc32(content, zlib.crc32(name)).to_bytes(4, "big")


def _chunk(name: bytes, content: bytes | memoryview) -> bytes:
    return b"".join((len(content).to_bytes(4, "big"), name, content, _checksum(name, content)))


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
