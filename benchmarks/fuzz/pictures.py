"""Breaks pictures, and puts the checksums of a PNG right again, which hide all that lies behind."""

from __future__ import annotations

import random
import zlib
from typing import Final

from benchmarks.fuzz.mutate import Bytes

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""


def broken_picture(data: bytes, source: random.Random, strings: Bytes) -> bytes:
    """The picture with some bytes broken; in a PNG mostly with sound checksums."""
    broken = strings(data, len(data) + 64)
    return checksummed(broken) if source.random() < 0.8 else broken


def checksummed(data: bytes) -> bytes:
    """The same file with the checksum of each chunk that is there as a whole."""
    if not data.startswith(_SIGNATURE):
        return data
    mine, position = bytearray(data), len(_SIGNATURE)
    while position + 12 <= len(mine):
        end = position + 12 + int.from_bytes(mine[position : position + 4], "big")
        if end > len(mine):
            break
        mine[end - 4 : end] = zlib.crc32(mine[position + 4 : end - 4]).to_bytes(4, "big")
        position = end
    return bytes(mine)
