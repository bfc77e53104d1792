"""Photos as no camera should make them: read where a person could, refused with a reason else."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from datasets.scenes.scenes import Scene
from datasets.scenes.tables import LaidHand, photograph_hand
from datasets.sets.faces import load_designs
from scorer.tiles import parse_tiles
from tests.vision.fakes import FakeDetector, reader_with, sure_of
from tests.vision.pictures import encoded
from tests.vision.table import lay
from vision import Classified, Reading, read_photo
from vision.classify.mirror import MIRRORED, mirror_image, mirror_quads
from vision.runtime.opencv import cv2

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
HAND = LaidHand(tuple(parse_tiles("123m 456m 1234z 567z 9m")))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return photographed(2)


def photographed(seed: int) -> Scene:
    """A photo of fourteen tiles that look different in a mirror."""
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    return photograph_hand(np.random.default_rng(seed), faces, HAND, (600, 1400))


@pytest.fixture(scope="module")
def plain(scene: Scene) -> Counter[str]:
    return labels(read_photo(scene.image))


def labels(reading: Reading) -> Counter[str]:
    return Counter(tile.label for tile in reading.tiles)


def alike(reading: Reading, plain: Counter[str]) -> bool:
    """Whether all but two tiles were read as in the photo as it was taken."""
    return (labels(reading) & plain).total() >= plain.total() - 2


def test_the_photo_itself_is_read(plain: Counter[str]) -> None:
    assert (plain & Counter(HAND.concealed)).total() >= 12


def saved(image: NDArray[np.uint8], mode: str, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(image[:, :, ::-1]).convert(mode).save(file, kind, **options)
    return file.getvalue()


def strip(image: NDArray[np.uint8]) -> bytes:
    """The photo in the middle of a table fifteen times as wide as it is high."""
    middle = cv2.resize(image, (933, 400), interpolation=cv2.INTER_AREA)
    table = np.full((400, 6000, 3), 90, np.uint8)
    table[:, 2500 : 2500 + middle.shape[1]] = middle
    return encoded(table, ".jpg")


KINDS: dict[str, Callable[[NDArray[np.uint8]], bytes]] = {
    "upside down": lambda image: encoded(np.ascontiguousarray(image[::-1, ::-1])),
    "sixteen bits": lambda image: encoded(image.astype(np.uint16) * 257, ".png"),
    "cmyk": lambda image: saved(image, "CMYK", "JPEG", quality=92),
    "with alpha": lambda image: saved(image, "RGBA", "PNG"),
    "extremely wide": strip,
    "progressive": lambda image: saved(image, "RGB", "JPEG", quality=90, progressive=True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_unusual_photos_are_read(kind: str, scene: Scene, plain: Counter[str]) -> None:
    assert alike(read_photo(KINDS[kind](scene.image)), plain)


def test_a_grey_photo_is_read_but_for_what_only_colour_tells(
    scene: Scene, plain: Counter[str]
) -> None:
    grey = read_photo(saved(scene.image, "L", "JPEG", quality=92))
    assert (labels(grey) & plain).total() >= plain.total() - 4


def test_the_first_picture_of_an_animation_is_read_and_said_so(
    scene: Scene, plain: Counter[str]
) -> None:
    second = Image.new("RGB", scene.image.shape[1::-1])
    reading = read_photo(saved(scene.image, "RGB", "PNG", save_all=True, append_images=[second]))
    assert alike(reading, plain)
    assert "only its first picture" in str(reading.warnings[0])


def test_a_photo_cut_short_is_read_as_far_as_it_goes(scene: Scene, plain: Counter[str]) -> None:
    data = encoded(scene.image)
    reading = read_photo(data[: int(len(data) * 0.9)])
    assert alike(reading, plain)
    assert "cut short" in str(reading.warnings[0])


def test_a_mirrored_photo_is_read_in_the_mirror_and_said_so(plain: Counter[str]) -> None:
    scene = photographed(12)
    straight = read_photo(scene.image)
    reading = read_photo(mirror_image(scene.image))
    assert reading.warnings[0] == MIRRORED
    assert alike(reading, plain)
    assert MIRRORED not in straight.warnings
    width = scene.image.shape[1]
    places = {tile.label: np.array(tile.quad) for tile in straight.tiles}
    known = [tile for tile in reading.tiles if tile.label in places]
    for tile in known[:3]:
        mirrored = [(width - x, y) for x, y in tile.quad]
        assert np.abs(places[tile.label] - mirrored).max() < 10


class TwoFacedClassifier:
    """Reads one picture with one confidence and every other with another.

    All but the first ``unlike`` tiles look the same in both and are read surely.
    """

    def __init__(
        self,
        image: NDArray[np.uint8],
        here: float,
        there: float,
        labels: Sequence[str] = ("1m", "2m", "3m", "4m", "5m", "6m"),
        unlike: int = 6,
    ) -> None:
        self._image, self._here, self._there = image, here, there
        self._labels, self._unlike = list(labels), unlike
        self.asked = 0

    def glance(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.classify(image, quads).probabilities

    def classify(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        self.asked += 1
        sure = self._here if np.array_equal(image, self._image) else self._there
        count = len(quads)
        table = sure_of(self._labels[:count], sure)
        table[self._unlike :] = sure_of(self._labels[:count], 0.999)[self._unlike :]
        return Classified(
            quads,
            table,
            np.zeros(count, np.int64),
            np.ones((count, 4), np.float32),
            np.ones(count, np.float32),
        )


@pytest.mark.parametrize(
    ("here", "there", "hand", "asked", "mirrored"),
    [
        (0.8, 0.99, "123456m", 4, True),
        (0.8, 0.82, "123456m", 3, False),
        (0.8, 0.78, "123456m", 2, False),
        (0.5, 0.84, "123456m", 3, False),
        (0.998, 0.999, "123456m", 1, False),
        (0.8, 0.99, "1234m", 1, False),
    ],
)
def test_only_photos_that_read_badly_and_clearly_better_in_the_mirror_are_mirrored(
    here: float, there: float, hand: str, asked: int, *, mirrored: bool
) -> None:
    image = np.random.default_rng(1).integers(0, 255, (300, 700, 3)).astype(np.uint8)
    laid = lay(hand)
    count = len(laid.labels)
    sure, up = np.ones(count, np.float32), np.zeros(count, np.float32)
    detector = FakeDetector(laid.quads, up, sure)
    classifier = TwoFacedClassifier(image, here, there)
    reading = reader_with(detector, classifier).read(image)
    assert classifier.asked == asked
    assert (MIRRORED in reading.warnings) == mirrored


class GlancingClassifier(TwoFacedClassifier):
    """Reads the mirror image surely at a glance, and not at a closer look."""

    def glance(self, _image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        self.asked += 1
        return sure_of(self._labels[: len(quads)], 0.99)


def test_a_glance_in_the_mirror_is_no_proof() -> None:
    image = np.random.default_rng(1).integers(0, 255, (300, 700, 3)).astype(np.uint8)
    laid = lay("123456m")
    detector = FakeDetector(laid.quads, np.zeros(6, np.float32), np.ones(6, np.float32))
    classifier = GlancingClassifier(image, 0.8, 0.82)
    reading = reader_with(detector, classifier).read(image)
    assert classifier.asked == 4, "read, glanced at some, at all, and read in the mirror"
    assert MIRRORED not in reading.warnings


@pytest.mark.parametrize(("faces", "mirrored"), [("111m", False), ("113m", False), ("123m", True)])
def test_two_faces_that_read_better_in_the_mirror_are_no_proof(
    faces: str, *, mirrored: bool
) -> None:
    image = np.random.default_rng(1).integers(0, 255, (300, 700, 3)).astype(np.uint8)
    laid = lay("111444p")
    shown = lay(f"{faces} 444p").labels
    detector = FakeDetector(laid.quads, np.zeros(6, np.float32), np.ones(6, np.float32))
    classifier = TwoFacedClassifier(image, 0.6, 0.99, shown, unlike=3)
    reading = reader_with(detector, classifier).read(image)
    assert (MIRRORED in reading.warnings) == mirrored


def test_quads_in_the_mirror_run_clockwise() -> None:
    quads = lay("12m").quads
    back = mirror_quads(mirror_quads(quads, 500), 500)
    assert np.allclose(back, quads)
    for quad in mirror_quads(quads, 500):
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        assert right[0] * down[1] - right[1] * down[0] > 0
