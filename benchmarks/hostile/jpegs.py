"""JPEG files that claim, hide or repeat more than they show (ITU-T T.81).

Their pictures are flat, so that a file of any size is written without encoding a pixel: with
Huffman tables of one code each, a block whose colour does not change takes two bits, both 0.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

MEGABYTE: Final = 1024 * 1024
"""Bytes."""
BLOCK: Final = 8
"""Side in pixels of the squares of a JPEG."""
LONGEST_RUN: Final = 32_767
"""Blocks that one code of a progressive scan can skip."""
START: Final = b"\xff\xd8"
END: Final = b"\xff\xd9"

BASELINE: Final = 0xC0
PROGRESSIVE: Final = 0xC2
LOSSLESS: Final = 0xC3
ARITHMETIC: Final = 0xC9
ARITHMETIC_PROGRESSIVE: Final = 0xCA


def segment(marker: int, payload: bytes) -> bytes:
    """A marker with its length and what it holds."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame header of a JPEG.

    Attributes:
        width: pixels from left to right.
        height: pixels from top to bottom.
        colours: number of components: 1, 3 or 4.
        kind: its marker.
        bits: bits of a sample.
        sampling: squares across and down of the first component for each one of the others.
    """

    width: int
    height: int
    colours: int = 1
    kind: int = BASELINE
    bits: int = 8
    sampling: tuple[int, int] = (1, 1)

    @property
    def blocks(self) -> int:
        """Number of squares of a component that is not reduced."""
        return -(-self.width // BLOCK) * -(-self.height // BLOCK)

    def __bytes__(self) -> bytes:
        across, down = self.sampling
        head = struct.pack(">BHHB", self.bits, self.height, self.width, self.colours)
        first = bytes([1, across << 4 | down, 0])
        rest = b"".join(bytes([number, 0x11, 0]) for number in range(2, self.colours + 1))
        return segment(self.kind, head + first + rest)


def tables(*, run: bool = False) -> bytes:
    """One quantisation table and Huffman tables whose single code is the bit 0.

    Args:
        run: whether the code of the second table skips many squares, as in progressive scans,
            instead of ending one.
    """
    single = bytes([1, *(0 for _ in range(15))])
    steps = segment(0xDB, b"\0" + b"\x10" * 64)
    level = segment(0xC4, b"\x00" + single + b"\0")
    detail = segment(0xC4, b"\x10" + single + (b"\xe0" if run else b"\0"))
    return steps + level + detail


def scan(colours: range, band: tuple[int, int], data: bytes) -> bytes:
    """A scan of some components, between two of the 64 frequencies."""
    parts = b"".join(bytes([number, 0]) for number in colours)
    return segment(0xDA, bytes([len(colours)]) + parts + bytes([*band, 0])) + data


def flat(frame: Frame, before: bytes = b"", data: bytes | None = None) -> bytes:
    """A whole sequential JPEG of one grey.

    Args:
        frame: its frame header.
        before: segments in front of the frame.
        data: what follows the start of the scan; by default as many squares as there must be.
    """
    bits = 2 * frame.blocks * frame.colours
    pixels = bytes(bits // 8 + 1) if data is None else data
    colours = range(1, frame.colours + 1)
    return START + before + tables() + bytes(frame) + scan(colours, (0, 63), pixels) + END


def many_scans(frame: Frame, count: int) -> bytes:
    """A progressive JPEG of one grey, with so many scans of fine detail that is not there."""
    first = bytes(frame.blocks * frame.colours // 8 + 1)
    levels = scan(range(1, frame.colours + 1), (0, 0), first)
    return START + tables(run=True) + bytes(frame) + levels + _details(frame, count) + END


def hidden_scans(frame: Frame, count: int) -> bytes:
    """The same behind a marker of no meaning, whose length would skip them; decoders do not."""
    restarts = segment(0xDD, b"\0\1")
    levels = scan(range(1, frame.colours + 1), (0, 0), b"\0\xff\5\xff\xff")
    details = _details(frame, count)
    return START + restarts + tables(run=True) + bytes(frame) + levels + details + END


def _details(frame: Frame, count: int) -> bytes:
    runs = -(-frame.blocks // LONGEST_RUN)
    bits = int(("0" + "1" * 14) * runs, 2) << (-15 * runs % 8)
    skipped = bits.to_bytes(-(-15 * runs // 8), "big").replace(b"\xff", b"\xff\0")
    each = [scan(range(c, c + 1), (1, 63), skipped) for c in range(1, frame.colours + 1)]
    return b"".join(each[number % len(each)] for number in range(count))


def exif(orientation: int, entries: int = 1) -> bytes:
    """The segment in which a camera says, so many times, which way up it was held."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    block = b"MM\0*" + struct.pack(">IH", 8, entries) + entry * entries + bytes(4)
    return segment(0xE1, b"Exif\0\0" + block)


