"""Collect false positives of the shipped detector for training the classifier.

``python -m models.training.mine_negatives --designs DIR --out FILE.npz`` searches training pictures
with a low threshold and keeps crops of the detections that lie on no tile.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.crops.crops import CROP_SIZE
from datasets.crops.negatives import is_no_tile
from datasets.crops.pictures import Mixture, TrainingPictures, load_pictures
from datasets.scenes.scenes import Scene
from datasets.sets.sources import Sources, load_face_sets
from models.training.found_tiles import Runs, finds_in
from vision.geometry.crops import rectify
from vision.runtime.session import load_model

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_SIZE: Final = (640, 832)
"""Height and width of the searched pictures in pixels."""
_MOST: Final = 8
"""Maximum number of crops from one picture, so that no single brick wall fills the file."""
_MIXTURE: Final = Mixture(traced_share=0.4, sheet_share=0.1)
"""Shares of the sources of the searched pictures."""


def false_finds(model: Runs, scene: Scene, least: float) -> Floats:
    """The quads (n, 4, 2) in pixels of detections with a score of ``least`` that lie on no tile."""
    quads = finds_in(model, scene, least).quads
    kept = [quad for quad in quads if is_no_tile(quad, scene.quads, 0.25)]
    return np.array(kept, np.float32).reshape(-1, 4, 2)


def mine(
    model: Runs, pictures: TrainingPictures, count: int, least: float, seed: int
) -> NDArray[np.uint8]:
    """Crops (n, 96, 72, 3) uint8 BGR of false positives in ``count`` of the pictures."""
    crops = []
    for index in range(count):
        scene = pictures.scene(np.random.default_rng([seed, index]), _SIZE)
        quads = false_finds(model, scene, least)[:_MOST]
        crops.append(rectify(scene.image, quads, CROP_SIZE))
    return np.concatenate(crops)


def save_negatives(crops: NDArray[np.uint8], path: Path) -> None:
    """Write crops (n, h, w, 3) uint8 BGR as JPEG in one file."""
    coded = [cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, 92])[1] for crop in crops]
    ends = np.cumsum([len(data) for data in coded])
    np.savez(path, data=np.concatenate(coded), ends=ends)


def load_negatives(path: Path) -> NDArray[np.uint8]:
    """Crops (n, h, w, 3) uint8 BGR that :func:`save_negatives` wrote.

    Raises:
        ValueError: the file is damaged or was not written by it.
    """
    try:
        with np.load(path) as kept:
            parts = np.split(kept["data"], kept["ends"][:-1])
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is no file of negatives: {error}") from error
    crops = [cv2.imdecode(part, cv2.IMREAD_COLOR) for part in parts]
    return np.stack([np.asarray(crop, np.uint8) for crop in crops])


def main() -> None:
    """Write the file and say how many there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--photos", type=Path, help="folder of annotated photographs")
    parser.add_argument("--traced", type=Path, help="folder of path-traced scenes to train on")
    parser.add_argument("--out", type=Path, required=True, help="file to write (.npz)")
    parser.add_argument("--count", type=int, default=1000, help="pictures searched")
    parser.add_argument("--least", type=float, default=0.2, help="score of the finds kept")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    model = load_model("detector")
    sets = load_face_sets(Sources(None, options.designs), "train")
    pictures = load_pictures(sets, options.photos, options.traced, _MIXTURE)
    crops = mine(model, pictures, options.count, options.least, options.seed)
    save_negatives(crops, options.out)
    print(f"{len(crops)} crops from {options.count} pictures")


if __name__ == "__main__":
    main()
