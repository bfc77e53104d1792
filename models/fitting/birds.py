"""Fit the weights by which a number decides between flowers or seasons and the one bamboo.

``python -m models.fitting birds --designs DIR --photos DIR`` lets the reader of marks read both on
rendered tiles of held-out designs and on the photographs for training, none of whose one bamboo
they learnt from, and gives :class:`vision.classify.bonus_marks.BirdWeights`: the likeliest by the
marks alone, with as many of the one as of the other, since the classifier says how likely each is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, load_pictures
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted, Reads, likeliest_weights, rounded
from models.training.found_tiles import TileFinder
from models.training.marks import DrawnFaces, upright_crops
from scorer.tiles import READING_LABELS
from vision.classify.bonus_marks import (
    BIRD,
    LEAST,
    BirdWeights,
    OnnxMarks,
    bird_terms,
    chance_of_flower_or_bird,
)
from vision.geometry.crops import smaller
from vision.runtime.session import load_model
from vision.vocabulary.labels import BONUS_COLUMNS

_LAID: Final = np.sort([*BONUS_COLUMNS, BIRD])
"""Columns of the labels that are read."""
_SHARES: Final = {
    label: 6.0 if k == BIRD else 0.0
    for k, label in enumerate(READING_LABELS)
    if k not in BONUS_COLUMNS
}
"""How often labels other than flowers and seasons are drawn, against the usual frequency."""
_PHOTOGRAPHED: Final = 0.4
"""Share of the pictures that are photographs."""


def read_both(designs: Path, photos: Path | None, scenes: int, seed: int) -> Reads:
    """The reads of as many flowers and seasons as one bamboo in so many pictures.

    Raises:
        AnnotationError: the photographs' annotations cannot be read.
        DesignError: the folder holds no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    mixture = Mixture(traced_share=0.0, sheet_share=_PHOTOGRAPHED, close_share=0.4, shares=_SHARES)
    pictures = load_pictures(sets, photos, None, mixture)
    classifier, reader = load_model("classifier"), OnnxMarks.load()
    draw = DrawnFaces(pictures, TileFinder(1.0), _LAID)
    terms, flowers = [], []
    for crops in upright_crops(draw, scenes, seed):
        seen = classifier.run(smaller(crops.images, CROP_SIZE))[0].astype(np.float32)
        marks = reader.read(crops.images)
        taken = chance_of_flower_or_bird(seen) >= LEAST
        terms.append(bird_terms(marks)[taken])
        flowers.append(crops.labels[taken] != BIRD)
    return _evenly(np.concatenate(terms), np.concatenate(flowers), seed)


def _evenly(numbers: NDArray[np.float32], flowers: NDArray[np.bool_], seed: int) -> Reads:
    """As many of the one as of the other; the first label is one bamboo."""
    rng = np.random.default_rng(seed)
    both = [np.nonzero(flowers == which)[0] for which in (False, True)]
    count = min(map(len, both))
    kept = np.concatenate([rng.choice(some, count, replace=False) for some in both])
    terms = np.stack([np.zeros_like(numbers[kept]), numbers[kept]], axis=1)
    return Reads(terms.astype(np.float64), flowers[kept].astype(np.int64))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--photos", type=Path, help="folder of annotated photographs")
    parser.add_argument("--scenes", type=int, default=600, help="pictures")
    parser.add_argument("--seed", type=int, default=84)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    reads = read_both(options.designs, options.photos, options.scenes, options.seed)
    weights = likeliest_weights(reads.terms, reads.labels)
    right = f"{reads.right(weights):.1%}"
    report = f"of {len(reads.labels)} tiles classified by their numbers alone: {right}"
    return Fitted([rounded(BirdWeights, weights)], [report])
