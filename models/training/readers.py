"""Training of the readers of crops: marks on flowers and seasons, and numbers of bamboos.

:mod:`models.training` is the command. Drawn scenes hold only tiles that a reader can read; of
photographs and path-traced scenes only such tiles are cut out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from datasets.crops.crops import Crops, cut_crops
from datasets.crops.pictures import TrainingPictures, load_pictures
from datasets.designs.engravings import find_engravings
from datasets.designs.icons import find_icons
from datasets.photographs.sheets import Sheet
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import Makes, among_fresh_sets
from datasets.sets.sources import Sources, load_face_sets
from models.nets.corner_loss import corner_loss
from models.nets.readers import BAMBOO_READER, READERS, Reader, bamboo_counter
from models.training.classifier import CORNERS_WITHIN, SCENE_SIZE, SHARP, SHARP_SIZE
from models.training.crop_pool import CropData, CropPool
from models.training.feed import feed
from models.training.found_tiles import TileFinder
from models.training.loop import Plan, Run
from scorer.tiles import BONUS_TILES
from vision.classify.bamboo_count import AROUND, BAMBOOS, COLUMNS
from vision.vocabulary.labels import BONUS_COLUMNS

_WAYS_OF_BAMBOOS: Final = 2
"""Number of quarter turns after which a tile shows the same number of bamboos upright."""


def with_faces_alone(faces: FaceSet, labels: Sequence[str]) -> FaceSet:
    """The tile set with only the faces of these labels and the stand-in."""
    kept = {*labels, STAND_IN}
    return replace(faces, faces={k: v for k, v in faces.faces.items() if k in kept})


def load_pictures_of(
    options: Namespace, data: CropData, labels: Sequence[str], makes: Makes
) -> TrainingPictures:
    """The training pictures that the command line names, with only these labels in drawn scenes.

    Raises:
        DesignError: there are no tile sets.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    with_some = [
        with_faces_alone(faces, labels)
        for faces in sets
        if not faces.faces.keys().isdisjoint(labels)
    ]
    mixture = replace(data, shares={**data.shares, STAND_IN: 0.0})
    laid = among_fresh_sets(with_some, data.fresh_share, options.fonts, (*labels, STAND_IN), makes)
    return load_pictures(laid, options.photos, options.traced, mixture)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFaces:
    """Draws crops of the faces that a reader distinguishes.

    Attributes:
        pictures: source of the pictures that crops are cut from.
        finder: detects the tiles of some pictures with the shipped models.
        size: (height, width) of the crops in pixels.
        columns: (k,) int64 places of the faces in :data:`scorer.tiles.READING_LABELS`.
        around: margin around the tile, as in :func:`datasets.crops.crops.cut_crops`.
        aside: share of misplaced detections, as in :func:`datasets.crops.crops.cut_crops`.
        ways: number of quarter turns after which such a face looks the same again.
    """

    pictures: TrainingPictures
    finder: TileFinder
    size: tuple[int, int]
    columns: NDArray[np.int64]
    around: float = 0.0
    aside: float = 0.0
    ways: int = 4

    def __call__(self, rng: Generator) -> Crops:
        """Draw the crops of one more picture."""
        scene = self.pictures.scene(rng, SHARP_SIZE if rng.random() < SHARP else SCENE_SIZE)
        crops = cut_crops(
            rng,
            scene,
            self.size,
            finds=self.finder(rng, scene),
            around=self.around,
            aside=self.aside,
        )
        crops = crops.chosen(np.nonzero(np.isin(crops.labels, self.columns))[0])
        return replace(crops, turns=crops.turns % self.ways)


def upright_crops(draw: DrawnFaces, scenes: int, seed: int) -> Iterator[Crops]:
    """The upright crops of each of ``scenes`` pictures; pictures without any are left out."""
    for number in tqdm(range(scenes), unit="scene", disable=None):
        crops = draw(np.random.default_rng([seed, number]))
        crops = crops.chosen(np.nonzero(crops.turns == 0)[0])
        if len(crops.labels):
            yield crops


