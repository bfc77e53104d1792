"""How the classifier of tile faces is trained; :mod:`models.training` is the command."""

from __future__ import annotations

from argparse import Namespace
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

from datasets.crops.crops import CROP_SIZE, Crops, crops_without_tiles, cut_crops
from datasets.crops.pictures import TrainingPictures, load_pictures
from datasets.designs.engravings import find_engravings
from datasets.designs.icons import find_icons
from datasets.sets.fresh import Makes, among_fresh_sets
from datasets.sets.sources import Sources, load_face_sets
from models.nets.corner_loss import corner_loss
from models.nets.nets import Answer, Classifier
from models.training.crop_pool import CropData, CropPool
from models.training.feed import feed
from models.training.found_tiles import TileFinder
from models.training.loop import Plan, Run
from models.training.mine_negatives import load_negatives
from scorer.tiles import BLANK, OTHER, READING_LABELS, TILES

SCENE_SIZE: Final = (640, 640)
SHARP_SIZE: Final = (1152, 1152)
"""Height and width of most pictures, and of those that show tiles as sharp as phones do."""
SHARP: Final = 0.35
"""The share of these."""
_LAID: Final = (*TILES, BLANK, OTHER)
_CORNERS_WITHIN = 0.5
"""How far off corners may be, in widths and heights of the face, to be learnt from."""


class Truth(NamedTuple):
    """What is known of n crops, in the terms of :class:`datasets.crops.crops.Crops`.

    Attributes:
        labels, turns: (n,) int64.
        valid: (n,) bool.
        corners: (n, 4, 2) float32.
    """

    labels: Tensor
    turns: Tensor
    valid: Tensor
    corners: Tensor


@dataclass(frozen=True, kw_only=True)
class ClassifierData(CropData):
    """``[data]`` of a classifier's configuration.

    Attributes:
        negatives: crops that show no tile, as a share of those of tiles.
    """

    negatives: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """Draws crops of any tiles, and of what is none.

    Attributes:
        pictures: what they are cut out of.
        negatives: crops that show no tile, as a share of those of tiles.
        mined: further ones (n, h, w, 3) uint8 BGR of :mod:`models.training.mine_negatives`, if any.
        finder: where tiles are found.
    """

    pictures: TrainingPictures
    negatives: float
    mined: NDArray[np.uint8] | None
    finder: TileFinder

    def __call__(self, rng: Generator) -> Crops:
        """The crops of one more picture."""
        scene = self.pictures.scene(rng, SHARP_SIZE if rng.random() < SHARP else SCENE_SIZE)
        crops = cut_crops(rng, scene, CROP_SIZE, self.negatives, self.finder(rng, scene))
        return self._with_mined(rng, crops)

    def _with_mined(self, rng: Generator, fresh: Crops) -> Crops:
        """The crops with as many mined negatives again as ``negatives`` says."""
        if self.mined is None:
            return fresh
        count = int(rng.poisson(self.negatives / 2 * len(fresh.labels)))
        images = self.mined[rng.integers(len(self.mined), size=count)]
        if rng.random() < 0.5:
            images = images[:, ::-1, ::-1]
        return fresh.joined(crops_without_tiles(images))


def losses(answer: Answer, truth: Truth, smoothing: float) -> dict[str, Tensor]:
    """Cross-entropy of what upright tiles show, of whether a tile is upright, and is a tile.

    And the error of where its corners are.
    """
    tiles = truth.valid
    shown = (truth.turns <= 0) & tiles
    label_loss = functional.cross_entropy(
        answer.logits.float()[shown], truth.labels[shown], label_smoothing=smoothing
    )
    faces = (truth.turns >= 0) & tiles
    up_loss = functional.binary_cross_entropy_with_logits(
        answer.upright.float()[faces], (truth.turns[faces] == 0).float()
    )
    valid_loss = functional.binary_cross_entropy_with_logits(answer.valid.float(), tiles.float())
    return {
        "label": label_loss,
        "upright": 0.3 * up_loss,
        "valid": 0.5 * valid_loss,
        "corners": corner_loss(answer.corners.float(), truth.corners, tiles, _CORNERS_WITHIN),
    }


def train(options: Namespace, plan: Plan, data: ClassifierData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the command line of :mod:`models.training`.
        plan: how long and how fast.
        data: what it learns from.

    Raises:
        DesignError: there are no sets, or no icons or engravings where they should be.
        FontError: the typefaces lack characters that tiles need.
    """
    cv2.setNumThreads(options.threads)
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    icons, engravings = find_icons(options.icons), find_engravings(options.engravings)
    makes = Makes(rarer=data.rarer, icons=icons, engravings=engravings)
    laid = among_fresh_sets(sets, data.fresh_share, options.fonts, _LAID, makes)
    pictures = load_pictures(laid, options.photos, options.traced, data)
    mined = load_negatives(options.negatives) if options.negatives else None
    net = Classifier(len(READING_LABELS))
    run = Run(net, plan, options.run, options.device, options.start)
    draw = Drawn(pictures, data.negatives, mined, TileFinder(data.found))
    pool = CropPool(draw, data.reuse, data.capacity)

    def losses_of(crops: Crops) -> dict[str, Tensor]:
        images, *known = (
            torch.from_numpy(a).to(options.device)
            for a in (crops.images, crops.labels, crops.turns, crops.valid, crops.corners)
        )
        with run.autocast():
            answer = run.net(images)
        return losses(answer, Truth(*known), data.smoothing)

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)
