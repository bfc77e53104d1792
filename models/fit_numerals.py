"""Find the weights by which the pictures of suited tiles and the numbers in their corners count.

``python -m models.fit_numerals --designs DIR`` renders tiles of held-out designs, lets both models
read them where they are found, and prints the weights of :mod:`vision.numerals` with the least
negative log-likelihood, and what share is read right without and with the numbers.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.crops import CROP_SIZE
from datasets.sources import Sources, load_face_sets
from datasets.training import Mixture, TrainingPictures
from models.found_tiles import TileFinder
from models.likeliest import Reads, likeliest_weights
from models.train_readers import DrawnFaces, upright_crops
from vision.negatives import with_negatives
from vision.numerals import LEAST, LEGIBLE, SUIT_COLUMNS, OnnxNumerals, terms
from vision.rectify import smaller
from vision.sessions import load_model

_CLOSE: Final = 0.7


def read_held_out(designs: Path, scenes: int, seed: int) -> Reads:
    """The reads of ``scenes`` pictures of held-out designs.

    Raises:
        DesignError: the folder holds no held-out design.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    mixture = Mixture(traced_share=0.0, sheet_share=0.0, close_share=_CLOSE)
    classifier, reader = load_model("classifier"), OnnxNumerals.load()

    def seen(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        return classifier.run(crops)[0].astype(np.float32)

    draw = DrawnFaces(
        TrainingPictures(sets, [], [], mixture), TileFinder(1.0), reader.size, SUIT_COLUMNS
    )
    told, tiles = [], []
    for crops in upright_crops(draw, scenes, seed):
        faces = smaller(crops.images, CROP_SIZE)
        pictures = with_negatives(seen(faces), faces, seen)[:, SUIT_COLUMNS]
        numbers = reader.read(crops.images)
        taken = (pictures.sum(axis=1) >= LEAST) & (numbers.max(axis=1) >= LEGIBLE)
        told.append(terms(pictures, numbers)[taken])
        tiles.append(np.searchsorted(SUIT_COLUMNS, crops.labels)[taken])
    return Reads(np.concatenate(told).astype(np.float64), np.concatenate(tiles))


def main() -> None:
    """Print the weights and what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=1500, help="rendered pictures")
    parser.add_argument("--seed", type=int, default=84)
    options = parser.parse_args()
    reads = read_held_out(options.designs, options.scenes, options.seed)
    weights = likeliest_weights(reads.terms, reads.labels)
    for name, weight in zip(("PICTURE", "NUMERAL"), weights, strict=True):
        print(f"{name:<10}{weight:6.2f}")
    alone, together = (reads.right(each) for each in (np.array([1.0, 0.0]), weights))
    print(
        f"of {len(reads.labels)} tiles with a legible number read right: classifier {alone:.2%}, "
        f"with the numbers {together:.2%}"
    )


if __name__ == "__main__":
    main()
