"""From a photo to a reading: decode, find the tiles, read them, tell how they lie."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.classify.mirror import MIRRORED, mirror_image, read_in_mirror
from vision.classify.views import NEAR
from vision.errors import NoTilesFound, TooManyTiles
from vision.evidence.beliefs import classified_and_verified
from vision.evidence.second_looks import with_second_looks
from vision.geometry.crops import halved
from vision.geometry.quads import rescaled, rolled
from vision.layout.arrange import Layout, laid, renumbered
from vision.layout.by_place import with_faces_down, with_faces_up, with_laid_bonus
from vision.layout.doubtful import by_hands
from vision.layout.notices import warnings_for
from vision.messages import Message, say
from vision.photo.decode import open_photo
from vision.photo.quality import faults, measure, overall_fault
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.detections import NO_DETECTIONS, Classifier, Detections, Detector
from vision.vocabulary.readings import Reading, TileReading, to_quad

MAX_TILES: Final = 320
"""The most tiles read in one photo: two whole sets and some spare ones."""

ALTERNATIVES: Final = 5
"""How many of the likeliest labels a tile's reading names."""

MIN_BEST_EVIDENCE: Final = 0.8
"""Detector score times classifier confidence that a find must reach for a photo to show tiles at
all: where there are some, one is clear."""
MIN_ALL_EVIDENCE: Final = 5.0
"""But where many finds are half clear, as in a dim photo, this much from all of them will do,"""
HALF_CLEAR_EVIDENCE: Final = 0.65
"""if one reaches at least this."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The tiles of one photo with all that the camera says of them.

    Attributes:
        image: (h, w, 3) uint8 BGR, upright; the mirror image of a photo that is ``mirrored``.
        quads: (n, 4, 2) float32 face corners in pixels of ``image``, clockwise from the top-left
            as read upright.
        probabilities: (n, 45) float64, calibrated, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        remarks: what people should know of the file.
        faults: what is wrong with the photo.
        seconds: wall-clock time of each stage so far.
        mirrored: whether the photo showed the table mirrored.
        detections: all that may be tiles, with their scores, in pixels of the photo as it was
            taken; empty for frames of a camera, whose tiles are tracked.
    """

    image: NDArray[np.uint8]
    quads: NDArray[np.float32]
    probabilities: NDArray[np.float64]
    remarks: tuple[Message, ...]
    faults: tuple[Message, ...]
    seconds: Mapping[str, float]
    mirrored: bool
    detections: Detections = NO_DETECTIONS


