"""The way of one photo: from a file to the tiles, melds and hands that it shows.

:class:`PhotoReader` takes a photo through four stages and reports the time of each:

1. *decode* gives upright pixels (:mod:`vision.photo`).
2. *detect* gives quads that may be tiles, each with a score (:mod:`vision.detect`).
3. *classify* gives the probabilities of all labels for each detection (:mod:`vision.classify`),
   and the judge says of all of them together which are tiles (:mod:`vision.evidence`).
   :meth:`PhotoReader.see` ends here and gives :class:`Seen`.
4. *layout* gives rows, melds and hands, and corrects labels by where the tiles lie
   (:mod:`vision.layout`). :meth:`PhotoReader.lay_out` gives the
   :class:`vision.vocabulary.readings.Reading`.
"""

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
from vision.classify.red_fives import red_fives
from vision.classify.views import NEAR
from vision.errors import NoTilesFound, TooManyTiles
from vision.evidence.beliefs import weigh
from vision.evidence.candidates import candidates_of
from vision.evidence.judge import Judge, shipped_judge
from vision.geometry.crops import halved
from vision.geometry.quads import rescaled
from vision.layout.arrange import Layout, renumbered
from vision.layout.notices import warnings_for
from vision.layout.settle import settled
from vision.messages import Message, say
from vision.photo.decode import Decoded, PhotoData, open_photo
from vision.photo.quality import faults, measure, overall_fault
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.detections import (
    NO_DETECTIONS,
    Classifier,
    Detections,
    Detector,
    classified,
)
from vision.vocabulary.readings import Reading, TileReading, to_quad

Image = NDArray[np.uint8]
Quads = NDArray[np.float32]
Chances = NDArray[np.float64]

MAX_TILES: Final = 320
"""Maximum number of detections in one photo: two whole tile sets and some spare tiles."""

ALTERNATIVES: Final = 5
"""Number of likeliest labels that the reading of a tile names."""

CLEARLY_TILES: Final = 0.8
"""Minimum probability of a tile of the clearest one for a photo to show tiles at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The tiles of one photo before anything is known of how they lie.

    Attributes:
        image: (h, w, 3) uint8 BGR, upright; the mirror image of a photo that is ``mirrored``.
        quads: (n, 4, 2) float32 face corners in pixels of ``image``, clockwise from the top-left
            as read upright.
        probabilities: (n, 45) float64, calibrated, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        chances: (n,) float64 from 0 to 1, the probability that there is a tile at all.
        remarks: what people should know of the file.
        faults: what is wrong with the photo.
        seconds: wall-clock time of each stage so far.
        mirrored: whether the photo shows a mirror image of the table.
        detections: all that may be tiles, with their scores, in pixels of the photo as it was
            taken; empty for frames of a camera, whose tiles are tracked.
    """

    image: Image
    quads: Quads
    probabilities: Chances
    chances: Chances
    remarks: tuple[Message, ...]
    faults: tuple[Message, ...]
    seconds: Mapping[str, float]
    mirrored: bool
    detections: Detections = NO_DETECTIONS


