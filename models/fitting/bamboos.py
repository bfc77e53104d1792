"""Fit the weights by which the pictures of bamboos and their counts count.

``python -m models.fitting bamboos --designs DIR`` renders bamboos of held-out designs, lets both
models read them where they are found, and gives the weights of :mod:`vision.classify.bamboo_count`
with the least negative log-likelihood, and what share is read right without and with them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted, Reads, likeliest_weights, rounded
from models.training.found_tiles import TileFinder
from models.training.readers import DrawnFaces, places, upright_crops
from vision.classify.bamboo_count import (
    AROUND,
    BAMBOOS,
    COLUMNS,
    LEAST,
    BambooWeights,
    count_terms,
)
from vision.classify.crop_reader import CropReader, with_negatives
from vision.geometry.crops import MARGIN, rectify
from vision.geometry.quads import UNIT_SQUARE
from vision.runtime.session import load_model

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

_CLOSE: Final = 0.7
"""Share of the pictures that show tiles from near."""


def finds_alone(crops: Image) -> Image:
    """What the classifier sees, (n, *CROP_SIZE, 3), of crops (n, h, w, 3) with more around."""
    height, width = crops.shape[1:3]
    edge = (AROUND / (1 + 2 * AROUND) + MARGIN) / (1 + 2 * MARGIN)
    face = (edge + UNIT_SQUARE * (1 - 2 * edge)) * np.array([width, height], np.float32)
    quad = face[np.newaxis].astype(np.float32)
    return np.concatenate([rectify(crop, quad, CROP_SIZE) for crop in crops])


def read_held_out(designs: Path, scenes: int, seed: int) -> Reads:
    """The reads of the bamboos in ``scenes`` pictures of held-out designs.

    Raises:
        DesignError: the folder holds no held-out design.
        ModelError: a shipped model is missing or damaged.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, close_share=_CLOSE)
    classifier, reader = load_model("classifier"), CropReader.load("bamboos", BAMBOOS)

    def seen(crops: Image) -> Floats:
        return classifier.run(crops)[0].astype(np.float32)

    pictures = TrainingPictures(sets, [], [], mixture)
    draw = DrawnFaces(pictures, TileFinder(1.0), reader.size, COLUMNS, AROUND)
    terms, labels = [], []
    for crops in upright_crops(draw, scenes, seed):
        faces = finds_alone(crops.images)
        alone = with_negatives(seen(faces), faces, seen)[:, COLUMNS]
        taken = alone.sum(axis=1) >= LEAST
        terms.append(count_terms(alone, reader.read(crops.images))[taken])
        labels.append(places(crops.labels, COLUMNS)[taken])
    return Reads(np.concatenate(terms).astype(np.float64), np.concatenate(labels))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=3000, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=85)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    reads = read_held_out(options.designs, options.scenes, options.seed)
    weights = likeliest_weights(reads.terms, reads.labels)
    picture, count, both = (
        reads.right(each) for each in (np.array([1.0, 0.0]), np.array([0.0, 1.0]), weights)
    )
    report = (
        f"of {len(reads.labels)} bamboos read right: by the picture {picture:.2%}, "
        f"by the count {count:.2%}, by both {both:.2%}"
    )
    return Fitted([rounded(BambooWeights, weights)], [report])