class PhotoReader:
    """Reads photos with one detector and one classifier; may be shared between threads.

    Args:
        detector: finds the tiles.
        classifier: tells what they show.
        copies: how many of a face the set has, where it is not the usual number.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        copies: Mapping[str, int] = NO_CHANGES,
    ) -> None:
        self._detector = detector
        self._classifier = classifier
        self._copies = copies

    def read(self, data: bytes | NDArray[np.uint8]) -> Reading:
        """The reading of one photo, as :func:`vision.read_photo` gives it."""
        return self.tell(self.see(data))

    def see(self, data: bytes | NDArray[np.uint8]) -> Seen:
        """The tiles of one photo and what each may be, before it is said how they lie.

        Raises:
            PhotoError: the photo cannot be read or shows no tiles.
        """
        seconds: dict[str, float] = {}
        with _timed(seconds, "decode"):
            photo = open_photo(data)
            image, remarks = photo.image, photo.remarks
        with _timed(seconds, "detect"):
            found = self._detector.detect(image, faint=True)
            if len(found) == 0:
                raise NoTilesFound(_no_tiles(image))
        if len(found) > MAX_TILES:
            raise TooManyTiles(say("photo.too_many_tiles", count=len(found)))
        with _timed(seconds, "classify"):
            near, places = halved(image, found.quads, NEAR)
            found, said = classified_and_verified(
                self._detector, self._classifier, near, found.at(places)
            )
            finds = found.at(rescaled(found.quads, near.shape, image.shape))
            mirrored = read_in_mirror(self._classifier, near, found, said)
            if mirrored is not None:
                near, found, said = mirrored
                image, remarks = mirror_image(image), (*remarks, MIRRORED)
            said, looks = with_second_looks(
                self._detector, self._classifier, near, found, said, self._copies
            )
            if not _shows_tiles(looks.evidence[looks.tiles]):
                raise NoTilesFound(_no_tiles(image))
            quads = rescaled(rolled(said.quads, looks.turns), near.shape, image.shape)
            tiles = by_hands(quads, looks.probabilities, looks.odds, looks.tiles, looks.possible)
            spoilt = tuple(faults(measure(near, said.quads[tiles])))
            quads, probabilities = quads[tiles], looks.probabilities[tiles]
        mirror = mirrored is not None
        return Seen(image, quads, probabilities, remarks, spoilt, seconds, mirror, finds)

    def tell(self, seen: Seen, lying: NDArray[np.float32] | None = None) -> Reading:
        """How the tiles lie, whose they are, and what to look at again.

        Args:
            seen: the tiles.
            lying: (n, 4, 2) their corners in the view in which it is seen best how they lie; by
                default as in ``seen``.
        """
        seconds = dict(seen.seconds)
        with _timed(seconds, "layout"):
            places = seen.quads if lying is None else lying
            layout = laid(places, seen.probabilities)
            upward = with_faces_up(seen.probabilities, layout.in_hand)
            layout = _laid_again(layout, places, seen.probabilities, upward)
            parts = [part for hand in layout.hands for part in hand.parts]
            probabilities = with_faces_down(upward, parts)
            layout = _laid_again(layout, places, upward, probabilities)
            probabilities = with_laid_bonus(probabilities, layout.bonus)
            tiles = _tile_readings(layout, seen.quads, probabilities)
            layout = renumbered(layout)
            doubts = warnings_for(tiles, layout, self._copies)
        height, width = seen.image.shape[:2]
        if seen.mirrored:
            tiles = tuple(_in_photo(tile, width) for tile in tiles)
        warnings = (*seen.remarks, *seen.faults, *doubts)
        return Reading(width, height, tiles, layout.hands, warnings, MappingProxyType(seconds))


def _laid_again(
    layout: Layout,
    places: NDArray[np.float32],
    before: NDArray[np.float64],
    told: NDArray[np.float64],
) -> Layout:
    """How the tiles lie if what they show is told otherwise than before, else the same layout."""
    same = (told.argmax(axis=1) == before.argmax(axis=1)).all()
    return layout if same else laid(places, told)


def _shows_tiles(evidence: NDArray[np.float64]) -> bool:
    """Whether finds of that evidence (n,) are tiles, some of them at least."""
    best, every = float(evidence.max(initial=0.0)), float(evidence.sum())
    half_clear = best >= HALF_CLEAR_EVIDENCE and every >= MIN_ALL_EVIDENCE
    return best >= MIN_BEST_EVIDENCE or half_clear


def _no_tiles(image: NDArray[np.uint8]) -> Message:
    """That there are none, and why that may be."""
    fault = overall_fault(image)
    if fault is None:
        return say("photo.no_tiles")
    return say("photo.no_tiles_because", fault=fault)


def _in_photo(tile: TileReading, width: int) -> TileReading:
    """A tile of the mirror image where it lies in the photo, which is ``width`` pixels wide."""
    a, b, c, d = ((width - x, y) for x, y in tile.quad)
    return replace(tile, quad=(a, b, c, d))


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start


def _tile_readings(
    layout: Layout, quads: NDArray[np.float32], probabilities: NDArray[np.float64]
) -> tuple[TileReading, ...]:
    """The tiles row by row, each row from left to right."""
    readings = []
    for number, row in enumerate(layout.rows):
        for index in row.members:
            order = np.argsort(-probabilities[index], kind="stable")[:ALTERNATIVES]
            ranked = tuple((READING_LABELS[k], float(probabilities[index, k])) for k in order)
            readings.append(TileReading(to_quad(quads[index]), *ranked[0], ranked, number))
    return tuple(readings)
