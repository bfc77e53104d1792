"""What is believed of the candidates of a picture, in photos and before cameras alike."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK, READING_LABELS
from tests.vision.evidence.row import DOWN, LAID, SHOWN, Wavering, painted, seeing
from tests.vision.fakes import FakeJudge, neither_alike_nor_unlike, sure_of
from vision.evidence.beliefs import LEAST, weigh
from vision.evidence.candidates import Candidates
from vision.evidence.judge import Judge
from vision.multiview.tracks import KNOWN
from vision.multiview.watcher import Sight, Watcher
from vision.pipeline import PhotoReader

SHAPE = (420, 1100, 3)
BACK_INDEX, WHITE, ONE = (READING_LABELS.index(label) for label in (BACK, "5z", "1p"))


class Told:
    """A judge that says what it was told: probabilities (n, 3) of nothing, a face and a back."""

    def __init__(self, *chances: tuple[float, float, float]) -> None:
        self.chances = np.array(chances)

    def judged(self, found: Candidates, _shape: tuple[int, ...]) -> NDArray[np.float64]:
        assert len(found) == len(self.chances)
        return self.chances


def candidates(quads: NDArray[np.float32], probabilities: NDArray[np.float32]) -> Candidates:
    """Candidates that are read so, of which nothing else tells anything."""
    even = np.full(len(quads), 0.5, np.float32)
    alike = neither_alike_nor_unlike(len(quads))
    colours = np.zeros((len(quads), 6, 3), np.float32)
    return Candidates(quads, even, even, even, probabilities, alike, colours)


def row(**chances: float) -> NDArray[np.float32]:
    """Probabilities (1, 45) of these labels; ``_5z`` stands for 5z."""
    told = np.zeros((1, len(READING_LABELS)), np.float32)
    for label, chance in chances.items():
        told[0, READING_LABELS.index(label.strip("_"))] = chance
    return told


def watched(judge: Judge, classifier: Wavering, frames: int) -> Sight:
    eye, image = Watcher(seeing(), classifier, judge=judge), painted()
    return [eye.look(image, number / 10) for number in range(frames)][-1]


def edge() -> float:
    """Between the last tile and the one before it."""
    return float(LAID.quads[-1, :, 0].min())


@pytest.mark.parametrize(("none_from", "count"), [(np.inf, 7), (edge(), 6)])
def test_photos_and_cameras_give_the_same_probabilities_for_the_same_frame(
    none_from: float, count: int
) -> None:
    photo = PhotoReader(seeing(), Wavering(none_from), judge=FakeJudge()).read(painted())
    frame = watched(FakeJudge(), Wavering(none_from), 4).reading
    assert frame is not None
    assert [tile.label for tile in photo.tiles] == SHOWN[:count]
    assert [tile.label for tile in frame.tiles] == SHOWN[:count]
    for ours, theirs in zip(frame.tiles, photo.tiles, strict=True):
        assert np.allclose(ours.quad, theirs.quad)
        assert dict(ours.alternatives[:2]) == pytest.approx(dict(theirs.alternatives[:2]), abs=1e-5)


def test_photos_and_cameras_tell_the_judge_the_same_of_the_same_frame() -> None:
    photo, camera = FakeJudge(), FakeJudge()
    PhotoReader(seeing(), Wavering(), judge=photo).read(painted())
    watched(camera, Wavering(), 2)
    assert len(photo.asked[0]) == len(SHOWN)
    for each in fields(Candidates):
        ours, theirs = (getattr(judge.asked[0], each.name) for judge in (camera, photo))
        assert np.allclose(ours, theirs), each.name


def test_tiles_of_which_enough_is_known_are_looked_at_no_more_but_judged_with_the_others() -> None:
    judge, classifier = FakeJudge(), Wavering()
    sight = watched(judge, classifier, 3 * KNOWN.few)
    assert classifier.asked[:2] == [7, 7]
    assert classifier.asked[-1] == 2, "of all but the white dragons enough is known by then"
    known = judge.asked[-1].chosen(np.arange(2, 7))
    assert len(judge.asked[-1]) == 7
    sure = [0, 1, 2, 3, 6]
    assert np.allclose(known.quads, LAID.quads[sure])
    shown = [READING_LABELS[best] for best in known.probabilities.argmax(axis=1)]
    assert shown == [SHOWN[place] for place in sure]
    assert np.allclose(known.colours, judge.asked[0].colours[sure])
    assert sight.reading is not None
    assert [tile.label for tile in sight.reading.tiles] == SHOWN


@pytest.mark.parametrize("tile", [0.6, 0.95])
def test_confidence_is_the_probability_of_a_tile_that_shows_the_label(tile: float) -> None:
    read = candidates(LAID.quads[:1], row(_1p=0.8, _2p=0.2))
    told = weigh(Told((1 - tile, tile, 0)), read, SHAPE)
    assert told.chances[0] == pytest.approx(tile)
    assert told.probabilities[0].sum() == pytest.approx(1)
    assert told.probabilities[0, ONE] == pytest.approx(0.8)


@pytest.mark.parametrize("back", [0.1, 0.5, 0.9])
def test_the_judge_tells_backs_from_faces_and_the_classifier_which_face(back: float) -> None:
    read = candidates(LAID.quads[:1], row(back=0.5, _5z=0.4, _1p=0.1))
    told = weigh(Told((0, 1 - back, back)), read, SHAPE).probabilities[0]
    assert told[BACK_INDEX] == pytest.approx(back)
    assert told[WHITE] == pytest.approx(0.8 * (1 - back))
    assert told[ONE] == pytest.approx(0.2 * (1 - back))


def test_a_face_of_which_the_classifier_sees_only_a_back_may_show_anything() -> None:
    told = weigh(Told((0, 1, 0)), candidates(LAID.quads[:1], row(back=1.0)), SHAPE)
    faces = np.delete(told.probabilities[0], BACK_INDEX)
    assert told.probabilities[0, BACK_INDEX] == pytest.approx(0, abs=1e-6)
    assert faces == pytest.approx(1 / len(faces))


@pytest.mark.parametrize("tile", [LEAST - 0.01, LEAST + 0.01])
def test_what_is_less_likely_a_tile_than_the_least_is_none(tile: float) -> None:
    read = candidates(LAID.quads[:2], sure_of(["1p", "2p"]))
    told = weigh(Told((0.1, 0.9, 0), (1 - tile, tile / 2, tile / 2)), read, SHAPE)
    assert told.tiles.tolist() == [True, tile > LEAST]
    assert told.chances == pytest.approx([0.9, tile])


@pytest.mark.parametrize(("whole", "tiles"), [(0.9, [True, False]), (0.1, [False, True])])
def test_a_part_of_an_accepted_tile_is_none_however_likely_it_is(
    whole: float, tiles: list[bool]
) -> None:
    half = LAID.quads[:1].copy()
    half[:, 2:] -= (half[:, 2:] - half[:, 1::-1]) / 2
    read = candidates(np.concatenate([LAID.quads[:1], half]), sure_of(["4p", "2p"]))
    told = weigh(Told((1 - whole, whole, 0), (0.02, 0.98, 0)), read, SHAPE)
    assert told.tiles.tolist() == tiles


def test_no_more_tiles_of_a_face_are_expected_than_the_set_has() -> None:
    quads = np.concatenate([LAID.quads[:3], LAID.quads[:3] + np.float32(200)])
    read = candidates(quads, sure_of(["1p"] * 6, 0.9))
    judge = Told(*[(0.0, 1.0, 0.0)] * 6)
    assert weigh(judge, read, SHAPE).probabilities[:, ONE].sum() < 5
    assert weigh(judge, read, SHAPE, {"1p": 6}).probabilities[:, ONE].sum() > 5.3


def test_the_last_of_the_row_is_the_only_back() -> None:
    judge = FakeJudge()
    PhotoReader(seeing(), Wavering(), judge=judge).read(painted())
    backs = weigh(judge, judge.asked[0], SHAPE).probabilities[:, BACK_INDEX]
    assert backs[4:] == pytest.approx(DOWN[4:], abs=0.01)
    assert backs[:4].max() < 0.01
