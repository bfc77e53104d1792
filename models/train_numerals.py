"""How the reader of the numbers in the corners of suited tiles is trained.

:mod:`models.train` is the command. It learns from drawn sets on which any picture stands beside any
number, so that what it says owes nothing to the picture, which the classifier reads.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.designs.fonts import find_fonts
from datasets.numbered import NumberedSets
from datasets.scenes import STAND_IN
from datasets.training import Mixture, load_pictures
from models.found_tiles import TileFinder
from models.loop import Plan
from models.readers import Reader
from models.train_readers import DrawnFaces, learn
from vision.numerals import SUIT_COLUMNS, numbers_of


@dataclass(frozen=True, kw_only=True)
class NumeralsData:
    """``[data]`` of the configuration of the reader of numbers.

    Attributes:
        batch: how many crops make a step.
        reuse: how often a crop is used.
        close_share: as of :class:`datasets.training.Mixture`.
        smoothing: of the labels.
        found: share of the pictures whose tiles are cut out where the shipped models find them.
    """

    batch: int
    reuse: float
    close_share: float
    smoothing: float
    found: float


_NOTHING_ELSE: Final = {STAND_IN: 0.0}


def train(options: Namespace, plan: Plan, data: NumeralsData, reader: Reader) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.train`.
        plan: how long and how fast.
        data: what it learns from.
        reader: which it is.

    Raises:
        FontError: the typefaces lack characters that tiles need.
    """
    sets = NumberedSets(find_fonts([options.fonts] if options.fonts else []))
    mixture = Mixture(
        traced_share=0.0, sheet_share=0.0, close_share=data.close_share, shares=_NOTHING_ELSE
    )
    pictures = load_pictures(sets, None, None, mixture)
    draw = DrawnFaces(pictures, TileFinder(data.found), reader.size, SUIT_COLUMNS)
    learn(options, plan, reader.net(), draw, data, places)


def places(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Classes (n,) of labels (n,) of suited tiles: their numbers less one."""
    return numbers_of(np.searchsorted(SUIT_COLUMNS, labels))
