"""PNG files that unpack to more than they show (W3C PNG, third edition; RFC 1950 and 1951)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from benchmarks.hostile.jpegs import MEGABYTE, noise

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
ADLER_PRIME: Final = 65_521
"""What the sums of an Adler-32 checksum are taken modulo."""

GREY: Final = 0
RGB: Final = 2
PALETTE: Final = 3
RGBA: Final = 6
SAMPLES: Final = {GREY: 1, RGB: 3, PALETTE: 1, RGBA: 4}
"""Samples of a pixel, by the kind of colour."""


def chunk(name: bytes, payload: bytes = b"") -> bytes:
    """A chunk with its length and checksum."""
    checked = name + payload
    return struct.pack(">I", len(payload)) + checked + struct.pack(">I", zlib.crc32(checked))


@cache
def packed_zeros(size: int) -> bytes:
    """So many zeros as a zlib stream, a thousandth as long, made without compressing them all."""
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    whole, rest = divmod(size, MEGABYTE)
    one = pack.compress(bytes(MEGABYTE)) + pack.flush(zlib.Z_FULL_FLUSH)
    last = pack.compress(bytes(rest)) + pack.flush()
    adler = struct.pack(">HH", size % ADLER_PRIME, 1)
    return b"\x78\x9c" + one * whole + last + adler


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a PNG.

    Attributes:
        width: pixels from left to right.
        height: pixels from top to bottom.
        colour: the kind of colour.
        bits: bits of a sample.
        interlaced: whether it comes in seven passes.
    """

    width: int
    height: int
    colour: int = GREY
    bits: int = 8
    interlaced: bool = False

    @property
    def unpacked(self) -> int:
        """Bytes of its rows, each with the byte that names its filter."""
        row = -(-self.width * SAMPLES[self.colour] * self.bits // 8) + 1
        return row * self.height

    def __bytes__(self) -> bytes:
        kinds = (self.bits, self.colour, 0, 0, int(self.interlaced))
        return chunk(b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, *kinds))


SMALL: Final = Head(64, 64)
LARGE: Final = (8900, 6700)
"""Pixels across and down of about 60 million."""


def png(head: Head, pixels: bytes | None = None, before: bytes = b"", after: bytes = b"") -> bytes:
    """A PNG whose pixels are black.

    Args:
        head: its header.
        pixels: the chunks of its pixels; by default as many zeros as it must have.
        before: chunks in front of them.
        after: chunks behind them.
    """
    body = chunk(b"IDAT", packed_zeros(head.unpacked)) if pixels is None else pixels
    palette = chunk(b"PLTE", bytes(768)) if head.colour == PALETTE else b""
    return SIGNATURE + bytes(head) + palette + before + body + after + chunk(b"IEND")


def text(size: int) -> bytes:
    """A packed note that unpacks to so many bytes."""
    return chunk(b"zTXt", b"note\0\0" + packed_zeros(size))


def profile(size: int) -> bytes:
    """A packed colour profile that unpacks to so many bytes, and says so."""
    pack = zlib.compressobj(9)
    first = struct.pack(">I", size) + b"lcms\2\x10\0\0mntrRGB XYZ " + bytes(12) + b"acsp"
    body = pack.compress(first) + pack.flush(zlib.Z_FULL_FLUSH)
    return chunk(b"iCCP", b"note\0\0" + body + packed_zeros(size)[2:])


def animation(frames: int, side: int) -> bytes:
    """Black pictures in turn, as an animated PNG."""
    head = Head(side, side)
    parts = [SIGNATURE, bytes(head), chunk(b"acTL", struct.pack(">II", frames, 0))]
    order = 0
    for number in range(frames):
        control = struct.pack(">IIIIIHHBB", order, side, side, 0, 0, 1, 10, 0, 0)
        parts.append(chunk(b"fcTL", control))
        order += 1
        data = packed_zeros(head.unpacked)
        if number:
            parts.append(chunk(b"fdAT", struct.pack(">I", order) + data))
            order += 1
        else:
            parts.append(chunk(b"IDAT", data))
    return b"".join([*parts, chunk(b"IEND")])


