"""HEIC and AVIF files that claim, hide or repeat more than they show (ISO/IEC 23008-12).

They are put together of boxes around a picture of a few bytes: four quarters, each of one colour,
96 x 64 pixels, which a program for iPhone photos coded as HEVC.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.hostile.jpegs import MEGABYTE, noise
from vision.heif.boxes import box, full_box

PARAMETERS: Final = base64.b64decode(
    "AQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkA"
    "AAAwAAAwAeoDCBBZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQA=="
)
"""Content of the box ``hvcC``."""
PIECE: Final = base64.b64decode(
    "AAAAjygBrxOAeSUTVEf//te47/4YOn/yLslkKoL+mjX/0qW/+QNGDwh50EI4fKr/ky8T1YxObEgAh1t//YpWNzKo3b"
    "b7tqmdsnU/x//qVsx+4Np/9QRhrjeJN2PrqO35olTnHdk2+k7g5mKjwwcj70VCC9eyDuWgAJz8YG1Y/Z6TjVqm40tF"
    "A1uIEBSAAQfaesAw"
)
"""The coded picture: one slice behind its length."""
SIZE: Final = (96, 64)
"""Its width and height in pixels."""
COLOURS: Final = b"nclx\0\1\0\x0d\0\6\x80"
"""Content of its box ``colr``: all levels from 0 to 255 are used."""
GRID: Final = 1
"""Number of the item that is the picture, where it is a grid or one piece; pieces follow it."""


@dataclass(frozen=True, slots=True)
class Heic:
    """An HEIC file.

    Attributes:
        pieces: the coded pieces; more than one make a grid.
        columns: pieces beside each other.
        size: width and height of the picture; by default the pieces' own.
        piece: width and height of a piece.
        turns: boxes by which the picture is turned.
        parameters: content of the box with the parameters.
        coding: name of that box.
        item: the type of the pieces.
        before: further boxes in front of the list of items.
        parts: the items of which the grid says it is made; by default all pieces.
        brand: the main brand.
        colours: content of the box that says how colours were coded.
    """

    pieces: Sequence[bytes] = (PIECE,)
    columns: int = 1
    size: tuple[int, int] | None = None
    piece: tuple[int, int] = SIZE
    turns: Sequence[bytes] = ()
    parameters: bytes = PARAMETERS
    coding: bytes = b"hvcC"
    item: bytes = b"hvc1"
    before: bytes = b""
    parts: Sequence[int] | None = None
    brand: bytes = b"heic"
    colours: bytes = COLOURS

    @property
    def grid(self) -> bool:
        """Whether the picture is a grid."""
        return self.columns > 1 or self.size is not None or len(self.pieces) > 1

    def __bytes__(self) -> bytes:
        head = box(b"ftyp", self.brand, bytes(4), b"mif1", self.brand)
        contents = [self._grid(), *self.pieces] if self.grid else list(self.pieces)
        first = len(head) + len(self._meta(contents, 0)) + 8
        return b"".join((head, self._meta(contents, first), box(b"mdat", *contents)))

    def _grid(self) -> bytes:
        rows = -(-len(self.pieces) // self.columns)
        whole = (self.piece[0] * self.columns, self.piece[1] * rows)
        return struct.pack(">BBBBII", 0, 1, rows - 1, self.columns - 1, *(self.size or whole))

    def _meta(self, contents: Sequence[bytes], first: int) -> bytes:
        places, types, count = [], [], struct.pack(">H", len(contents))
        for number, content in enumerate(contents, GRID):
            places.append(struct.pack(">HHHII", number, 0, 1, first, len(content)))
            of_type = b"grid" if self.grid and number == GRID else self.item
            types.append(full_box(b"infe", struct.pack(">HH", number, 0), of_type, version=2))
            first += len(content)
        made_of = range(GRID + 1, GRID + len(contents)) if self.parts is None else self.parts
        refers = struct.pack(f">HH{len(made_of)}H", GRID, len(made_of), *made_of)
        return full_box(
            b"meta",
            full_box(b"hdlr", bytes(4), b"pict", bytes(13)),
            full_box(b"pitm", struct.pack(">H", GRID)),
            self.before,
            full_box(b"iloc", b"\x44\0", count, *places),
            full_box(b"iinf", count, *types),
            full_box(b"iref", box(b"dimg", refers)) if self.grid else b"",
            self._properties(len(contents)),
        )

    def _properties(self, items: int) -> bytes:
        told = (
            box(self.coding, self.parameters),
            full_box(b"ispe", struct.pack(">II", *self.piece)),
            box(b"colr", self.colours),
        )
        every, turned = bytes([1, 2, 3]), bytes(range(4, 4 + len(self.turns)))
        entries = []
        for number in range(GRID, GRID + items):
            named = turned if self.grid and number == GRID else every
            named += turned if not self.grid else b""
            entries.append(struct.pack(">HB", number, len(named)) + named)
        names = full_box(b"ipma", struct.pack(">I", items), *entries)
        return box(b"iprp", box(b"ipco", *told, *self.turns), names)


def turned(quarters: int, *, mirrored: int | None = None) -> tuple[bytes, ...]:
    """The boxes that turn a picture to the left, and exchange top and bottom (0) or sides (1)."""
    turn = (box(b"irot", bytes([quarters])),) if quarters else ()
    return turn + (() if mirrored is None else (box(b"imir", bytes([mirrored])),))


def units(*parts: bytes) -> bytes:
    """A piece of these units, each behind its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


