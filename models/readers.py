"""The readers of small print: what each tells apart, how closely it looks and how deep it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from datasets.crops import CROP_SIZE
from models.nets import SmallPrintReader
from scorer.tiles import BONUS_TILES
from vision.marks import MARKS
from vision.numerals import NUMBERS


class Reader(NamedTuple):
    """One of them.

    Attributes:
        labels: what it tells apart.
        size: (height, width) in pixels of the crops it looks at.
        blocks: residual blocks in each of its four layers.
    """

    labels: tuple[str, ...]
    size: tuple[int, int]
    blocks: tuple[int, int, int, int]

    def net(self) -> SmallPrintReader:
        """The network, untrained."""
        return SmallPrintReader(len(self.labels), self.blocks)


_DEEP: Final = (1, 3, 4, 2)
_SHALLOW: Final = (1, 2, 1, 1)
"""Digits are more easily told than characters and words, and many more tiles have them."""

READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        MARKS[0]: Reader(BONUS_TILES, CROP_SIZE, _DEEP),
        MARKS[1]: Reader(BONUS_TILES, (128, 96), _DEEP),
        "numerals": Reader(NUMBERS, CROP_SIZE, _SHALLOW),
    }
)
"""By their names in the registry and in ``network`` of their configurations."""
