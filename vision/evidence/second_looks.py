"""Second looks at a photo: at misshapen detections, and where the rows of tiles may go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.detect.gaps import open_places
from vision.detect.reshape import reshaped
from vision.evidence.backs import backs_in_pairs
from vision.evidence.beliefs import Beliefs, classified_and_verified, weigh
from vision.geometry.overlap import duplicates
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.detections import Classified, Classifier, Detections, Detector
from vision.vocabulary.labels import column

_MOST_RESHAPED: Final = 2
"""Maximum number of rounds in which misshapen detections are put right; each may show where the
next lies."""
_MOST_BEYOND: Final = 4
"""Maximum number of rounds in which rows are continued, each by one tile at either end."""
_DOUBTFUL_BACKS: Final = -3.0
"""Minimum log-odds of being tiles for two that look like backs to be continued as a row."""


def with_second_looks(
    detector: Detector,
    classifier: Classifier,
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    copies: Mapping[str, int] = NO_CHANGES,
) -> tuple[Classified, Beliefs]:
    """What is believed of all detections after misshapen ones are put right and rows continued.

    Args:
        detector: looks again where a tile may lie.
        classifier: reads what is found there.
        image: (h, w, 3) uint8 BGR.
        found: the detections.
        seen: the classifier's answers for them.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.

    Returns:
        The classifier's answers for the detections and for further ones, and the beliefs.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    beliefs = weigh(image, found, seen, copies=copies)
    for _ in range(_MOST_RESHAPED):
        better = reshaped(detector, classifier, image, found, seen, beliefs.turns, beliefs.tiles)
        if better is None:
            break
        found, seen = better
        beliefs = weigh(image, found, seen, copies=copies)
    for _ in range(_MOST_BEYOND):
        labels = beliefs.probabilities.argmax(axis=1)
        likely = beliefs.odds >= _DOUBTFUL_BACKS
        backs = beliefs.possible & (labels == column(BACK)) & likely
        basis = beliefs.tiles | backs_in_pairs(seen.quads, backs)
        known, shown = seen.quads[basis], labels[basis]
        places = detector.look_at(image, open_places(known, image.shape, shown))
        places = places.chosen(~duplicates(places.quads, known))
        if not len(places):
            break
        further, read = classified_and_verified(detector, classifier, image, places)
        apart = ~duplicates(read.quads, known)
        further, read = further.chosen(apart), read.chosen(apart)
        every = weigh(image, found.joined(further), seen.joined(read), copies=copies)
        accepted = every.tiles[len(found) :]
        if not accepted.any():
            break
        found = found.joined(further.chosen(accepted))
        seen = seen.joined(read.chosen(accepted))
        beliefs = weigh(image, found, seen, copies=copies)
    return seen, beliefs
