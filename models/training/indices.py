"""Training of the reader of indices; :mod:`models.training` is the command."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import torch
from torch import Tensor
from torch.nn import functional

from datasets.crops.indexed import IndexedCrops, IndexPrinter, plain_faces
from datasets.designs.fonts import find_fonts
from datasets.designs.icons import find_icons
from datasets.sets.faces import load_photographed
from models.nets.nets import IndexReader
from models.training.loop import Plan, Run, feed

_HARDEST: Final = 12
"""Number of silent cells of each crop that count: those that seem most to say something."""


@dataclass(frozen=True, kw_only=True)
class IndexData:
    """``[data]`` of the configuration of the reader of indices.

    Attributes:
        batch: number of crops in a step.
        sets: number of drawn tile sets whose faces are printed on.
        smoothing: label smoothing.
    """

    batch: int
    sets: int
    smoothing: float


def losses(logits: Tensor, cells: Tensor, smoothing: float) -> dict[str, Tensor]:
    """The cross-entropies of cells that say something, and of the hardest that do not.

    Args:
        logits: (n, 17, h, w).
        cells: (n, h, w) int64, as :attr:`datasets.crops.indexed.IndexedCrops.cells`.
        smoothing: label smoothing.
    """
    each = functional.cross_entropy(
        logits.float(), cells.clamp(min=0), reduction="none", label_smoothing=smoothing
    )
    saying, silent = cells > 0, cells == 0
    said = (each * saying).sum() / saying.sum().clamp(min=1)
    hardest = (each * silent).flatten(1).topk(_HARDEST, dim=1).values
    return {"said": said, "silent": hardest.mean()}


def train(options: Namespace, plan: Plan, data: IndexData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.

    Raises:
        DesignError: there are no icons in their folder.
        FontError: the typefaces lack characters that tiles need.
    """
    cv2.setNumThreads(options.threads)
    fonts = find_fonts([options.fonts] if options.fonts else [])
    stored = load_photographed(options.photos, "train") if options.photos else []
    faces = plain_faces(stored, fonts, find_icons(options.icons), data.sets)
    printer = IndexPrinter(faces, fonts)
    run = Run(IndexReader(), plan, options.run, options.device, options.start)

    def losses_of(crops: IndexedCrops) -> dict[str, Tensor]:
        images, cells = (
            torch.from_numpy(each).to(options.device) for each in (crops.images, crops.cells)
        )
        with run.autocast():
            return losses(run.net(images), cells, data.smoothing)

    batch = partial(printer.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)
