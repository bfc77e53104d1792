"""The boxes of an ISO media file (ISO/IEC 14496-12, clause 4.2): walked, and written.

Whatever a box says of lengths and counts is checked against the bytes that are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from vision.errors import costly, damaged

MAX_BOXES: Final = 10_000
"""Maximum number of boxes, items or references of a file in one list; phones write some hundred."""


@dataclass(slots=True)
class Fields:
    """The bytes of a box, read from front to back.

    Attributes:
        kind: the file format that refusals name.
        data: the bytes.
        at: where the next field starts.
    """

    kind: str
    data: memoryview
    at: int = 0

    @property
    def left(self) -> int:
        """Number of bytes that were not read yet."""
        return len(self.data) - self.at

    def take(self, length: int) -> memoryview:
        """The next bytes.

        Raises:
            PhotoRejected: fewer are there.
        """
        if length > self.left:
            raise damaged(self.kind)
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self, length: int) -> int:
        """The next bytes as a whole number, 0 for no bytes."""
        return int.from_bytes(self.take(length), "big")

    def name(self) -> bytes:
        """The next four letters."""
        return bytes(self.take(4))

    def version(self) -> tuple[int, int]:
        """The version and the flags at the start of a full box."""
        return self.number(1), self.number(3)

    def boxes(self) -> Iterator[tuple[bytes, Fields]]:
        """The name and the content of each box that follows.

        Raises:
            PhotoRejected: one is longer than what is there, or there are too many.
        """
        for _ in range(MAX_BOXES):
            if not self.left:
                return
            start = self.at
            size, name = self.number(4), self.name()
            if size == 1:
                size = self.number(8)
            elif size == 0:
                size = len(self.data) - start
            yield name, Fields(self.kind, self.take(size - (self.at - start)))
        raise costly(self.kind)


def box(name: bytes, *parts: bytes) -> bytes:
    """A box as bytes."""
    size = 8 + sum(len(part) for part in parts)
    return b"".join((size.to_bytes(4, "big"), name, *parts))


def full_box(name: bytes, *parts: bytes, version: int = 0, flags: int = 0) -> bytes:
    """A box with a version and flags as bytes."""
    return box(name, bytes([version]), flags.to_bytes(3, "big"), *parts)
