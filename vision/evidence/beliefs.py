"""What both models together say of the tiles found in a photo or in a frame of a camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from vision.detect.gaps import open_places
from vision.detect.reshape import reshaped
from vision.evidence.back_rows import in_pairs
from vision.evidence.backs import with_backs
from vision.evidence.colour import Papers
from vision.evidence.foreign import foreign
from vision.evidence.likeness import with_likeness
from vision.evidence.sides import CLEARLY_FACE, own_sides
from vision.evidence.tile_odds import LEAST, belonging, clues
from vision.evidence.twins import with_twins
from vision.geometry.crops import rectify
from vision.geometry.overlap import duplicates, parts_of_others
from vision.geometry.quads import rolled
from vision.vocabulary.copies import NO_CHANGES, copies_of_each
from vision.vocabulary.detections import Classified, Classifier, Detections, Detector, classified
from vision.vocabulary.labels import chance_of_print, column

_EVEN: Final = 0.5
"""Chance of print from which a find counts as a printed face."""


_MOST_RESHAPED: Final = 2
"""How often misshapen finds are put right: once one is, it tells where the next to it lies."""
_DOUBTFUL: Final = -3.0
"""Log-odds of being tiles from which two finds that look like backs may have others beside them."""
_MOST_BEYOND: Final = 4
"""How many tiles that were not found may lie one after the other."""

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Tiles of the same picture that are known already and are only compared with.

    Attributes:
        quads: (m, 4, 2) float32 face corners in pixels.
        probabilities: (m, 45) float64, what each is known to show.
    """

    quads: Floats = field(default_factory=lambda: np.empty((0, 4, 2), np.float32))
    probabilities: Chances = field(default_factory=lambda: np.empty((0, len(READING_LABELS))))


NOTHING_BESIDE: Final = Beside()


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """One look at each tile that was found.

    Attributes:
        probabilities: (n, 45) float64, calibrated, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        turns: (n,) int, as in :class:`vision.vocabulary.detections.Classified`.
        tiles: (n,) bool, whether there is a tile of this set at all; a plain back is one, though
            nothing on it tells the classifier so.
        evidence: (n,) float64 from 0 to 1, how clearly each is a tile: the detector's score times
            the classifier's confidence, with or without what is known of the set, 0 where that
            takes it for none.
        odds: (n,) float64 log-odds that each is a tile of this set
        (:mod:`vision.evidence.tile_odds`). possible: (n,) bool, whether it can be one at all:
        whatever its odds, what is foreign to the
            set or part of a tile cannot.
    """

    probabilities: Chances
    turns: NDArray[np.int64]
    tiles: NDArray[np.bool_]
    evidence: NDArray[np.float64]
    odds: NDArray[np.float64]
    possible: NDArray[np.bool_]


