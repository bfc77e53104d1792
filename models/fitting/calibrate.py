"""Fit the temperature of the classifier on rendered hands of held-out designs.

``python -m models.fitting calibrate RUN --designs DIR`` gives, for ``models.nets.export
classifier``, the temperature that makes confidences match accuracies best (Guo et al., arXiv
1706.04599).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from datasets.crops.crops import CROP_SIZE, cut_crops
from datasets.scenes.tables import hand_scene
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted
from models.nets.export import averaged_weights
from models.nets.nets import Classifier
from scorer.tiles import READING_LABELS


def held_out_answers(run: Path, designs: Path, count: int, seed: int) -> tuple[Tensor, Tensor]:
    """The averaged network's logits (n, 45) of the upright tiles of ``count`` rendered hands.

    Returns:
        The logits, and (n,) int64 what the tiles show.
    """
    net = Classifier(len(READING_LABELS)).eval()
    net.load_state_dict(averaged_weights(run))
    sets = load_face_sets(Sources(None, designs), "val")
    logits, labels = [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        crops = cut_crops(rng, hand_scene(rng, sets[index % len(sets)], (1200, 1600)), CROP_SIZE)
        upright = crops.chosen(np.nonzero(crops.turns <= 0)[0])
        with torch.no_grad():
            logits.append(net(torch.from_numpy(upright.images)).logits)
        labels.append(torch.from_numpy(upright.labels))
    return torch.cat(logits), torch.cat(labels)


def best_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature in 0.3..3 with the least negative log-likelihood."""
    grid = np.geomspace(0.3, 3.0, 116)
    losses = [float(functional.cross_entropy(logits / t, labels)) for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("run", type=Path, help="folder of the classifier's training run")
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--count", type=int, default=80, help="rendered hands")


def run(options: argparse.Namespace) -> Fitted:
    """No weights, but the temperature."""
    logits, labels = held_out_answers(options.run, options.designs, options.count, 11)
    right = float((logits.argmax(dim=1) == labels).float().mean())
    best = best_temperature(logits, labels)
    return Fitted([], [f"temperature {best}, with {right:.2%} of {len(labels)} tiles read right"])
