"""Fit the weights by which the pictures of suited tiles and the numbers on them count.

``python -m models.fitting corner_numbers --designs DIR`` renders tiles of held-out designs, lets
both models read them where they are found, and gives the weights of
:mod:`vision.classify.corner_numbers` with the least negative log-likelihood, of Chinese numerals
and then of numbers beside the picture, and what share is read right without and with them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.sets.sources import Sources, load_face_sets
from models.fitting.likeliest import Fitted, Reads, likeliest_weights, rounded
from models.training.found_tiles import TileFinder
from models.training.readers import DrawnFaces, upright_crops
from vision.classify.corner_numbers import (
    CHARACTERS,
    FACE,
    LEAST,
    SUIT_COLUMNS,
    NumberReader,
    NumberWeights,
    NumeralWeights,
    number_terms,
    with_numbers,
)
from vision.classify.crop_reader import with_negatives
from vision.classify.signs import LEGIBLE, OnnxSigns
from vision.geometry.crops import smaller
from vision.runtime.session import load_model
from vision.runtime.weights import Weights

_CLOSE: Final = 0.7
"""Share of the pictures that show tiles from near."""

Floats = NDArray[np.float32]


class Seen(NamedTuple):
    """What both models read on n upright suited tiles.

    Attributes:
        pictures: (n, 27) probabilities by the classifier.
        written: (n, 9) probabilities of Chinese numerals by the reader.
        beside: (n, 9) probabilities of numbers in the corners by the reader.
        labels: (n,) int64, which of the 27 each is.
    """

    pictures: Floats
    written: Floats
    beside: Floats
    labels: NDArray[np.int64]


def read_held_out(designs: Path, scenes: int, seed: int) -> Seen:
    """The reads of the tiles in ``scenes`` pictures of held-out designs.

    Raises:
        DesignError: the folder holds no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, close_share=_CLOSE)
    classifier, reader = load_model("classifier"), NumberReader(OnnxSigns.load())

    def seen(crops: NDArray[np.uint8]) -> Floats:
        return classifier.run(crops)[0].astype(np.float32)

    draw = DrawnFaces(TrainingPictures(sets, [], [], mixture), TileFinder(1.0), FACE, SUIT_COLUMNS)
    parts = []
    for crops in upright_crops(draw, scenes, seed):
        faces = smaller(crops.images, CROP_SIZE)
        pictures = with_negatives(seen(faces), faces, seen)[:, SUIT_COLUMNS]
        labels = np.searchsorted(SUIT_COLUMNS, crops.labels)
        written, beside = reader.read_written(crops.images), reader.read(crops.images)
        parts.append(Seen(pictures, written, beside, labels))
    return Seen(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def reads_written(seen: Seen) -> Reads:
    """Characters with a legible numeral."""
    characters = seen.pictures[:, : len(CHARACTERS)]
    taken = (characters.sum(axis=1) >= LEAST) & (seen.written.max(axis=1) >= LEGIBLE)
    taken &= seen.labels < len(CHARACTERS)
    return Reads(_terms(characters, seen.written)[taken], seen.labels[taken])


def reads_beside(seen: Seen) -> Reads:
    """Suited tiles with a legible number, their numerals read already."""
    columns = np.arange(len(CHARACTERS))
    chosen = np.nonzero(seen.pictures[:, columns].sum(axis=1) >= LEAST)[0]
    pictures = with_numbers(
        seen.pictures, chosen, columns, seen.written[chosen], NumeralWeights.shipped()
    )
    taken = (pictures.sum(axis=1) >= LEAST) & (seen.beside.max(axis=1) >= LEGIBLE)
    return Reads(_terms(pictures, seen.beside)[taken], seen.labels[taken])


def _terms(pictures: Floats, numbers: Floats) -> NDArray[np.float64]:
    return number_terms(pictures, numbers).astype(np.float64)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=1500, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=84)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    seen = read_held_out(options.designs, options.scenes, options.seed)
    found: list[Weights] = []
    report: list[str] = []
    for kind, reads in ((NumeralWeights, reads_written(seen)), (NumberWeights, reads_beside(seen))):
        weights = likeliest_weights(reads.terms, reads.labels)
        alone, both = (reads.right(each) for each in (np.array([1.0, 0.0]), weights))
        found.append(rounded(kind, weights))
        report.append(
            f"{kind.table}: of {len(reads.labels)} tiles with a legible one read right: "
            f"without it {alone:.2%}, with it {both:.2%}"
        )
    return Fitted(found, report)
