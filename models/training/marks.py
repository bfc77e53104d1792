"""Training of the reader of marks on flowers and seasons; :mod:`models.training` is the command.

Drawn scenes hold only tiles that it can read; of photographs and path-traced scenes only such tiles
are cut out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from datasets.crops.crops import Crops, cut_crops
from datasets.crops.pictures import TrainingPictures, load_pictures
from datasets.designs.icons import find_icons
from datasets.photographs.sheets import Sheet
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import Makes, among_fresh_sets
from datasets.sets.sources import Sources, load_face_sets
from models.nets.nets import MARKS_SIZE, MarksReader
from models.training.classifier import SCENE_SIZE, SHARP, SHARP_SIZE
from models.training.crop_pool import CropData, CropPool
from models.training.found_tiles import TileFinder
from models.training.loop import Plan, Run, feed
from scorer.tiles import BONUS_TILES
from vision.vocabulary.labels import BONUS_COLUMNS


@dataclass(frozen=True, kw_only=True)
class MarksData(CropData):
    """``[data]`` of the configuration of the reader of marks.

    Attributes:
        worded: share of the tile sets drawn while training runs that have words, from 0 to 1.
        loose: share of them whose pictures are arbitrary, so that only marks distinguish tiles.
    """

    worded: float
    loose: float


def with_bonus_alone(faces: FaceSet) -> FaceSet:
    """The tile set with only its flowers, its seasons and the stand-in."""
    kept = {*BONUS_TILES, STAND_IN}
    return replace(faces, faces={k: v for k, v in faces.faces.items() if k in kept})


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


def load_bonus_pictures(options: Namespace, data: MarksData) -> TrainingPictures:
    """The training pictures that the command line names, with flowers and seasons alone.

    Raises:
        DesignError: there are no tile sets, or no icons in their folder.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    icons = find_icons(options.icons)
    makes = Makes(worded=data.worded, loose=data.loose, rarer=data.rarer, icons=icons)
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    with_some = [
        with_bonus_alone(faces) for faces in sets if not faces.faces.keys().isdisjoint(BONUS_TILES)
    ]
    mixture = replace(data, shares={**data.shares, STAND_IN: 0.0})
    drawn = (*BONUS_TILES, STAND_IN)
    laid = among_fresh_sets(with_some, data.fresh_share, options.fonts, drawn, makes)
    pictures = load_pictures(laid, options.photos, options.traced, mixture)
    return replace(
        pictures, photos=of_bonus_alone(pictures.photos), traced=of_bonus_alone(pictures.traced)
    )


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFaces:
    """Draws crops of some faces, (128, 96) pixels.

    Attributes:
        pictures: source of the pictures that crops are cut from.
        finder: detects the tiles of some pictures with the shipped models.
        columns: (k,) int64 places of the faces in :data:`scorer.tiles.READING_LABELS`.
    """

    pictures: TrainingPictures
    finder: TileFinder
    columns: NDArray[np.int64]

    def __call__(self, rng: Generator) -> Crops:
        """Draw the crops of one more picture."""
        scene = self.pictures.scene(rng, SHARP_SIZE if rng.random() < SHARP else SCENE_SIZE)
        crops = cut_crops(rng, scene, MARKS_SIZE, finds=self.finder(rng, scene))
        return crops.chosen(np.nonzero(np.isin(crops.labels, self.columns))[0])


def upright_crops(draw: DrawnFaces, scenes: int, seed: int) -> Iterator[Crops]:
    """The upright crops of each of ``scenes`` pictures; pictures without any are left out."""
    for number in tqdm(range(scenes), unit="scene", disable=None):
        crops = draw(np.random.default_rng([seed, number]))
        crops = crops.chosen(np.nonzero(crops.turns == 0)[0])
        if len(crops.labels):
            yield crops


def bonus_places(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (n,) of flowers and seasons (n,) in :data:`scorer.tiles.BONUS_TILES`."""
    return np.searchsorted(BONUS_COLUMNS, labels).astype(np.int64)


def losses(
    logits: Tensor, places: NDArray[np.int64], turns: NDArray[np.int64], smoothing: float
) -> dict[str, Tensor]:
    """The cross-entropy of upright crops, and a pull of all others towards even probabilities.

    Args:
        logits: (n, 8) from the reader.
        places: (n,) int64, the class of each crop.
        turns: (n,) int64 quarter turns away from upright.
        smoothing: label smoothing of the cross-entropy.
    """
    marks, upright = (torch.from_numpy(part).to(logits.device) for part in (places, turns == 0))
    chances = functional.log_softmax(logits.float(), dim=1)
    known = functional.cross_entropy(
        logits.float()[upright], marks[upright], label_smoothing=smoothing
    )
    others = chances[~upright]
    return {"mark": known, "turned": -0.2 * others.sum() / max(1, others.numel())}


def train(options: Namespace, plan: Plan, data: MarksData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.
    """
    cv2.setNumThreads(options.threads)
    draw = DrawnFaces(load_bonus_pictures(options, data), TileFinder(data.found), BONUS_COLUMNS)
    pool = CropPool(draw, data.reuse, data.capacity, MARKS_SIZE)
    run = Run(MarksReader(), plan, options.run, options.device, options.start)

    def losses_of(crops: Crops) -> dict[str, Tensor]:
        images = torch.from_numpy(crops.images).to(options.device)
        with run.autocast():
            return losses(run.net(images), bonus_places(crops.labels), crops.turns, data.smoothing)

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)
