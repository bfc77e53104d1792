"""A classifier that knows the set on the table."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.classify.views import Views
from vision.geometry.quads import coarser
from vision.tilesets.fusion import Likeness, read_with_profile
from vision.tilesets.profile import Embedder, SetProfile, seen_by
from vision.vocabulary.finds import Classified

Floats = NDArray[np.float32]

AFAR: Final = (12, 9)
"""Widths in pixels that tiles far from the camera have; photos of a set are taken from near."""


class Looker(Embedder, Protocol):
    """A classifier that tells of every way up in which it looked at a tile."""

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """All that the classifier has to say of the (n, 4, 2) ``quads`` of ``image``."""
        ...


def seen_from_afar(profile: SetProfile, classifier: Embedder) -> list[Floats]:
    """Directions (shots, d) of a profile's shots as if the tiles were so wide as :data:`AFAR` says.

    A tile's direction changes with its size in the photo.

    Args:
        profile: that suits the classifier.
        classifier: which gives the directions.
    """
    crops = np.stack([shot.crop for shot in profile.shots])
    return [classifier.embed(coarser(crops, width)) for width in AFAR]


class ProfiledClassifier:
    """Reads tiles as the classifier and a tile set profile decide together.

    Attributes:
        profile: with the directions of this classifier.

    Raises:
        ProfileError: the profile does not suit the classifier.
    """

    def __init__(self, classifier: Looker, profile: SetProfile) -> None:
        self._classifier = classifier
        self.profile = seen_by(profile, classifier)
        self._likeness = Likeness(self.profile, seen_from_afar(self.profile, classifier))

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show."""
        views = self._classifier.look(image, quads)
        return read_with_profile(views, self.profile, self._likeness)