class PhotoReader:
    """Reads photos with one detector and one classifier; may be shared between threads.

    Args:
        detector: detects the tiles.
        classifier: reads what they show; if it has a ``profile``, of a tile set that is known.
        copies: number of copies of a face in the tile set, where it is not the usual number.
        judge: says which detections are tiles; by default the shipped one.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        copies: Mapping[str, int] = NO_CHANGES,
        judge: Judge | None = None,
    ) -> None:
        self._detector = detector
        self._classifier = classifier
        self._copies = copies
        self._judge = shipped_judge() if judge is None else judge
        self._taught = hasattr(classifier, "profile")

    def read(self, data: PhotoData) -> Reading:
        """The reading of one photo, as :func:`vision.read_photo` gives it."""
        return self.lay_out(self.see(data))

    def see(self, data: PhotoData) -> Seen:
        """The first three stages: the tiles of one photo and the probabilities of their labels.

        Large tiles are read in a smaller copy of the photo, and all in its mirror image if the
        photo shows the table mirrored.

        Raises:
            PhotoError: the photo cannot be read or shows no tiles.
        """
        seconds: dict[str, float] = {}
        with _timed(seconds, "decode"):
            photo = open_photo(data)
        with _timed(seconds, "detect"):
            detected = _some(self._detector.detect(photo.image, faint=True), photo.image)
        with _timed(seconds, "classify"):
            near, places = halved(photo.image, detected.quads, NEAR)
            read = classified(self._classifier, near, detected.at(places))
            found = detected.at(read.quads)
            detections = found.at(rescaled(found.quads, near.shape, photo.image.shape))
            mirrored = read_in_mirror(self._classifier, near, found, read)
            if mirrored is not None:
                near, found, read = mirrored
                photo = Decoded(mirror_image(photo.image), (*photo.remarks, MIRRORED))
            candidates = candidates_of(near, found, read)
            beliefs = weigh(self._judge, candidates, near.shape, self._copies)
            if beliefs.chances.max(initial=0.0) < CLEARLY_TILES:
                raise NoTilesFound(_no_tiles(photo.image))
            quads = candidates.quads[beliefs.tiles]
            spoilt = tuple(faults(measure(near, quads)))
        return Seen(
            photo.image,
            rescaled(quads, near.shape, photo.image.shape),
            beliefs.probabilities[beliefs.tiles],
            beliefs.chances[beliefs.tiles],
            photo.remarks,
            spoilt,
            seconds=MappingProxyType(seconds),
            mirrored=mirrored is not None,
            detections=detections,
        )

    def lay_out(self, seen: Seen) -> Reading:
        """The last stage: the rows, melds and hands of the tiles, and what people should check."""
        seconds = dict(seen.seconds)
        with _timed(seconds, "layout"):
            layout, probabilities = settled(seen.quads, seen.probabilities)
            tiles = _tile_readings(layout, seen, probabilities * seen.chances[:, np.newaxis])
            layout = renumbered(layout)
            doubts = warnings_for(tiles, layout, self._copies, taught=self._taught)
        height, width = seen.image.shape[:2]
        if seen.mirrored:
            tiles = tuple(_in_photo(tile, width) for tile in tiles)
        warnings = (*seen.remarks, *seen.faults, *doubts)
        return Reading(width, height, tiles, layout.hands, warnings, seconds)


def _some(detected: Detections, image: Image) -> Detections:
    """The detections in a photo (h, w, 3), if there are some and not too many.

    Raises:
        NoTilesFound: nothing may be a tile.
        TooManyTiles: there are more than :data:`MAX_TILES`.
    """
    if len(detected) == 0:
        raise NoTilesFound(_no_tiles(image))
    if len(detected) > MAX_TILES:
        raise TooManyTiles(say("photo.too_many_tiles", count=len(detected)))
    return detected


def _tile_readings(layout: Layout, seen: Seen, probabilities: Chances) -> tuple[TileReading, ...]:
    """The tiles row by row, each row from left to right.

    Args:
        layout: how they lie.
        seen: the tiles.
        probabilities: (n, 45) that there is a tile and that it shows the label.
    """
    likeliest = [READING_LABELS[k] for k in probabilities.argmax(axis=1)]
    red = red_fives(seen.image, seen.quads, likeliest).tolist()
    readings = []
    for number, row in enumerate(layout.rows):
        for index in row.members:
            order = np.argsort(-probabilities[index], kind="stable")[:ALTERNATIVES]
            ranked = tuple((READING_LABELS[k], float(probabilities[index, k])) for k in order)
            quad = to_quad(seen.quads[index])
            readings.append(TileReading(quad, *ranked[0], ranked, number, red[index]))
    return tuple(readings)


def _in_photo(tile: TileReading, width: int) -> TileReading:
    """A tile of the mirror image, in pixels of the photo, which is ``width`` pixels wide."""
    a, b, c, d = ((width - x, y) for x, y in tile.quad)
    return replace(tile, quad=(a, b, c, d))


def _no_tiles(image: Image) -> Message:
    """The message that a photo (h, w, 3) shows no tiles, with the likely cause if there is one."""
    fault = overall_fault(image)
    if fault is None:
        return say("photo.no_tiles")
    return say("photo.no_tiles_because", fault=fault)


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Note the wall-clock time of what is done inside, unless it raises."""
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
