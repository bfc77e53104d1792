"""Reads photos with the shipped models, which are opened once and shared."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Final

from vision.classify.classifier import OnnxClassifier
from vision.classify.views import Views
from vision.detect.aiming import View, open_frame, view_of
from vision.detect.search import SEARCHED, OnnxDetector
from vision.errors import NoTilesFound, PhotoError
from vision.messages import Message, say
from vision.photo.decode import PhotoData, decode_photo
from vision.photo.quality import faults, measure
from vision.photo.thresholds import AIMED_AT
from vision.pipeline import PhotoReader
from vision.tilesets.classifier import ProfiledClassifier
from vision.tilesets.profile import SetProfile
from vision.tilesets.teaching import SetPhoto, label_set_photo, label_set_photos
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.detections import Classifier, Detector
from vision.vocabulary.readings import Reading

THREADS: Final = 2
"""Maximum number of threads that read one photo; few, since several photos may be read at once."""


class SharedModels:
    """The shipped models, opened by the first thread that asks for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: tuple[OnnxDetector, OnnxClassifier] | None = None

    def get(self) -> tuple[OnnxDetector, OnnxClassifier]:
        """The detector and the classifier.

        Raises:
            ModelError: a shipped model is missing or damaged.
        """
        with self._lock:
            if self._models is None:
                threads = min(THREADS, os.cpu_count() or 1)
                self._models = (OnnxDetector.load(threads), OnnxClassifier.load(threads))
            return self._models


_shared = SharedModels()


def open_classifier() -> OnnxClassifier:
    """The shipped classifier, opened at the first call and kept.

    Raises:
        ModelError: a shipped model is missing or damaged.
    """
    return _shared.get()[1]


def open_models(
    profile: SetProfile | None = None, searched: int = SEARCHED
) -> tuple[Detector, Classifier, Mapping[str, int]]:
    """The shipped detector and classifier, and how many copies of a face the tile set has.

    Args:
        profile: profile of the tile set on the table, if there is one.
        searched: long side in pixels of the first search for tiles.

    Raises:
        ModelError: a shipped model is missing or damaged.
        ProfileError: the profile does not suit the shipped classifier.
    """
    detector, classifier = _shared.get()
    detector = detector.searching_at(searched)
    if profile is None:
        return detector, classifier, NO_CHANGES
    return detector, ProfiledClassifier(classifier, profile), profile.copies


def open_reader(profile: SetProfile | None = None) -> PhotoReader:
    """A reader with the shipped models, for photos of one tile set.

    Raises:
        ModelError: a shipped model is missing or damaged.
        ProfileError: the profile does not suit the shipped classifier.
    """
    return PhotoReader(*open_models(profile))


def read_photo(data: PhotoData, profile: SetProfile | None = None) -> Reading:
    """Reads one photo of one player's tiles.

    The models are opened at the first call and kept; calls from several threads are safe.

    Args:
        data: the bytes of a JPEG, PNG or WebP file, or upright pixels as (h, w, 3) uint8 BGR.
        profile: profile of the tile set on the table, if there is one.

    Returns:
        Tiles, hands and warnings in pixels of the upright photo at full resolution.

    Raises:
        PhotoError: the photo cannot be read or shows no tiles; the text says what to do.
        ModelError: a shipped model is missing or damaged.
        ProfileError: the profile does not suit the shipped classifier.
    """
    return open_reader(profile).read(data)


def look_at(frame: bytes) -> View:
    """Finds the tiles of a frame of a live picture, in one pass, for the person who aims it.

    Args:
        frame: the bytes of a small JPEG, PNG or WebP file.

    Raises:
        PhotoError: it is not a picture, or too large for a frame.
        ModelError: a shipped model is missing or damaged.
    """
    image = open_frame(frame)
    found = _shared.get()[0].at_a_glance(image, AIMED_AT)
    return view_of(found.quads, image.shape)


def read_set_photo(data: PhotoData) -> SetPhoto:
    """Reads a photo of one of each face of a tile set, from which its profile is made.

    Args:
        data: the photo, as for :func:`read_photo`, of all 42 faces or of bonus tiles and dragons
            alone.

    Raises:
        PhotoError: the photo cannot be read or shows no tiles.
        ProfileError: it shows more tiles than one of each face.
        ModelError: a shipped model is missing or damaged.
    """
    return label_set_photo(*_views_of_set(data))


def read_set_photos(photos: Sequence[PhotoData]) -> list[SetPhoto | PhotoError]:
    """Reads several photos of one tile set, whose tiles are decided together.

    Args:
        photos: as for :func:`read_set_photo`, with any part of the set on each, or all of its box.

    Returns:
        what each shows, or why it cannot be read.

    Raises:
        ProfileError: they show more tiles than so many boxes hold.
        ModelError: a shipped model is missing or damaged.
    """
    seen: list[tuple[Views, tuple[Message, ...]] | PhotoError] = []
    for data in photos:
        try:
            views, warnings = _views_of_set(data)
            if not views.count:
                raise NoTilesFound(say("set.no_tiles"))
            seen.append((views, warnings))
        except PhotoError as error:
            seen.append(error)
    read = [one for one in seen if not isinstance(one, PhotoError)]
    labelled = iter(label_set_photos([views for views, _ in read], [told for _, told in read]))
    return [one if isinstance(one, PhotoError) else next(labelled) for one in seen]


def _views_of_set(data: PhotoData) -> tuple[Views, tuple[Message, ...]]:
    """The classifier's views of the tiles of a photo of a set, and the photo's faults."""
    detector, classifier = _shared.get()
    image = decode_photo(data)
    views = classifier.look(image, detector.detect(image).quads)
    seen = views.read(views.pick(views.credence()))
    return views, tuple(faults(measure(image, seen.quads))) if views.count else ()
