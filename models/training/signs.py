"""Training of the reader of signs, which looks through small windows on tiles.

:mod:`models.training` is the command. The reader learns from windows on drawn tiles: suited ones
(:mod:`datasets.crops.corner_numbers`) and flowers and seasons (:mod:`datasets.crops.corner_marks`).
Any tile may hold any number or character, so that the reader is independent of the picture, which
the classifier reads.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from datasets.crops.corner_marks import (
    marked_window,
    signs_on_tiles,
    windows_of_marked,
    windows_of_pictures,
)
from datasets.crops.corner_numbers import (
    WRITTEN,
    drawn_window,
    letters_on_tiles,
    numerals_on_tiles,
    windows_of_characters,
    windows_of_numbered,
    windows_of_plain,
    written_window,
)
from datasets.crops.laid_signs import UNCLEAR, Windows, as_seen
from datasets.designs.fonts import FontSpec, find_fonts
from datasets.designs.icons import IconSet, find_icons
from models.nets.readers import Reader
from models.training.feed import feed
from models.training.loop import Plan, Run

_CORNERS: Final = 4
"""Number of windows on corners, which come first; the next shows the middle."""
_MIDDLES: Final = 0.12
"""Share of the windows that show the middle of a suited tile."""
_ON_FLOWERS: Final = (*(0.14,) * _CORNERS, 0.1, 0.14, 0.2)
"""Probability of each window on flowers and seasons: corners first, then the others."""
_OWN_ONCE_IN: Final = 4
"""Divisor of ``reuse`` for tiles with printed signs, whose windows are always the same."""
_SEEK: Final = 0.7
"""Probability of choosing a window with a sign on a tile that has any."""


@dataclass(frozen=True, kw_only=True)
class SignsData:
    """``[data]`` of the configuration of the reader of signs.

    Attributes:
        batch: number of windows in a step.
        reuse: mean number of windows taken of each rendered tile.
        capacity: maximum number of stored tiles of each kind.
        numbered: share of the other windows on suited tiles that show tiles with printed numbers.
        written: share of the windows on suited tiles that show Chinese numerals.
        rewritten: share of the windows with Chinese numerals whose numeral is drawn anew.
        flowers: share of the windows on flowers and seasons.
        marked: share of the windows on flowers and seasons that show tiles with printed marks.
        smoothing: label smoothing of the cross-entropy.
    """

    batch: int
    reuse: float
    capacity: int
    numbered: float
    written: float
    rewritten: float
    flowers: float
    marked: float
    smoothing: float


class Batch(NamedTuple):
    """The windows of one training step.

    Attributes:
        images: (n, 40, 40, 3) uint8 BGR.
        signs: (n,) int64, the place in :data:`vision.classify.signs.SIGNS` of what each holds.
    """

    images: NDArray[np.uint8]
    signs: NDArray[np.int64]


class TilePool:
    """A store of rendered tiles for training, in which new tiles replace the oldest.

    Args:
        draw: draws the tiles of one more picture; there may be none.
        capacity: maximum number of stored tiles.
    """

    def __init__(self, draw: Callable[[Generator], Windows], capacity: int) -> None:
        self._draw, self._capacity = draw, capacity
        self._kept: list[Windows] = []
        self._count = 0
        self.owed = 0.0

    def tile(
        self, rng: Generator, reuse: float
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], bool]:
        """The windows of one tile, their signs, and whether its middle has room for a sign."""
        self.owed += 1 / reuse
        while self.owed > 0 or self._count < self._capacity // 2:
            self._add(rng)
        chosen = self._kept[int(rng.integers(len(self._kept)))]
        place = int(rng.integers(len(chosen)))
        return chosen.images[place], chosen.signs[place], bool(chosen.open[place])

    def _add(self, rng: Generator) -> None:
        fresh = self._draw(rng)
        self.owed -= len(fresh)
        if len(fresh):
            self._kept.append(fresh)
            self._count += len(fresh)
        while self._count > self._capacity:
            self._count -= len(self._kept.pop(0))


class WindowPool:
    """Draws batches of windows.

    Args:
        fonts: typefaces of the tiles and of the signs drawn on them.
        icons: other people's pictures for flowers and seasons.
        data: the ``[data]`` of the configuration.
    """

    def __init__(
        self, fonts: Sequence[FontSpec], icons: tuple[IconSet, ...], data: SignsData
    ) -> None:
        self._data = data
        self._digits, self._signs = letters_on_tiles(fonts), signs_on_tiles(fonts)
        self._numerals = numerals_on_tiles(fonts)
        self._plain, self._numbered, self._written = (
            TilePool(partial(draw, fonts=fonts), data.capacity)
            for draw in (windows_of_plain, windows_of_numbered, windows_of_characters)
        )
        self._pictures, self._marked = (
            TilePool(partial(draw, fonts=fonts, icons=icons), data.capacity)
            for draw in (windows_of_pictures, windows_of_marked)
        )

    def batch(self, rng: Generator) -> Batch:
        """Draw one more batch."""
        every = [self._window(rng) for _ in range(self._data.batch)]
        images = np.stack([as_seen(rng, image) for image, _ in every])
        return Batch(images, np.array([sign for _, sign in every], np.int64))

    def _window(self, rng: Generator) -> tuple[NDArray[np.uint8], int]:
        if rng.random() < self._data.flowers:
            return self._on_flower(rng)
        if rng.random() < self._data.written:
            images, numbers, _ = self._written.tile(rng, self._data.reuse / _OWN_ONCE_IN)
            if rng.random() < self._data.rewritten:
                return written_window(rng, images[WRITTEN], self._numerals)
            return images[WRITTEN], int(numbers[WRITTEN])
        place = _CORNERS if rng.random() < _MIDDLES else int(rng.integers(_CORNERS))
        if rng.random() < self._data.numbered:
            images, numbers, _ = self._numbered.tile(rng, self._data.reuse)
            return _seek(rng, images, numbers[:WRITTEN], place)
        images, _, free = self._plain.tile(rng, self._data.reuse)
        room = free or place < _CORNERS
        return drawn_window(rng, images[place], place, self._digits, room=room)

    def _on_flower(self, rng: Generator) -> tuple[NDArray[np.uint8], int]:
        place = int(rng.choice(len(_ON_FLOWERS), p=_ON_FLOWERS))
        if rng.random() < self._data.marked:
            images, signs, _ = self._marked.tile(rng, self._data.reuse / _OWN_ONCE_IN)
            return _seek(rng, images, signs, place)
        images, _, _ = self._pictures.tile(rng, self._data.reuse)
        return marked_window(rng, images[place], place, self._signs)


def _seek(
    rng: Generator, images: NDArray[np.uint8], signs: NDArray[np.int64], place: int
) -> tuple[NDArray[np.uint8], int]:
    """The window at ``place`` or, more often, one that holds a sign; and the sign it holds."""
    shown = np.nonzero(signs > 0)[0]
    if len(shown) and rng.random() < _SEEK:
        place = int(rng.choice(shown))
    while signs[place] == UNCLEAR:
        place = int(rng.integers(_CORNERS))
    return images[place], int(signs[place])


def train(options: Namespace, plan: Plan, data: SignsData, reader: Reader) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.
        reader: the reader of signs.

    Raises:
        FontError: the typefaces lack characters that tiles need.
        DesignError: there are no icons in their folder.
    """
    cv2.setNumThreads(options.threads)
    fonts = find_fonts([options.fonts] if options.fonts else [])
    pool = WindowPool(fonts, find_icons(options.icons), data)
    run = Run(reader.net(), plan, options.run, options.device, options.start)

    def losses_of(batch: Batch) -> dict[str, Tensor]:
        images, signs = (torch.from_numpy(part).to(options.device) for part in batch)
        with run.autocast():
            logits = run.net(images)
        smooth = data.smoothing
        loss = functional.cross_entropy(logits.float(), signs, label_smoothing=smooth)
        return {"sign": loss}

    run.train(feed(pool.batch, plan.seed, run.state.step, options.workers), losses_of)
