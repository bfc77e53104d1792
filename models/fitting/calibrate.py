"""Fit what turns the classifier's answers into decisions, on rendered hands of held-out designs.

``python -m models.fitting calibrate RUN --designs DIR`` gives, for ``models.nets.export
classifier``, the temperature that makes confidences match accuracies best (Guo et al., arXiv
1706.04599), and the least probability of being a tile that keeps all but a given share of the
tiles.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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

_NEGATIVES: Final = 0.5
"""Number of crops without a tile, as a share of those with one."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The network's answers for held-out crops.

    Attributes:
        logits: (n, 45) of the upright crops of tiles.
        labels: (n,) int64 what they show.
        tiles: (n,) probabilities of being a tile, of the same crops.
        others: (m,) probabilities of being a tile, of crops that show none.
    """

    logits: Tensor
    labels: Tensor
    tiles: Tensor
    others: Tensor


def held_out_answers(run: Path, designs: Path, count: int, seed: int) -> Answers:
    """The averaged network's answers on ``count`` rendered hands."""
    net = Classifier(len(READING_LABELS)).eval()
    net.load_state_dict(averaged_weights(run))
    sets = load_face_sets(Sources(None, designs), "val")
    logits, labels, tiles, others = [], [], [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        scene = hand_scene(rng, sets[index % len(sets)], (1200, 1600))
        crops = cut_crops(rng, scene, CROP_SIZE, _NEGATIVES)
        upright = torch.from_numpy(crops.valid & (crops.turns <= 0))
        with torch.no_grad():
            answer = net(torch.from_numpy(crops.images))
        logits.append(answer.logits[upright])
        labels.append(torch.from_numpy(crops.labels)[upright])
        tiles.append(torch.sigmoid(answer.valid[upright]))
        others.append(torch.sigmoid(answer.valid[~torch.from_numpy(crops.valid)]))
    return Answers(torch.cat(logits), torch.cat(labels), torch.cat(tiles), torch.cat(others))


def best_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature in 0.3..3 with the least negative log-likelihood."""
    grid = np.geomspace(0.3, 3.0, 116)
    losses = [float(functional.cross_entropy(logits / t, labels)) for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def least_valid(tiles: Tensor, lost: float) -> float:
    """The probability of being a tile below which at most a share ``lost`` of ``tiles`` (n,) is."""
    ordered = torch.sort(tiles).values
    return float(ordered[int(lost * len(ordered))])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("run", type=Path, help="folder of the classifier's training run")
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--count", type=int, default=80, help="rendered hands")
    parser.add_argument("--lost", type=float, default=0.002, help="share of tiles given up")


def run(options: argparse.Namespace) -> Fitted:
    """No weights, but the temperature, the threshold, and what the threshold does."""
    answers = held_out_answers(options.run, options.designs, options.count, 11)
    threshold = least_valid(answers.tiles, options.lost)
    report = {
        "temperature": best_temperature(answers.logits, answers.labels),
        "min_valid": round(threshold, 3),
        "tiles": len(answers.tiles),
        "others": len(answers.others),
        "others_refused": round(float((answers.others < threshold).float().mean()), 4),
        "read_right": round(
            float((answers.logits.argmax(dim=1) == answers.labels).float().mean()), 4
        ),
    }
    return Fitted([], [json.dumps(report, indent=1)])
