"""Flowers and seasons are told apart by their marks, and nothing else is changed by these."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS
from tests.vision.classify.small_print import PHOTO, QUAD, SIZE, FakeModel, reader_with
from tests.vision.fakes import sure_of
from vision.classify.bonus_marks import (
    LEAST,
    MarkWeights,
    OnnxMarks,
    mark_terms,
    upright_logits,
)
from vision.classify.crop_reader import CropReader
from vision.classify.experts import combined
from vision.errors import ModelError

mark_of = partial(FakeModel, BONUS_TILES)


def reader(model: FakeModel) -> CropReader:
    return reader_with(model, BONUS_TILES)


def by_both(picture: NDArray[np.float32], mark: NDArray[np.float32]) -> NDArray[np.float32]:
    return combined(mark_terms(picture, mark), MarkWeights.shipped(), picture)


def marked(model: FakeModel, labels: list[str], sure: float) -> NDArray[np.float32]:
    quads = np.repeat(QUAD[np.newaxis], len(labels), axis=0)
    return OnnxMarks(reader(model)).refined(PHOTO, quads, sure_of(labels, sure))


def test_marks_are_read_from_the_photo_as_the_view_has_it_up() -> None:
    model = mark_of("2y", 0.99)
    for corner, down in ((0, 1), (2, -1)):
        quads = np.roll(QUAD, -corner, axis=0)[np.newaxis]
        OnnxMarks(reader(model)).refined(PHOTO, quads, sure_of(["2y"], 0.9))
        assert model.shown.shape == (2, *SIZE, 3)
        rows = model.shown[0, :, 12, 0].astype(int)[::down]
        assert abs(rows[0] - 100) <= 3
        assert abs(rows[-1] - 139) <= 3
        assert (np.diff(rows) >= 0).all()


def test_each_reader_looks_twice_one_to_either_side() -> None:
    crop = np.zeros((1, 100, 100, 3), np.uint8)
    crop[0, 50, 40] = 255
    first, second = (mark_of("2y", 0.99) for _ in range(2))
    OnnxMarks(reader(first), reader(second)).read([crop, crop])
    for model, aside in ((first, (52, 43)), (second, (48, 37))):
        assert np.array_equal(model.shown[0], crop[0])
        brightest = model.shown[1, :, :, 0].argmax()
        assert divmod(int(brightest), 100) == aside


def test_a_clear_mark_decides_against_a_doubtful_picture() -> None:
    seen = marked(mark_of("2y", 0.99), ["4f"], 0.6)
    assert READING_LABELS[seen[0].argmax()] == "2y"


def test_an_unreadable_mark_leaves_the_picture_to_decide() -> None:
    seen = marked(mark_of("2y", 1 / 8), ["4f"], 0.9)
    assert READING_LABELS[seen[0].argmax()] == "4f"


def test_only_what_may_be_a_flower_or_a_bird_is_shown_to_the_reader_of_marks() -> None:
    model = mark_of("2y", 0.99)
    assert 9 * (1 - 0.999) / (len(READING_LABELS) - 1) < LEAST
    labels = ["5z", "back", "2s", "4f", "1s"]
    seen = marked(model, labels, 0.999)
    assert model.asked == 2 * 2, "each as it is and a little aside"
    assert np.array_equal(seen[:3], sure_of(labels, 0.999)[:3])


def test_how_likely_a_tile_is_a_flower_or_a_bird_stays() -> None:
    bonus = [READING_LABELS.index(label) for label in BONUS_TILES]
    either = [*bonus, READING_LABELS.index("1s")]
    before = sure_of(["1s"], 0.6)
    before[0, bonus] = 0.1
    before /= before.sum(axis=1, keepdims=True)
    marks = OnnxMarks(reader(mark_of("3y", 0.9)))
    after = marks.refined(PHOTO, QUAD[np.newaxis], before)
    assert after[:, either].sum() == pytest.approx(before[:, either].sum(), rel=1e-5)
    assert np.allclose(np.delete(after, either, axis=1), np.delete(before, either, axis=1))
    assert after[0, bonus].argmax() == BONUS_TILES.index("3y")


@pytest.mark.parametrize("other", ["2y", "3f"])
def test_a_picture_outweighs_a_doubtful_mark_but_no_clear_one(other: str) -> None:
    shown, said = BONUS_TILES.index("2f"), BONUS_TILES.index(other)
    picture = np.full((1, 8), 0.2 / 7, np.float32)
    picture[0, shown] = 0.8
    for share, wanted in ((0.6, shown), (0.9, said)):
        mark = np.zeros((1, 8), np.float32)
        mark[0, [shown, said]] = 1 - share, share
        assert by_both(picture, mark)[0].argmax() == wanted


def test_certain_models_that_disagree_still_give_probabilities() -> None:
    picture, mark = np.zeros((1, 8), np.float32), np.zeros((1, 8), np.float32)
    picture[0, 0] = mark[0, 7] = 1
    both = by_both(picture, mark)
    assert np.isfinite(both).all()
    assert both.sum() == pytest.approx(1, abs=1e-5)


def test_readers_that_say_the_same_are_believed_and_of_two_the_surer() -> None:
    quads = QUAD[np.newaxis]
    one, same, surer = mark_of("2y", 0.9), mark_of("2y", 0.9), mark_of("4f", 0.99)
    surer.metadata["size"] = [64, 48]
    for others, wanted in (((one, same), "2y"), ((one, surer), "4f"), ((surer, one), "4f")):
        marks = OnnxMarks(*(reader(model) for model in others))
        seen = marks.refined(PHOTO, quads, sure_of(["2f"], 0.5))
        assert READING_LABELS[seen[0].argmax()] == wanted
        assert [model.shown.shape[1:3] for model in others] == list(marks.sizes)


def test_a_reader_that_is_certain_can_be_outvoted() -> None:
    certain, others = mark_of("2y", 1.0), [mark_of("3y", 0.999) for _ in range(2)]
    marks = OnnxMarks(*(reader(model) for model in (certain, *others)))
    said = marks.read([model.shown for model in (certain, *others)])
    assert said.shape == (0, 8)
    crops = [np.zeros((1, *SIZE, 3), np.uint8)] * 3
    assert BONUS_TILES[marks.read(crops)[0].argmax()] == "3y"


def test_a_model_of_other_tiles_is_refused() -> None:
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        reader(FakeModel(BONUS_TILES[::-1], "1f", 0.5))


def test_a_model_that_does_not_say_what_it_looks_at_is_refused() -> None:
    model = mark_of("1f", 0.5)
    del model.metadata["size"]
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        OnnxMarks(reader(model))


def test_a_view_whose_mark_is_legible_is_the_right_upright_logits() -> None:
    legible, doubtful = sure_of(["2y"], 0.9), sure_of(["2y"], 0.9)
    bonus = [READING_LABELS.index(label) for label in BONUS_TILES]
    legible[0, bonus] = doubtful[0, bonus] = 0.001
    legible[0, bonus[5]] = 0.9
    doubtful[0, bonus[5]] = doubtful[0, bonus[6]] = 0.45
    said = upright_logits(np.concatenate([legible, doubtful, sure_of(["1s"], 0.99)]))
    assert said[0] > 5
    assert said[1:].tolist() == [0, 0]
