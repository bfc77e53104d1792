"""Fit the classifier's temperature on rendered hands of held-out designs.

``python -m models.calibrate RUN --designs DIR`` prints the one number that makes confidences match
accuracies best (Guo et al., arXiv 1706.04599), for ``models.export classifier --temperature``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from datasets.crops import cut_crops
from datasets.sources import Sources, load_face_sets
from datasets.table_scenes import hand_scene
from models.export import CROP_SIZE, averaged_weights
from models.nets import Classifier
from scorer.tiles import READING_LABELS


def held_out_logits(run: Path, designs: Path, count: int, seed: int) -> tuple[Tensor, Tensor]:
    """Logits (n, 45) and labels (n,) of upright crops from ``count`` rendered hands."""
    net = Classifier(len(READING_LABELS)).eval()
    net.load_state_dict(averaged_weights(run))
    sets = load_face_sets(Sources(None, designs), "val")
    logits, labels = [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        scene = hand_scene(rng, sets[index % len(sets)], (1200, 1600))
        crops = cut_crops(rng, scene, CROP_SIZE)
        upright = crops.turns <= 0
        with torch.no_grad():
            answers, _, _ = net(torch.from_numpy(crops.images[upright]))
        logits.append(answers)
        labels.append(torch.from_numpy(crops.labels[upright]))
    return torch.cat(logits), torch.cat(labels)


def best_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature in 0.3..3 with the least negative log-likelihood."""
    grid = np.geomspace(0.3, 3.0, 116)
    losses = [float(functional.cross_entropy(logits / t, labels)) for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def main() -> None:
    """Print the temperature."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of the classifier's training run")
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--count", type=int, default=80, help="rendered hands")
    options = parser.parse_args()
    logits, labels = held_out_logits(options.run, options.designs, options.count, 11)
    print(best_temperature(logits, labels))


if __name__ == "__main__":
    main()
