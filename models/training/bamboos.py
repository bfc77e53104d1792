"""How the counter of bamboos is trained; :mod:`models.training` is the command.

All tiles of the drawn scenes show two to nine bamboos; of photographs and path-traced scenes only
those are learnt from. Bamboos are as many upside down.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets.crops.crops import Crops
from datasets.designs.engravings import find_engravings
from datasets.sets.fresh import Makes
from models.nets.corner_loss import corner_loss
from models.nets.readers import BAMBOO_READER, READERS, bamboo_counter
from models.training.crop_pool import CropData
from models.training.found_tiles import TileFinder
from models.training.loop import Plan
from models.training.readers import DrawnFaces, learn, load_pictures_of, losses
from vision.classify.bamboo_count import AROUND, BAMBOOS, COLUMNS

_WAYS: Final = 2
_CORNERS_WITHIN: Final = 0.5
"""How far off corners may be, in widths and heights of the face, to be learnt from."""


@dataclass(frozen=True, kw_only=True)
class BamboosData(CropData):
    """``[data]`` of the configuration of the counter.

    Attributes:
        aside: share of the finds that lie aside of their tile, as in
            :func:`datasets.crops.crops.cut_crops`.
    """

    aside: float


def train(options: Namespace, plan: Plan, data: BamboosData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.training`.
        plan: how long and how fast.
        data: what it learns from.

    Raises:
        DesignError: there are no sets, or no engravings where they should be.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    makes = Makes(rarer=data.rarer, engravings=find_engravings(options.engravings))
    pictures = load_pictures_of(options, data, BAMBOOS, makes)
    finder, size = TileFinder(data.found), READERS[BAMBOO_READER].size
    draw = DrawnFaces(pictures, finder, size, COLUMNS, AROUND, data.aside, _WAYS)
    net = bamboo_counter()

    def losses_of(images: Tensor, crops: Crops) -> dict[str, Tensor]:
        logits, corners = net.answer(images)
        truth = torch.from_numpy(crops.corners).to(images.device)
        valid = torch.from_numpy(crops.valid).to(images.device)
        return {
            **losses(logits, places(crops.labels), crops.turns, data.smoothing),
            "corners": corner_loss(corners.float(), truth, valid, _CORNERS_WITHIN),
        }

    learn(options, plan, net, draw, data, losses_of)


def places(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (n,) of labels (n,) of bamboos among these."""
    return np.searchsorted(COLUMNS, labels).astype(np.int64)
