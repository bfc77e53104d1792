"""WebP files that unpack to more than they show (RFC 9649), and files that are not photos."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from benchmarks.hostile.jpegs import MEGABYTE, Frame, flat, noise
from benchmarks.hostile.pngs import packed_zeros


def riff(*chunks: bytes) -> bytes:
    """A WebP file of these chunks."""
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def part(name: bytes, payload: bytes) -> bytes:
    """A chunk, padded to an even length."""
    return name + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) % 2)


def canvas(width: int, height: int, flags: int = 0) -> bytes:
    """The chunk that says how large the picture is."""
    sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return part(b"VP8X", bytes([flags, 0, 0, 0]) + sizes)


def lossless(width: int, height: int) -> bytes:
    """A black picture of any size in a few bytes: five codes of one symbol take no bit a pixel."""
    fields = [(0x2F, 8), (width - 1, 14), (height - 1, 14), (0, 1), (0, 3), (0, 1), (0, 1), (0, 1)]
    fields += [(1, 1), (0, 1), (0, 1), (0, 1)] * 5
    value = shift = 0
    for number, bits in fields:
        value |= number << shift
        shift += bits
    return part(b"VP8L", value.to_bytes(-(-shift // 8) + 8, "little"))


def lossy(width: int, height: int, share: float = 1.0) -> bytes:
    """A black picture with loss, or the first part of it."""
    done, data = cv2.imencode(".webp", np.zeros((height, width, 3), np.uint8), [64, 1])
    if not done:
        raise RuntimeError("no WebP was written")
    whole = data.tobytes()[20:]
    return part(b"VP8 ", whole[: int(len(whole) * share)])


def claiming(width: int, height: int) -> bytes:
    """A small picture with loss that says it is of another size."""
    data = bytearray(lossy(64, 64))
    data[14:18] = struct.pack("<HH", width, height)
    return bytes(data)


def moving(frames: int, side: int) -> bytes:
    """Black pictures in turn."""
    size = (side - 1).to_bytes(3, "little") * 2
    frame = part(b"ANMF", bytes(6) + size + b"\x0a\0\0\0" + lossless(side, side))
    return riff(canvas(side, side, 2), part(b"ANIM", bytes(6)), frame * frames)


def iso_media(brand: bytes) -> bytes:
    """The beginning of an ISO media file."""
    return b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0" + brand + b"mif1" + noise(100_000)


def laughs() -> bytes:
    """An SVG whose text doubles thirty times."""
    names = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">' for n in range(1, 31))
    return f'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY l0 "ha">{names}]><svg>&l30;</svg>'.encode()


WEBPS: Final[dict[str, Callable[[], bytes]]] = {
    "60 megapixels without loss": lambda: riff(lossless(8900, 6700)),
    "40 megapixels without loss": lambda: riff(lossless(7300, 5480)),
    "268 megapixels without loss": lambda: riff(lossless(16_383, 16_383)),
    "60 megapixels with loss": lambda: riff(lossy(8900, 6700)),
    "60 megapixels claimed, with loss": lambda: riff(claiming(8900, 6700)),
    "a small canvas, a large picture": lambda: riff(canvas(64, 64), lossless(8900, 6700)),
    "a large canvas, a small picture": lambda: riff(canvas(8900, 6700), lossless(64, 64)),
    "a canvas of 2^48 pixels": lambda: riff(canvas(1 << 24, 1 << 24), lossless(64, 64)),
    "1,000 pictures of 16 megapixels": lambda: moving(1000, 4000),
    "300,000 small pictures": lambda: moving(300_000, 64),
    "an animation": lambda: moving(3, 64),
    "an animation on a large canvas": lambda: riff(
        canvas(8900, 6700, 2),
        part(b"ANIM", bytes(6)),
        part(b"ANMF", bytes(6) + b"\x3f\0\0\x3f\0\0" + bytes(4) + lossless(64, 64)),
    ),
    "9,000 pictures of 300 empty chunks": lambda: riff(
        canvas(64, 64, 2), part(b"ANMF", bytes(16) + part(b"test", b"") * 300) * 9000
    ),
    "3 million empty chunks": lambda: riff(
        canvas(64, 64), part(b"test", b"") * 3_000_000, lossless(64, 64)
    ),
    "a colour profile of 20 MB": lambda: riff(
        canvas(64, 64, 0x20), part(b"ICCP", bytes(20 * MEGABYTE)), lossless(64, 64)
    ),
    "20 MB of noise": lambda: riff(
        part(b"VP8L", lossless(8900, 6700)[8:20] + noise(20 * MEGABYTE))
    ),
    "30 megapixels, 20 MB of noise": lambda: riff(
        part(b"VP8L", lossless(6300, 4800)[8:13] + noise(20 * MEGABYTE))
    ),
    "60 megapixels with loss, then noise": lambda: riff(
        part(b"VP8 ", lossy(8900, 6700)[8:50] + noise(20 * MEGABYTE))
    ),
    "cut short": lambda: riff(lossy(4000, 3000))[:-100],
    "a length of 4 GB": lambda: b"RIFF\xff\xff\xff\xffWEBP" + lossless(640, 480),
    "a chunk of 4 GB": lambda: riff(b"VP8L\xff\xff\xff\xff" + lossless(640, 480)[8:]),
}
"""WebP files, each made when it is called for."""

FOREIGN: Final[dict[str, Callable[[], bytes]]] = {
    "nothing": lambda: b"",
    "zeros": lambda: bytes(20 * MEGABYTE),
    "noise": lambda: noise(20 * MEGABYTE),
    "26 MB": lambda: flat(Frame(640, 480)) + bytes(26 * MEGABYTE),
    "an HEIC of noise": lambda: iso_media(b"heic"),
    "an AVIF of noise": lambda: iso_media(b"avif"),
    "a film": lambda: iso_media(b"isom"),
    "a GIF of 4,300 megapixels": lambda: b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + bytes(99),
    "a TIFF": lambda: b"II*\0" + noise(100_000),
    "a BMP of 4,000 megapixels": lambda: b"BM" + bytes(16) + struct.pack("<ii", 65_535, 65_535),
    "an SVG that doubles": laughs,
    "a packed bomb": lambda: b"PK\3\4" + packed_zeros(600 * MEGABYTE),
    "a gzip bomb": lambda: b"\x1f\x8b\x08" + packed_zeros(600 * MEGABYTE),
    "a PDF": lambda: b"%PDF-1.7\n" + noise(100_000),
    "a web page": lambda: b"<!DOCTYPE html><script>alert(1)</script>" * 1000,
    "a web page behind a photo's first bytes": lambda: b"\xff\xd8\xff<script>alert(1)</script>",
    "a zlib stream": lambda: zlib.compress(bytes(1000)),
}
"""Files of other kinds, each made when it is called for."""
