"""Training of the detector of tile corners; :mod:`models.training` is the command."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from datasets.crops.pictures import Mixture, TrainingPictures, load_pictures
from datasets.scenes.scenes import Scene
from datasets.sets.sources import Sources, load_face_sets
from models.nets.detector_targets import Targets, encode
from models.nets.nets import Detector
from models.training.loop import Plan, Run, feed
from scorer.tiles import BACK

Sample = tuple[NDArray[np.uint8], Targets]
Samples = tuple[NDArray[np.uint8], tuple[Targets, ...]]
"""Pictures (n, h, w, 3) uint8 BGR and the targets of each."""

_DYED = 0.3
"""Share of pictures whose hues are shifted, since tiles, backs and tables come in any colour."""
_HUES = 180
"""Number of hues of OpenCV's HSV in uint8."""


@dataclass(frozen=True, kw_only=True)
class DetectorData(Mixture):
    """``[data]`` of a detector's configuration.

    Attributes:
        size: height and width of the pictures in pixels, a multiple of 32.
        batch: number of pictures in a step.
        reuse: mean number of times that a picture is used.
    """

    size: int
    batch: int
    reuse: int


class Pool:
    """A store of samples, each used about ``reuse`` times in different quarter turns."""

    def __init__(self, pictures: TrainingPictures, size: int, reuse: int) -> None:
        self.pictures, self.size, self.reuse = pictures, size, reuse
        self.kept: list[Scene] = []

    def batch(self, rng: Generator, count: int) -> Samples:
        """``count`` samples."""
        images, targets = zip(*(self.sample(rng) for _ in range(count)), strict=True)
        return np.stack(images), targets

    def sample(self, rng: Generator) -> Sample:
        """One picture (size, size, 3) uint8 BGR with its targets."""
        if len(self.kept) < 64 or rng.random() < 1 / self.reuse:
            self.kept.append(self.pictures.scene(rng, (self.size, self.size)))
            if len(self.kept) > 256:
                self.kept.pop(0)
            chosen = self.kept[-1]
        else:
            chosen = self.kept[int(rng.integers(len(self.kept)))]
        image, quads = chosen.image, chosen.quads
        down = np.array([label == BACK for label in chosen.labels], bool)
        for _ in range(int(rng.integers(4))):
            image = np.rot90(image)
            quads = np.stack([quads[..., 1], self.size - quads[..., 0]], axis=-1)
        if rng.random() < _DYED:
            image = dyed_anew(rng, image)
        if rng.random() < 0.5:
            gain = rng.uniform(0.6, 1.4, (1, 1, 3)) if rng.random() < 0.3 else rng.uniform(0.6, 1.4)
            image = np.clip(image * gain, 0, 255).astype(np.uint8)
        targets = encode(quads.astype(np.float32), down, chosen.visible, (self.size, self.size))
        return np.ascontiguousarray(image), targets


def dyed_anew(rng: Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (h, w, 3) uint8 BGR with all hues shifted alike and another saturation."""
    hues, saturation, value = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2HSV))
    turned = (hues.astype(np.int32) + int(rng.integers(_HUES))) % _HUES
    stronger = cv2.convertScaleAbs(saturation, alpha=float(rng.uniform(0.5, 1.3)))
    changed = cv2.merge([turned.astype(np.uint8), stronger, value])
    return np.asarray(cv2.cvtColor(changed, cv2.COLOR_HSV2BGR), np.uint8)


def losses(outputs: tuple[Tensor, Tensor, Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
    """The penalty-reduced focal loss of centres (arXiv 1904.07850), sector and corner losses."""
    centre, sector, corners = (output.float() for output in outputs)
    device = centre.device

    def stacked(name: str) -> Tensor:
        return torch.from_numpy(np.stack([getattr(t, name) for t in targets])).to(device)

    heat, care = stacked("heat"), stacked("care")[:, None]
    found = torch.sigmoid(centre)
    positive = (heat == 1.0).float()
    hit = positive * (1 - found) ** 2 * F.logsigmoid(centre)
    miss = (1 - positive) * care * (1 - heat) ** 4 * found**2 * F.logsigmoid(-centre)
    count = positive.sum().clamp(min=1.0)
    wanted = stacked("sector")
    here = wanted.sum(dim=1)
    sector_loss = -(wanted * F.log_softmax(sector, dim=1)).sum(dim=1).sum() / here.sum().clamp(
        min=1
    )
    weight = stacked("weight")[:, :, None]
    away = F.smooth_l1_loss(
        corners * weight, stacked("corners") * weight, reduction="none", beta=0.05
    )
    corner_loss = away.sum() / (8 * (weight > 0).sum().clamp(min=1))
    return {
        "centre": -(hit.sum() + miss.sum()) / count,
        "sector": 0.5 * sector_loss,
        "corner": 10 * corner_loss,
    }


def train(options: Namespace, plan: Plan, data: DetectorData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.
    """
    sets = load_face_sets(Sources(options.photos, options.designs), "train")
    pictures = load_pictures(sets, options.photos, options.traced, data)
    pool = Pool(pictures, data.size, data.reuse)
    run = Run(Detector(), plan, options.run, options.device, options.start)

    def losses_of(samples: Samples) -> dict[str, Tensor]:
        images = torch.from_numpy(samples[0]).to(options.device)
        with run.autocast():
            outputs = run.net(images)
        return losses(outputs, samples[1])

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)
