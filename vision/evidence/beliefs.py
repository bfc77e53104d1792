"""What is believed of each detection in a photo or a frame once all evidence is weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.evidence.backs import with_backs
from vision.evidence.colour import FaceColours, of_another_set
from vision.evidence.likeness import with_duplicates, with_likeness
from vision.evidence.sides import CLEARLY_FACE, side_faces
from vision.evidence.tile_odds import LEAST, tile_clues, tile_log_odds
from vision.geometry.crops import rectify
from vision.geometry.overlap import parts_of_others
from vision.geometry.quads import rolled
from vision.vocabulary.copies import NO_CHANGES, copies_of_each
from vision.vocabulary.detections import Classified, Classifier, Detections, Detector, classified
from vision.vocabulary.labels import chance_of_print, column

_PRINTED: Final = 0.5
"""Minimum probability of print for a detection to be a printed face, which is no side face."""

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class KnownTiles:
    """Tiles of the same picture that are known already and are only compared with.

    Attributes:
        quads: (m, 4, 2) float32 face corners in pixels.
        probabilities: (m, 45) float64, what each is known to show.
    """

    quads: Floats = field(default_factory=lambda: np.empty((0, 4, 2), np.float32))
    probabilities: Chances = field(default_factory=lambda: np.empty((0, len(READING_LABELS))))


NO_KNOWN_TILES: Final = KnownTiles()


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What is believed of n detections.

    Attributes:
        probabilities: (n, 45) float64, calibrated, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        turns: (n,) int, as in :class:`vision.vocabulary.detections.Classified`.
        tiles: (n,) bool, whether each is a tile of the set on the table; a back may be one although
            the classifier does not accept it.
        evidence: (n,) float64 from 0 to 1, how clearly each is a tile: the detector's score times
            the classifier's confidence, with or without a profile of the set; 0 where the
            classifier does not accept it.
        odds: (n,) float64 log-odds that each is a tile of this set
            (:mod:`vision.evidence.tile_odds`).
        possible: (n,) bool, whether each can be a tile at all: whatever its log-odds, a tile of
            another set, a part of a tile or a side face cannot.
    """

    probabilities: Chances
    turns: NDArray[np.int64]
    tiles: NDArray[np.bool_]
    evidence: NDArray[np.float64]
    odds: NDArray[np.float64]
    possible: NDArray[np.bool_]


def classified_and_verified(
    detector: Detector, classifier: Classifier, image: NDArray[np.uint8], found: Detections
) -> tuple[Detections, Classified]:
    """The detections, verified at the corners where they were read, and the classifier's answers.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    seen = classified(classifier, image, found)
    return detector.verify(image, found, seen.quads), seen


def label_chances(
    colours: FaceColours,
    found: Detections,
    seen: Classified,
    known: Chances,
    copies: Mapping[str, int] = NO_CHANGES,
) -> Chances:
    """Probabilities (n, 45) of labels, by the classifier and by how alike the detections are.

    Args:
        colours: of the n detections, followed by m tiles that are known already.
        found: the detections.
        seen: the classifier's answers for them.
        known: (m, 45) probabilities of the known tiles.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.
    """
    chances = with_backs(colours, found, seen, known)
    chances = with_duplicates(chances, seen.embeddings, copies)
    return with_likeness(chances, seen.embeddings, found.scores * seen.tiles)


def weigh(
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    known: KnownTiles = NO_KNOWN_TILES,
    copies: Mapping[str, int] = NO_CHANGES,
) -> Beliefs:
    """All evidence about the detections of one picture, weighed together.

    Args:
        image: (h, w, 3) uint8 BGR.
        found: the detections.
        seen: the classifier's answers for them.
        known: further tiles that they are compared with.
        copies: numbers of copies in the set, by label, where they differ from the usual ones.
    """
    others = rectify(image, known.quads, seen.crops.shape[1:3])
    crops = np.concatenate([seen.crops, others])
    colours = FaceColours(image, crops, np.concatenate([seen.quads, known.quads]))
    chances = label_chances(colours, found, seen, known.probabilities, copies)
    every = np.concatenate([chances, known.probabilities])
    certain = np.ones(len(known.quads))
    accepted = np.concatenate([seen.tiles, certain])
    scores = np.concatenate([found.scores, certain])
    read = np.concatenate([seen.read_as(chances), certain])
    evidence = scores * read * accepted
    upright = np.concatenate([rolled(seen.quads, seen.turns), known.quads])
    odds = tile_log_odds(tile_clues(colours, upright, scores, every, accepted, read))
    count = len(found)
    likely = odds[:count] >= LEAST
    possible = ~of_another_set(colours, every, evidence)[:count]
    possible &= ~parts_of_others(seen.quads, likely & possible)
    tiles = likely & possible
    faces = chance_of_print(every[:count]) >= _PRINTED
    faces |= (every[:count].argmax(axis=1) == column(BACK)) & (odds[:count] >= CLEARLY_FACE)
    dragons = copies_of_each(copies)["5z"]
    sides = _side_faces(seen.quads, tiles & ~faces, tiles & faces, odds[:count], dragons)
    possible &= ~sides
    tiles &= ~sides
    return Beliefs(every[:count], seen.turns, tiles, evidence[:count], odds[:count], possible)


def _side_faces(quads: Floats, plain: Bools, laid: Bools, odds: Chances, dragons: int) -> Bools:
    """Side faces (n,) beside certain tiles, then beside plain tiles that clearly are faces too."""
    sides = side_faces(quads, plain, laid, odds, dragons)
    clear = plain & ~sides & (odds >= CLEARLY_FACE)
    return sides | side_faces(quads, plain & ~clear, laid | clear, odds, dragons)