SLICE: Final = PIECE[4:]
LATER: Final = SLICE[:2] + bytes([SLICE[2] & 0x7F]) + SLICE[3:]
"""The slice, said not to be the first of its picture."""
FILM: Final = box(b"moov", bytes(100))


def sized(width: int, height: int) -> bytes:
    """Parameters that say another size: numbers of any length, put in the place of its own."""
    bits = "".join(
        f"{side + 1:b}".zfill(2 * (side + 1).bit_length() - 1) for side in (width, height)
    )
    start = PARAMETERS.index(b"\x42\1\1")
    unit = PARAMETERS[start : start + 43].replace(b"\0\0\3", b"\0\0")
    body = f"{int.from_bytes(unit, 'big'):0{8 * len(unit)}b}"
    own = "".join(f"{side + 1:b}".zfill(2 * (side + 1).bit_length() - 1) for side in SIZE)
    changed = body.replace(own, bits, 1)
    changed += "0" * (-len(changed) % 8)
    plain = int(changed, 2).to_bytes(len(changed) // 8, "big")
    safe = bytearray()
    for byte in plain:
        if byte <= 3 and safe[-2:] == b"\0\0":
            safe.append(3)
        safe.append(byte)
    length = len(safe).to_bytes(2, "big")
    return PARAMETERS[: start - 2] + length + bytes(safe) + PARAMETERS[start + 43 :]


HEICS: Final[dict[str, Callable[[], bytes]]] = {
    "four quarters": lambda: bytes(Heic()),
    "a grid": lambda: bytes(Heic([PIECE] * 6, 3)),
    "cut short": lambda: bytes(Heic())[:-60],
    "cut short in its boxes": lambda: bytes(Heic())[:300],
    "a grid of 60 megapixels, nothing there": lambda: bytes(Heic([b""] * 100, 10, (8900, 6700))),
    "65,535 x 65,535 pixels": lambda: bytes(Heic(piece=(65_535, 65_535))),
    "60 megapixels coded, 96 x 64 told": lambda: bytes(Heic(parameters=sized(8900, 6700))),
    "60 megapixels told, 96 x 64 coded": lambda: bytes(Heic(piece=(8900, 6700))),
    "a piece of 60 megapixels": lambda: bytes(
        Heic(piece=(8900, 6700), parameters=sized(8900, 6700))
    ),
    "a grid of 64 pixels, pieces of 60 megapixels": lambda: bytes(
        Heic(size=(64, 64), piece=(8900, 6700), parameters=sized(8900, 6700))
    ),
    "a grid of 10,000 pieces": lambda: bytes(Heic([PIECE] * 10_000, 100)),
    "a grid of itself": lambda: bytes(Heic(size=(96, 64), parts=[GRID])),
    "a grid of 60,000 times one piece": lambda: bytes(Heic(size=(96, 64), parts=[2] * 60_000)),
    "20 MB that is not the picture": lambda: bytes(Heic([PIECE + units(noise(20 * MEGABYTE))])),
    "20 pictures in a piece": lambda: bytes(Heic([units(*[SLICE] * 20)])),
    "9,000 slices of 25 megapixels": lambda: bytes(
        Heic([units(SLICE, *[LATER] * 9000)], piece=(5000, 5000), parameters=sized(5000, 5000))
    ),
    "9,000 slices of a small picture": lambda: bytes(Heic([units(SLICE, *[LATER] * 9000)])),
    "2 million empty units": lambda: bytes(Heic([PIECE + units(*[b""] * 2_000_000)])),
    "2 million empty boxes": lambda: bytes(Heic(before=box(b"free") * 2_000_000)),
    "2 million items": lambda: bytes(
        Heic(before=full_box(b"iinf", bytes(2), full_box(b"infe", bytes(8), version=2) * 1_000_000))
    ),
    "65,535 extents of nothing, again and again": lambda: bytes(
        Heic(before=full_box(b"iloc", b"\0\0\xff\xff", b"\0\1\0\0\xff\xff" * 60_000))
    ),
    "a box of 2^64 bytes": lambda: bytes(Heic(before=b"\0\0\0\1free" + b"\xff" * 8)),
    "a box within itself": lambda: bytes(Heic(before=b"\0\0\0\4free")),
    "a thousand turns": lambda: bytes(Heic(turns=[box(b"irot", b"\1")] * 250)),
    "parameters of 20 MB": lambda: bytes(Heic(parameters=PARAMETERS + noise(20 * MEGABYTE))),
    "noise for pixels": lambda: bytes(Heic([units(SLICE[:40] + noise(20 * MEGABYTE))])),
    "noise for 25 megapixels": lambda: bytes(
        Heic(
            [units(SLICE[:40] + noise(20 * MEGABYTE))],
            piece=(5000, 5000),
            parameters=sized(5000, 5000),
        )
    ),
    "noise for 16 megapixels": lambda: bytes(
        Heic(
            [units(SLICE[:40] + noise(4 * MEGABYTE))],
            piece=(4608, 3456),
            parameters=sized(4608, 3456),
        )
    ),
    "a film": lambda: box(b"ftyp", b"hevc", bytes(4), b"hevc") + FILM,
    "uncompressed": lambda: bytes(Heic(item=b"unci")),
    "an AVIF that holds HEVC": lambda: bytes(replace(Heic(), brand=b"avif")),
    "an AVIF of noise": lambda: bytes(
        Heic([noise(MEGABYTE)], item=b"av01", coding=b"av1C", parameters=b"\x81\0\x0c\0")
    ),
}
"""The files, each made when it is called for."""
