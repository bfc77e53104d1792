"""A film of a picture's pieces (ISO/IEC 14496-12 and -15), each of them one picture long.

OpenCV decodes HEVC only in films. This one is made here, so that nothing of the file but parameters
and slices that were looked through gets to what reads films.
"""

from __future__ import annotations

from typing import Final

from vision.heif.boxes import box, full_box
from vision.heif.picture import Picture

_TRACK: Final = (1).to_bytes(4, "big")
_STEPS: Final = (25).to_bytes(4, "big")
"""Pictures in a second; films need some number."""
_MATRIX: Final = b"".join(
    value.to_bytes(4, "big") for value in (0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
)
"""Pictures stay as they are."""


def film_of(picture: Picture, pieces: list[bytes]) -> bytes:
    """A film that shows the pieces one after the other."""
    head = box(b"ftyp", b"isom", bytes(4), b"isom")
    before = len(_film(picture, pieces, 0)) + len(head) + 8
    data = (8 + sum(map(len, pieces))).to_bytes(4, "big") + b"mdat"
    return b"".join((head, _film(picture, pieces, before), data, *pieces))


def _film(picture: Picture, pieces: list[bytes], before: int) -> bytes:
    length = len(pieces).to_bytes(4, "big")
    head = full_box(
        b"mvhd",
        bytes(8),
        _STEPS,
        length,
        b"\0\1\0\0\1\0",
        bytes(10),
        _MATRIX,
        bytes(24),
        b"\0\0\0\2",
    )
    return box(b"moov", head, _track(picture, pieces, length, before))


def _track(picture: Picture, pieces: list[bytes], length: bytes, before: int) -> bytes:
    across, down = ((side << 16).to_bytes(4, "big") for side in picture.piece)
    head = full_box(
        b"tkhd", bytes(8), _TRACK, bytes(4), length, bytes(16), _MATRIX, across, down, flags=3
    )
    media = full_box(b"mdhd", bytes(8), _STEPS, length, b"\x55\xc4\0\0")
    kind = full_box(b"hdlr", bytes(4), b"vide", bytes(13))
    here = box(b"dinf", full_box(b"dref", _TRACK, full_box(b"url ", flags=1)))
    body = box(b"minf", full_box(b"vmhd", bytes(8), flags=1), here, _table(picture, pieces, before))
    return box(b"trak", head, box(b"mdia", media, kind, body))


def _table(picture: Picture, pieces: list[bytes], before: int) -> bytes:
    """How the pieces are coded, how long they are shown, how long they are and where they lie."""
    count = len(pieces).to_bytes(4, "big")
    sizes = b"".join(len(piece).to_bytes(4, "big") for piece in pieces)
    return box(
        b"stbl",
        full_box(b"stsd", _TRACK, _coding(picture)),
        full_box(b"stts", _TRACK, count, _TRACK),
        full_box(b"stsc", _TRACK, _TRACK, count, _TRACK),
        full_box(b"stsz", bytes(4), count, sizes),
        full_box(b"stco", _TRACK, before.to_bytes(4, "big")),
    )


def _coding(picture: Picture) -> bytes:
    width, height = (side.to_bytes(2, "big") for side in picture.piece)
    entry = bytes(6) + b"\0\1" + bytes(16) + width + height + b"\0\x48\0\0" * 2 + bytes(4) + b"\0\1"
    colours = box(b"colr", picture.colours) if picture.colours else b""
    coding = box(picture.coding.encode(), picture.parameters)
    return box(b"hvc1", entry, bytes(32), b"\0\x18\xff\xff", coding, colours)
