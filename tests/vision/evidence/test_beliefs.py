"""Photos and cameras read the same picture alike."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import FakeDetector, models_that_see, sure_of
from tests.vision.table import Laid, lay, see
from vision.errors import ModelError
from vision.evidence import beliefs
from vision.evidence.backs import with_backs
from vision.evidence.beliefs import NO_KNOWN_TILES, KnownTiles, classified_and_verified, weigh
from vision.evidence.colour import FaceColours
from vision.evidence.second_looks import with_second_looks
from vision.evidence.sides import CLEARLY_FACE
from vision.geometry.crops import rectify
from vision.multiview.tracks import KNOWN
from vision.multiview.watcher import Sight, Watcher
from vision.pipeline import PhotoReader
from vision.runtime.opencv import cv2
from vision.vocabulary.detections import Classified, Detections, Places, classified

IVORY, BEIGE, GREEN = (222, 236, 243), (190, 226, 243), (60, 130, 40)
BACK_INDEX, WHITE = READING_LABELS.index(BACK), READING_LABELS.index("5z")
PRINTED = ("1p", "2p", "3p", "4p")


def painted(laid: Laid, colours: list[tuple[int, int, int]]) -> NDArray[np.uint8]:
    """The tiles on a blue cloth with some grain, with a print on those that have one."""
    grain = np.random.default_rng(1).integers(0, 40, (420, 1100, 3), np.uint8)
    image: NDArray[np.uint8] = np.array((110, 50, 20), np.uint8) + grain
    for quad, label, colour in zip(laid.quads, laid.labels, colours, strict=True):
        cv2.fillConvexPoly(image, quad.astype(np.int32), colour)
        if label in PRINTED:
            x, y = quad.mean(axis=0)
            cv2.circle(image, (int(x), int(y)), 9, (30, 30, 180), -1)
    return image


@dataclass
class Wavering:
    """Reads prints surely; of plain sides it only says that each is a back or a white dragon.

    Sides that lie right of ``none_from`` it takes for no tile at all.
    """

    laid: Laid
    none_from: float = np.inf
    asked: list[int] = field(default_factory=list)

    def classify(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        self.asked.append(len(quads))
        rows = np.zeros((len(quads), len(READING_LABELS)), np.float32)
        for row, quad in zip(rows, quads, strict=True):
            place = int(np.abs(self.laid.quads - quad).sum(axis=(1, 2)).argmin())
            label = self.laid.labels[place]
            if label in PRINTED:
                row[:] = sure_of([label], 0.99)[0]
            else:
                row[[BACK_INDEX, WHITE]] = 0.5, 0.5
        return Classified(
            quads,
            rectify(image, quads, (96, 72)),
            rows,
            np.zeros(len(quads), np.int64),
            np.zeros((len(quads), 4), np.float32),
            quads[:, :, 0].max(axis=1) < self.none_from,
            rows.max(axis=1),
        )


LAID = lay("1234p 5z 5z 5z")
COLOURS = [IVORY] * 5 + [GREEN] * 2
DOWN = np.array([0.1] * 6 + [0.999], np.float32)


def models(none_from: float = np.inf) -> tuple[FakeDetector, Wavering]:
    """They see three plain sides: an ivory one, a green one, and a green one that is a back."""
    scores = np.full(len(LAID.labels), 0.9, np.float32)
    return FakeDetector(LAID.quads, DOWN, scores), Wavering(LAID, none_from)


def watched(eye: Watcher, image: NDArray[np.uint8], frames: int) -> Sight:
    sights = [eye.look(image, number / 10) for number in range(frames)]
    return sights[-1]


def edge() -> float:
    """Between the last tile and the one before it."""
    return float(LAID.quads[-1, :, 0].min())


@pytest.mark.parametrize("none_from", [np.inf, edge()])
def test_photos_and_cameras_give_the_same_probabilities_for_the_same_frame(
    none_from: float,
) -> None:
    image = painted(LAID, COLOURS)
    photo = PhotoReader(*models(none_from)).read(image)
    frame = watched(Watcher(*models(none_from)), image, 4).reading
    assert frame is not None
    assert [tile.label for tile in photo.tiles] == [*PRINTED, "5z", "5z", BACK]
    assert [tile.label for tile in frame.tiles] == [tile.label for tile in photo.tiles]
    for ours, theirs in zip(frame.tiles, photo.tiles, strict=True):
        assert np.allclose(ours.quad, theirs.quad)
        assert dict(ours.alternatives[:2]) == pytest.approx(dict(theirs.alternatives[:2]), abs=1e-5)


def test_tiles_of_which_enough_is_known_are_looked_at_no_more() -> None:
    image = painted(LAID, COLOURS)
    detector, classifier = models()
    sight = watched(Watcher(detector, classifier), image, 3 * KNOWN.few)
    assert classifier.asked[:2] == [7, 7]
    assert classifier.asked[-1] < 7, "of the prints enough is known by then"
    assert sight.reading is not None
    photo = PhotoReader(*models()).read(image)
    for ours, theirs in zip(sight.reading.tiles, photo.tiles, strict=True):
        assert ours.label == theirs.label


def test_a_find_is_held_against_tiles_that_are_known_already() -> None:
    image, (_, classifier) = painted(LAID, [GREEN, *COLOURS[1:]]), models()
    first = Detections(LAID.quads[:1], np.full(1, 0.3, np.float32), np.full(1, 0.1, np.float32))
    seen = classified(classifier, image, first)
    assert weigh(image, first, seen).tiles[0]
    faces = KnownTiles(LAID.quads[1:4], sure_of(PRINTED[1:], 0.99).astype(np.float64))
    beside = weigh(image, first, seen, faces)
    assert beside.probabilities.shape == (1, len(READING_LABELS))
    assert not beside.tiles[0], "it is green where they are ivory"


@pytest.mark.parametrize("down", [0.1, 0.5, 0.9])
def test_what_lies_around_tells_backs_from_blank_faces(down: float) -> None:
    image, (_, classifier) = painted(LAID, COLOURS), models()
    one = Detections(LAID.quads[5:6], np.full(1, 0.7, np.float32), np.full(1, down, np.float32))
    believed = weigh(image, one, classified(classifier, image, one))
    assert believed.probabilities[0, BACK_INDEX] == pytest.approx(down)


@pytest.mark.parametrize("down", [0.1, 0.5, 0.9])
def test_the_classifier_is_heard_a_little_on_plain_sides_and_surely_on_print(down: float) -> None:
    image, (_, classifier) = painted(LAID, COLOURS), models()
    one = Detections(LAID.quads[:1], np.full(1, 0.7, np.float32), np.full(1, down, np.float32))
    seen = classified(classifier, image, one)
    plain = replace(seen, probabilities=sure_of(["5z"], 0.9))
    colours, nothing = FaceColours(image, seen.crops, seen.quads), NO_KNOWN_TILES.probabilities
    back = with_backs(colours, one, plain, nothing)[0, BACK_INDEX]
    assert down / 4 < back < down
    assert with_backs(colours, one, seen, nothing)[0].argmax() == READING_LABELS.index("1p")


def test_a_plain_side_of_another_colour_than_printed_faces_is_rather_a_back() -> None:
    image, (_, classifier) = painted(LAID, COLOURS), models()
    ones = np.full(6, 0.9, np.float32)
    found = Detections(LAID.quads[:6], ones, np.full(6, 0.5, np.float32))
    backs = weigh(image, found, classified(classifier, image, found)).probabilities[:, BACK_INDEX]
    assert backs[4] < 0.2, "ivory as the four that show print"
    assert backs[5] > 0.8, "green"
    plain = found.chosen(np.arange(6) >= 4)
    alone = weigh(image, plain, classified(classifier, image, plain)).probabilities
    assert alone[:, BACK_INDEX] == pytest.approx(0.5), "no print tells the colour of faces"
    known = KnownTiles(LAID.quads[:4], sure_of(PRINTED, 0.99).astype(np.float64))
    beside = weigh(image, plain, classified(classifier, image, plain), known).probabilities
    assert beside[:, BACK_INDEX] == pytest.approx(backs[4:], abs=1e-6)


@pytest.mark.parametrize("above", ["1p", BACK, "5z"])
@pytest.mark.parametrize("odds", [1.0, 8.0])
def test_the_side_of_a_tile_is_none_unless_it_clearly_is(
    above: str, odds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = see(LAID, np.diag([1, 0.6, 1]))
    face = seen.quads[0]
    low = face[[3, 2]] + 0.6 * (face[[2, 3]] - face[[1, 0]])
    quads = np.stack([face, np.concatenate([face[[3, 2]], low[::-1]])])
    image, (detector, classifier) = painted(seen, COLOURS), models_that_see(quads, [above, "5z"])
    cv2.fillConvexPoly(image, quads[1].astype(np.int32), COLOURS[0])
    monkeypatch.setattr(beliefs, "tile_log_odds", lambda *_: np.array([8.0, odds]))
    found = detector.detect(image)
    believed = weigh(image, found, classified(classifier, image, found))
    assert believed.tiles.tolist() == [True, odds > CLEARLY_FACE]


@dataclass
class Overlooking(FakeDetector):
    """Fails to find the ``missed``, and sees tiles at places where one lies."""

    missed: tuple[int, ...] = ()
    asked: int = 0

    def detect(self, image: NDArray[np.uint8], **_: bool) -> Detections:
        return super().detect(image).chosen(~np.isin(np.arange(len(self.quads)), self.missed))

    def look_at(self, _image: NDArray[np.uint8], places: Places) -> Detections:
        self.asked += 1
        away = np.abs(places.quads[:, np.newaxis] - self.quads).max(axis=(2, 3))
        seen = np.unique(away.argmin(axis=1)[away.min(axis=1) < 12])
        whole = Detections(self.quads, self.scores, self.down)
        return whole.chosen(np.isin(np.arange(len(self.quads)), seen))


@pytest.mark.parametrize("missed", [(2,), (0,), (5,), (0, 1), (2, 3), (1, 4), (3, 4, 5)])
def test_tiles_that_were_not_found_are_looked_for_where_rows_go_on(missed: tuple[int, ...]) -> None:
    image, (finder, classifier) = painted(LAID, COLOURS), models()
    detector = Overlooking(finder.quads, finder.down, finder.scores, missed=missed)
    reading = PhotoReader(detector, classifier).read(image)
    assert [tile.label for tile in reading.tiles] == [*PRINTED, "5z", "5z", BACK]
    assert detector.asked <= len(missed) + 1


@pytest.mark.parametrize(("alone", "found"), [(-1.0, 3), (-4.0, 0)])
def test_beside_what_may_be_backs_another_is_looked_for(
    alone: float, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = lay("1234p|back back back")
    image = painted(laid, [IVORY] * 4 + [GREEN] * 3)
    finder, classifier = models_that_see(laid.quads, laid.labels)

    def backs_in_rows_are_tiles(told: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(told[:, -2] > 0, np.where(told[:, -1] > 0, 1.0, alone), 8.0)

    class Reading:
        def classify(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
            every = classifier.classify(image, laid.quads)
            away = np.abs(quads[:, np.newaxis] - laid.quads).max(axis=(2, 3))
            return every.chosen(away.argmin(axis=1))

    monkeypatch.setattr(beliefs, "tile_log_odds", backs_in_rows_are_tiles)
    detector = Overlooking(finder.quads, finder.down, finder.scores, missed=(6,))
    believed = with_second_looks(
        detector,
        Reading(),
        image,
        *classified_and_verified(detector, Reading(), image, detector.detect(image)),
    )[1]
    assert np.count_nonzero(believed.tiles) == 4 + found


def test_what_does_not_suit_the_row_is_no_tile_though_something_is_seen_there() -> None:
    image, (finder, classifier) = painted(LAID, COLOURS), models()
    detector = Overlooking(finder.quads, finder.down, finder.scores, missed=(6,))
    detector.quads[6] += [[0, 25], [0, 0], [0, 25], [0, 0]]
    detector.scores[6] = 0.3
    reading = PhotoReader(detector, classifier).read(image)
    assert [tile.label for tile in reading.tiles] == [*PRINTED, "5z", "5z"]


def test_a_classifier_that_loses_count_is_faulty() -> None:
    image, (detector, classifier) = painted(LAID, COLOURS), models()
    found = detector.detect(image)
    fewer = classifier.classify(image, found.quads[:3])

    class Short:
        def classify(self, _image: NDArray[np.uint8], _quads: NDArray[np.float32]) -> Classified:
            return fewer

    with pytest.raises(ModelError, match="7 tiles were found but 3 read"):
        classified(Short(), image, found)
