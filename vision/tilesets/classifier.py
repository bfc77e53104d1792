"""A classifier that knows the tile set on the table by its profile."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.classify.views import Views
from vision.geometry.crops import coarser
from vision.tilesets.fusion import read_with_profile
from vision.tilesets.profile import Embedder, SetProfile, seen_by
from vision.tilesets.templates import Templates
from vision.vocabulary.detections import Classified

Floats = NDArray[np.float32]

AFAR: Final = (12, 9)
"""Widths in pixels of tiles far from the camera; photos of a whole set are taken from near."""


class Looker(Embedder, Protocol):
    """A classifier that returns every view in which it read a tile."""

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """The views of the tiles at ``quads``, (n, 4, 2) in pixels of ``image``, (h, w, 3) BGR."""
        ...


def seen_from_afar(profile: SetProfile, classifier: Embedder) -> list[Floats]:
    """Embeddings (shots, d) of a profile's pictures at each of the widths of :data:`AFAR`.

    The embedding of a tile changes with its size in the photo.

    Args:
        profile: whose pictures have the size that the classifier reads.
        classifier: which embeds them.
    """
    crops = np.stack([shot.crop for shot in profile.shots])
    return [classifier.embed(coarser(crops, width)) for width in AFAR]


class ProfiledClassifier:
    """Reads tiles by combining the classifier with a set profile.

    Attributes:
        profile: with the embeddings of this classifier.

    Raises:
        ProfileError: the profile does not suit the classifier.
    """

    def __init__(self, classifier: Looker, profile: SetProfile) -> None:
        self._classifier = classifier
        self.profile = seen_by(profile, classifier)
        self._templates = Templates(self.profile, seen_from_afar(self.profile, classifier))

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """Classify the tiles at ``quads``.

        Args:
            image: (h, w, 3) uint8 BGR.
            quads: (n, 4, 2) float32 face corners in pixels of the image.
        """
        views = self._classifier.look(image, quads)
        return read_with_profile(views, self.profile, self._templates)

    def glance(self, image: NDArray[np.uint8], quads: Floats) -> Floats:
        """Probabilities (n, 45) of what upright ``quads`` (n, 4, 2) show."""
        return self.classify(image, quads).probabilities