def large(megapixels: float = 60, colours: int = 1, kind: int = BASELINE) -> Frame:
    """A frame of about so many million pixels, four across to three down."""
    height = int((megapixels * 750_000) ** 0.5)
    return Frame(int(megapixels * 1_000_000) // height, height, colours, kind)


def small(kind: int = BASELINE) -> Frame:
    """A frame of 640 by 480 pixels."""
    return Frame(640, 480, kind=kind)


def head(frame: Frame) -> bytes:
    """All of a JPEG up to its frame header."""
    return START + tables() + bytes(frame)


def noise(size: int) -> bytes:
    """Bytes that no picture is made of, the same each time."""
    return random.Random(size).randbytes(size).replace(b"\xff", b"\xfe")


JPEGS: Final[dict[str, Callable[[], bytes]]] = {
    "3,000 scans of 60 megapixels": lambda: many_scans(large(kind=PROGRESSIVE), 3000),
    "500 scans of 60 megapixels": lambda: many_scans(large(kind=PROGRESSIVE), 500),
    "3,000 scans of 8 megapixels": lambda: many_scans(large(8, kind=PROGRESSIVE), 3000),
    "2,000 hidden scans of 8 megapixels": lambda: hidden_scans(large(8, kind=PROGRESSIVE), 2000),
    "200,000 scans of 0.3 megapixels": lambda: many_scans(small(PROGRESSIVE), 200_000),
    "12 scans of 60 megapixels in 3 colours": lambda: many_scans(large(60, 3, PROGRESSIVE), 12),
    "3,000 scans, sequential": lambda: (
        head(large()) + scan(range(1, 2), (0, 63), b"\0") * 3000 + END
    ),
    "60 megapixels claimed, nothing there": lambda: flat(large(60, 3), data=b"\0"),
    "60 megapixels claimed, progressive, nothing there": lambda: many_scans(
        large(60, 4, PROGRESSIVE), 0
    )[:2000],
    "60 megapixels claimed, a third there": lambda: flat(large(), data=bytes(80_000))[:-2],
    "60 megapixels claimed, a third of a large file": lambda: flat(
        large(60, 3), before=segment(0xFE, bytes(65_000)) * 20, data=bytes(230_000)
    )[:-2],
    "40 megapixels claimed, cut short": lambda: flat(large(40, 3), data=bytes(160_000))[:-2],
    "60 megapixels, 20 MB of noise": lambda: flat(large(60, 3), data=noise(20 * MEGABYTE)),
    "60 megapixels of one grey": lambda: flat(large()),
    "60 megapixels of one grey, padded": lambda: flat(large(60, 3), data=bytes(700_000)),
    "36 megapixels of one grey, turned": lambda: flat(large(36, 3), before=exif(6)),
    "60 megapixels of one grey, turned": lambda: flat(large(60, 3), before=exif(6)),
    "60 megapixels in 4 colours": lambda: flat(large(60, 4)),
    "4,300 megapixels": lambda: flat(Frame(65_500, 65_500), data=b"\0"),
    "no height": lambda: flat(Frame(640, 0), data=bytes(5000)),
    "15 MB of 0xFF": lambda: START + b"\xff" * (15 * MEGABYTE),
    "24 MB of 0xFF, then 0": lambda: START + (b"\xff" * (24 * MEGABYTE)) + b"\0",
    "15 MB of 0xFF in the scan": lambda: flat(small(), data=b"\xff" * (15 * MEGABYTE)),
    "24 MB of restarts in the head": lambda: START + b"\xff\xd0" * (12 * MEGABYTE),
    "24 MB of restarts in the scan": lambda: flat(small(), data=b"\xff\xd0" * (12 * MEGABYTE)),
    "24 MB of starts": lambda: START * (12 * MEGABYTE),
    "6 million empty comments": lambda: (
        START + segment(0xFE, b"") * (6 * MEGABYTE) + flat(small())[2:]
    ),
    "6 million empty comments in the scan": lambda: flat(
        small(), data=segment(0xFE, b"") * (6 * MEGABYTE)
    ),
    "380 comments of 64 KB": lambda: flat(small(), before=segment(0xFE, bytes(65_000)) * 380),
    "380 camera notes of 64 KB": lambda: flat(small(), before=exif(1, 5000) * 380),
    "255 parts of a colour profile": lambda: flat(
        small(),
        before=b"".join(
            segment(0xE2, b"ICC_PROFILE\0" + bytes([n, 255]) + bytes(65_000)) for n in range(1, 256)
        ),
    ),
    "600,000 Huffman tables": lambda: flat(
        small(), before=segment(0xC4, b"\0\1" + bytes(16)) * 600_000
    ),
    "300,000 quantisation tables": lambda: flat(
        small(), before=segment(0xDB, b"\0" + b"\x10" * 64) * 300_000
    ),
    "two frames, the second of 60 megapixels": lambda: flat(small(), before=bytes(large())),
    "a second frame behind the first": lambda: head(small()) + flat(large())[2:],
    "a scan before the frame": lambda: START + scan(range(1, 2), (0, 63), b"") + flat(large())[2:],
    "arithmetic coding": lambda: flat(large(kind=ARITHMETIC), data=noise(20 * MEGABYTE)),
    "arithmetic coding, progressive": lambda: flat(
        large(kind=ARITHMETIC_PROGRESSIVE), data=noise(20 * MEGABYTE)
    ),
    "lossless": lambda: flat(large(kind=LOSSLESS), data=noise(20 * MEGABYTE)),
    "12 bits": lambda: flat(Frame(640, 480, 3, bits=12)),
    "4 by 4 squares for one": lambda: flat(Frame(8000, 7000, 3, sampling=(4, 4)), data=b"\0"),
    "a restart after each square": lambda: flat(
        large(), before=segment(0xDD, b"\0\1"), data=b"\0\xff\xd0" * 940_000
    ),
    "a restart after each square, counted": lambda: flat(
        large(),
        before=segment(0xDD, b"\0\1"),
        data=b"".join(b"\0\xff" + bytes([0xD0 + number]) for number in range(8)) * 117_500,
    ),
    "camera notes that claim 65,535 entries": lambda: flat(
        small(), before=exif(1, 5000).replace(b"\x13\x88", b"\xff\xff", 1)
    ),
    "an archive behind the end": lambda: flat(small()) + b"PK\3\4" + noise(5 * MEGABYTE),
    "a web page in a comment": lambda: flat(
        small(), before=segment(0xFE, b"<script>alert(1)</script>" * 1000)
    ),
    **{
        f"turned, way {way}": partial(flat, Frame(640, 480), before=exif(way))
        for way in range(1, 9)
    },
}
"""The files, each made when it is called for."""
