"""How readers of crops are trained; :mod:`models.training.marks` and others say from what."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

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
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import Makes, among_fresh_sets
from datasets.sets.sources import Sources, load_face_sets
from models.training.classifier import SCENE_SIZE, SHARP, SHARP_SIZE
from models.training.crop_pool import CropData, CropPool
from models.training.feed import feed
from models.training.found_tiles import TileFinder
from models.training.loop import Plan, Run


def with_faces_alone(faces: FaceSet, labels: Sequence[str]) -> FaceSet:
    """The set without the tiles that are of no use to a reader of these."""
    kept = {*labels, STAND_IN}
    return replace(faces, faces={k: v for k, v in faces.faces.items() if k in kept})


def load_pictures_of(
    options: Namespace, data: CropData, labels: Sequence[str], makes: Makes
) -> TrainingPictures:
    """The training split of what the command line names, these tiles alone in drawn scenes.

    Raises:
        DesignError: there are no sets.
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
    """Draws crops of some of the faces.

    Attributes:
        pictures: what they are cut out of.
        finder: where tiles are found.
        size: (height, width) of the crops in pixels.
        columns: (k,) int64 places of the faces in :data:`scorer.tiles.READING_LABELS`.
        around: how much more than a tile they show, as in :func:`datasets.crops.crops.cut_crops`.
        aside: share of the finds that lie aside of their tile, as there.
        ways: by how many quarter turns such a face looks the same again: bamboos by two.
    """

    pictures: TrainingPictures
    finder: TileFinder
    size: tuple[int, int]
    columns: NDArray[np.int64]
    around: float = 0.0
    aside: float = 0.0
    ways: int = 4

    def __call__(self, rng: Generator) -> Crops:
        """The crops of one more picture."""
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
    """Of each of so many pictures the crops that are the right way up, where there are any."""
    for number in tqdm(range(scenes), unit="scene", disable=None):
        crops = draw(np.random.default_rng([seed, number]))
        crops = crops.chosen(np.nonzero(crops.turns == 0)[0])
        if len(crops.labels):
            yield crops


def losses(
    logits: Tensor, places: NDArray[np.int64], turns: NDArray[np.int64], smoothing: float
) -> dict[str, Tensor]:
    """Cross-entropy of the marks; of tiles that are not upright it shall tell nothing.

    Args:
        logits: (n, classes), as of the eight flowers and seasons.
        places: (n,) int64, which of them each crop shows.
        turns: (n,) int64 quarter turns away from upright.
        smoothing: of the labels.
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
        options: the command line of :mod:`models.training`.
        plan: how long and how fast.
        net: what is trained.
        draw: gives crops.
        data: how they are learnt from.
        losses_of: what the network still gets wrong, of the crops' images (n, h, w, 3) uint8 BGR
            where it is, and of the crops.
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
