from __future__ import annotations

import threading
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import parse_tiles
from tests.vision.fakes import (
    FakeClassifier,
    FakeDetector,
    FakeJudge,
    models_that_see,
    reader_with,
    sure_of,
)
from tests.vision.pictures import encoded, with_exif
from tests.vision.table import lay
from vision import pipeline, shipped
from vision.classify.classifier import OnnxClassifier
from vision.detect.search import OnnxDetector
from vision.errors import ModelError, NoTilesFound, PhotoError, TooManyTiles
from vision.evidence.beliefs import LEAST
from vision.pipeline import ALTERNATIVES, CLEARLY_TILES, MAX_TILES, PhotoReader
from vision.shipped import read_photo
from vision.vocabulary.detections import Classified
from vision.vocabulary.readings import Reading

CANVAS = np.full((400, 1200, 3), 90, np.uint8)
HAND = "123m 456p 789s 1155z 2z"


def test_a_photo_is_read_from_bytes_to_hand() -> None:
    laid = lay("777z", HAND + " 1f")
    reading = reader_with(*models_that_see(laid.quads, laid.labels)).read(encoded(CANVAS))
    assert (reading.width, reading.height) == (1200, 400)
    assert [tile.label for tile in reading.tiles] == laid.labels
    assert [tile.row for tile in reading.tiles] == [0] * 3 + [1] * 15
    assert reading.hands[0].concealed == tuple(parse_tiles(HAND))
    assert reading.hands[0].bonus == ("1f",)
    assert set(reading.seconds) == {"decode", "detect", "classify", "layout"}
    assert all(seconds >= 0 for seconds in reading.seconds.values())


def test_tiles_are_listed_as_they_lie_not_as_they_were_found() -> None:
    laid = lay("777z", HAND)
    order = np.random.default_rng(5).permutation(len(laid.labels))
    labels = [laid.labels[i] for i in order]
    reading = reader_with(*models_that_see(laid.quads[order], labels)).read(CANVAS)
    assert [tile.label for tile in reading.tiles] == laid.labels
    for tile, quad in zip(reading.tiles, laid.quads, strict=True):
        assert np.allclose(tile.quad, quad)


@pytest.mark.parametrize("turn", range(4))
def test_corners_are_rolled_to_the_top_left_as_read(turn: int) -> None:
    laid = lay("5p")
    detector, classifier = models_that_see(np.roll(laid.quads, turn, axis=1), laid.labels)
    classifier.turns = np.array([turn], np.int64)
    reading = reader_with(detector, classifier).read(CANVAS)
    assert np.allclose(reading.tiles[0].quad, laid.quads[0])


