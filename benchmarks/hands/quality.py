"""Measures reading in blur, darkness, glare and distance: ``python -m benchmarks.hands.quality``.

Hands of held-out designs are rendered as careful photos, then degraded by known amounts. For each
amount the table gives the measurement of :mod:`vision.photo.quality` (10th, 50th and 90th
percentile over the photos), the share of tiles that are detected and read right, and the share of
photos with a notice. The limits in :mod:`vision.photo.thresholds` were chosen from it. With
``--glance`` it measures :mod:`vision.photo.glance` on the whole photos, also on those of the
path-traced benchmark.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.photographs.benchmark import load_benchmark
from datasets.scenes.scenes import Scene, render
from datasets.scenes.tables import lay_out, phone_camera, random_hand
from datasets.sets.faces import FaceSet, load_designs
from models.evaluation.matching import match
from vision import PhotoError, PhotoReader, open_reader
from vision.geometry.quads import side_lengths
from vision.photo.glance import glance
from vision.photo.quality import Quality, faults, measure

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "samples"
SIZE: Final = (1200, 1600)
"""Height and width of the rendered photos in pixels."""
_NOISE: Final = 3.0
_WIDTH: Final = 90.0

Image = NDArray[np.uint8]
Spoil = Callable[[Generator, Image, NDArray[np.float32], float], Image]


def blurred(_rng: Generator, image: Image, quads: NDArray[np.float32], amount: float) -> Image:
    """The scene blurred by a Gaussian with a deviation of ``amount`` tile widths."""
    sigma = amount * tile_width(quads)
    blurry = image if sigma == 0 else cv2.GaussianBlur(image, (0, 0), sigma)
    return np.asarray(blurry, np.uint8)


def shaken(rng: Generator, image: Image, quads: NDArray[np.float32], amount: float) -> Image:
    """The scene with motion blur of ``amount`` tile widths in a random direction."""
    length = max(1, round(amount * tile_width(quads)))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (np.round(length + way * reach).astype(int) for way in (-1, 1))
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def darkened(rng: Generator, image: Image, _quads: NDArray[np.float32], amount: float) -> Image:
    """The scene with a share ``amount`` of its light and undiminished sensor noise."""
    grain = rng.standard_normal(image.shape, np.float32) * _NOISE
    dim: Image = np.clip(image * np.float32(amount) + grain, 0, 255).astype(np.uint8)
    return dim


def glaring(rng: Generator, image: Image, quads: NDArray[np.float32], amount: float) -> Image:
    """The scene with reflections of lamps over about ``amount`` of each tile's area."""
    bright = np.zeros(image.shape[:2], np.float32)
    for quad in quads:
        width, height = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
        spot = quad.mean(axis=0) + rng.normal(0, 0.15 * width, 2)
        radius = float(np.sqrt(amount * width * height / np.pi))
        centre = (int(spot[0]), int(spot[1]))
        cv2.circle(bright, centre, max(1, round(radius)), 400.0, -1)
    soft = cv2.GaussianBlur(bright, (0, 0), 0.04 * tile_width(quads))
    lit = image + (soft if amount else 0 * soft)[..., np.newaxis]
    shot: Image = np.clip(lit, 0, 255).astype(np.uint8)
    return shot


def distant(_rng: Generator, image: Image, quads: NDArray[np.float32], amount: float) -> Image:
    """The scene scaled down until a tile is ``amount`` pixels wide."""
    scale = min(1.0, amount / tile_width(quads))
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )


FAULTS: Final[dict[str, tuple[Spoil, str, Sequence[float]]]] = {
    "out of focus": (blurred, "sharpness", (0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08)),
    "shaken": (shaken, "sharpness", (0, 0.05, 0.1, 0.15, 0.2, 0.3)),
    "light left": (darkened, "light", (1, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05)),
    "mirrored lamp": (glaring, "glare", (0, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4)),
    "tile width": (distant, "width", (90, 60, 50, 40, 32, 26, 20, 15)),
}
"""The faults of photos with the measured quality and the amounts of each."""


def tile_width(quads: NDArray[np.float32]) -> float:
    """The median narrow side of the quads in pixels."""
    return float(np.median(side_lengths(quads).min(axis=1)))


