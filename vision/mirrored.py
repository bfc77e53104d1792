"""Tells photos that show the table mirrored, as front cameras may store them, and reads them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.stages import Classified, Classifier, Detections

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

MIRRORED: Final = (
    "The photo is mirrored and was read from its mirror image: switch off mirroring in the camera."
)

READ_WELL: Final = 0.97
"""Mean confidence from which a photo is not suspected of being mirrored."""
CLEARLY_BETTER: Final = 0.3
"""By how much the mean log-odds of the readings must gain in the mirror. Of 30 rendered hands of
held-out designs none gained more than -0.09, and their mirror images 0.3 in 28 cases."""
LEAST_TILES: Final = 5
_SUREST: Final = 0.999


def mirror_image(image: Image) -> Image:
    """The picture (h, w, 3) with left and right exchanged."""
    return np.ascontiguousarray(image[:, ::-1])


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
    sure = plain.probabilities.max(axis=1)
    if len(found) < LEAST_TILES or sure.mean() >= READ_WELL:
        return None
    mirror = mirror_image(image)
    quads = mirror_quads(found.quads, image.shape[1])
    other = classifier.classify(mirror, quads)
    if _log_odds(other) - _log_odds(plain) < CLEARLY_BETTER:
        return None
    return mirror, Detections(quads, found.scores, found.face_down), other


def _log_odds(classified: Classified) -> float:
    sure = np.minimum(classified.probabilities.max(axis=1).astype(np.float64), _SUREST)
    return float(np.log(sure / (1 - sure)).mean())
