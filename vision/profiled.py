"""A classifier that knows the set on the table."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.fusion import Likeness, read_with_profile
from vision.profiles import Embedder, SetProfile, seen_by
from vision.stages import Classified
from vision.views import Views

Floats = NDArray[np.float32]


class Looker(Embedder, Protocol):
    """A classifier that tells of every way up in which it looked at a tile."""

    def look(self, image: NDArray[np.uint8], quads: Floats) -> Views:
        """All that the classifier has to say of the (n, 4, 2) ``quads`` of ``image``."""
        ...


class ProfiledClassifier:
    """Reads tiles as the classifier and a set profile decide together (:mod:`vision.fusion`).

    Attributes:
        profile: with the directions of this classifier.

    Raises:
        ProfileError: the profile does not suit the classifier.
    """

    def __init__(self, classifier: Looker, profile: SetProfile) -> None:
        self._classifier = classifier
        self.profile = seen_by(profile, classifier)
        self._likeness = Likeness(self.profile)

    def classify(self, image: NDArray[np.uint8], quads: Floats) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show."""
        views = self._classifier.look(image, quads)
        return read_with_profile(views, self.profile, self._likeness)