def looked_at(
    detector: Detector, classifier: Classifier, image: NDArray[np.uint8], found: Detections
) -> tuple[Detections, Classified]:
    """The finds where they were read, verified there, and what the classifier says of them.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    seen = classified(classifier, image, found)
    return detector.verify(image, found, seen.quads), seen


def label_chances(
    papers: Papers,
    found: Detections,
    seen: Classified,
    known: Chances,
    copies: Mapping[str, int] = NO_CHANGES,
) -> Chances:
    """(n, 45) what finds show, by what the classifier says and by how alike they are.

    Args:
        papers: of the n finds and of m tiles that are known already.
        found: the finds.
        seen: what the classifier says of them.
        known: (m, 45), what the other tiles are known to show.
        copies: how many of a face the set has, where it is not the usual number.
    """
    chances = with_backs(papers, found, seen, known)
    chances = with_twins(chances, seen.embeddings, copies)
    return with_likeness(chances, seen.embeddings, found.scores * seen.tiles)


def weigh(
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    beside: Beside = NOTHING_BESIDE,
    copies: Mapping[str, int] = NO_CHANGES,
) -> Looks:
    """What the models, the numbers of copies and the tiles beside each other say together.

    Args:
        image: (h, w, 3) uint8 BGR.
        found: the tiles.
        seen: what the classifier says of them.
        beside: further tiles that finds are compared with.
        copies: how many of a face the set has, where it is not the usual number.
    """
    others = rectify(image, beside.quads, seen.crops.shape[1:3])
    crops = np.concatenate([seen.crops, others])
    papers = Papers(image, crops, np.concatenate([seen.quads, beside.quads]))
    chances = label_chances(papers, found, seen, beside.probabilities, copies)
    every = np.concatenate([chances, beside.probabilities])
    known = np.ones(len(beside.quads))
    taken = np.concatenate([seen.tiles, known])
    scores = np.concatenate([found.scores, known])
    read = np.concatenate([seen.read_as(chances), known])
    evidence = scores * read * taken
    upright = np.concatenate([rolled(seen.quads, seen.turns), beside.quads])
    odds = belonging(clues(papers, upright, scores, every, taken, read))
    count = len(found)
    likely = odds[:count] >= LEAST
    possible = ~foreign(papers, every, evidence)[:count]
    possible &= ~parts_of_others(seen.quads, likely & possible)
    tiles = likely & possible
    faces = chance_of_print(every[:count]) >= _EVEN
    faces |= (every[:count].argmax(axis=1) == column(BACK)) & (odds[:count] >= CLEARLY_FACE)
    dragons = copies_of_each(copies)["5z"]
    sides = _sides(seen.quads, tiles & ~faces, tiles & faces, odds[:count], dragons)
    possible &= ~sides
    tiles &= ~sides
    return Looks(every[:count], seen.turns, tiles, evidence[:count], odds[:count], possible)


def _sides(quads: Floats, plain: Bools, laid: Bools, odds: Chances, dragons: int) -> Bools:
    """Which plain finds (n,) are sides of others, plain ones that clearly are faces among these."""
    sides = own_sides(quads, plain, laid, odds, dragons)
    clear = plain & ~sides & (odds >= CLEARLY_FACE)
    return sides | own_sides(quads, plain & ~clear, laid | clear, odds, dragons)


def weighed_with_rows(
    detector: Detector,
    classifier: Classifier,
    image: NDArray[np.uint8],
    found: Detections,
    seen: Classified,
    copies: Mapping[str, int] = NO_CHANGES,
) -> tuple[Classified, Looks]:
    """As :func:`weigh`, with misshapen tiles put right and others found where their rows go on.

    Args:
        detector: looks again where a tile may lie.
        classifier: tells what it shows.
        image: (h, w, 3) uint8 BGR.
        found: the tiles.
        seen: what the classifier says of them.
        copies: how many of a face the set has, where it is not the usual number.

    Returns:
        What the classifier says of the finds and of further ones, and all that is said of these.

    Raises:
        ModelError: the classifier answers about another number of tiles.
    """
    looks = weigh(image, found, seen, copies=copies)
    for _ in range(_MOST_RESHAPED):
        better = reshaped(detector, classifier, image, found, seen, looks.turns, looks.tiles)
        if better is None:
            break
        found, seen = better
        looks = weigh(image, found, seen, copies=copies)
    for _ in range(_MOST_BEYOND):
        labels = looks.probabilities.argmax(axis=1)
        backs = looks.possible & (labels == column(BACK)) & (looks.odds >= _DOUBTFUL)
        basis = looks.tiles | in_pairs(seen.quads, backs)
        known, shown = seen.quads[basis], labels[basis]
        places = detector.look_at(image, open_places(known, image.shape, shown))
        places = places.chosen(~duplicates(places.quads, known))
        if not len(places):
            break
        further, said = looked_at(detector, classifier, image, places)
        apart = ~duplicates(said.quads, known)
        further, said = further.chosen(apart), said.chosen(apart)
        every = weigh(image, found.joined(further), seen.joined(said), copies=copies)
        told = every.tiles[len(found) :]
        if not told.any():
            break
        found, seen = found.joined(further.chosen(told)), seen.joined(said.chosen(told))
        looks = weigh(image, found, seen, copies=copies)
    return seen, looks