def losses(
    logits: Tensor, places: NDArray[np.int64], turns: NDArray[np.int64], smoothing: float
) -> dict[str, Tensor]:
    """The cross-entropy of upright crops, and a pull of all others towards even probabilities.

    Args:
        logits: (n, classes) from the reader.
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


def learn(
    options: Namespace,
    plan: Plan,
    net: nn.Module,
    draw: DrawnFaces,
    data: CropData,
    losses_of: Callable[[Tensor, Crops], dict[str, Tensor]],
) -> None:
    """Train or resume the run of a reader of small print in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        net: the network to train.
        draw: draws crops.
        data: the ``[data]`` of its configuration.
        losses_of: the parts of the loss, given the crops' images (n, h, w, 3) uint8 BGR on the
            network's device, and the crops.
    """
    cv2.setNumThreads(options.threads)
    pool = CropPool(draw, data.reuse, data.capacity, draw.size)
    run = Run(net, plan, options.run, options.device, options.start)

    def of(crops: Crops) -> dict[str, Tensor]:
        images = torch.from_numpy(crops.images).to(options.device)
        with run.autocast():
            return losses_of(images, crops)

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), of)


def places(labels: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (n,) of the labels (n,) in the sorted columns (k,) that a reader distinguishes."""
    return np.searchsorted(columns, labels).astype(np.int64)


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
        worded: share of the tile sets drawn while training runs that have words, from 0 to 1.
        loose: share of them whose pictures are arbitrary, so that only marks distinguish tiles.
    """

    worded: float
    loose: float


def load_bonus_pictures(options: Namespace, data: MarksData) -> TrainingPictures:
    """The training pictures that the command line names, with flowers and seasons alone.

    Raises:
        DesignError: there are no tile sets, or no icons in their folder.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    makes = Makes(data.worded, data.loose, data.rarer, find_icons(options.icons))
    pictures = load_pictures_of(options, data, BONUS_TILES, makes)
    return replace(
        pictures, photos=of_bonus_alone(pictures.photos), traced=of_bonus_alone(pictures.traced)
    )


def train_marks(options: Namespace, plan: Plan, data: MarksData, reader: Reader) -> None:
    """Train or resume the run of a reader of marks in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.
        reader: the reader of marks to train.
    """
    pictures = load_bonus_pictures(options, data)
    draw = DrawnFaces(pictures, TileFinder(data.found), reader.size, BONUS_COLUMNS)
    net = reader.net()

    def losses_of(images: Tensor, crops: Crops) -> dict[str, Tensor]:
        return losses(net(images), places(crops.labels, BONUS_COLUMNS), crops.turns, data.smoothing)

    learn(options, plan, net, draw, data, losses_of)


@dataclass(frozen=True, kw_only=True)
class BamboosData(CropData):
    """``[data]`` of the configuration of the counter.

    Attributes:
        aside: share of misplaced detections, as in :func:`datasets.crops.crops.cut_crops`.
    """

    aside: float


def train_bamboos(options: Namespace, plan: Plan, data: BamboosData) -> None:
    """Train or resume the run of the counter of bamboos in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.

    Raises:
        DesignError: there are no tile sets, or no engravings in their folder.
        FontError: the typefaces lack characters that tiles need.
        AnnotationError: annotations cannot be read.
    """
    makes = Makes(rarer=data.rarer, engravings=find_engravings(options.engravings))
    pictures = load_pictures_of(options, data, BAMBOOS, makes)
    finder, size = TileFinder(data.found), READERS[BAMBOO_READER].size
    draw = DrawnFaces(pictures, finder, size, COLUMNS, AROUND, data.aside, _WAYS_OF_BAMBOOS)
    net = bamboo_counter()

    def losses_of(images: Tensor, crops: Crops) -> dict[str, Tensor]:
        logits, corners = net.answer(images)
        truth = torch.from_numpy(crops.corners).to(images.device)
        valid = torch.from_numpy(crops.valid).to(images.device)
        return {
            **losses(logits, places(crops.labels, COLUMNS), crops.turns, data.smoothing),
            "corners": corner_loss(corners.float(), truth, valid, CORNERS_WITHIN),
        }

    learn(options, plan, net, draw, data, losses_of)
