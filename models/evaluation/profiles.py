"""Set profiles for measuring, made from one photo of one of each face, as people make them.

Where the data has such photos (the benchmark, rendered designs), each is labelled by assignment,
and only the few doubtful tiles get their true label, as from a person. Elsewhere the first good
view of each face is taken from the pictures themselves and left out of the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.sets.coco import IGNORE
from models.evaluation.examples import Example
from models.evaluation.matching import match
from scorer.tiles import BLANK, READING_LABELS, TILES
from vision.classify.classifier import OnnxClassifier
from vision.tilesets.profile import SetProfile, Shot, make_profile
from vision.tilesets.teaching import SetPhoto, label_set_photo
from vision.vocabulary.detections import Detector

Floats = NDArray[np.float32]

_COLUMN_OF_BLANK = READING_LABELS.index(BLANK)


def taught(
    photos: Iterable[Example], detector: Detector, classifier: OnnxClassifier
) -> dict[str, SetProfile]:
    """A profile for each tile set that has a photo of one of each face."""
    profiles = {}
    for example in photos:
        image = example.load()
        quads = detector.detect(image).quads
        photo = told(label_set_photo(classifier.look(image, quads)), example)
        profiles[example.group] = make_profile(
            _name(example.group),
            photo.shots(),
            classifier.entry,
            blank_white=bool(photo.blank_white()),
        )
    return profiles


def told(photo: SetPhoto, truth: Example) -> SetPhoto:
    """The photo with the true labels of its doubtful tiles."""
    quads = np.array([tile.quad for tile in photo.tiles], np.float32)
    true = {j: truth.labels[i] for i, j in match(truth.quads, quads)}
    asked = photo.doubtful()
    labels = {j: true[j] for j in asked if true.get(j, IGNORE) != IGNORE}
    labels = {j: label for j, label in labels.items() if label in TILES}
    unlike = [j for j in asked if j not in labels]
    return photo.with_labels(labels).without(unlike)


def borrowed(
    examples: Sequence[Example], classifier: OnnxClassifier
) -> tuple[dict[str, SetProfile], list[Example]]:
    """A profile for each tile set from its own pictures, and these without the tiles used."""
    shots: dict[str, list[Shot]] = {}
    blanks: set[str] = set()
    rest = []
    for example in examples:
        have = {shot.label for shot in shots.get(example.group, [])}
        first = {
            label: index
            for index, label in reversed(list(enumerate(example.labels)))
            if label in TILES and label not in have
        }
        rest.append(example.without(set(first.values())))
        if not first:
            continue
        indices = list(first.values())
        views = classifier.look(example.load(), example.quads[indices])
        upright = np.array([np.nonzero(views.owners == k)[0][0] for k in range(len(indices))])
        best = views.probabilities[upright].argmax(axis=1)
        for label, view, column in zip(first, upright, best, strict=True):
            shot = Shot(label, views.crops[view], views.embeddings[view])
            shots.setdefault(example.group, []).append(shot)
            if label == "5z" and column == _COLUMN_OF_BLANK:
                blanks.add(example.group)
    profiles = {
        group: make_profile(_name(group), looks, classifier.entry, blank_white=group in blanks)
        for group, looks in shots.items()
    }
    return profiles, rest


def _name(group: str) -> str:
    return group[:40]
