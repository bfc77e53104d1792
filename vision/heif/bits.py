"""The bits of a codec's header, read from front to back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.errors import damaged

_MAX_ZEROS: Final = 32
"""Maximum number of zeros with which a number of any length may start."""


@dataclass(slots=True)
class Bits:
    """Bits of a header.

    Attributes:
        kind: the file format that refusals name.
        data: the bytes.
        at: number of the bit that comes next.
    """

    kind: str
    data: bytes
    at: int = 0

    def number(self, count: int) -> int:
        """The next bits as a whole number.

        Raises:
            PhotoRejected: fewer are there.
        """
        end = self.at + count
        if end > 8 * len(self.data):
            raise damaged(self.kind)
        first, last = self.at // 8, -(-end // 8)
        value = int.from_bytes(self.data[first:last], "big") >> (8 * last - end)
        self.at = end
        return value & ((1 << count) - 1)

    def any_number(self) -> int:
        """The next number of any length (Exp-Golomb; in AV1, ``uvlc``).

        Raises:
            PhotoRejected: it has no end.
        """
        zeros = 0
        while not self.number(1):
            zeros += 1
            if zeros > _MAX_ZEROS:
                raise damaged(self.kind)
        return (1 << zeros) - 1 + self.number(zeros)

    def any_numbers(self, count: int) -> None:
        """Pass over so many numbers of any length."""
        for _ in range(count):
            self.any_number()
