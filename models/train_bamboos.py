"""How the counter of bamboos is trained; :mod:`models.train` is the command.

All tiles of the drawn scenes show two to nine bamboos; of photographs and path-traced scenes only
those are learnt from. Bamboos are as many upside down.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets.crops import Crops
from datasets.designs.engravings import find_engravings
from datasets.faces import FaceSet
from datasets.fresh import Makes, among_fresh_sets
from datasets.scenes import STAND_IN
from datasets.sources import Sources, load_face_sets
from datasets.training import load_pictures
from models.corner_loss import corner_loss
from models.crop_pool import CropData
from models.found_tiles import TileFinder
from models.loop import Plan
from models.readers import BAMBOO_READER, READERS, bamboo_counter
from models.train_readers import DrawnFaces, learn, losses
from vision.bamboos import AROUND, BAMBOOS, COLUMNS

_LAID: Final = (*BAMBOOS, STAND_IN)
_WAYS: Final = 2
_CORNERS_WITHIN: Final = 0.5
"""How far off corners may be, in widths and heights of the face, to be learnt from."""


@dataclass(frozen=True, kw_only=True)
class BamboosData(CropData):
    """``[data]`` of the configuration of the counter.

    Attributes:
        aside: share of the finds that lie aside of their tile, as in
            :func:`datasets.crops.cut_crops`.
    """

    aside: float


def train(options: Namespace, plan: Plan, data: BamboosData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.train`.
        plan: how long and how fast.
        data: what it learns from.

    Raises:
        DesignError: there are no sets, or no engravings where they should be.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    with_some = [_alone(faces) for faces in sets if not faces.faces.keys().isdisjoint(BAMBOOS)]
    makes = Makes(rarer=data.rarer, engravings=find_engravings(options.engravings))
    laid = among_fresh_sets(with_some, data.fresh_share, options.fonts, _LAID, makes)
    mixture = replace(data, shares={**data.shares, STAND_IN: 0.0})
    pictures = load_pictures(laid, options.photos, options.traced, mixture)
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


def _alone(faces: FaceSet) -> FaceSet:
    """The set without the tiles that are of no use here."""
    return replace(faces, faces={k: v for k, v in faces.faces.items() if k in _LAID})
