"""Reads tiles live: waits for a steady view, reads it, and lets several frames vote on each tile.

The tiles are followed from frame to frame. Each is looked at until it is known, then only watched
for being covered, moved, exchanged or taken away. A reading is settled when all tiles are known and
nothing has changed for a moment.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.evidence.beliefs import weigh
from vision.evidence.candidates import candidates_of
from vision.evidence.judge import Judge, shipped_judge
from vision.multiview.motion import MotionMeter, difference
from vision.multiview.tracks import Tracks
from vision.photo.quality import faults, measure
from vision.pipeline import MAX_TILES, PhotoReader, Seen
from vision.shipped import open_models
from vision.tilesets.profile import SetProfile
from vision.vocabulary.copies import NO_CHANGES
from vision.vocabulary.detections import Classifier, Detections, Detector, classified
from vision.vocabulary.readings import Reading

Image = NDArray[np.uint8]
State = Literal["moving", "empty", "reading", "settled"]

SEARCHED: Final = 768
"""Long side in pixels at which a frame is searched first. Of 4105 tiles of the benchmark's photos,
made no larger than 1280x720, 4079 are found so and 4048 read right, at 1024 pixels 4078 and 4048.
"""

SETTLE_S: Final = 0.8
"""How long a reading must stay as it is to be settled."""

SEARCHES: Final = 4
"""How often an unchanged view is searched for tiles before it is left alone."""

UNCHANGED: Final = 0.004
"""Share of the picture, 0..1, that may differ from the view searched last."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What one frame told.

    Attributes:
        state: ``moving`` (the camera or something before it moves: nothing is read), ``empty``
            (no tile in view), ``reading`` (some tiles are not known yet) or ``settled``.
        reading: of all tiles in view that are believed, in pixels of the frame; None where there
            is none, as always in the states ``moving`` and ``empty``.
        image: (h, w, 3) uint8 BGR, the frame.
        seconds: when the frame was taken.
    """

    state: State
    reading: Reading | None
    image: Image
    seconds: float

    @property
    def told(self) -> tuple[object, ...]:
        """What people would notice of it: equal for two sights that say the same."""
        hands = () if self.reading is None else self.reading.hands
        labels = () if self.reading is None else tuple(t.label for t in self.reading.tiles)
        return (self.state, labels, hands)

    def to_json(self, photo: str) -> dict[str, object]:
        """The reading as plain JSON values under the camera's name, with the state and the time.

        Without a reading its lists are empty.
        """
        height, width = self.image.shape[:2]
        reading = self.reading or Reading(width, height, (), ())
        told = reading.to_json(photo)
        return {"photo": photo, "state": self.state, "time": round(self.seconds, 2)} | told


class Watcher:
    """Reads one camera; not to be shared between threads.

    Args:
        detector: finds the tiles.
        classifier: says what they show.
        copies: how many of a face the set has, where it is not the usual number.
        judge: says which detections are tiles; by default the shipped one.

    Attributes:
        searched: in how many frames tiles were searched.
        looked: how many single looks were taken at tiles.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        copies: Mapping[str, int] = NO_CHANGES,
        judge: Judge | None = None,
    ) -> None:
        self._detector, self._classifier, self._copies = detector, classifier, copies
        self._judge = shipped_judge() if judge is None else judge
        self._reader = PhotoReader(detector, classifier, copies, self._judge)
        self._meter = MotionMeter()
        self._tracks = Tracks()
        self._view: Image | None = None
        self._searches = 0
        self._last: tuple[object, ...] = ()
        self._since = 0.0
        self._reading: Reading | None = None
        self.searched = 0
        self.looked = 0

    def look(self, image: Image, seconds: float) -> Sight:
        """Take in the next frame.

        Args:
            image: (h, w, 3) uint8 BGR.
            seconds: when it was taken; must grow.

        Raises:
            ModelError: a model cannot run.
        """
        motion = self._meter.measure(image, seconds)
        changed = self._view_changed(motion.grey)
        if not motion.followed:
            self._tracks = Tracks()
        elif changed:
            self._tracks.carry(motion.carry)
        if not motion.steady:
            self._last, self._view = (), None
            return Sight("moving", None, image, seconds)
        if changed:
            self._view, self._searches = motion.grey, 0
        shape = image.shape
        if self._searches < SEARCHES or self._tracks.new(shape) or self._tracks.unknown(shape):
            self._reading = self._read(image)
        return self._sight(image, seconds)

    def _view_changed(self, grey: Image) -> bool:
        """Whether the frame, small and grey, differs from the one searched for tiles first."""
        before = self._view
        return before is None or before.shape != grey.shape or difference(before, grey) > UNCHANGED

    def _read(self, image: Image) -> Reading | None:
        spent: dict[str, float] = {"decode": 0.0}
        start = time.perf_counter()
        if self._searches < SEARCHES or self._tracks.new(image.shape):
            found = self._detector.detect(image)
            if len(found) <= MAX_TILES:
                self._tracks.meet(found, image)
            self._searches += 1
            self.searched += 1
        spent["detect"] = time.perf_counter() - start
        start = time.perf_counter()
        self._tracks.check(image)
        self._take_looks(image)
        spent["classify"] = time.perf_counter() - start
        readable = self._tracks.readable(image.shape)
        if not readable:
            return None
        quads = np.stack([track.upright for track in readable]).astype(np.float32)
        chances = np.stack([track.chances for track in readable])
        spoilt = tuple(faults(measure(image, quads)))
        told = MappingProxyType(spent)
        certain = np.array([track.certain for track in readable])
        seen = Seen(image, quads, chances, certain, (), spoilt, told, mirrored=False)
        return self._reader.lay_out(seen)

    def _take_looks(self, image: Image) -> None:
        """Look once at each tile in view that is not known yet."""
        asked = self._tracks.unknown(image.shape)
        if not asked:
            return
        found = Detections(
            np.stack([track.quad for track in asked]).astype(np.float32),
            np.array([track.score for track in asked], np.float32),
            np.array([track.down for track in asked], np.float32),
        )
        seen = classified(self._classifier, image, found)
        candidates = candidates_of(image, found, seen)
        every = candidates.joined(*self._tracks.known(image.shape))
        beliefs = weigh(self._judge, every, image.shape, self._copies)
        self._tracks.vote(asked, candidates, seen.turns, beliefs)
        self._tracks.remember(image, asked)
        self.looked += len(asked)

    def _sight(self, image: Image, seconds: float) -> Sight:
        if self._reading is None:
            self._last = ()
            state: State = "reading" if self._tracks.new(image.shape) else "empty"
            return Sight(state, None, image, seconds)
        sight = Sight("reading", self._reading, image, seconds)
        if sight.told != self._last:
            self._last, self._since = sight.told, seconds
        open_questions = self._tracks.new(image.shape) or self._tracks.unknown(image.shape)
        if open_questions or seconds - self._since < SETTLE_S:
            return sight
        return Sight("settled", self._reading, image, seconds)


def open_watcher(profile: SetProfile | None = None) -> Watcher:
    """A watcher with the shipped models.

    Args:
        profile: of the set on the table, if it is known.

    Raises:
        ModelError: a shipped model is missing or damaged.
        ProfileError: the profile does not suit the shipped classifier.
    """
    return Watcher(*open_models(profile, SEARCHED))
