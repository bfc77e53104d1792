"""Photos that show the table mirrored, as front cameras may store them, are read in the mirror."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.quads import rolled
from vision.messages import say
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import LIKELY, Classified, Classifier, Detections

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

MIRRORED: Final = say("photo.mirrored")
"""The notice on a photo that was read from its mirror image."""


@dataclass(frozen=True, slots=True)
class MirrorTest:
    """When a photo counts as mirrored.

    Attributes:
        read_well: mean confidence of the likely tiles from which a photo is not suspected.
        gain: minimum rise, in the mirror, of the mean log-odds of the readings.
        faces: minimum number of different faces whose log-odds rise by as much: a few equal tiles
            that are misread in the mirror, among others that look the same there, prove nothing.
        read: minimum mean confidence of the likely tiles in the mirror: a set that nobody knows is
            read badly either way.
        tiles: minimum number of likely tiles.
        sample: number of tiles at which is glanced in the mirror first, and at all likely ones only
            if these gain; all are read there only if that glance passes the whole test.
        highest: probability to which a reading is limited in its log-odds.
    """

    read_well: float = 0.997
    gain: float = 0.5
    faces: int = 3
    read: float = 0.85
    tiles: int = 5
    sample: int = 6
    highest: float = 0.999


MIRROR_TEST: Final = MirrorTest()


def mirror_image(image: Image) -> Image:
    """The picture (h, w, 3) with left and right exchanged."""
    return np.asarray(cv2.flip(image, 1), np.uint8)


def mirror_quads(quads: Floats, width: int) -> Floats:
    """Face corners (n, 4, 2) in the mirror image of a photo ``width`` pixels wide, clockwise."""
    mirrored = quads.copy()
    mirrored[:, :, 0] = width - mirrored[:, :, 0]
    clockwise: Floats = mirrored[:, [1, 0, 3, 2]]
    return clockwise


def read_in_mirror(
    classifier: Classifier, image: Image, found: Detections, plain: Classified
) -> tuple[Image, Detections, Classified] | None:
    """The mirror image, its tiles and what they show, if the photo is mirrored; else None.

    Args:
        classifier: the one that read the photo.
        image: (h, w, 3) uint8 BGR photo.
        found: its tiles.
        plain: what these were read as.
    """
    test = MIRROR_TEST
    likely = np.nonzero(found.scores >= LIKELY)[0]
    confidences = plain.probabilities[likely].max(axis=1)
    if len(likely) < test.tiles or confidences.mean() >= test.read_well:
        return None
    mirror, width = mirror_image(image), image.shape[1]
    upright = mirror_quads(rolled(found.quads, plain.turns), width)
    some = likely[np.unique(np.linspace(0, len(likely) - 1, test.sample).astype(int))]
    before = _log_odds(plain.probabilities)
    if _log_odds(classifier.glance(mirror, upright[some])).mean() <= before[some].mean():
        return None
    if not _read_better(classifier.glance(mirror, upright[likely]), before[likely]):
        return None
    quads = mirror_quads(found.quads, width)
    other = classifier.classify(mirror, quads)
    if not _read_better(other.probabilities[likely], before[likely]):
        return None
    return mirror, found.at(quads), other


def _read_better(mirrored: Floats, before: NDArray[np.float64]) -> bool:
    """Whether tiles with log-odds (n,) read clearly better in the mirror: (n, 45) probabilities."""
    gains = _log_odds(mirrored) - before
    shown = mirrored.argmax(axis=1)[gains >= MIRROR_TEST.gain]
    return bool(
        mirrored.max(axis=1).mean() >= MIRROR_TEST.read
        and gains.mean() >= MIRROR_TEST.gain
        and len(set(shown)) >= MIRROR_TEST.faces
    )


def _log_odds(probabilities: Floats) -> NDArray[np.float64]:
    """Log-odds (n,) of the likeliest of the labels with these probabilities (n, 45)."""
    best = probabilities.max(axis=1).astype(np.float64)
    sure = np.minimum(best, MIRROR_TEST.highest)
    return np.asarray(np.log(sure / (1 - sure)), np.float64)