def careful_photo(seed: int, sets: Sequence[FaceSet]) -> Scene:
    """A photo of a hand of one of the tile sets in good light."""
    rng = np.random.default_rng(seed)
    faces = sets[seed % len(sets)]
    tiles = lay_out(rng, random_hand(rng), 1 / faces.proportion)
    return render(rng, faces, tiles, phone_camera(rng, tiles, SIZE), SIZE)


def read_right(reader: PhotoReader, image: Image, scene: Scene) -> tuple[int, Quality | None]:
    """The number of the scene's tiles that are detected and read right, and the photo's quality.

    The quality is None if no tiles are detected.
    """
    scale = image.shape[1] / scene.image.shape[1]
    truth = scene.quads * np.float32(scale)
    try:
        reading = reader.read(image)
    except PhotoError:
        return 0, None
    found = np.array([tile.quad for tile in reading.tiles], np.float32)
    pairs = match(truth, found, 0.4)
    right = sum(scene.labels[i] == reading.tiles[j].label for i, j in pairs)
    return right, measure(image, found)


def rows(name: str, scenes: Sequence[Scene], reader: PhotoReader) -> list[str]:
    """The table of one fault."""
    spoil, attribute, amounts = FAULTS[name]
    lines = [f"{name:<16}{'measured (10, 50, 90%)':>28}{'read right':>12}{'told':>8}"]
    for amount in amounts:
        right, told, values = 0, 0, []
        for number, scene in enumerate(scenes):
            rng = np.random.default_rng(number)
            image = spoil(rng, scene.image, scene.quads, amount)
            count, quality = read_right(reader, image, scene)
            right += count
            told += quality is None or bool(faults(quality))
            if quality is not None:
                values.append(float(getattr(quality, attribute)))
        tiles = sum(len(scene.labels) for scene in scenes)
        spread = "none found"
        if values:
            spread = " ".join(f"{v:8.3f}" for v in np.percentile(values, (10, 50, 90)))
        share = told / len(scenes)
        lines.append(f"{amount:<16.3g}{spread:>28}{right / tiles:>12.1%}{share:>8.0%}")
    return lines


def glance_row(name: str, images: Iterable[Image]) -> str:
    """A row about glances at the photos: medians, the least sharpness, and the notices."""
    seen = [glance(image) for image in images]
    sharp = [one.sharpness for one in seen if one.sharpness is not None] or [float("nan")]
    told = Counter(one.fault for one in seen if one.fault)
    light, blown = np.median([(one.light, one.blown) for one in seen], axis=0)
    cells = f"{light:>8.0f}{blown:>8.3f}{np.median(sharp):>10.4f}{min(sharp):>10.4f}"
    return f"{name:<24}{cells}  {', '.join(f'{k} {n}' for k, n in told.items())}".rstrip()


def glances(scenes: Sequence[Scene]) -> Iterator[str]:
    """The table of whole photos: the benchmark's, and rendered ones degraded by known amounts."""
    yield f"{'':<24}{'light':>8}{'blown':>8}{'sharp':>10}{'least':>10}  told of {len(scenes)}"
    yield glance_row("path-traced benchmark", (p.photo.load_image() for p in load_benchmark()))
    for name, (spoil, _, amounts) in FAULTS.items():
        for amount in amounts:
            spoilt = (
                spoil(np.random.default_rng(number), scene.image, scene.quads, amount)
                for number, scene in enumerate(scenes)
            )
            yield glance_row(f"{name} {amount:g}", spoilt)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=24, help="how many photos, at least 1")
    parser.add_argument("--fault", choices=FAULTS, help="only this one")
    parser.add_argument("--glance", action="store_true", help="whole photos, nothing is read")
    options = parser.parse_args()
    sets = load_designs([SAMPLES / "0900.npz", SAMPLES / "0901.npz"])
    scenes = [careful_photo(seed, sets) for seed in range(max(1, options.hands))]
    if options.glance:
        for line in glances(scenes):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        return
    reader = open_reader()
    for name in [options.fault] if options.fault else FAULTS:
        sys.stdout.write("\n".join(rows(name, scenes, reader)) + "\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
