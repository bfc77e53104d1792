"""What decoding a photo may cost, told from its header before anything is unpacked.

The limits are wide enough for what phones and scanners make. A file over one of them is made by
hand, or by a program that can save the picture in an ordinary way too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from vision.errors import costly, damaged, too_large
from vision.heif.picture import Picture

Kind = Literal["JPEG", "PNG", "WebP", "HEIC", "AVIF"]

MAX_PARTS: Final = 10_000
"""Maximum number of segments or chunks of a file: 25 MB in pieces of 4 kB, the smallest that
programs write, are 6,400."""

MAX_SCANNED_PIXELS: Final = 1_000_000_000
"""Maximum number of pixels that the scans of a JPEG pass over together: 16 scans of 60 million.
Phones write one scan, progressive files have about ten."""

MAX_HELD_BYTES: Final = 240_000_000
"""Maximum memory in bytes of the pixels and of what the decoder holds beside them."""

MAX_BOXED_BYTES: Final = 540_000_000
"""The same for HEIC and AVIF, of which cameras make one piece, and of which no decoder makes half:
45 million pixels of 10 bits, 4:2:2, are 520 MB, of which 135 are left once they are decoded."""

MAX_UNPACKED_BYTES: Final = 200_000_000
"""Maximum size in bytes of a PNG's unpacked rows: 60 million pixels of 8-bit colour are 180 MB."""

FREE_PIXELS: Final = 16_000_000
"""Number of pixels that a file of any size may have: a screenshot can be white all over."""

PIXELS_A_BYTE: Final = 100
"""Maximum number of pixels for each byte of a larger picture; a JPEG of a phone has 2 to 20."""

DENSE_PIXELS_A_BYTE: Final = 1_000
"""The same for HEIC and AVIF, which need few bytes for what is plain."""

FULL_PIXELS: Final = 40_000_000
"""Number of pixels above which a picture is decoded at half its side and scaled up again, because
OpenCV holds what it decodes twice."""

BYTES_A_PIXEL: Final = 3
"""Bytes of a decoded pixel: blue, green and red."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a picture file.

    Attributes:
        kind: the file format.
        width: pixels from left to right, as stored, before any turn the camera asks for.
        height: pixels from top to bottom, as stored.
        picture: the file as it is decoded, without parts that hold nothing of the picture.
        packed: bytes of the picture's data in it.
        animated: whether it holds more than one picture.
        scans: how many times the decoder passes over all pixels.
        beside: bytes that the decoder holds beside the pixels.
        unpacked: bytes of a PNG's rows; 0 for other formats.
        boxed: the pieces of an HEIC or AVIF picture; None for other formats.
    """

    kind: Kind
    width: int
    height: int
    picture: bytes
    packed: int
    animated: bool = False
    scans: int = 1
    beside: int = 0
    unpacked: int = 0
    boxed: Picture | None = None

    @property
    def pixels(self) -> int:
        """Width times height."""
        return self.width * self.height

    @property
    def halved(self) -> bool:
        """Whether it is decoded at half its side."""
        return self.pixels > FULL_PIXELS


def check_cost(header: Header) -> None:
    """Raise :class:`PhotoRejected` for a picture that costs too much, or that cannot be there."""
    decoded = header.pixels * BYTES_A_PIXEL
    if header.halved and header.kind == "JPEG":
        decoded //= 4
    pixels, a_byte, most = header.pixels, PIXELS_A_BYTE, MAX_HELD_BYTES
    if header.boxed is not None:
        pixels, a_byte, most = header.boxed.coded, DENSE_PIXELS_A_BYTE, MAX_BOXED_BYTES
    if header.scans * header.pixels > MAX_SCANNED_PIXELS:
        raise costly(header.kind)
    if decoded + header.beside > most or header.unpacked > MAX_UNPACKED_BYTES:
        raise too_large(header.kind)
    if pixels > max(FREE_PIXELS, header.packed * a_byte):
        raise damaged(header.kind)
