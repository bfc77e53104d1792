"""The format and size of a picture file, read from its first bytes without decoding it.

Layouts: JPEG (ITU-T T.81 annex B), PNG (W3C PNG, third edition), WebP (RFC 9649).
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final, Literal

from vision.errors import PhotoRejected
from vision.messages import say

Kind = Literal["JPEG", "PNG", "WebP"]

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""
_HEIF_BRANDS: Final = {b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"}
"""Brands of ISO media files that hold an HEIF picture."""

_JPEG_SOF: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of the frame header of a JPEG, which holds its size."""
_JPEG_SOS: Final = 0xDA
"""Marker of the start of a JPEG's pixels."""
_JPEG_NO_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of a JPEG that no length follows."""

_WEBP_ANIMATION: Final = 0x02
"""Flag of an extended WebP file that holds an animation."""

_OTHER_FORMATS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"GIF8", "file.gif"),
    (b"II*\0", "file.tiff"),
    (b"MM\0*", "file.tiff"),
    (b"BM", "file.bmp"),
    (b"%PDF", "file.pdf"),
    (b"PK\x03\x04", "file.zip"),
    (b"\0\0\0\x0cjP  ", "file.jpeg_2000"),
    (b"\xff\x4f\xff\x51", "file.jpeg_2000"),
    (b"\xff\x0a", "file.jpeg_xl"),
    (b"\0\0\0\x0cJXL ", "file.jpeg_xl"),
    (b"8BPS", "file.photoshop"),
    (b"v/1\x01", "file.openexr"),
    (b"\x1aE\xdf\xa3", "file.video"),
)
"""First bytes of other formats, each with the id of the message that names it."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a picture file.

    Attributes:
        kind: the file format.
        width: pixels from left to right, as stored, before any turn the camera asks for.
        height: pixels from top to bottom, as stored.
        animated: whether it holds more than one picture.
    """

    kind: Kind
    width: int
    height: int
    animated: bool = False


def read_header(data: bytes) -> Header:
    """The format and the stored size of a JPEG, PNG or WebP file.

    Raises:
        PhotoRejected: the bytes are empty, of another format, or end before the size.
    """
    if not data:
        raise PhotoRejected(say("photo.empty"))
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data.startswith(_PNG_SIGNATURE):
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    kind, advice = say(_kind_of(data)), say(_advice(data))
    raise PhotoRejected(say("photo.not_a_photo", kind=kind, advice=advice))


def _kind_of(data: bytes) -> str:
    """The id of the message that names what the bytes look like."""
    for magic, kind in _OTHER_FORMATS:
        if data.startswith(magic):
            return kind
    if data[4:8] == b"ftyp":
        return _iso_media(data[8:12])
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<svg", b"<?xml")):
        return "file.svg"
    if head.startswith((b"<!doctype html", b"<html")):
        return "file.web_page"
    if b"\0" not in data[:512] and _is_text(data[:512]):
        return "file.text"
    return "file.unknown"


def _iso_media(brand: bytes) -> str:
    if brand in _HEIF_BRANDS:
        return "file.heic"
    if brand in {b"avif", b"avis"}:
        return "file.avif"
    return "file.video"


def _is_text(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4
    return True


def _advice(data: bytes) -> str:
    """The id of the message that says what to send instead."""
    from_iphone = data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS
    return "file.advice_iphone" if from_iphone else "file.advice"


def _cut_short(kind: Kind) -> PhotoRejected:
    return PhotoRejected(say("photo.damaged", format=kind))


def _jpeg(data: bytes) -> Header:
    position = 2
    while position + 4 <= len(data):
        if data[position] != 0xFF:
            raise _cut_short("JPEG")
        marker = data[position + 1]
        if marker == 0xFF or marker in _JPEG_NO_LENGTH:
            position += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_SOF and position + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, position + 5)
            return Header("JPEG", width, height)
        if marker == _JPEG_SOS:
            break
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    raise _cut_short("JPEG")


def _png(data: bytes) -> Header:
    """The size in IHDR; every chunk's checksum is compared and the end chunk must be there."""
    size: tuple[int, int] | None = None
    animated = False
    position = len(_PNG_SIGNATURE)
    view = memoryview(data)
    while position + 12 <= len(data):
        length = int.from_bytes(view[position : position + 4], "big")
        end = position + 12 + length
        if end > len(data):
            break
        checked = view[position + 4 : end - 4]
        if zlib.crc32(checked) != int.from_bytes(view[end - 4 : end], "big"):
            break
        name = bytes(checked[:4])
        if size is None:
            if name != b"IHDR" or length != 13:
                break
            size = struct.unpack_from(">II", data, position + 8)
        animated |= name == b"acTL"
        if name == b"IEND":
            return Header("PNG", *size, animated)
        position = end
    raise _cut_short("PNG")


def _webp(data: bytes) -> Header:
    if 8 + int.from_bytes(data[4:8], "little") > len(data) + 1 or len(data) < 30:
        raise _cut_short("WebP")
    chunk = data[12:16]
    if chunk == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        return Header("WebP", width, height, bool(data[20] & _WEBP_ANIMATION))
    if chunk == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return Header("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return Header("WebP", width & 0x3FFF, height & 0x3FFF)
    raise _cut_short("WebP")
