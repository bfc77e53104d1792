"""Fit the weights by which the signs on flowers, seasons and birds count.

``python -m models.fitting bonus_signs --designs DIR`` renders flowers, seasons and the one bamboo
of held-out designs, lets all models read them where they are found, and gives the weights of
:mod:`vision.classify.bonus_signs` with the least negative log-likelihood where some sign is
legible, and what share of these tiles is read right without and with them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted, Reads, likeliest_weights, rounded
from models.training.found_tiles import TileFinder
from models.training.readers import DrawnFaces, upright_crops
from scorer.tiles import READING_LABELS
from vision.classify.bonus_marks import (
    LEAST,
    OnnxMarks,
    chance_of_flower_or_bird,
    refined_by_marks,
)
from vision.classify.bonus_signs import COLUMNS, FACE, BonusSignReader, SignWeights, sign_terms
from vision.classify.signs import OnnxSigns
from vision.geometry.crops import smaller
from vision.runtime.session import load_model
from vision.vocabulary.labels import BONUS_COLUMNS

_CLOSE: Final = 0.5
"""Share of the pictures that show tiles from near."""
_SHARES: Final = {
    label: 1.0 if k in COLUMNS else 0.0
    for k, label in enumerate(READING_LABELS)
    if k not in BONUS_COLUMNS
}
"""How often labels other than flowers and seasons are drawn, against the usual frequency."""
_PLACES: Final = {int(column): place for place, column in enumerate(COLUMNS)}
"""Place of each column of a label among those that signs decide between."""


def read_held_out(designs: Path, scenes: int, seed: int) -> Reads:
    """The reads of tiles with a legible sign in ``scenes`` pictures of held-out designs.

    Raises:
        DesignError: the folder holds no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, close_share=_CLOSE, shares=_SHARES)
    classifier, marks = load_model("classifier"), OnnxMarks.load()
    reader = BonusSignReader(OnnxSigns.load())
    pictures = TrainingPictures(sets, [], [], mixture)
    draw = DrawnFaces(pictures, TileFinder(1.0), max(marks.sizes), np.sort(COLUMNS))
    terms, labels = [], []
    for crops in upright_crops(draw, scenes, seed):
        seen = classifier.run(smaller(crops.images, CROP_SIZE))[0].astype(np.float32)
        read = marks.read([smaller(crops.images, size) for size in marks.sizes])
        before = refined_by_marks(seen, read)
        signs = reader.read(smaller(crops.images, FACE))
        taken = signs.legible & (chance_of_flower_or_bird(seen) >= LEAST)
        terms.append(sign_terms(before[:, COLUMNS], signs)[taken])
        labels += [_PLACES[int(label)] for label in crops.labels[taken]]
    return Reads(np.concatenate(terms).astype(np.float64), np.array(labels))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=700, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=86)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    reads = read_held_out(options.designs, options.scenes, options.seed)
    weights = likeliest_weights(reads.terms, reads.labels)
    alone, both = (reads.right(each) for each in (np.array([1.0, 0, 0, 0, 0]), weights))
    report = (
        f"of {len(reads.labels)} tiles with a legible sign read right: without it {alone:.1%}, "
        f"with it {both:.1%}"
    )
    return Fitted([rounded(SignWeights, weights)], [report])