@cache
def half_noise(size: int) -> bytes:
    """So many bytes as a zlib stream, an eighth of them noise, with every filter in turn."""
    row = noise(8000) + bytes(56_000)
    pack = zlib.compressobj(1)
    parts = [pack.compress(row) for _ in range(size // len(row))]
    return b"".join([*parts, pack.compress(bytes(size % len(row))), pack.flush()])


def many(name: bytes, payload: bytes, count: int) -> bytes:
    """The same chunk again and again."""
    return chunk(name, payload) * count


def stored(size: int) -> bytes:
    """A chunk of pixels of so many bytes in which nothing is packed: empty blocks."""
    return chunk(b"IDAT", b"\x78\x9c" + b"\0\0\0\xff\xff" * (size // 5))


PNGS: Final[dict[str, Callable[[], bytes]]] = {
    "60 megapixels of 16 bits, RGBA": lambda: png(Head(*LARGE, RGBA, 16)),
    "60 megapixels of 16 bits, RGB": lambda: png(Head(*LARGE, RGB, 16)),
    "60 megapixels of 16 bits, interlaced": lambda: png(Head(*LARGE, RGB, 16, interlaced=True)),
    "60 megapixels of RGBA": lambda: png(Head(*LARGE, RGBA)),
    "60 megapixels of RGB, interlaced": lambda: png(Head(*LARGE, RGB, interlaced=True)),
    "60 megapixels of 1 bit": lambda: png(Head(*LARGE, bits=1)),
    "400 megapixels of 1 bit": lambda: png(Head(20_000, 20_000, bits=1)),
    "16 megapixels of 16 bits": lambda: png(Head(4600, 3450, RGBA, 16)),
    "60 megapixels claimed, nothing there": lambda: png(
        Head(*LARGE, RGB), chunk(b"IDAT", packed_zeros(100))
    ),
    "60 megapixels claimed, no pixels": lambda: png(Head(*LARGE, RGB), b""),
    "4,000 million pixels across": lambda: png(Head(0xFFFFFFFF, 1), b""),
    "64 pixels, 600 MB of data": lambda: png(SMALL, chunk(b"IDAT", packed_zeros(600 * MEGABYTE))),
    "25 megapixels, 20 GB of data": lambda: png(
        Head(5000, 5000), chunk(b"IDAT", packed_zeros(20_000 * MEGABYTE))
    ),
    "64 pixels, 20 MB behind their end": lambda: png(
        SMALL, chunk(b"IDAT", packed_zeros(SMALL.unpacked) + noise(20 * MEGABYTE))
    ),
    "64 pixels, 20 MB that unpack to nothing": lambda: png(SMALL, stored(20 * MEGABYTE)),
    "25 megapixels, 24 MB that unpack to nothing": lambda: png(
        Head(5000, 5000), stored(24 * MEGABYTE)
    ),
    "a note of 600 MB": lambda: png(SMALL, before=text(600 * MEGABYTE)),
    "600 notes of 8 MB": lambda: png(SMALL, before=text(7 * MEGABYTE) * 600),
    "600 notes of 8 MB behind the pixels": lambda: png(SMALL, after=text(7 * MEGABYTE) * 600),
    "600 notes of 40 MB": lambda: png(SMALL, before=text(40 * MEGABYTE) * 600),
    "a colour profile of 600 MB": lambda: png(SMALL, before=profile(600 * MEGABYTE)),
    "a plain note of 20 MB": lambda: png(
        SMALL, before=chunk(b"tEXt", b"note\0" + b"x" * (20 * MEGABYTE))
    ),
    "2 million empty chunks": lambda: png(SMALL, before=many(b"teSt", b"", 2_000_000)),
    "2 million empty chunks of pixels": lambda: png(
        SMALL, many(b"IDAT", b"", 2_000_000) + chunk(b"IDAT", packed_zeros(SMALL.unpacked))
    ),
    "2 million notes": lambda: png(SMALL, before=many(b"tEXt", b"a\0", 1_700_000)),
    "a chunk of 2 GB claimed": lambda: (
        SIGNATURE + bytes(SMALL) + b"\x7f\xff\xff\xffIDAT" + bytes(99)
    ),
    "a chunk of 4 GB claimed": lambda: (
        SIGNATURE + bytes(SMALL) + b"\xff\xff\xff\xffIDAT" + bytes(99)
    ),
    "a palette that is not there": lambda: (
        SIGNATURE + bytes(Head(640, 480, PALETTE)) + png(SMALL)[33:]
    ),
    "1,000 palettes": lambda: png(
        Head(640, 480, PALETTE), before=chunk(b"PLTE", bytes(768)) * 1000
    ),
    "two headers": lambda: png(SMALL, before=bytes(Head(*LARGE, RGBA, 16))),
    "13 bits of a sample": lambda: png(Head(640, 480, bits=13)),
    "60 megapixels, 24 MB of data": lambda: png(
        Head(*LARGE, RGB), chunk(b"IDAT", half_noise(Head(*LARGE, RGB).unpacked))
    ),
    "noise for pixels": lambda: png(Head(5000, 5000), chunk(b"IDAT", noise(20 * MEGABYTE))),
    "an animation of 1,000 times 16 megapixels": lambda: animation(1000, 4000),
    "an animation of 20,000 small pictures": lambda: animation(20_000, 64),
    "an animation": lambda: animation(3, 64),
    "an archive behind the end": lambda: png(SMALL) + b"PK\3\4" + noise(5 * MEGABYTE),
    "cut short": lambda: png(Head(*LARGE, RGB))[:-200],
}
"""The files, each made when it is called for."""
