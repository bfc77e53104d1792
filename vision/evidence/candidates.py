"""The candidates of a picture: detections with all that the networks and the pixels say of each."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.crops import with_surroundings
from vision.geometry.quads import rolled
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Classified, Detections

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

_SIZE: Final = (48, 36)
"""Height and width in pixels of the crop whose colours are measured; the face fills half of it."""
_FACE: Final = (slice(13, 35), slice(10, 26))
"""Rows and columns of that crop which show the face without its edge."""
_BORDER: Final = np.pad(np.zeros((16, 10), np.bool_), 3, constant_values=True)
"""Pixels (22, 16) of the face that print seldom covers."""
_BESIDE: Final = (
    (slice(8, 11), slice(10, 26)),
    (slice(13, 35), slice(28, 31)),
    (slice(37, 40), slice(10, 26)),
    (slice(13, 35), slice(5, 8)),
)
"""Rows and columns of the strips right above, right of, below and left of the face."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The n candidates of one picture.

    Attributes:
        quads: (n, 4, 2) float32 face corners in pixels, clockwise from the top-left as read.
        scores: (n,) float32 from 0 to 1, the probability of a tile by detector and verifier.
        down: (n,) float32 from 0 to 1, their probability that it lies face down.
        valid: (n,) float32 from 0 to 1, the probability of a tile by the classifier.
        probabilities: (n, 45) float32 of the labels, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        embeddings: (n, d) float32 of unit length.
        colours: (n, 6, 3) float32 CIELAB: the median of the face's border, of the whole face, and
            of the strips right above, right of, below and left of the face.
    """

    quads: Floats
    scores: Floats
    down: Floats
    valid: Floats
    probabilities: Floats
    embeddings: Floats
    colours: Floats

    def __len__(self) -> int:
        return len(self.quads)

    def joined(self, *others: Candidates) -> Candidates:
        """These candidates followed by all others."""
        every = (self, *others)
        return Candidates(
            *(np.concatenate([getattr(one, each.name) for one in every]) for each in fields(self))
        )

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Candidates:
        """The candidates selected by a mask (n,) or by indices (m,)."""
        return Candidates(*(getattr(self, each.name)[which] for each in fields(self)))


def candidates_of(image: Image, found: Detections, seen: Classified) -> Candidates:
    """What is known of n detections.

    Args:
        image: (h, w, 3) uint8 BGR.
        found: the detections.
        seen: the classifier's answers for them.
    """
    quads = rolled(seen.quads, seen.turns)
    return Candidates(
        quads,
        found.scores,
        found.down,
        seen.valid,
        seen.probabilities,
        seen.embeddings,
        face_colours(image, quads),
    )


def face_colours(image: Image, quads: Floats) -> Floats:
    """The colours (n, 6, 3) of :class:`Candidates`.

    Args:
        image: (h, w, 3) uint8 BGR.
        quads: (n, 4, 2) pixels, clockwise from the top-left as read.
    """
    if not len(quads):
        return np.zeros((0, 2 + len(_BESIDE), 3), np.float32)
    crops = with_surroundings(image, quads, _SIZE)
    faces = crops[:, *_FACE]
    parts = [faces[:, _BORDER], _pixels(faces), *(_pixels(crops[:, *part]) for part in _BESIDE)]
    medians = np.stack([np.median(part, axis=1) for part in parts], axis=1)
    lab = cv2.cvtColor(medians.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(lab, np.float32)


def _pixels(crops: Image) -> Image:
    """The pixels (n, h * w, 3) of crops (n, h, w, 3)."""
    return crops.reshape(len(crops), -1, 3)