def test_the_likeliest_labels_are_named_best_first() -> None:
    laid = lay("5z 1m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    classifier.probabilities[0] = (0.7 * sure_of(["5z"], 1.0) + 0.3 * sure_of(["blank"], 1.0))[0]
    tile = reader_with(detector, classifier).read(CANVAS).tiles[0]
    assert len(tile.alternatives) == ALTERNATIVES
    assert [label for label, _ in tile.alternatives[:2]] == ["5z", "blank"]
    assert tile.alternatives[0] == (tile.label, tile.confidence)
    assert tile.confidence == pytest.approx(0.7, abs=0.01)


def read_one(probabilities: dict[str, float], *, down: float) -> Reading:
    """The reading of such a tile, with a clear one to its right."""
    laid = lay("1m 9m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    row = sum((p * sure_of([label], 1.0) for label, p in probabilities.items()), np.zeros(1))
    classifier.probabilities[0] = row[0]
    detector.down[0] = down
    return reader_with(detector, classifier).read(CANVAS)


def test_a_face_down_tile_that_both_models_see_is_a_back() -> None:
    tile = read_one({"back": 0.6, "5z": 0.4}, down=0.9).tiles[0]
    assert tile.label == "back"
    assert tile.confidence > 0.85


@pytest.mark.parametrize(("down", "read"), [(0.9, "5z"), (0.999, "back")])
def test_a_doubtful_back_in_hand_is_a_white_dragon(down: float, read: str) -> None:
    laid = lay(HAND)
    detector, classifier = models_that_see(laid.quads, laid.labels)
    last = len(laid.labels) - 1
    plain = 0.6 * sure_of(["back"], 1.0) + 0.4 * sure_of(["5z"], 1.0)
    classifier.probabilities[last], detector.down[last] = plain[0], down
    reading = reader_with(detector, classifier).read(CANVAS)
    assert len(reading.tiles) == len(laid.labels)
    assert reading.tiles[-1].label == read
    assert reading.hands[0].concealed[-1] == read


def test_what_lies_around_decides_where_the_classifier_wavers() -> None:
    probabilities = {"back": 0.3, "5z": 0.7}
    assert read_one(probabilities, down=0.9).tiles[0].label == "back"
    assert read_one(probabilities, down=0.1).tiles[0].label == "5z"


def test_a_photo_without_tiles_says_what_to_do() -> None:
    models = models_that_see(np.empty((0, 4, 2), np.float32), [])
    with pytest.raises(NoTilesFound, match=r"No mahjong tiles were found.*good light"):
        reader_with(*models).read(CANVAS)


def test_what_the_judge_takes_for_nothing_is_no_tile() -> None:
    laid = lay("123m 456p")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    classifier.none = frozenset({2})
    detector.scores[4] = 0.001
    reading = reader_with(detector, classifier).read(CANVAS)
    assert [tile.label for tile in reading.tiles] == ["1m", "2m", "4p", "6p"]


def test_finds_are_judged_where_the_classifier_saw_their_corners() -> None:
    laid = lay("777z", HAND)
    detector, classifier = models_that_see(laid.quads - 3, laid.labels)
    judge = FakeJudge()
    read = classifier.classify

    def read_aside(image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        return read(image, quads + 3)

    with patch.object(classifier, "classify", read_aside):
        PhotoReader(detector, classifier, judge=judge).read(CANVAS)
    assert np.allclose(judge.asked[0].quads, laid.quads)


def test_a_photo_without_one_clear_tile_shows_none() -> None:
    laid = lay("123m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    detector.scores[:] = CLEARLY_TILES - 0.01
    with pytest.raises(NoTilesFound, match="No mahjong tiles"):
        reader_with(detector, classifier).read(CANVAS)
    detector.scores[0] = CLEARLY_TILES + 0.01
    assert len(reader_with(detector, classifier).read(CANVAS).tiles) == 3


def test_any_number_of_half_clear_tiles_are_none_unless_one_is_clear() -> None:
    laid = lay("1379m 1379p 1379s")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    detector.scores[:] = CLEARLY_TILES - 0.01
    with pytest.raises(NoTilesFound, match="No mahjong tiles"):
        reader_with(detector, classifier).read(CANVAS)
    detector.scores[3] = CLEARLY_TILES + 0.01
    assert len(reader_with(detector, classifier).read(CANVAS).tiles) == 12


def test_beside_a_clear_tile_what_is_rather_nothing_is_no_tile() -> None:
    laid = lay("123456m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    detector.scores[:] = LEAST - 0.01
    detector.scores[[1, 4]] = CLEARLY_TILES + 0.01, LEAST + 0.01
    reading = reader_with(detector, classifier).read(CANVAS)
    assert [tile.label for tile in reading.tiles] == ["2m", "5m"]


def test_a_photo_in_which_nothing_is_a_tile_shows_none() -> None:
    laid = lay("123m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    classifier.none = frozenset(range(3))
    with pytest.raises(NoTilesFound, match="No mahjong tiles"):
        reader_with(detector, classifier).read(CANVAS)


def test_a_doubtful_tile_is_kept_and_shown() -> None:
    laid = lay("123m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    classifier.probabilities[1] = sure_of(["2m"], 0.2)[0]
    reading = reader_with(detector, classifier).read(CANVAS)
    assert [tile.confidence for tile in reading.tiles] == pytest.approx([0.97, 0.2, 0.97], abs=0.02)


def test_more_tiles_than_any_game_has_are_refused_unread() -> None:
    laid = lay("1m")
    count = MAX_TILES + 1
    quads = np.repeat(laid.quads, count, axis=0)
    detector, classifier = models_that_see(quads, ["1m"] * count)
    with pytest.raises(TooManyTiles, match=f"show {count} tiles.*plain surface"):
        reader_with(detector, classifier).read(CANVAS)
    assert classifier.asked == []


def test_models_see_the_photo_upright() -> None:
    laid = lay("1m")
    detector, classifier = models_that_see(laid.quads, laid.labels)
    reading = reader_with(detector, classifier).read(with_exif(CANVAS, ".jpg", 6))
    assert (reading.width, reading.height) == (400, 1200)
    assert detector.seen[0].shape == (1200, 400, 3)
    shown, quads = classifier.asked[0]
    assert shown is detector.seen[0]
    assert quads is detector.quads


def test_a_bad_photo_never_reaches_the_models() -> None:
    detector, classifier = models_that_see(lay("1m").quads, ["1m"])
    with pytest.raises(PhotoError):
        reader_with(detector, classifier).read(b"no photo")
    assert detector.seen == []


def test_models_that_disagree_on_the_number_of_tiles_are_faulty() -> None:
    detector, _ = models_that_see(lay("12m").quads, ["1m", "2m"])
    _, classifier = models_that_see(lay("1m").quads, ["1m"])
    with pytest.raises(ModelError, match="2 tiles were found but 1 read"):
        reader_with(detector, classifier).read(CANVAS)


def test_models_are_opened_once_however_many_threads_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = lay("777z", HAND)
    detector, classifier = models_that_see(laid.quads, laid.labels)
    opened: list[str] = []
    together = threading.Barrier(4)

    def open_detector(_threads: int) -> FakeDetector:
        opened.append("detector")
        return detector

    def open_classifier(_threads: int) -> FakeClassifier:
        opened.append("classifier")
        return classifier

    monkeypatch.setattr(OnnxDetector, "load", staticmethod(open_detector))
    monkeypatch.setattr(OnnxClassifier, "load", staticmethod(open_classifier))
    monkeypatch.setattr(pipeline, "shipped_judge", FakeJudge)
    monkeypatch.setattr(shipped, "_shared", shipped.SharedModels())
    readings: list[Reading] = []

    def ask() -> None:
        together.wait()
        readings.append(read_photo(CANVAS))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(opened) == ["classifier", "detector"]
    assert len({reading.tiles for reading in readings}) == 1
    assert len(readings) == 4
