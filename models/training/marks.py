"""How the reader of the marks on flowers and seasons is trained.

:mod:`models.training` is the command. All tiles of the drawn scenes are flowers and seasons; of
photographs and path-traced scenes only those are cut out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from datasets.crops.crops import Crops
from datasets.crops.pictures import TrainingPictures
from datasets.designs.icons import find_icons
from datasets.photographs.sheets import Sheet
from datasets.sets.fresh import Makes
from models.nets.readers import Reader
from models.training.crop_pool import CropData
from models.training.found_tiles import TileFinder
from models.training.loop import Plan
from models.training.readers import DrawnFaces, learn, load_pictures_of, losses
from scorer.tiles import BONUS_TILES
from vision.vocabulary.labels import BONUS_COLUMNS


def of_bonus_alone(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The pictures that show flowers or seasons, with those alone annotated."""
    chosen = []
    for sheet in sheets:
        photo = sheet.photo
        keep = [i for i, label in enumerate(photo.labels) if label in BONUS_TILES]
        if keep:
            labels = tuple(photo.labels[i] for i in keep)
            alone = replace(
                photo, labels=labels, quads=photo.quads[keep], unlabelled=photo.unlabelled[:0]
            )
            chosen.append(replace(sheet, photo=alone))
    return chosen


@dataclass(frozen=True, kw_only=True)
class MarksData(CropData):
    """``[data]`` of the configuration of a reader of marks.

    Attributes:
        worded: how many of the sets drawn while training runs have words, from 0 to 1.
        loose: how many of them have any pictures, so that only the marks tell the tiles apart.
    """

    worded: float
    loose: float


def load_bonus_pictures(options: Namespace, data: MarksData) -> TrainingPictures:
    """The training split of what the command line names.

    Raises:
        DesignError: there are no sets, or no icons where they should be.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    makes = Makes(data.worded, data.loose, data.rarer, find_icons(options.icons))
    pictures = load_pictures_of(options, data, BONUS_TILES, makes)
    return replace(
        pictures, photos=of_bonus_alone(pictures.photos), traced=of_bonus_alone(pictures.traced)
    )


def train(options: Namespace, plan: Plan, data: MarksData, reader: Reader) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.training`.
        plan: how long and how fast.
        data: what it learns from.
        reader: which of those that read marks.
    """
    pictures = load_bonus_pictures(options, data)
    draw = DrawnFaces(pictures, TileFinder(data.found), reader.size, BONUS_COLUMNS)
    net = reader.net()

    def losses_of(images: Tensor, crops: Crops) -> dict[str, Tensor]:
        return losses(net(images), places(crops.labels), crops.turns, data.smoothing)

    learn(options, plan, net, draw, data, losses_of)


def places(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (n,) of labels (n,) of flowers and seasons among these."""
    return np.searchsorted(BONUS_COLUMNS, labels).astype(np.int64)
