"""The readers of small print: what each tells apart, how closely it looks, and its network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from torch import nn

from datasets.crops import CROP_SIZE
from models.nets import SmallPrintReader, WindowReader
from scorer.tiles import BONUS_TILES
from vision.marks import MARKS
from vision.signs import SIGNS, WINDOW


class Reader(NamedTuple):
    """One of them.

    Attributes:
        labels: what it tells apart.
        size: (height, width) in pixels of the crops or windows it looks at.
        net: makes its network, untrained.
    """

    labels: tuple[str, ...]
    size: tuple[int, int]
    net: Callable[[], nn.Module]


SIGNS_READER: Final = "signs"
_BLOCKS: Final = (1, 3, 4, 2)
"""Residual blocks in the layers of a reader of characters and words."""


def _marks() -> SmallPrintReader:
    return SmallPrintReader(len(BONUS_TILES), _BLOCKS)


def _signs() -> WindowReader:
    return WindowReader(len(SIGNS))


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        MARKS[0]: Reader(BONUS_TILES, CROP_SIZE, _marks),
        MARKS[1]: Reader(BONUS_TILES, (128, 96), _marks),
        SIGNS_READER: Reader(SIGNS, (WINDOW, WINDOW), _signs),
    }
)
"""By their names in the registry and in ``network`` of their configurations."""
