"""How the reader of the marks on flowers and seasons is trained.

:mod:`models.train` is the command. All tiles of the drawn scenes are flowers and seasons; of
photographs and path-traced scenes only those are cut out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from datasets.crops import Crops, cut_crops
from datasets.faces import FaceSet
from datasets.fresh import among_fresh_sets
from datasets.scenes import STAND_IN
from datasets.sheets import Sheet
from datasets.sources import Sources, load_face_sets
from datasets.training import TrainingPictures, load_pictures
from models.crop_pool import CropData, CropPool
from models.feed import feed
from models.found_tiles import TileFinder
from models.loop import Plan, Run
from models.nets import MarkReader
from models.train_classifier import SCENE_SIZE, SHARP, SHARP_SIZE
from scorer.tiles import BONUS_TILES
from vision.bonus import BONUS_COLUMNS

_LAID: Final = (*BONUS_TILES, STAND_IN)
_CAPACITY: Final = 6144


def with_bonus_alone(faces: FaceSet) -> FaceSet:
    """The set without the tiles that are of no use here."""
    return replace(faces, faces={k: v for k, v in faces.faces.items() if k in _LAID})


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
    """``[data]`` of the configuration of the reader of marks.

    Attributes:
        crop_size: [height, width] of the crops in pixels.
        worded: how many of the sets drawn while training runs have words, from 0 to 1.
    """

    crop_size: Sequence[int]
    worded: float


@dataclass(frozen=True, slots=True)
class DrawnBonus:
    """Draws crops of flowers and seasons.

    Attributes:
        pictures: what they are cut out of.
        finder: where tiles are found.
        size: (height, width) of the crops in pixels.
    """

    pictures: TrainingPictures
    finder: TileFinder
    size: tuple[int, int]

    def __call__(self, rng: Generator) -> Crops:
        """The crops of one more picture."""
        scene = self.pictures.scene(rng, SHARP_SIZE if rng.random() < SHARP else SCENE_SIZE)
        crops = cut_crops(rng, scene, self.size, finds=self.finder(rng, scene))
        return crops.chosen(np.nonzero(np.isin(crops.labels, BONUS_COLUMNS))[0])


def losses(logits: Tensor, marks: Tensor, turns: Tensor, smoothing: float) -> dict[str, Tensor]:
    """Cross-entropy of the marks; of tiles that are not upright it shall tell nothing.

    Args:
        logits: (n, 8) of the flowers and seasons.
        marks: (n,) int64, which of them each crop shows.
        turns: (n,) int64 quarter turns away from upright.
        smoothing: of the labels.
    """
    upright = turns == 0
    chances = functional.log_softmax(logits.float(), dim=1)
    known = functional.cross_entropy(
        logits.float()[upright], marks[upright], label_smoothing=smoothing
    )
    return {"mark": known, "turned": -0.2 * chances[~upright].mean()}


def load_bonus_pictures(options: Namespace, data: MarksData) -> TrainingPictures:
    """The training split of what the command line names.

    Raises:
        DesignError: there are no sets.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    marked = [
        with_bonus_alone(faces) for faces in sets if not faces.faces.keys().isdisjoint(BONUS_TILES)
    ]
    mixture = replace(data, shares={**data.shares, STAND_IN: 0.0})
    laid = among_fresh_sets(marked, data.fresh_share, options.fonts, _LAID, data.worded)
    pictures = load_pictures(laid, options.photos, options.traced, mixture)
    return replace(
        pictures, photos=of_bonus_alone(pictures.photos), traced=of_bonus_alone(pictures.traced)
    )


def train(options: Namespace, plan: Plan, data: MarksData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.train`.
        plan: how long and how fast.
        data: what it learns from.
    """
    cv2.setNumThreads(options.threads)
    height, width = data.crop_size
    pictures = load_bonus_pictures(options, data)
    draw = DrawnBonus(pictures, TileFinder(data.found), (height, width))
    pool = CropPool(draw, data.reuse, _CAPACITY, draw.size)
    run = Run(MarkReader(len(BONUS_TILES)), plan, options.run, options.device, options.start)

    def losses_of(crops: Crops) -> dict[str, Tensor]:
        images, marks, turns = (
            torch.from_numpy(part).to(options.device)
            for part in (crops.images, places(crops.labels), crops.turns)
        )
        with torch.autocast(torch.device(options.device).type, torch.bfloat16):
            logits = run.net(images)
        return losses(logits, marks, turns, data.smoothing)

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)


def places(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (n,) of labels (n,) of flowers and seasons among these."""
    return np.searchsorted(BONUS_COLUMNS, labels).astype(np.int64)
