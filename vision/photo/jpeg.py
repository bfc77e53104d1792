"""The header of a JPEG file (ITU-T T.81 annex B): its size, its scans and what it costs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from vision.errors import PhotoRejected, costly, damaged
from vision.messages import say
from vision.photo.costs import MAX_PARTS, Header

EXIF_PREFIX: Final = b"Exif\0\0"
"""What goes before Exif in a JPEG; sharp and libvips write it into WebP, others into PNG too."""
_MARKER: Final = re.compile(rb"\xff([\xc0-\xcf\xd8-\xfe])")
"""A marker that a length follows, or one that starts or ends a picture. Fill bytes, stuffed bytes,
restarts and markers of no meaning are passed over, and what follows them is looked at, as decoders
do it."""
_UNUSUAL_FRAMES: Final = {
    0xC3: "file.jpeg_lossless",
    **dict.fromkeys((0xC5, 0xC6, 0xC7), "file.jpeg_hierarchical"),
    **dict.fromkeys((0xC9, 0xCA), "file.jpeg_arithmetic"),
    0xCB: "file.jpeg_lossless",
    **dict.fromkeys((0xCD, 0xCE, 0xCF), "file.jpeg_hierarchical"),
    0xF7: "file.jpeg_lossless",
}
"""Markers of the frame header of pictures that no decoder here reads, each with what they are; the
last is that of JPEG-LS."""
_USUAL_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
"""Markers of the frame header, which holds the size, as cameras and programs write it."""
_PROGRESSIVE: Final = 0xC2
"""Marker of the frame header of a picture that comes in scans."""
_START: Final = 0xD8
"""Marker of the start of a picture."""
_END: Final = 0xD9
"""Marker of its end."""
_SCAN: Final = 0xDA
"""Marker of the start of a scan, whose pixels follow."""
_BITS: Final = 8
"""Bits of a sample, as cameras and programs write it."""
_COEFFICIENT_BYTES: Final = 2
"""Bytes of each sample that the decoder holds until all scans are there."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """The frame header: size, whether the picture comes in scans, and samples of a pixel."""

    width: int
    height: int
    progressive: bool
    samples: float


def read_jpeg(data: bytes) -> Header:
    """The header of a JPEG file, with all its scans counted.

    What lies between segments and belongs to none, as some programs leave it there, does not get to
    the decoder.

    Raises:
        PhotoRejected: the file ends before its pixels, or is made in an unusual way.
    """
    frame: _Frame | None = None
    kept = [data[:2]]
    scans, first, position = 0, 0, 2
    for _ in range(MAX_PARTS):
        found = _MARKER.search(data, position)
        marker = _END if found is None else found[1][0]
        here = len(data) if found is None else found.end()
        if marker == _END:
            if frame is None or not scans:
                break
            return _header(b"".join(kept) + data[first:], frame, scans, here - first)
        if marker == _START or (marker == _SCAN and frame is None):
            break
        if marker in _USUAL_FRAMES or marker in _UNUSUAL_FRAMES:
            if frame is not None:
                break
            frame = _frame(data, marker, here)
        position = here + max(2, int.from_bytes(data[here : here + 2], "big"))
        if not scans:
            kept.append(data[here - 2 : position])
        if marker == _SCAN:
            scans += 1
            first = first or position
    else:
        raise costly("JPEG")
    raise damaged("JPEG")


def _header(data: bytes, frame: _Frame, scans: int, packed: int) -> Header:
    beside = 0
    if frame.progressive or scans > 1:
        beside = int(frame.width * frame.height * frame.samples * _COEFFICIENT_BYTES)
    return Header("JPEG", frame.width, frame.height, data, packed, scans=scans, beside=beside)


def _frame(data: bytes, marker: int, position: int) -> _Frame:
    """The frame header whose length is at a position.

    Raises:
        PhotoRejected: it is cut short, or no decoder here reads pictures coded like this.
    """
    head = data[position + 2 : position + 8]
    if len(head) < 6:
        raise damaged("JPEG")
    if marker in _UNUSUAL_FRAMES:
        raise PhotoRejected(say("photo.unusual", kind=say(_UNUSUAL_FRAMES[marker])))
    if head[0] != _BITS:
        raise PhotoRejected(say("photo.unusual", kind=say("file.jpeg_deep", bits=head[0])))
    parts = data[position + 8 : position + 8 + 3 * head[5]]
    across, down = [part >> 4 for part in parts[1::3]], [part & 15 for part in parts[1::3]]
    if not across or not all(across) or not all(down):
        raise damaged("JPEG")
    reduced = sum(a * d for a, d in zip(across, down, strict=True)) / (max(across) * max(down))
    height, width = int.from_bytes(head[1:3], "big"), int.from_bytes(head[3:5], "big")
    return _Frame(width, height, marker == _PROGRESSIVE, reduced)
