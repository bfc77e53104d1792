"""The header of a JPEG file (ITU-T T.81 annex B): its size, its scans and what it costs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from vision.errors import costly, damaged
from vision.photo.costs import MAX_PARTS, Header

_MARKER: Final = re.compile(rb"\xff([\xc0-\xcf\xd8-\xfe])")
"""A marker that a length follows, or one that starts or ends a picture. Fill bytes, stuffed bytes,
restarts and markers of no meaning are passed over, and what follows them is looked at, as decoders
do it."""
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of the frame header, which holds the size."""
_USUAL_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
"""Those of frames that are coded as cameras and programs do it."""
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

    Raises:
        PhotoRejected: the file ends before its pixels, or is made in an unusual way.
    """
    frame: _Frame | None = None
    scans, first, position = 0, 0, 2
    for _ in range(MAX_PARTS):
        if not scans and data[position : position + 1] != b"\xff":
            break
        found = _MARKER.search(data, position)
        marker = _END if found is None else found[1][0]
        here = len(data) if found is None else found.end()
        if marker == _END:
            if frame is None or not scans:
                break
            return _header(data, frame, scans, here - first)
        if marker == _START or (marker == _SCAN and frame is None):
            break
        if marker in _FRAMES:
            if frame is not None:
                break
            frame = _frame(data, marker, here)
        position = here + max(2, int.from_bytes(data[here : here + 2], "big"))
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
    """The frame header whose length stands at a position.

    Raises:
        PhotoRejected: it is cut short, or no camera codes a picture like this.
    """
    head = data[position + 2 : position + 8]
    if len(head) < 6:
        raise damaged("JPEG")
    if marker not in _USUAL_FRAMES or head[0] != _BITS:
        raise costly("JPEG")
    parts = data[position + 8 : position + 8 + 3 * head[5]]
    across, down = [part >> 4 for part in parts[1::3]], [part & 15 for part in parts[1::3]]
    if not across or not all(across) or not all(down):
        raise damaged("JPEG")
    reduced = sum(a * d for a, d in zip(across, down, strict=True)) / (max(across) * max(down))
    height, width = int.from_bytes(head[1:3], "big"), int.from_bytes(head[3:5], "big")
    return _Frame(width, height, marker == _PROGRESSIVE, reduced)
