"""Fit the weights by which classifier and reader of marks classify bonus tiles.

``python -m models.fitting bonus_marks --designs DIR`` renders flowers and seasons of held-out
designs, lets both models read them where they are found, and gives the weights of
:mod:`vision.classify.bonus_marks` with the least negative log-likelihood, and what share the models
read right alone and together.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.scenes.scenes import STAND_IN
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted, Reads, likeliest_weights, rounded
from models.training.found_tiles import TileFinder
from models.training.marks import DrawnFaces, bonus_places, upright_crops, with_bonus_alone
from vision.classify.bonus_marks import LEAST, MarkWeights, OnnxMarks, mark_terms
from vision.geometry.crops import smaller
from vision.runtime.session import load_model
from vision.vocabulary.labels import BONUS_COLUMNS


def read_held_out(designs: Path, scenes: int, seed: int) -> Reads:
    """The reads of ``scenes`` pictures of held-out designs.

    Raises:
        DesignError: the folder holds no held-out design.
    """
    held_out = load_face_sets(Sources(None, designs), "val")
    sets = [with_bonus_alone(faces) for faces in held_out]
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, shares={STAND_IN: 0.0})
    classifier, reader = load_model("classifier"), OnnxMarks.load()
    pictures = TrainingPictures(sets, [], [], mixture)
    draw = DrawnFaces(pictures, TileFinder(1.0), BONUS_COLUMNS)
    terms, marks = [], []
    for crops in upright_crops(draw, scenes, seed):
        faces = smaller(crops.images, CROP_SIZE)
        seen = classifier.run(faces)[0][:, BONUS_COLUMNS].astype(np.float32)
        taken = seen.sum(axis=1) >= LEAST
        terms.append(mark_terms(seen, reader.read(crops.images))[taken])
        marks.append(bonus_places(crops.labels)[taken])
    return Reads(np.concatenate(terms).astype(np.float64), np.concatenate(marks))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=300, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=83)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    reads = read_held_out(options.designs, options.scenes, options.seed)
    weights = likeliest_weights(reads.terms, reads.labels)
    alone = [reads.right(np.array(one)) for one in ((1.0, 0.0, 0.0), (0.0, 1.0, 1.0))]
    report = (
        f"of {len(reads.labels)} tiles read right: classifier {alone[0]:.1%}, "
        f"marks {alone[1]:.1%}, together {reads.right(weights):.1%}"
    )
    return Fitted([rounded(MarkWeights, weights)], [report])
