"""The readers of crops and windows with their labels, input sizes and networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from torch import nn

from datasets.crops.crops import CROP_SIZE
from models.nets.nets import Counter, SmallPrintReader, WindowReader
from scorer.tiles import BONUS_TILES
from vision.classify.bamboo_count import BAMBOOS
from vision.classify.bonus_marks import MARKS
from vision.classify.signs import SIGNS, WINDOW


class Reader(NamedTuple):
    """A small network that reads one kind of print.

    Attributes:
        labels: the classes that it distinguishes.
        size: (height, width) in pixels of its crops or windows.
        net: creates its network, untrained.
    """

    labels: tuple[str, ...]
    size: tuple[int, int]
    net: Callable[[], nn.Module]


SIGNS_READER: Final = "signs"
"""Name of the reader of signs in small windows."""
BAMBOO_READER: Final = "bamboos"
"""Name of the reader that counts bamboos."""
_BLOCKS: Final = (1, 3, 4, 2)
"""Number of residual blocks in each layer of a reader of marks on flowers and seasons."""


def _marks() -> SmallPrintReader:
    return SmallPrintReader(len(BONUS_TILES), _BLOCKS)


def bamboo_counter() -> Counter:
    """The untrained network that counts the bamboos on a tile."""
    return Counter(len(BAMBOOS), (1, 2, 2, 1), (16, 32, 48, 48))


def _signs() -> WindowReader:
    return WindowReader(len(SIGNS))


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        MARKS[0]: Reader(BONUS_TILES, CROP_SIZE, _marks),
        MARKS[1]: Reader(BONUS_TILES, (128, 96), _marks),
        BAMBOO_READER: Reader(BAMBOOS, (128, 96), bamboo_counter),
        SIGNS_READER: Reader(SIGNS, (WINDOW, WINDOW), _signs),
    }
)
"""The readers by their name in the registry and in ``network`` of their configuration."""
