"""Training of the classifier of tile faces; :mod:`models.training` is the command."""

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
from models.training.found_tiles import TileFinder
from models.training.loop import Plan, Run, feed
from models.training.mine_negatives import load_negatives
from scorer.tiles import BLANK, OTHER, READING_LABELS, TILES

SCENE_SIZE: Final = (640, 640)
"""Height and width of most pictures in pixels."""
SHARP_SIZE: Final = (1152, 1152)
"""Height and width in pixels of pictures whose tiles are as sharp as in phone photos."""
SHARP: Final = 0.35
"""Share of the pictures that have :data:`SHARP_SIZE`."""
_LAID: Final = (*TILES, BLANK, OTHER)
"""Labels of the faces in drawn scenes."""
_CORNERS_WITHIN: Final = 0.5
"""Corner error, in widths and heights of the face, from which the corner loss ignores a crop."""


class Truth(NamedTuple):
    """The truth of n crops, in the terms of :class:`datasets.crops.crops.Crops`.

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
    """Draws crops of all tiles of a picture, and of places without a tile.

    Attributes:
        pictures: source of the pictures that crops are cut from.
        negatives: crops that show no tile, as a share of those of tiles.
        mined: crops (n, h, w, 3) uint8 BGR of :mod:`models.training.mine_negatives`, if any.
        finder: detects the tiles of some pictures with the shipped models.
    """

    pictures: TrainingPictures
    negatives: float
    mined: NDArray[np.uint8] | None
    finder: TileFinder

    def __call__(self, rng: Generator) -> Crops:
        """Draw the crops of one more picture."""
        scene = self.pictures.scene(rng, SHARP_SIZE if rng.random() < SHARP else SCENE_SIZE)
        crops = cut_crops(rng, scene, CROP_SIZE, self.negatives, self.finder(rng, scene))
        return self._with_mined(rng, crops)

    def _with_mined(self, rng: Generator, fresh: Crops) -> Crops:
        """The crops with mined negatives added, as many again as the other negatives on average."""
        if self.mined is None:
            return fresh
        count = int(rng.poisson(self.negatives / 2 * len(fresh.labels)))
        images = self.mined[rng.integers(len(self.mined), size=count)]
        if rng.random() < 0.5:
            images = images[:, ::-1, ::-1]
        return fresh.joined(crops_without_tiles(images))


def losses(answer: Answer, truth: Truth, smoothing: float) -> dict[str, Tensor]:
    """The parts of the classifier's loss.

    Three are cross-entropies: of the label of upright tiles, of whether a tile is upright, and of
    whether a crop shows a tile. The fourth is the corner loss.
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
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.

    Raises:
        DesignError: there are no tile sets, or no icons or engravings in their folder.
        FontError: the typefaces lack characters that tiles need.
    """
    cv2.setNumThreads(options.threads)
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    icons, engravings = find_icons(options.icons), find_engravings(options.engravings)
    makes = Makes(rarer=data.rarer, invented=data.invented, icons=icons, engravings=engravings)
    laid = among_fresh_sets(sets, data.fresh_share, options.fonts, _LAID, makes)
    pictures = load_pictures(laid, options.photos, options.traced, data, options.real)
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
