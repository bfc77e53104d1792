"""Tells photos that show the table mirrored, as front cameras may store them, and reads them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.messages import say
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import LIKELY, Classified, Classifier, Detections

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

MIRRORED: Final = say("photo.mirrored")
"""Is said of a photo that was read from its mirror image."""


READ_WELL: Final = 0.997
"""Mean confidence from which a photo is not suspected of being mirrored."""
CLEARLY_BETTER: Final = 0.5
"""By how much the mean log-odds of the readings must gain in the mirror. Of 60 rendered hands of
held-out designs and 120 path-traced photos none gains so much; of their mirror images 47 and 84."""
LEAST_FACES: Final = 3
"""By how many different faces it must gain so: a few equal tiles that are misread in the mirror,
among others that look the same there, are proof of nothing. With 2 one more of 80 mirrored photos
of rendered deals is told so, and one that was not mirrored of 2804."""
LEAST_TILES: Final = 5
SAMPLE: Final = 8
"""How many tiles are looked at in the mirror first; the others only if those gain."""
_SUREST: Final = 0.999


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
    """The mirror image, its tiles and what they show, if the photo was mirrored; else None.

    Args:
        classifier: that read the photo.
        image: (h, w, 3) uint8 BGR photo.
        found: its tiles.
        plain: what they were read as.
    """
    likely = np.nonzero(found.scores >= LIKELY)[0]
    if len(likely) < LEAST_TILES or plain.probabilities[likely].max(axis=1).mean() >= READ_WELL:
        return None
    mirror = mirror_image(image)
    quads = mirror_quads(found.quads, image.shape[1])
    some = likely[np.unique(np.linspace(0, len(likely) - 1, SAMPLE).astype(int))]
    before = _log_odds(plain)
    if _log_odds(classifier.classify(mirror, quads[some])).mean() <= before[some].mean():
        return None
    other = classifier.classify(mirror, quads)
    gains = (_log_odds(other) - before)[likely]
    shown = other.probabilities[likely].argmax(axis=1)
    if gains.mean() < CLEARLY_BETTER or len(set(shown[gains >= CLEARLY_BETTER])) < LEAST_FACES:
        return None
    return mirror, found.at(quads), other


def _log_odds(classified: Classified) -> NDArray[np.float64]:
    """Log-odds (n,) of the readings."""
    sure = np.minimum(classified.probabilities.max(axis=1).astype(np.float64), _SUREST)
    return np.asarray(np.log(sure / (1 - sure)), np.float64)
